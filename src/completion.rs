//! Futures of the work of streams, and functions that are called after it.
//!
//! The input is an event in the work of a stream. A thread of this crate, which starts with the first future that
//! has to wait, asks the driver for the events and wakes the tasks. It needs no function of an executor, and it
//! learns of errors, of which the driver tells no callback.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::driver::{RawEvent, RawStream};
use crate::{Error, Result};

/// The end of work that was submitted to a stream: a future that any executor can await, with the error of the
/// work, if there is one.
///
/// The work runs whether or not this is awaited, and goes on if this is dropped.
///
/// ```
/// use tile_kernel::{Device, Stream};
/// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Wake}, thread::{self, Thread}};
/// # struct Unpark(Thread);
/// # impl Wake for Unpark { fn wake(self: Arc<Self>) { self.0.unpark() } }
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let (mut future, waker) = (pin!(future), Arc::new(Unpark(thread::current())).into());
/// #     loop {
/// #         match future.as_mut().poll(&mut Context::from_waker(&waker)) {
/// #             Poll::Ready(output) => break output,
/// #             Poll::Pending => thread::park(),
/// #         }
/// #     }
/// # }
///
/// let stream = Stream::new(&Device::best())?;
/// // .. launches on the stream ..
/// block_on(async { stream.completion()?.await })?; // `block_on` of an executor
/// # Ok::<(), tile_kernel::Error>(())
/// ```
pub struct Completion(State);

enum State {
    Finished(Result<()>),
    Running {
        event: Arc<RawEvent>,
        /// The task to wake; `None` before the first poll.
        task: Option<Arc<Mutex<Task>>>,
    },
}

#[derive(Default)]
struct Task {
    waker: Option<Waker>,
    result: Option<Result<()>>,
}

fn lock(task: &Mutex<Task>) -> MutexGuard<'_, Task> {
    task.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Completion {
    /// Returns a future of work that has finished.
    pub(crate) fn finished(result: Result<()>) -> Completion {
        Completion(State::Finished(result))
    }

    /// Returns a future of the work so far of a stream.
    pub(crate) fn of(stream: &RawStream) -> Result<Completion> {
        Ok(Completion(State::Running {
            event: Arc::new(stream.end()?),
            task: None,
        }))
    }

    /// Returns `true` if the work has finished.
    pub fn is_complete(&self) -> Result<bool> {
        match &self.0 {
            State::Finished(result) => result.clone().map(|()| true),
            State::Running { event, .. } => event.is_complete(),
        }
    }

    /// Waits for the end of the work, without an executor.
    pub fn wait(self) -> Result<()> {
        match self.0 {
            State::Finished(result) => result,
            State::Running { event, .. } => event.synchronize(),
        }
    }

    /// Calls a function after the end of the work, with the error of the work if there is one.
    ///
    /// A thread of this crate calls it, so it may use the device. Streams do not wait for it. Other functions
    /// and futures do, so it should not take long. A panic in it is caught.
    pub fn on_complete(self, function: impl FnOnce(Result<()>) + Send + 'static) {
        match self.0 {
            State::Finished(result) => call(Box::new(function), result),
            State::Running { event, .. } => watch(Watched {
                event,
                done: Box::new(function),
            }),
        }
    }
}

impl Future for Completion {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let (event, task) = match &mut self.0 {
            State::Finished(result) => return Poll::Ready(result.clone()),
            State::Running { event, task } => (event, task),
        };
        if let Some(task) = task {
            let mut task = lock(task);
            if let Some(result) = task.result.clone() {
                return Poll::Ready(result);
            }
            task.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        match event.is_complete() {
            Ok(false) => {}
            Ok(true) => return Poll::Ready(Ok(())),
            Err(error) => return Poll::Ready(Err(error)),
        }
        let shared = Arc::new(Mutex::new(Task {
            waker: Some(cx.waker().clone()),
            result: None,
        }));
        *task = Some(Arc::clone(&shared));
        watch(Watched {
            event: Arc::clone(event),
            done: Box::new(move |result| {
                let mut task = lock(&shared);
                task.result = Some(result);
                let waker = task.waker.take();
                drop(task);
                if let Some(waker) = waker {
                    waker.wake();
                }
            }),
        });
        Poll::Pending
    }
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Completion")
            .field(&self.is_complete())
            .finish()
    }
}

type Done = Box<dyn FnOnce(Result<()>) + Send>;

/// An event, and what to call when it has completed.
struct Watched {
    event: Arc<RawEvent>,
    done: Done,
}

impl Watched {
    /// Drops the event and calls the function, which may tell another thread that everything has ended.
    fn call(self, result: Result<()>) {
        drop(self.event);
        call(self.done, result);
    }
}

fn call(done: Done, result: Result<()>) {
    // The panic was reported by its hook, and must not end the thread for all others.
    let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
}

/// The time between two looks at the events, at first and at most.
const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_micros(500);

/// Hands an event to the thread that waits.
fn watch(watched: Watched) {
    static WATCHER: OnceLock<Option<Sender<Watched>>> = OnceLock::new();
    let start = || {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::Builder::new().name("tile-kernel-events".to_owned());
        thread.spawn(move || run(&receiver)).ok().map(|_| sender)
    };
    let unwatched = match WATCHER.get_or_init(start) {
        Some(sender) => match sender.send(watched) {
            Ok(()) => return,
            Err(refused) => refused.0,
        },
        None => watched,
    };
    // Without a thread, this one waits.
    let result = unwatched.event.synchronize();
    unwatched.call(result);
}

fn run(receiver: &Receiver<Watched>) {
    let mut running: Vec<Watched> = Vec::new();
    let mut pause = SHORTEST;
    loop {
        if running.is_empty() {
            match receiver.recv() {
                Ok(watched) => running.push(watched),
                Err(mpsc::RecvError) => return,
            }
            pause = SHORTEST;
        }
        while let Ok(watched) = receiver.try_recv() {
            running.push(watched);
            pause = SHORTEST;
        }
        let before = running.len();
        let mut index = 0;
        while index < running.len() {
            let result: Result<(), Error> = match running[index].event.is_complete() {
                Ok(false) => {
                    index += 1;
                    continue;
                }
                Ok(true) => Ok(()),
                Err(error) => Err(error),
            };
            running.remove(index).call(result);
        }
        if running.len() < before {
            pause = SHORTEST;
        } else {
            thread::sleep(pause);
            pause = (pause * 2).min(LONGEST);
        }
    }
}
