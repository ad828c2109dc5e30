//! Copies the tensors of a launch to the simulator's memory and back.
//!
//! A kernel can access the bytes from the first to the last element of a tensor and no others. Each
//! such range becomes a separate allocation, and overlapping ranges become one allocation.
//! Addresses have the same alignment as on a device, and no more.

use tile_sim::Memory;

use crate::Result;
use crate::allocation::ALIGNMENT;
use crate::args::{TensorArg, Value, accesses};
use crate::driver::Access;
use crate::image::KernelImage;
use crate::storage::{HostMemory, Locked, Storage};

/// A range of one buffer, in bytes.
struct Region<'a> {
    memory: &'a HostMemory,
    start: usize,
    end: usize,
    access: Access,
    /// The address in the simulator.
    base: u64,
}

/// All ranges that a launch uses, locked.
pub(super) struct Regions<'a> {
    regions: Vec<Region<'a>>,
    locks: Vec<(&'a HostMemory, Locked<'a>)>,
}

fn host(storage: &Storage) -> &HostMemory {
    let Storage::Host(memory) = storage else {
        unreachable!("the launch checked that every tensor is on the simulated device")
    };
    memory
}

fn range(tensor: &TensorArg) -> (usize, usize) {
    let start = tensor.offset * tensor.element_bytes;
    (start, start + tensor.span * tensor.element_bytes)
}

pub(super) fn targets(values: &[Value]) -> impl Iterator<Item = (usize, &TensorArg)> {
    values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| match value {
            Value::Tensor(target) | Value::Pointer(target) => Some((index, target)),
            Value::Scalar(_) => None,
        })
}

impl<'a> Regions<'a> {
    /// Locks the tensors and copies them to `memory`.
    pub(super) fn copied(values: &'a [Value], memory: &mut Memory) -> Result<Regions<'a>> {
        let mut buffers: Vec<(&HostMemory, Access)> = accesses(values)
            .into_iter()
            .map(|(storage, access)| (host(storage), access))
            .collect();
        // Every launch takes the locks in one order, so that no two launches deadlock.
        buffers.sort_by_key(|(buffer, _)| buffer.order());
        let locks = buffers
            .into_iter()
            .map(|(buffer, access)| Ok((buffer, buffer.lock(access)?)))
            .collect::<Result<Vec<_>>>()?;
        let mut regions = Vec::new();
        for (buffer, lock) in &locks {
            for (start, end, access) in merged(values, buffer) {
                let mut content = vec![0; end - start];
                lock.read(start, &mut content);
                let address = buffer.at(start, end - start).addr();
                let align = 1 << (address | ALIGNMENT).trailing_zeros();
                regions.push(Region {
                    memory: buffer,
                    start,
                    end,
                    access,
                    base: memory.alloc_with(&content, align),
                });
            }
        }
        Ok(Regions { regions, locks })
    }

    /// Returns the number of bytes of all regions.
    pub(super) fn bytes(&self) -> u64 {
        let regions = self.regions.iter();
        regions
            .map(|region| (region.end - region.start) as u64)
            .sum()
    }

    /// Returns the address of a tensor's first element in the simulator.
    pub(super) fn address(&self, tensor: &TensorArg) -> u64 {
        let (start, end) = range(tensor);
        let region = self.regions.iter().find(|region| {
            std::ptr::eq(region.memory, host(&tensor.storage))
                && region.start <= start
                && end <= region.end
        });
        let region = region.expect("every tensor is within a region");
        region.base + (start - region.start) as u64
    }

    /// Copies the results of the kernel back to the tensors that it may write.
    pub(super) fn copy_back(mut self, memory: &Memory) {
        for region in &self.regions {
            if region.access != Access::Exclusive {
                continue;
            }
            let lock = self
                .locks
                .iter_mut()
                .find(|(buffer, _)| std::ptr::eq(*buffer, region.memory));
            if let (Some((_, lock)), Ok(content)) = (lock, memory.bytes(region.base)) {
                lock.write(region.start, content);
            }
        }
    }

    /// Describes a simulator address in terms of the arguments: `byte 400 of `x`, which has 400`.
    pub(super) fn describe(
        &self,
        image: &'static KernelImage,
        values: &[Value],
        address: u64,
    ) -> Option<String> {
        let distance = |(_, target): &(usize, &TensorArg)| {
            let (start, end) = range(target);
            let first = self.address(target);
            let last = first + (end - start) as u64;
            if address < first {
                first - address
            } else {
                address.saturating_sub(last)
            }
        };
        let (index, target) = targets(values).min_by_key(distance)?;
        // An address that is far from every tensor was not computed from the address of a tensor.
        if distance(&(index, target)) > 1 << 15 {
            return None;
        }
        // The buffers of the launch follow the author's parameters and have no name.
        let name = image.params.get(index)?;
        let (start, end) = range(target);
        let (first, bytes) = (self.address(target), end - start);
        let (shape, strides) = (target.shape(), target.strides());
        let place = if address < first {
            format!("{} bytes before the first of `{name}`", first - address)
        } else {
            format!("byte {} of `{name}`, which has {bytes}", address - first)
        };
        Some(format!("{place} (extents {shape:?}, strides {strides:?})"))
    }
}

/// Returns the disjoint ranges of one buffer that the arguments use.
fn merged(values: &[Value], buffer: &HostMemory) -> Vec<(usize, usize, Access)> {
    let mut ranges: Vec<(usize, usize, Access)> = targets(values)
        .filter(|(_, target)| std::ptr::eq(host(&target.storage), buffer))
        .map(|(_, target)| {
            let (start, end) = range(target);
            (start, end, target.access)
        })
        .collect();
    ranges.sort_by_key(|&(start, ..)| start);
    let mut merged: Vec<(usize, usize, Access)> = Vec::new();
    for (start, end, access) in ranges {
        match merged.last_mut() {
            Some((first, last, strongest)) if start < *last || start == *first => {
                *last = end.max(*last);
                *strongest = access.max(*strongest);
            }
            _ => merged.push((start, end, access)),
        }
    }
    merged
}
