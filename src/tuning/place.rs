//! Where a launch runs, as records name it.

use std::fs;
use std::sync::OnceLock;

use super::table::Tuning;
use crate::bench::Source;
use crate::device::Kind;
use crate::image::NativeLevel;
use crate::{Device, cpu};

/// The device, its code and its driver, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) device: String,
    pub(super) arch: String,
    pub(super) driver: String,
    pub(super) clock: &'static str,
}

impl Place {
    /// Returns where a device runs the candidates of a kernel.
    pub(super) fn of(device: Device, tuning: &Tuning) -> Place {
        let clock = match Source::of_device(device) {
            Source::Gpu => "device",
            Source::Host => "host",
            Source::Simulated => "simulated",
        };
        match device.0 {
            Kind::Cpu => {
                // Of some candidates there may be no native code.
                let instances = tuning.candidates.iter().map(|it| (it.instance)());
                let levels = instances.flat_map(cpu::native_images).map(|it| it.level);
                let arch = levels.max().map_or("interpreted", NativeLevel::name);
                let threads = cpu::threads();
                let plural = if threads == 1 { "" } else { "s" };
                Place {
                    device: format!("{}, {arch}, {threads} thread{plural}", processor()),
                    arch: arch.to_owned(),
                    driver: String::new(),
                    clock,
                }
            }
            #[cfg(feature = "sim")]
            Kind::Sim => Place {
                device: "sim".to_owned(),
                arch: "sim".to_owned(),
                driver: String::new(),
                clock,
            },
            Kind::Cuda(context) => Place {
                device: context.name().to_owned(),
                arch: context.arch(),
                driver: context.driver_version().to_owned(),
                clock,
            },
        }
    }
}

/// Returns the name of the processor.
fn processor() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let named = text.lines().find_map(|line| {
            let (field, name) = line.split_once(':')?;
            (field.trim() == "model name").then(|| name.trim().to_owned())
        });
        named.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
    })
}
