//! The clocks of a GPU, by NVML.

use std::fmt;

use super::Clocks;
use crate::driver::{Context, NvmlDevice};

/// The clock rates of a GPU during a measurement, and the reasons for lower ones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuClocks {
    /// The lowest and the highest clock rate of the multiprocessors in MHz; `None` if NVML did not say it.
    pub multiprocessors_mhz: Option<(u32, u32)>,
    /// The lowest and the highest clock rate of the memory in MHz.
    pub memory_mhz: Option<(u32, u32)>,
    /// The highest temperature in degrees Celsius.
    pub celsius: Option<u32>,
    /// Why the clocks were lower than they can be, in the order of `nvml.h`.
    pub throttled: Vec<Throttle>,
    /// The number of times that NVML was asked.
    pub checks: usize,
}

/// Declares the reasons with their bits and texts.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $key:literal, $text:literal;)+) => {
        /// Why the clocks of a GPU are lower than they can be (`nvmlClocksEventReasons` of `nvml.h`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Throttle {
            $($(#[$doc])* $name,)+
        }

        impl Throttle {
            const ALL: &[(u64, Throttle)] = &[$(($bit, Throttle::$name)),+];

            /// Returns the name in JSON.
            pub(crate) fn key(self) -> &'static str {
                match self {
                    $(Throttle::$name => $key,)+
                }
            }

            /// Returns the reason with a name.
            pub(crate) fn named(key: &str) -> Option<Throttle> {
                match key {
                    $($key => Some(Throttle::$name),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for Throttle {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Throttle::$name => $text,)+
                })
            }
        }
    };
}

reasons! {
    /// Somebody set lower clocks (`nvidia-smi --applications-clocks`).
    ClocksSetting = 0x2, "clocks_setting", "lower clocks were set";
    /// The GPU is at its power limit.
    PowerCap = 0x4, "power_cap", "power cap";
    /// The hardware halves the clocks: temperature or power.
    HardwareSlowdown = 0x8, "hardware_slowdown", "hardware slowdown";
    /// The GPU has the clocks of others in a group.
    SyncBoost = 0x10, "sync_boost", "sync boost group";
    /// The GPU is too hot for the driver.
    ThermalSlowdown = 0x20, "thermal_slowdown", "temperature";
    /// The GPU is too hot for the hardware.
    HardwareThermalSlowdown = 0x40, "hardware_thermal_slowdown", "temperature, by hardware";
    /// The power supply asks for less.
    PowerBrake = 0x80, "power_brake", "power brake";
    /// The display needs these clocks.
    DisplaySetting = 0x100, "display_setting", "display clocks";
}

impl Throttle {
    /// Returns the reasons of bits. That the GPU is idle is none.
    fn of(bits: u64) -> Vec<Throttle> {
        let all = Throttle::ALL.iter();
        let set = all.filter(|(bit, _)| bits & bit != 0);
        set.map(|&(_, reason)| reason).collect()
    }
}

impl GpuClocks {
    /// Returns the largest clock rate of the multiprocessors over the smallest, less 1.
    pub(super) fn spread(&self) -> Option<f64> {
        let (low, high) = self.multiprocessors_mhz?;
        Some(f64::from(high) / f64::from(low.max(1)) - 1.0)
    }
}

impl fmt::Display for GpuClocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.multiprocessors_mhz {
            Some((low, high)) if low == high => write!(f, "{low} MHz")?,
            Some((low, high)) => write!(f, "{low} to {high} MHz")?,
            None => f.write_str("unknown clock rate")?,
        }
        if let Some(celsius) = self.celsius {
            write!(f, ", {celsius} degrees Celsius")?;
        }
        for (index, reason) in self.throttled.iter().enumerate() {
            let start = if index == 0 { ", throttled: " } else { ", " };
            write!(f, "{start}{reason}")?;
        }
        Ok(())
    }
}

/// The answers of NVML so far.
pub(in crate::bench) struct Watch {
    device: NvmlDevice,
    multiprocessors: Range,
    memory: Range,
    celsius: Option<u32>,
    reasons: u64,
    checks: usize,
}

/// The lowest and the highest of some numbers.
#[derive(Default)]
struct Range(Option<(u32, u32)>);

impl Range {
    fn note(&mut self, number: Option<u32>) {
        let Some(number) = number else {
            return;
        };
        let (low, high) = self.0.unwrap_or((number, number));
        self.0 = Some((low.min(number), high.max(number)));
    }
}

impl Watch {
    /// Begins to look at a GPU. Says why that is not possible.
    pub(super) fn of(context: &'static Context) -> Result<Watch, String> {
        Ok(Watch {
            device: NvmlDevice::of(context)?,
            multiprocessors: Range::default(),
            memory: Range::default(),
            celsius: None,
            reasons: 0,
            checks: 0,
        })
    }

    pub(super) fn look(&mut self) {
        self.reasons |= self.device.throttle_reasons().unwrap_or(0);
        self.multiprocessors.note(self.device.clock_mhz());
        self.memory.note(self.device.memory_mhz());
        self.celsius = self.celsius.max(self.device.celsius());
        self.checks += 1;
    }

    pub(super) fn seen(&self) -> Clocks {
        if self.checks == 0 {
            return Clocks::NotChecked("nothing ran while NVML could be asked".to_owned());
        }
        Clocks::Gpu(GpuClocks {
            multiprocessors_mhz: self.multiprocessors.0,
            memory_mhz: self.memory.0,
            celsius: self.celsius,
            throttled: Throttle::of(self.reasons),
            checks: self.checks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_the_bits_of_nvml() {
        assert_eq!(Throttle::of(0x1), []);
        let found = Throttle::of(0x1 | 0x4 | 0x40);
        assert_eq!(
            found,
            [Throttle::PowerCap, Throttle::HardwareThermalSlowdown]
        );
        for &(bit, reason) in Throttle::ALL {
            assert_eq!(Throttle::of(bit), [reason]);
            assert_eq!(Throttle::named(reason.key()), Some(reason));
        }
    }

    #[test]
    fn clocks_are_shown_with_what_reduced_them() {
        let clocks = GpuClocks {
            multiprocessors_mhz: Some((990, 1485)),
            memory_mhz: Some((2619, 2619)),
            celsius: Some(81),
            throttled: vec![Throttle::PowerCap, Throttle::ThermalSlowdown],
            checks: 4,
        };
        assert_eq!(
            clocks.to_string(),
            "990 to 1485 MHz, 81 degrees Celsius, throttled: power cap, temperature"
        );
        assert_eq!(clocks.spread(), Some(0.5));
    }
}
