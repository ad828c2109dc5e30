//! Computes the coordinates and offsets of a thread from [`AddressParts`].
//!
//! In: runs of bits of the lane and warp numbers. Out: 32-bit `and`, shift and `xor` instructions on these
//! numbers.

use std::collections::BTreeMap;

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::Emitter;
use super::code::Code;
use crate::layout::{AddressParts, BitRun, InDim, LinearLayout};

/// The coordinates of a thread in its block.
#[derive(Clone, Copy)]
pub(super) struct Thread<'ctx> {
    pub(super) lane: IntValue<'ctx>,
    pub(super) warp: IntValue<'ctx>,
    pub(super) warp_bits: u32,
}

impl<'ctx> Thread<'ctx> {
    /// Computes the runtime part of a linear map; its output has at most 32 bits.
    pub(super) fn runtime(&self, code: &Code<'ctx>, runs: &[BitRun]) -> IntValue<'ctx> {
        let mut seen = 0;
        let mut sum: Option<IntValue<'ctx>> = None;
        for run in runs {
            let Some(part) = self.run(code, run) else {
                continue;
            };
            // If the bits are disjoint, add them: LLVM then sees sums in addresses.
            let disjoint = seen & run.output_mask() == 0;
            seen |= run.output_mask();
            sum = Some(match sum {
                None => part,
                Some(sum) if disjoint => code.add_nuw(sum, part),
                Some(sum) => code.xor(sum, part),
            });
        }
        sum.unwrap_or_else(|| code.i32(0))
    }

    fn run(&self, code: &Code<'ctx>, run: &BitRun) -> Option<IntValue<'ctx>> {
        let (number, bits) = match run.dim {
            InDim::Lane => (self.lane, 5),
            InDim::Warp => (self.warp, self.warp_bits),
            // Without clusters, the rank of the block in its cluster is zero.
            InDim::Block => return None,
            InDim::Register | InDim::Offset => unreachable!("no thread has this number"),
        };
        let part = code.lshr(number, code.i32(run.first_bit));
        let part = if run.first_bit + run.count < bits {
            let mask = u32::try_from(run.mask()).expect("a lane or warp number is short");
            code.and(part, code.i32(mask))
        } else {
            part
        };
        Some(code.shl(part, code.i32(run.shift)))
    }

    /// Computes whether the thread's lane number has none of the bits `lanes`, and its warp number none of
    /// the bits `warps`. `None` if this holds for all threads.
    pub(super) fn is_clear(
        &self,
        code: &Code<'ctx>,
        lanes: u32,
        warps: u32,
    ) -> Option<IntValue<'ctx>> {
        let clear = [(self.lane, lanes), (self.warp, warps)]
            .into_iter()
            .filter(|&(_, mask)| mask != 0)
            .map(|(number, mask)| {
                let bits = code.and(number, code.i32(mask));
                code.compare(IntPredicate::EQ, bits, code.i32(0))
            });
        code.all(clear)
    }

    /// Computes whether the thread stores the elements that it holds in `layout`; `None` if every thread
    /// does.
    pub(super) fn is_owner(
        &self,
        code: &Code<'ctx>,
        layout: &LinearLayout,
    ) -> Option<IntValue<'ctx>> {
        let (lanes, warps) = (layout.free_mask(InDim::Lane), layout.free_mask(InDim::Warp));
        self.is_clear(code, lanes, warps)
    }
}

/// Addresses `base + unit * (constant ^ runtime)` in shared or constant memory. Constants that share no bit
/// with the runtime part become immediate offsets.
pub(super) struct Addresses<'ctx> {
    base: PointerValue<'ctx>,
    runtime: IntValue<'ctx>,
    runtime_mask: u64,
    unit_bytes: u32,
    by_flipped_bits: BTreeMap<u64, PointerValue<'ctx>>,
}

impl<'ctx> Addresses<'ctx> {
    /// Prepares the addresses of elements of `unit_bytes` bytes, starting at `base`.
    pub(super) fn new(
        emitter: &Emitter<'_, 'ctx>,
        base: PointerValue<'ctx>,
        parts: &AddressParts,
        unit_bytes: u32,
    ) -> Self {
        Self {
            base,
            runtime: emitter.thread.runtime(&emitter.code, &parts.runs),
            runtime_mask: parts.runtime_mask(),
            unit_bytes,
            by_flipped_bits: BTreeMap::new(),
        }
    }

    /// Combines the runtime part with `by` by XOR; `by` has only bits of `mask`.
    pub(super) fn moved(mut self, code: &Code<'ctx>, by: IntValue<'ctx>, mask: u64) -> Self {
        if mask == 0 {
            return self;
        }
        // If the bits are disjoint, add them: LLVM then sees sums in addresses.
        self.runtime = if self.runtime_mask & mask == 0 {
            code.add_nuw(self.runtime, by)
        } else {
            code.xor(self.runtime, by)
        };
        self.runtime_mask |= mask;
        self
    }

    /// Returns the address of element `constant ^ runtime`.
    pub(super) fn at(&mut self, code: &Code<'ctx>, constant: u64) -> PointerValue<'ctx> {
        let flipped = constant & self.runtime_mask;
        let (base, runtime, unit) = (self.base, self.runtime, code.i32(self.unit_bytes));
        let start = *self.by_flipped_bits.entry(flipped).or_insert_with(|| {
            let flip = u32::try_from(flipped).expect("an offset has at most 32 bits");
            let offset = code.xor(runtime, code.i32(flip));
            code.offset(base, code.mul_nuw(offset, unit))
        });
        let immediate = (constant & !self.runtime_mask) * u64::from(self.unit_bytes);
        let immediate = u32::try_from(immediate).expect("an offset has at most 32 bits");
        code.offset(start, code.i32(immediate))
    }
}
