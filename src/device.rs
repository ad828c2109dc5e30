//! Where tensors live and kernels run.

use std::fmt;

use crate::driver::Context;
use crate::{Result, driver};

/// A GPU, or the CPU.
///
/// Two values are equal when they are the same device. Copying one is free.
///
/// ```
/// use tile_kernel::Device;
/// let device = Device::cpu();
/// assert_eq!(device.to_string(), "cpu");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device(pub(crate) Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Cpu,
    Cuda(&'static Context),
}

impl Device {
    /// The first GPU that can be used, else the CPU. Never fails.
    pub fn best() -> Device {
        Device::cuda(0).unwrap_or(Device::cpu())
    }

    /// The CPU: kernels are interpreted, on all cores.
    pub fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// The GPU with this number, as the driver counts them.
    ///
    /// # Errors
    /// [`NoDriver`](crate::Error::NoDriver), [`DriverTooOld`](crate::Error::DriverTooOld),
    /// [`NoSuchDevice`](crate::Error::NoSuchDevice), or a refusal of the driver.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device(Kind::Cuda(driver::context(ordinal)?)))
    }

    /// Whether it is a GPU.
    pub fn is_cuda(&self) -> bool {
        matches!(self.0, Kind::Cuda(_))
    }

    /// `cpu`, or the name that the driver gives the GPU.
    pub fn name(&self) -> &str {
        match self.0 {
            Kind::Cpu => "cpu",
            Kind::Cuda(context) => context.name(),
        }
    }

    /// The architecture of a GPU, such as `sm_90`; nothing for the CPU.
    pub fn arch(&self) -> Option<String> {
        match self.0 {
            Kind::Cpu => None,
            Kind::Cuda(context) => Some(context.arch()),
        }
    }

    /// Waits until everything launched on the device has finished.
    pub fn synchronize(&self) -> Result<()> {
        match self.0 {
            Kind::Cpu => Ok(()),
            Kind::Cuda(context) => context.synchronize(),
        }
    }
}

impl Default for Device {
    fn default() -> Device {
        Device::best()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Cpu => f.write_str("cpu"),
            Kind::Cuda(context) => write!(f, "cuda:{} {}", context.ordinal(), context.name()),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn the_best_device_is_a_gpu_exactly_where_one_can_be_used() {
        match Device::cuda(0) {
            Ok(gpu) => assert_eq!(Device::best(), gpu),
            Err(_) => assert_eq!(Device::best(), Device::cpu()),
        }
    }

    #[test]
    fn a_gpu_that_does_not_exist_is_refused() {
        let error = Device::cuda(4096).expect_err("no machine has this many GPUs");
        assert!(
            matches!(
                error,
                Error::NoDriver
                    | Error::DriverTooOld { .. }
                    | Error::NoSuchDevice { .. }
                    | Error::Driver { .. }
            ),
            "{error}"
        );
    }
}
