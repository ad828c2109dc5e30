//! The `wgmma` operations in flight of a warpgroup.
//!
//! An operation is computed when it is waited for and not earlier. Until then its accumulators may
//! not be accessed, registers that it reads may not be written, and shared memory that it reads is
//! marked as being read.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::copies::Groups;
use super::cx::SharedSpot;
use crate::check::{FaultKind, Trouble};
use crate::isa::Slot;
use crate::isa::wgmma::Operands;
use crate::module::{Kernel, Line};

/// The number of warps per warpgroup.
const WARPS: u32 = 4;

/// An operation that was issued.
#[derive(Clone, Debug)]
pub(crate) struct UnderWay {
    /// The index of its instruction.
    pub(crate) instruction: u32,
    /// The number of earlier operations of the warp.
    pub(crate) number: u32,
    pub(crate) operands: Operands,
    /// The shared memory that it reads: location and number of bytes.
    pub(crate) reads: Vec<(SharedSpot, usize)>,
}

#[derive(Clone, Copy, Debug)]
struct Lock {
    instruction: u32,
    /// Is `true` if the register is an accumulator, which may not be read either.
    accumulator: bool,
    count: u32,
}

/// The operations of a warp.
#[derive(Default)]
pub(crate) struct InFlightMmas {
    groups: Groups<UnderWay>,
    locks: FxHashMap<Slot, Lock>,
    /// The interval between fences in which each register was last written, from 1.
    written: FxHashMap<Slot, u32>,
    fences: u32,
    begun: u32,
}

/// B matrices that one warp of a warpgroup has unpacked and other warps still need. The key is the
/// first warp of the group and the number of the operation.
#[derive(Default)]
pub(crate) struct Unpacked {
    in_flight_mmas: FxHashMap<(u16, u32), Shared>,
    /// The ranges of B in shared memory, by instruction and descriptor.
    ranges: FxHashMap<(u32, u64), Rc<[Range<u64>]>>,
    /// A buffer for the rows of D of a warp, reused by the next one.
    pub(crate) rows: Vec<f64>,
}

struct Shared {
    /// The instruction, and the descriptor of B.
    of: (u32, u64),
    values: Rc<Vec<f64>>,
    /// The number of warps that still need the values.
    left: u32,
}

impl Unpacked {
    pub(crate) fn clear(&mut self) {
        self.in_flight_mmas.clear();
        self.ranges.clear();
    }

    /// Returns the ranges of an instruction's B. `make` computes them for a new descriptor.
    pub(crate) fn ranges<E>(
        &mut self,
        key: (u32, u64),
        make: impl FnOnce() -> Result<Vec<Range<u64>>, E>,
    ) -> Result<Rc<[Range<u64>]>, E> {
        if let Some(ranges) = self.ranges.get(&key) {
            return Ok(Rc::clone(ranges));
        }
        // A kernel has about one entry per buffer; entries beyond this limit would hardly be
        // reused.
        if self.ranges.len() == 256 {
            self.ranges.clear();
        }
        let ranges: Rc<[Range<u64>]> = make()?.into();
        self.ranges.insert(key, Rc::clone(&ranges));
        Ok(ranges)
    }

    /// Returns the numbers of B, which the first warp of a warpgroup unpacks for the others.
    ///
    /// The shared memory that holds B is marked as being read until the last warp has the numbers.
    pub(crate) fn get(
        &mut self,
        key: (u16, u32),
        of: (u32, u64),
        make: impl FnOnce() -> Result<Vec<f64>, Trouble>,
    ) -> Result<Rc<Vec<f64>>, Trouble> {
        if let Some(shared) = self.in_flight_mmas.get_mut(&key)
            && shared.of == of
        {
            let values = Rc::clone(&shared.values);
            shared.left -= 1;
            if shared.left == 0 {
                self.in_flight_mmas.remove(&key);
            }
            return Ok(values);
        }
        let values = Rc::new(make()?);
        let shared = Shared {
            of,
            values: Rc::clone(&values),
            left: WARPS - 1,
        };
        self.in_flight_mmas.insert(key, shared);
        Ok(values)
    }
}

