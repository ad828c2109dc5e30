//! Events: points in the work of streams, with times.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::driver::{RawEvent, Timing};
use crate::graph::{self, Work};
use crate::stream::{Queue, StreamRef};
use crate::{Device, Error, Result, device};

/// A point in the work of a stream. The host and other streams can wait for it, and the time between two events
/// is the time that the device took for the work between them.
///
/// Clones are the same event. An event may be recorded again, which moves it: what waited for the earlier point
/// still waits for that one.
///
/// ```
/// use tile_kernel::{Device, Event, Stream, Tensor};
///
/// let device = Device::cpu();
/// let stream = Stream::new(&device)?;
/// let (start, end) = (Event::new(&device)?, Event::new(&device)?);
/// start.record(&stream)?;
/// let x = Tensor::full(&device, [1 << 20], 1.0)?;
/// end.record(&stream)?;
/// println!("{:?}", start.elapsed(&end)?);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[derive(Clone)]
pub struct Event(Arc<Inner>);

struct Inner {
    device: Device,
    state: State,
}

enum State {
    /// Of a device on which work has finished when it was submitted: the time of the last record.
    Host(Mutex<Option<Moment>>),
    Cuda {
        raw: RawEvent,
        recorded: AtomicBool,
    },
}

/// A time on the clock of a device without streams.
#[derive(Clone, Copy)]
enum Moment {
    Host(Instant),
    /// Picoseconds on the clock of the simulated GPU.
    #[cfg(feature = "sim")]
    Simulated(u64),
}

impl Moment {
    fn now(device: Device) -> Moment {
        match device.0 {
            #[cfg(feature = "sim")]
            device::Kind::Sim => Moment::Simulated(crate::sim::clock()),
            device::Kind::Cpu | device::Kind::Cuda(_) => Moment::Host(Instant::now()),
        }
    }

    /// Returns the seconds until a later time, 0 for an earlier one.
    fn seconds_until(self, end: Moment) -> f64 {
        match (self, end) {
            (Moment::Host(start), Moment::Host(end)) => {
                end.saturating_duration_since(start).as_secs_f64()
            }
            #[cfg(feature = "sim")]
            (Moment::Simulated(start), Moment::Simulated(end)) => {
                #[expect(clippy::cast_precision_loss, reason = "2^53 picoseconds are hours")]
                let picoseconds = end.saturating_sub(start) as f64;
                picoseconds * 1e-12
            }
            #[cfg(feature = "sim")]
            (Moment::Host(_) | Moment::Simulated(_), _) => {
                unreachable!("both events are of one device")
            }
        }
    }
}

impl Event {
    /// Creates an event of a device. It has not been recorded.
    pub fn new(device: &Device) -> Result<Event> {
        let state = match device.0 {
            device::Kind::Cpu => State::Host(Mutex::default()),
            #[cfg(feature = "sim")]
            device::Kind::Sim => State::Host(Mutex::default()),
            device::Kind::Cuda(context) => State::Cuda {
                raw: RawEvent::new(context, Timing::On)?,
                recorded: AtomicBool::new(false),
            },
        };
        Ok(Event(Arc::new(Inner {
            device: *device,
            state,
        })))
    }

