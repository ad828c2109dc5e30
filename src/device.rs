//! Devices, on which tensors are allocated and kernels run.

use std::env;
use std::fmt;

use crate::driver::Context;
use crate::{Error, Result, driver, graph};

/// A GPU, the CPU, or, with the feature `sim`, a simulated GPU.
///
/// Two values are equal if they are the same device. Copies are free.
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
    #[cfg(feature = "sim")]
    Sim,
    Cuda(&'static Context),
}

impl Device {
    /// Returns the device that the environment variable `TILE_DEVICE` names (`cpu`, `sim`, `cuda`,
    /// `cuda:1` for the second GPU, or `simdriver`, `simdriver:1`, .. for a GPU of the simulated driver
    /// `tile-sim-driver`, which then takes the place of NVIDIA's). If the variable is not set, returns the first usable GPU,
    /// or the CPU if there is none.
    ///
    /// # Panics
    /// Panics if `TILE_DEVICE` does not name a device, or names one that cannot be used.
    pub fn best() -> Device {
        match Device::from_environment() {
            Ok(Some(device)) => device,
            Ok(None) => Device::cuda(0).unwrap_or(Device::cpu()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the device that `TILE_DEVICE` names, if it is set.
    ///
    /// # Errors
    /// Returns an error if the variable does not name a device, or names one that cannot be used.
    pub fn from_environment() -> Result<Option<Device>> {
        let name = env::var_os("TILE_DEVICE").unwrap_or_default();
        if name.is_empty() {
            return Ok(None);
        }
        Device::named(&name.to_string_lossy()).map(Some)
    }

    fn named(name: &str) -> Result<Device> {
        let refused = |cure| {
            Err(Error::Variable {
                name: "TILE_DEVICE",
                value: name.to_owned(),
                cure,
            })
        };
        let (kind, ordinal) = name.split_once(':').unwrap_or((name, "0"));
        match (kind, ordinal.parse()) {
            ("cpu", _) if kind == name => Ok(Device::cpu()),
            #[cfg(feature = "sim")]
            ("sim", _) if kind == name => Ok(Device::sim()),
            #[cfg(not(feature = "sim"))]
            ("sim", _) if kind == name => {
                refused("build the program with the feature `sim` of `tile-kernel`")
            }
            ("cuda", Ok(ordinal)) => Device::cuda(ordinal),
            ("simdriver", Ok(ordinal)) => match driver::simulated() {
                Some(library) if !library.exists() => Err(Error::Variable {
                    name: "TILE_SIM_DRIVER",
                    value: library.to_string_lossy().into_owned(),
                    cure: "set it to the path of `libtile_sim_driver.so`, which `cargo build -p tile-sim-driver` makes",
                }),
                _ => Device::cuda(ordinal),
            },
            _ => refused(
                "set it to `cpu`, `sim`, `cuda`, `simdriver`, or one of the last two with `:` and a number, or unset it",
            ),
        }
    }

    /// Returns the CPU, where kernels are interpreted on all cores.
    pub fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// Returns a simulated GPU: the PTX of a kernel runs on the CPU, which checks every access and
    /// every barrier and detects races ([`sim`](crate::sim)).
    #[cfg(feature = "sim")]
    pub fn sim() -> Device {
        Device(Kind::Sim)
    }

    /// Returns the GPU with this ordinal of the driver.
    ///
    /// # Errors
    /// [`NoDriver`](crate::Error::NoDriver), [`DriverTooOld`](crate::Error::DriverTooOld),
    /// [`NoSuchDevice`](crate::Error::NoSuchDevice), or another error of the driver.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device(Kind::Cuda(driver::context(ordinal)?)))
    }

    /// Returns `true` for a GPU, and `false` for the CPU and the simulated GPU.
    pub fn is_cuda(&self) -> bool {
        matches!(self.0, Kind::Cuda(_))
    }

    /// Returns `cpu`, `sim`, or the driver's name of the GPU.
    pub fn name(&self) -> &str {
        match self.0 {
            Kind::Cpu => "cpu",
            #[cfg(feature = "sim")]
            Kind::Sim => "sim",
            Kind::Cuda(context) => context.name(),
        }
    }

    /// Returns the ordinal of a GPU, with which the driver numbers it; `None` for other devices.
    pub fn ordinal(&self) -> Option<usize> {
        match self.0 {
            Kind::Cpu => None,
            #[cfg(feature = "sim")]
            Kind::Sim => None,
            Kind::Cuda(context) => Some(context.ordinal()),
        }
    }

    /// Returns the architecture of a GPU, such as `sm_90`; `None` for other devices.
    pub fn arch(&self) -> Option<String> {
        match self.0 {
            Kind::Cpu => None,
            #[cfg(feature = "sim")]
            Kind::Sim => None,
            Kind::Cuda(context) => Some(context.arch()),
        }
    }

    /// Waits until all work on the device has finished.
    pub fn synchronize(&self) -> Result<()> {
        graph::refuse_in_capture("waiting for a device")?;
        match self.0 {
            Kind::Cpu => Ok(()),
            #[cfg(feature = "sim")]
            Kind::Sim => Ok(()),
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
            #[cfg(feature = "sim")]
            Kind::Sim => f.write_str("sim"),
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
    fn a_device_is_named_as_it_is_shown() -> Result<()> {
        assert_eq!(Device::named("cpu")?, Device::cpu());
        #[cfg(feature = "sim")]
        assert_eq!(Device::named("sim")?, Device::sim());
        for name in ["gpu", "cuda:x", "simdriver:x", "cpu:0", "sim:1", " cpu"] {
            let error = Device::named(name).expect_err("it is no device");
            let expected = format!("`TILE_DEVICE` is `{name}`: set it to `cpu`, `sim`, `cuda`");
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
        assert_eq!(Device::named("cuda:4096"), Device::cuda(4096));
        Ok(())
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
