//! Streams: queues of work on a GPU.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::driver::RawStream;
use crate::{Device, Result, device};

/// A queue of launches. Work on one stream runs in order; work on different streams may run
/// concurrently.
///
/// Every device has a default stream for launches that do not name a stream. On every stream, a
/// launch follows the earlier uses of its tensors. Without a GPU, a launch has finished when it
/// returns, and a stream has no effect.
///
/// ```
/// use tile_kernel::{Device, Stream};
/// let stream = Stream::new(&Device::cpu())?;
/// stream.synchronize()?;
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[derive(Clone)]
pub struct Stream(Queue);

#[derive(Clone)]
pub(crate) enum Queue {
    /// A stream of a device on which a launch has finished when it returns.
    Host(Device),
    Cuda(Arc<RawStream>),
}

impl Stream {
    /// Creates a stream of a device.
    pub fn new(device: &Device) -> Result<Stream> {
        match device.0 {
            device::Kind::Cpu => Ok(Stream(Queue::Host(*device))),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(Stream(Queue::Host(*device))),
            device::Kind::Cuda(context) => {
                // Creates the default stream first, so that the new stream counts as a second
                // stream.
                context.default_stream()?;
                Ok(Stream(Queue::Cuda(Arc::new(RawStream::new(context)?))))
            }
        }
    }

    /// Returns the device of the stream.
    pub fn device(&self) -> Device {
        self.0.device()
    }

    /// Waits until all work on the stream has finished.
    pub fn synchronize(&self) -> Result<()> {
        match &self.0 {
            Queue::Host(_) => Ok(()),
            Queue::Cuda(stream) => stream.synchronize(),
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
}

/// A stream to launch on: a [`Stream`] or, with the feature `cust`, a `cust` stream.
pub struct StreamRef<'a> {
    pub(crate) queue: Result<Queue>,
    pub(crate) borrow: PhantomData<&'a ()>,
}

impl<'a> From<&'a Stream> for StreamRef<'a> {
    fn from(stream: &'a Stream) -> StreamRef<'a> {
        StreamRef {
            queue: Ok(stream.0.clone()),
            borrow: PhantomData,
        }
    }
}
