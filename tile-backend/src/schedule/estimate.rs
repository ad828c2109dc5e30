//! Estimates the register pressure of a thread from tile IR, before code is generated.
//!
//! In: an entry. Out: for each number of warps, the registers of a thread at the point of highest pressure.
//!
//! A tile is live from the operation that defines it to its last use. A value that is defined outside a loop
//! and used in the loop is live to the end of the loop. The elements of a tile are distributed over the
//! threads, at least one to each. An element-wise operation reuses the registers of operands whose live
//! ranges end there.
//!
//! ```text
//!   x = load        |            32 elements of each thread
//!   m = reduce x    | |          1
//!   y = x - m       | |  →  |    x ends: y is where x was
//!   s = reduce y        | |
//! ```
//!
//! - constants, views and tokens take no registers; the result of a shape operation shares the registers of
//!   the operand
//! - an operand of a matmul is held as fragments, which are replicated in the warps of a row or column of the
//!   accumulator
//! - loaded elements stay packed until a computation uses them

use super::occupancy::LANES;
use crate::gpu::Side;
use crate::lower::{is_matmul, operand_replication, tile_shape};
use crate::target::Arch;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::types::Element;
use tile_core::{Loc, Module};

/// Registers that every kernel needs for block coordinates, addresses and counters.
const BASE: u64 = 24;

/// Bytes of a register.
const REGISTER_BYTES: u64 = 4;

/// Elements of one operand that a thread multiplies in a step of a matmul without tensor cores.
const ONE_STEP: u64 = 8;

/// The live range of a tile.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// First operation, counted in the order of the text.
    from: usize,
    /// Last operation.
    to: usize,
    tile: Tile,
}

/// The part of a tile that a thread holds.
#[derive(Clone, Copy, Debug)]
enum Tile {
    /// A share of `elements` elements of `bits` bits each.
    Spread { elements: u64, bits: u64 },
    /// Fragments of the left or right operand of a matmul; the whole operand has `bits` bits.
    Fragments { matmul: OpId, bits: u64, side: Side },
}

/// The live ranges of an entry.
#[derive(Debug)]
pub(crate) struct Estimate<'m> {
    module: &'m Module,
    spans: Vec<Span>,
    /// The location of each operation.
    locs: Vec<Loc>,
    is_chained: bool,
    arch: Arch,
}

/// The registers of a thread, with the location of the highest pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// Registers per thread; no limit of the hardware is applied.
    pub(crate) registers: u64,
    /// The operation at which the register pressure is highest.
    pub(crate) loc: Loc,
}

impl<'m> Estimate<'m> {
    /// Analyzes the body of an entry; `is_chained` is `true` if warps have whole rows in chains of MMAs.
    pub(crate) fn analyze(module: &'m Module, body: BlockId, is_chained: bool, arch: Arch) -> Self {
        let mut visit = Visit {
            module,
            spans: Vec::new(),
            locs: Vec::new(),
            births: vec![None; module.num_values()],
            loops: Vec::new(),
        };
        visit.block(body);
        Self {
            module,
            spans: visit.spans,
            locs: visit.locs,
            is_chained,
            arch,
        }
    }

    /// Returns the bytes of the tiles that are live at the point of highest pressure.
    pub(crate) fn bytes(&self) -> u64 {
        let registers = self.need(1).registers - BASE;
        registers.saturating_mul(u64::from(LANES) * REGISTER_BYTES)
    }

    /// Returns the registers of a thread in a block of `num_warps` warps.
    pub(crate) fn need(&self, num_warps: u32) -> Need {
        let mut change = vec![0_i64; self.locs.len() + 2];
        for span in &self.spans {
            let words = i64::try_from(self.words(span.tile, num_warps)).unwrap_or(i64::MAX >> 32);
            change[span.from] += words;
            change[span.to + 1] -= words;
        }
        let mut alive = 0;
        let mut most = (0, Loc::UNKNOWN);
        for (change, &loc) in change.iter().zip(&self.locs) {
            alive += change;
            if alive > most.0 {
                most = (alive, loc);
            }
        }
        Need {
            registers: BASE + u64::try_from(most.0).unwrap_or(0),
            loc: most.1,
        }
    }

    fn words(&self, tile: Tile, num_warps: u32) -> u64 {
        let threads = u64::from(LANES * num_warps);
        match tile {
            Tile::Spread { elements, bits } => (elements * bits).div_ceil(32 * threads).max(1),
            Tile::Fragments { matmul, bits, side } => {
                let op = self.module.op(matmul);
                let Some(copies) = operand_replication(
                    self.module,
                    op,
                    side,
                    self.is_chained,
                    num_warps,
                    self.arch,
                ) else {
                    // Without tensor cores, a thread holds a few elements of each step along K.
                    return ONE_STEP;
                };
                (bits * u64::from(copies)).div_ceil(32 * threads).max(1)
            }
        }
    }
}

