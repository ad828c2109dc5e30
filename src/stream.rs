//! Streams: queues of work on a GPU.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::completion::Completion;
use crate::driver::{self, RawStream};
use crate::event::Event;
use crate::graph::{self, Work};
use crate::{Device, Error, Result, device};

/// A queue of work: launches, copies, and graphs. Work on one stream runs in order; work on different streams may
/// run concurrently.
///
/// Every device has a default stream for launches that do not name a stream. On every stream, work
/// follows the earlier uses of its tensors. Without a GPU, work has finished when the call that starts it
/// returns, and a stream has no effect.
///
/// ```
/// use tile_kernel::{Device, Stream};
/// let stream = Stream::new(&Device::cpu())?;
/// stream.synchronize()?;
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[derive(Clone)]
pub struct Stream(pub(crate) Queue);

#[derive(Clone)]
pub(crate) enum Queue {
    /// A stream of a device on which a launch has finished when it returns.
    Host(Device),
    Cuda(Arc<RawStream>),
}

impl Stream {
    /// Creates a stream of a device, with the lowest priority.
    pub fn new(device: &Device) -> Result<Stream> {
        Self::create(device, RawStream::new)
    }

    /// Creates a stream with a priority. A lower number is a higher priority: a GPU starts blocks of such a stream
    /// first. Numbers outside of [`Device::stream_priorities`] stand for the nearest one inside.
    ///
    /// ```
    /// use tile_kernel::{Device, Stream};
    /// let device = Device::cpu();
    /// let urgent = Stream::with_priority(&device, *device.stream_priorities()?.start())?;
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    pub fn with_priority(device: &Device, priority: i32) -> Result<Stream> {
        Self::create(device, |context| {
            RawStream::with_priority(context, priority)
        })
    }

    fn create(
        device: &Device,
        create: impl FnOnce(&'static driver::Context) -> Result<RawStream>,
    ) -> Result<Stream> {
        match device.0 {
            device::Kind::Cpu => Ok(Stream(Queue::Host(*device))),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(Stream(Queue::Host(*device))),
            device::Kind::Cuda(context) => {
                // Creates the default stream first, so that the new stream counts as a second
                // stream.
                context.default_stream()?;
                Ok(Stream(Queue::Cuda(Arc::new(create(context)?))))
            }
        }
    }

    /// Returns the default stream of a device, on which launches run that name no stream.
    pub fn of_device(device: &Device) -> Result<Stream> {
        match device.0 {
            device::Kind::Cpu => Ok(Stream(Queue::Host(*device))),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(Stream(Queue::Host(*device))),
            device::Kind::Cuda(context) => {
                let stream = Arc::clone(context.default_stream()?);
                Ok(Stream(Queue::Cuda(stream)))
            }
        }
    }

    /// Returns the device of the stream.
    pub fn device(&self) -> Device {
        self.0.device()
    }

    pub(crate) fn queue(&self) -> &Queue {
        &self.0
    }

    /// Waits until all work on the stream has finished.
    pub fn synchronize(&self) -> Result<()> {
        graph::refuse_in_capture("waiting for a stream")?;
        match &self.0 {
            Queue::Host(_) => Ok(()),
            Queue::Cuda(stream) => stream.synchronize(),
        }
    }

    /// Returns a new event at the end of the present work of the stream.
    pub fn record(&self) -> Result<Event> {
        let event = Event::new(&self.device())?;
        event.record(self)?;
        Ok(event)
    }

    /// Makes the later work of this stream wait for an event, which may be one of another device. The host does not
    /// wait.
    ///
    /// Work that uses the same tensors is in order without it.
    ///
    /// # Errors
    /// [`EventNotRecorded`](Error::EventNotRecorded), or an error of the driver.
    pub fn wait(&self, event: &Event) -> Result<()> {
        if graph::is_captured(self.device())? {
            if event.device() != self.device() {
                return Err(Error::Capturing {
                    what: "waiting for another device",
                });
            }
            return graph::push(Some(&self.0), Work::Wait(event.clone()));
        }
        event.make_wait(&self.0)
    }

    /// Returns a future of the present work of the stream.
    pub fn completion(&self) -> Result<Completion> {
        graph::refuse_in_capture("waiting for a stream")?;
        self.0.completion()
    }

    /// Calls a function after the present work of the stream, as [`Completion::on_complete`] does.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use tile_kernel::{Device, Stream};
    ///
    /// let stream = Stream::new(&Device::best())?;
    /// let (sender, receiver) = mpsc::channel();
    /// stream.on_complete(move |result| sender.send(result).unwrap())?;
    /// assert_eq!(receiver.recv(), Ok(Ok(())));
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    pub fn on_complete(&self, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        self.completion()?.on_complete(function);
        Ok(())
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("device", &self.device())
            .finish_non_exhaustive()
    }
}

impl Device {
    /// Returns the priorities of streams, from the highest to the lowest. A lower number is a higher priority.
    pub fn stream_priorities(&self) -> Result<RangeInclusive<i32>> {
        match self.0 {
            device::Kind::Cpu => Ok(0..=0),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(0..=0),
            device::Kind::Cuda(context) => driver::priorities(context),
        }
    }
}

impl Queue {
    pub(crate) fn device(&self) -> Device {
        match self {
            Queue::Host(device) => *device,
            Queue::Cuda(stream) => Device(device::Kind::Cuda(stream.context())),
        }
    }

    /// Returns the default queue of a device.
    pub(crate) fn of_device(device: Device) -> Result<Queue> {
        Stream::of_device(&device).map(|stream| stream.0)
    }

    /// Returns `true` for the same stream.
    pub(crate) fn is(&self, other: &Queue) -> bool {
        match (self, other) {
            (Queue::Host(device), Queue::Host(other)) => device == other,
            (Queue::Cuda(stream), Queue::Cuda(other)) => stream.raw() == other.raw(),
            (Queue::Host(_) | Queue::Cuda(_), _) => false,
        }
    }

    /// Returns a future of the work so far.
    pub(crate) fn completion(&self) -> Result<Completion> {
        match self {
            Queue::Host(_) => Ok(Completion::finished(Ok(()))),
            Queue::Cuda(stream) => Completion::of(stream),
        }
    }
}

/// A stream to launch on: a [`Stream`], or one of another library ([`foreign::Stream`](crate::foreign::Stream)).
pub struct StreamRef<'a> {
    pub(crate) queue: Result<Queue>,
    pub(crate) borrow: PhantomData<&'a ()>,
}

impl StreamRef<'_> {
    /// Returns a reference to a queue, which lives as long as it.
    pub(crate) fn of(queue: &Queue) -> Self {
        StreamRef {
            queue: Ok(queue.clone()),
            borrow: PhantomData,
        }
    }
}

impl<'a> From<&'a Stream> for StreamRef<'a> {
    fn from(stream: &'a Stream) -> StreamRef<'a> {
        StreamRef {
            queue: Ok(stream.0.clone()),
            borrow: PhantomData,
        }
    }
}
