//! Queues of work on a GPU.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::driver::RawStream;
use crate::{Device, Result, device};

/// A queue of launches. Work on one stream runs in order, work on two at once.
///
/// Every device has a stream of its own for launches that name none. Whatever
/// the streams are, a launch follows the earlier uses of its tensors. Where there
/// is no GPU a launch has finished when it returns, and a stream does nothing.
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
    /// Of a device on which a launch has finished when it returns.
    Host(Device),
    Cuda(Arc<RawStream>),
}

impl Stream {
    /// A new stream of a device.
    pub fn new(device: &Device) -> Result<Stream> {
        match device.0 {
            device::Kind::Cpu => Ok(Stream(Queue::Host(*device))),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(Stream(Queue::Host(*device))),
            device::Kind::Cuda(context) => {
                // The default stream is there first, so that a second one is seen as such.
                context.default_stream()?;
                Ok(Stream(Queue::Cuda(Arc::new(RawStream::new(context)?))))
            }
        }
    }

    /// The device it belongs to.
    pub fn device(&self) -> Device {
        self.0.device()
    }

    /// Waits until everything on the stream has finished.
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

/// A stream to launch on: a [`Stream`], or with the feature `cust` a `cust` stream.
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
