//! The content of caches before a run.
//!
//! On a GPU, a buffer of twice the L2 cache, and at least 256 MiB as in Triton, is written on the stream before each
//! run, so that nothing of the run's tensors is left there. On the CPU, a buffer of twice the last-level cache is
//! written on all cores, each of which writes more than its own caches hold.

use std::num::NonZero;
use std::thread;

use crate::driver::DeviceMemory;
use crate::stream::Queue;
use crate::{Device, Result, Stream, device};

/// The contents of the caches at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Nothing that the run uses: a buffer larger than the cache was written before, outside of the measured time.
    Cold,
    /// The data of the previous run.
    Warm,
}

/// The least bytes that are written on a GPU.
const GPU_LEAST: usize = 256 << 20;
/// The last-level cache of the CPU, where the system does not tell it.
const CPU_CACHE: usize = 64 << 20;
/// The bytes that each thread of the host writes at the least: more than the caches of one core.
const CORE_LEAST: usize = 8 << 20;

/// A buffer that is written in order to empty caches.
pub(super) enum Flush {
    Host(Vec<u64>),
    Cuda(Box<DeviceMemory>),
}

impl Flush {
    /// Allocates the buffer for a device.
    pub(super) fn new(device: Device) -> Result<Flush> {
        match device.0 {
            device::Kind::Cuda(context) => {
                let l2 = context.l2_bytes()?;
                // A simulated GPU has no cache, and copies each byte.
                let least = if context.is_simulated() { 0 } else { GPU_LEAST };
                let bytes = (2 * l2).max(least).max(1);
                let memory = DeviceMemory::uninitialized(context, bytes)?;
                Ok(Flush::Cuda(Box::new(memory)))
            }
            device::Kind::Cpu => {
                let bytes = (2 * last_level_cache()).max(threads() * CORE_LEAST);
                Ok(Flush::Host(vec![0; bytes / size_of::<u64>()]))
            }
            #[cfg(feature = "sim")]
            device::Kind::Sim => Ok(Flush::Host(Vec::new())),
        }
    }

    /// Empties the caches before later work on the stream.
    pub(super) fn perform(&mut self, stream: &Stream) -> Result<()> {
        match (self, stream.queue()) {
            (Flush::Cuda(memory), Queue::Cuda(stream)) => memory.fill_on(stream, 0),
            (Flush::Host(buffer), _) => {
                write_on_all_cores(buffer);
                Ok(())
            }
            (Flush::Cuda(_), Queue::Host(_)) => {
                unreachable!("the buffer was made for the device of the stream")
            }
        }
    }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn write_on_all_cores(buffer: &mut [u64]) {
    let part = buffer.len().div_ceil(threads()).max(1);
    thread::scope(|scope| {
        for part in buffer.chunks_mut(part) {
            scope.spawn(move || {
                // One word of each cache line.
                for word in part.iter_mut().step_by(8) {
                    *word = word.wrapping_add(1);
                }
                std::hint::black_box(part);
            });
        }
    });
}

/// Returns the size of the largest cache of the first core in bytes.
fn last_level_cache() -> usize {
    let index = |number: u32| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{number}/size");
        parse_size(std::fs::read_to_string(path).ok()?.trim())
    };
    let largest = (0..8).filter_map(index).max();
    largest.unwrap_or(CPU_CACHE)
}

/// Reads a size such as `32768K`.
fn parse_size(text: &str) -> Option<usize> {
    let (digits, shift) = match text.strip_suffix(['K', 'k']) {
        Some(digits) => (digits, 10),
        None => match text.strip_suffix(['M', 'm']) {
            Some(digits) => (digits, 20),
            None => (text, 0),
        },
    };
    let number: usize = digits.parse().ok()?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_caches_are_read_as_linux_writes_them() {
        assert_eq!(parse_size("48K"), Some(48 << 10));
        assert_eq!(parse_size("32M"), Some(32 << 20));
        assert_eq!(parse_size("512"), Some(512));
        for wrong in ["", "K", "0K", "many"] {
            assert_eq!(parse_size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_line_of_the_buffer_is_written() {
        let mut buffer = vec![0; 1000];
        write_on_all_cores(&mut buffer);
        assert!(buffer.iter().sum::<u64>() >= 125);
    }
}
