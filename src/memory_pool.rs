//! The memory that a GPU keeps for later tensors.

use crate::{Device, Result, device, graph};

/// The memory of the pool of a GPU, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryUsage {
    /// The bytes of tensors.
    pub used: u64,
    /// The bytes that the program holds: those of tensors, and of dropped tensors for later ones.
    pub held: u64,
}

impl Device {
    /// Returns the memory that tensors on this device use. Returns `None` for the CPU and for GPUs without memory pools,
    /// which give memory back at once.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let device = Device::best();
    /// let _x = Tensor::<f32, 1>::zeros(&device, [1000])?;
    /// if let Some(usage) = device.memory_usage()? {
    ///     assert!(usage.used >= 4000 && usage.held >= usage.used);
    /// }
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    pub fn memory_usage(&self) -> Result<Option<MemoryUsage>> {
        match self.0 {
            device::Kind::Cpu => Ok(None),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(None),
            device::Kind::Cuda(context) => {
                let usage = context.memory_usage()?;
                Ok(usage.map(|(used, held)| MemoryUsage { used, held }))
            }
        }
    }

    /// Waits for all work on the device, and gives the memory of dropped tensors back to the system, so that other programs
    /// can use it. Without this call, the program keeps it, since allocating it again takes long.
    pub fn trim_memory(&self) -> Result<()> {
        graph::refuse_in_capture("waiting for a device")?;
        match self.0 {
            device::Kind::Cpu => Ok(()),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(()),
            device::Kind::Cuda(context) => context.release_freed_memory(),
        }
    }
}
