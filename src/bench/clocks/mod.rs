//! The clocks of a device while something was measured: whether a time is that of the device at its usual speed.
//!
//! A GPU is asked by NVML while it works; the CPU is asked by the time of a loop that always takes as many cycles.

mod cpu;
mod gpu;

use std::fmt;

pub use cpu::CpuClocks;
pub use gpu::{GpuClocks, Throttle};

use crate::{Device, device};

/// The clock rates of a device during a measurement.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Clocks {
    /// The clocks of a GPU, by NVML.
    Gpu(GpuClocks),
    /// The clock of the CPU, by a loop.
    Cpu(CpuClocks),
    /// A simulated device has a clock that never changes.
    Simulated,
    /// Nothing was seen, for this reason.
    NotChecked(String),
}

/// A change of clocks by more than this part of them is worth a warning.
pub(super) const TOLERANCE: f64 = 0.03;

/// Looks at the clocks of a device.
pub(super) enum Watch {
    Gpu(gpu::Watch),
    Cpu(cpu::Watch),
    /// The clock of the simulated GPU never changes.
    #[cfg_attr(
        not(feature = "sim"),
        expect(dead_code, reason = "there is no such device")
    )]
    Constant,
    Nothing(String),
}

impl Watch {
    /// Begins to look at the clocks of a device.
    pub(super) fn of(device: Device) -> Watch {
        match device.0 {
            device::Kind::Cpu => Watch::Cpu(cpu::Watch::new()),
            #[cfg(feature = "sim")]
            device::Kind::Sim => Watch::Constant,
            device::Kind::Cuda(context) => match gpu::Watch::of(context) {
                Ok(watch) => Watch::Gpu(watch),
                Err(reason) => Watch::Nothing(reason),
            },
        }
    }

    /// Looks at the clocks of the CPU, between samples.
    pub(super) fn between(&mut self) {
        match self {
            Watch::Cpu(watch) => watch.look(),
            Watch::Gpu(_) | Watch::Constant | Watch::Nothing(_) => {}
        }
    }

    /// Looks at the clocks of a GPU, while it works.
    pub(super) fn during(&mut self) {
        match self {
            Watch::Gpu(watch) => watch.look(),
            Watch::Cpu(_) | Watch::Constant | Watch::Nothing(_) => {}
        }
    }

    /// Returns what was seen.
    pub(super) fn seen(&self) -> Clocks {
        match self {
            Watch::Gpu(watch) => watch.seen(),
            Watch::Cpu(watch) => Clocks::Cpu(watch.seen()),
            Watch::Constant => Clocks::Simulated,
            Watch::Nothing(reason) => Clocks::NotChecked(reason.clone()),
        }
    }
}

impl Clocks {
    /// Returns the largest clock rate over the smallest, less 1; `None` if nothing was seen.
    pub(super) fn spread(&self) -> Option<f64> {
        match self {
            Clocks::Gpu(clocks) => clocks.spread(),
            Clocks::Cpu(clocks) => Some(clocks.spread),
            Clocks::Simulated => Some(0.0),
            Clocks::NotChecked(_) => None,
        }
    }

    /// Returns why the clocks of a GPU were reduced.
    pub(super) fn throttled(&self) -> &[Throttle] {
        match self {
            Clocks::Gpu(clocks) => &clocks.throttled,
            Clocks::Cpu(_) | Clocks::Simulated | Clocks::NotChecked(_) => &[],
        }
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clocks::Gpu(clocks) => clocks.fmt(f),
            Clocks::Cpu(clocks) => clocks.fmt(f),
            Clocks::Simulated => f.write_str("simulated"),
            Clocks::NotChecked(reason) => write!(f, "not checked: {reason}"),
        }
    }
}