/// Walks an entry in the order of the text.
struct Visit<'m> {
    module: &'m Module,
    spans: Vec<Span>,
    locs: Vec<Loc>,
    /// For each value, the index of its span, and the depth of the loop nest where it is defined.
    births: Vec<Option<(usize, usize)>>,
    /// For each enclosing loop, the spans of the outer values that it uses.
    loops: Vec<Vec<usize>>,
}

impl Visit<'_> {
    fn block(&mut self, block: BlockId) {
        let module = self.module;
        for &id in &module.block(block).ops {
            self.op(id);
        }
    }

    fn op(&mut self, id: OpId) {
        let module = self.module;
        let op = module.op(id);
        let index = self.locs.len();
        self.locs.push(op.loc);
        for &operand in &op.operands {
            self.used(operand, index);
        }
        if is_matmul(op.opcode) {
            for (slot, side) in [("lhs", Side::Left), ("rhs", Side::Right)] {
                if let Some((elements, bits)) = size(module, op.operand(slot)) {
                    let tile = Tile::Fragments {
                        matmul: id,
                        bits: elements * bits,
                        side,
                    };
                    self.spans.push(Span {
                        from: index,
                        to: index,
                        tile,
                    });
                }
            }
        }
        let is_loop = matches!(
            op.opcode,
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
        );
        let is_branch = op.opcode == ControlFlowOp::If.into();
        if is_loop || is_branch {
            if is_loop {
                self.loops.push(Vec::new());
            }
            let mut carried = Vec::new();
            for region in 0..op.regions.len() {
                let Some(body) = module.region_block(id, region) else {
                    continue;
                };
                for &arg in &module.block(body).args {
                    carried.extend(self.born(arg, index + 1));
                }
                self.block(body);
            }
            let end = self.locs.len();
            let last = end - 1;
            if is_loop {
                carried.extend(self.loops.pop().into_iter().flatten());
                for span in carried {
                    self.extend(span, last);
                }
            }
            for &result in &op.results {
                self.born(result, end);
            }
            return;
        }
        for &result in &op.results {
            self.result(id, result, index);
        }
    }

    /// Records the result of an operation without control flow.
    fn result(&mut self, id: OpId, result: ValueId, index: usize) {
        let op = self.module.op(id);
        let is_name = match op.opcode {
            Opcode::Core(
                CoreOp::Reshape | CoreOp::Broadcast | CoreOp::Permute | CoreOp::Extract,
            )
            | Opcode::Misc(MiscOp::Assume) => true,
            Opcode::Core(CoreOp::Constant | CoreOp::Iota) => return,
            _ => false,
        };
        if is_name {
            // The result shares the registers of the operand.
            let source = op.operands.first();
            self.births[result.index()] = source.and_then(|source| self.births[source.index()]);
            return;
        }
        self.born(result, index + 1);
    }

    /// Starts the span of a value at operation `index`; returns the index of the span if the value needs
    /// registers.
    fn born(&mut self, value: ValueId, index: usize) -> Option<usize> {
        let (elements, bits) = size(self.module, value)?;
        let is_packed = self.module.defining_op(value).is_some_and(|op| {
            matches!(
                self.module.op(op).opcode,
                Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
            )
        });
        let bits = if is_packed {
            bits
        } else {
            bits.next_multiple_of(32)
        };
        let span = self.spans.len();
        self.spans.push(Span {
            from: index,
            to: index,
            tile: Tile::Spread { elements, bits },
        });
        self.births[value.index()] = Some((span, self.loops.len()));
        Some(span)
    }

    fn used(&mut self, value: ValueId, index: usize) {
        let Some((span, depth)) = self.births[value.index()] else {
            return;
        };
        self.extend(span, index);
        for around in self.loops.iter_mut().skip(depth) {
            if !around.contains(&span) {
                around.push(span);
            }
        }
    }

    fn extend(&mut self, span: usize, to: usize) {
        let span = &mut self.spans[span];
        span.to = span.to.max(to);
    }
}

/// Returns the number of elements, and the bits of each, of a tile of rank 1 or more.
fn size(module: &Module, value: ValueId) -> Option<(u64, u64)> {
    tile_shape(module, value)?;
    let tile = module.ty(value).as_tile()?;
    let bits = match tile.element {
        Element::Ptr(_) => 64,
        Element::Scalar(scalar) => u64::from(scalar.bits()),
    };
    Some((tile.num_elements().unsigned_abs(), bits))
}