    /// Returns the device of the event.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Moves the event to the end of the present work of a stream. In a capture, it becomes part of the
    /// graph, and every launch of the graph records it.
    ///
    /// # Errors
    /// [`OtherDevice`](Error::OtherDevice) if the stream is one of another device.
    pub fn record<'a>(&self, stream: impl Into<StreamRef<'a>>) -> Result<()> {
        let queue = stream.into().queue?;
        self.check_device(queue.device())?;
        if graph::is_captured(self.0.device)? {
            return graph::push(Some(&queue), Work::Record(self.clone()));
        }
        match (&self.0.state, &queue) {
            (State::Cuda { raw, recorded }, Queue::Cuda(stream)) => {
                raw.record(stream)?;
                recorded.store(true, Ordering::Release);
            }
            (State::Host(_) | State::Cuda { .. }, _) => self.reached(),
        }
        Ok(())
    }

    /// Returns `true` if the work before the event has finished.
    ///
    /// # Errors
    /// [`EventNotRecorded`](Error::EventNotRecorded), or an error of that work.
    pub fn is_complete(&self) -> Result<bool> {
        match &self.0.state {
            State::Host(_) => self.time().map(|_| true),
            State::Cuda { raw, .. } => {
                self.check_recorded()?;
                raw.is_complete()
            }
        }
    }

    /// Waits until the work before the event has finished.
    ///
    /// # Errors
    /// [`EventNotRecorded`](Error::EventNotRecorded), or an error of that work.
    pub fn synchronize(&self) -> Result<()> {
        graph::refuse_in_capture("waiting for an event")?;
        match &self.0.state {
            State::Host(_) => self.time().map(drop),
            State::Cuda { raw, .. } => {
                self.check_recorded()?;
                raw.synchronize()
            }
        }
    }

    /// Returns the time from this event to `end`, and waits for both. It is zero if `end` was recorded
    /// first. A GPU measures it in steps of about 0.5 microseconds. On the simulated GPU, it is the estimated time of
    /// the launches of this thread in between; nothing else takes time there.
    ///
    /// # Errors
    /// [`EventNotRecorded`](Error::EventNotRecorded), [`OtherDevice`](Error::OtherDevice), or an error of
    /// the work before the events.
    pub fn elapsed(&self, end: &Event) -> Result<Duration> {
        let seconds = self.seconds_until(end)?;
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
    }

    /// Returns what [`elapsed`](Event::elapsed) does, in seconds, which have no smallest step.
    pub(crate) fn seconds_until(&self, end: &Event) -> Result<f64> {
        self.check_device(end.0.device)?;
        self.synchronize()?;
        end.synchronize()?;
        match (&self.0.state, &end.0.state) {
            (State::Cuda { raw, .. }, State::Cuda { raw: end, .. }) => raw.seconds_until(end),
            (State::Host(_) | State::Cuda { .. }, _) => Ok(self.time()?.seconds_until(end.time()?)),
        }
    }

    /// Makes later work of a stream wait for the event.
    pub(crate) fn make_wait(&self, queue: &Queue) -> Result<()> {
        match (&self.0.state, queue) {
            (State::Cuda { raw, .. }, Queue::Cuda(stream)) => {
                self.check_recorded()?;
                stream.wait(raw)
            }
            (State::Host(_) | State::Cuda { .. }, _) => self.synchronize(),
        }
    }

    /// Notes that the work before the event was submitted, on the CPU device that it has finished.
    pub(crate) fn reached(&self) {
        match &self.0.state {
            State::Host(time) => {
                *time.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(Moment::now(self.0.device));
            }
            State::Cuda { recorded, .. } => recorded.store(true, Ordering::Release),
        }
    }

    pub(crate) fn raw(&self) -> Option<&RawEvent> {
        match &self.0.state {
            State::Host(_) => None,
            State::Cuda { raw, .. } => Some(raw),
        }
    }

    /// Returns `true` for clones of one event.
    pub(crate) fn is(&self, other: &Event) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn check_recorded(&self) -> Result<()> {
        match &self.0.state {
            State::Host(_) => self.time().map(drop),
            State::Cuda { recorded, .. } if recorded.load(Ordering::Acquire) => Ok(()),
            State::Cuda { .. } => Err(Error::EventNotRecorded),
        }
    }

    /// Returns the time at which the work before the event had finished.
    fn time(&self) -> Result<Moment> {
        match &self.0.state {
            State::Host(time) => {
                let time = *time.lock().unwrap_or_else(PoisonError::into_inner);
                time.ok_or(Error::EventNotRecorded)
            }
            State::Cuda { .. } => unreachable!("only events of the host have a time there"),
        }
    }

    fn check_device(&self, found: Device) -> Result<()> {
        if found == self.0.device {
            return Ok(());
        }
        Err(Error::OtherDevice {
            what: "the event",
            expected: self.0.device,
            found,
        })
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("device", &self.0.device)
            .finish_non_exhaustive()
    }
}
