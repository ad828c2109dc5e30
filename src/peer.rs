//! Several devices: access of one to the memory of another, and copies between them.

use std::sync::Arc;

use crate::graph::{self, Work};
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Device, Element, Error, Result, Tensor, device};

impl Device {
    /// Returns `true` if kernels on this device can be given access to the memory of `peer`.
    pub fn can_access_peer(&self, peer: &Device) -> Result<bool> {
        match (self.0, peer.0) {
            (device::Kind::Cuda(context), device::Kind::Cuda(peer)) => {
                context.can_access_peer(peer)
            }
            _ => Ok(self == peer),
        }
    }

    /// Gives kernels on this device access to tensors of `peer`. A launch on this device then takes them as arguments,
    /// in order with the work of both devices.
    ///
    /// # Errors
    /// [`NoPeerAccess`](Error::NoPeerAccess), or an error of the driver.
    pub fn enable_peer_access(&self, peer: &Device) -> Result<()> {
        match (self.0, peer.0) {
            (device::Kind::Cuda(context), device::Kind::Cuda(peer)) => {
                context.enable_peer_access(peer)
            }
            _ if self == peer => Ok(()),
            _ => Err(Error::NoPeerAccess {
                device: *self,
                peer: *peer,
            }),
        }
    }

    /// Returns `true` if kernels on this device may access tensors of `peer`.
    pub(crate) fn has_peer_access(&self, peer: &Device) -> bool {
        match (self.0, peer.0) {
            (device::Kind::Cuda(context), device::Kind::Cuda(peer)) => {
                context.has_peer_access(peer)
            }
            _ => self == peer,
        }
    }
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// Replaces all elements by those of another tensor of the same shape, as work of a stream of one of the two
    /// devices. Between GPUs it needs no peer access, but is faster with it.
    ///
    /// Views that are not contiguous, views of one tensor, and tensors that are not on GPUs are copied through the host, and
    /// this method then waits for the copy.
    ///
    /// # Errors
    /// [`LengthMismatch`](Error::LengthMismatch) if the shapes differ,
    /// [`ReadOnlyView`](Error::ReadOnlyView) if several indices of this one are one element,
    /// [`OtherDevice`](Error::OtherDevice) if the stream is one of a third device, or an error of the driver.
    pub fn copy_from_tensor_async<'a>(
        &mut self,
        other: &Tensor<T, R>,
        stream: impl Into<StreamRef<'a>>,
    ) -> Result<()> {
        let queue = stream.into().queue?;
        if other.shape() != self.shape() {
            return Err(Error::LengthMismatch {
                len: other.len(),
                shape: self.shape().to_vec(),
                expected: self.len(),
            });
        }
        self.layout.check_writable()?;
        let devices = [self.device(), other.device()];
        if !devices.contains(&queue.device()) {
            return Err(Error::OtherDevice {
                what: "the tensor",
                expected: devices[0],
                found: queue.device(),
            });
        }
        let is_direct = matches!(
            (&*self.storage, &*other.storage, &queue),
            (Storage::Device(_), Storage::Device(_), Queue::Cuda(_))
        );
        // Views of one tensor may overlap.
        let is_apart = !Arc::ptr_eq(&self.storage, &other.storage);
        let is_contiguous = self.layout.is_contiguous() && other.layout.is_contiguous();
        if !(is_direct && is_apart && is_contiguous) {
            graph::refuse_in_capture("a copy through the host")?;
            return self.copy_from_slice(&other.to_vec()?);
        }
        let bytes = self.len() * size_of::<T>();
        if bytes == 0 {
            return Ok(());
        }
        let work = Work::Copy {
            to: Arc::clone(&self.storage),
            offset: self.layout.offset * size_of::<T>(),
            from: Arc::clone(&other.storage),
            start: other.layout.offset * size_of::<T>(),
            bytes,
        };
        graph::start(&queue, work)
    }
}