impl InFlightMmas {
    /// Returns the number of the next operation.
    pub(crate) fn next(&mut self) -> u32 {
        self.begun = self.begun.wrapping_add(1);
        self.begun
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Executes `wgmma.fence`.
    pub(crate) fn fence(&mut self) {
        self.fences += 1;
    }

    pub(crate) fn commit(&mut self) {
        self.groups.commit();
    }

    /// Returns the instruction of an operation that was never waited for.
    pub(crate) fn pending(&self) -> Option<u32> {
        self.groups.iter().next().map(|product| product.instruction)
    }

    /// Checks an instruction other than `wgmma` before its execution.
    pub(crate) fn check(&self, kernel: &Kernel, line: &Line) -> Result<(), Trouble> {
        if self.locks.is_empty() {
            return Ok(());
        }
        let reads = line.uses.reads.iter().map(|&slot| (slot, false));
        let writes = line.uses.writes.iter().map(|&slot| (slot, true));
        for (slot, writes) in reads.chain(writes) {
            if let Some(lock) = self.locks.get(&slot)
                && (writes || lock.accumulator)
            {
                return Err(in_use(kernel, slot, lock.instruction));
            }
        }
        Ok(())
    }

    /// Records the registers written by an instruction other than `wgmma`.
    pub(crate) fn wrote(&mut self, line: &Line) {
        for &slot in &line.uses.writes {
            self.written.insert(slot, self.fences + 1);
        }
    }

    /// Returns `true` if operations in flight write these accumulators.
    pub(crate) fn computes(&self, sums: &[Slot]) -> bool {
        let computed = |slot: &Slot| self.locks.get(slot).is_some_and(|lock| lock.accumulator);
        sums.iter().all(computed)
    }

    /// Issues an operation with these accumulators and registers of A.
    pub(crate) fn start(
        &mut self,
        kernel: &Kernel,
        sums: &[Slot],
        a: &[Slot],
        product: UnderWay,
    ) -> Result<(), Trouble> {
        for (&slot, accumulator) in sums
            .iter()
            .map(|slot| (slot, true))
            .chain(a.iter().map(|slot| (slot, false)))
        {
            if self.written.get(&slot) == Some(&(self.fences + 1)) {
                let register = kernel.slot_names[slot.index()].clone();
                return Err(Trouble::of_warp(FaultKind::NoProductFence { register }));
            }
            // Operations with the same accumulators are ordered.
            if let Some(lock) = self.locks.get(&slot)
                && lock.accumulator != accumulator
            {
                return Err(in_use(kernel, slot, lock.instruction));
            }
        }
        let instruction = product.instruction;
        for (&slot, accumulator) in sums
            .iter()
            .map(|slot| (slot, true))
            .chain(a.iter().map(|slot| (slot, false)))
        {
            let lock = self.locks.entry(slot).or_insert(Lock {
                instruction,
                accumulator,
                count: 0,
            });
            lock.count += 1;
        }
        self.groups.start(product);
        Ok(())
    }

    /// Removes the operations of all but `left` groups.
    pub(crate) fn finish(&mut self, left: u64) -> Vec<UnderWay> {
        self.groups.finish_committed(left)
    }

    /// Releases the registers of an operation that was computed.
    pub(crate) fn unlock(&mut self, slots: impl IntoIterator<Item = Slot>) {
        for slot in slots {
            if let Some(lock) = self.locks.get_mut(&slot) {
                lock.count -= 1;
                if lock.count == 0 {
                    self.locks.remove(&slot);
                }
            }
        }
    }
}

fn in_use(kernel: &Kernel, slot: Slot, instruction: u32) -> Trouble {
    Trouble::of_warp(FaultKind::ProductUnderWay {
        register: kernel.slot_names[slot.index()].clone(),
        product_line: kernel.lines[instruction as usize].at,
    })
}
