//! Fusion of elementwise operations into chains, which run one chunk of elements at a time.
//!
//! The input is the operations of a block. The output is steps, in which adjacent elementwise
//! operations on tiles of equal size are fused. Values that only the chain uses are never
//! materialized as whole tiles, so that they stay in the L1 cache.
//!
//! - Only operations that cannot fault are chained, so fusion is not observable.
//! - Chained operations read through `Machine::operand` and return their results with
//!   `Machine::write`. While a chunk runs, each tile either has at least the elements up to the end
//!   of the chunk, or is local to the chain and has only the elements of the chunk.

use super::compile::Compiler;
use super::machine::{Exec, Flow, Slot, Step, Stop};
use super::uses::Uses;
use crate::ir::{IntegerOverflow, Module, Op, OpId};
use crate::ops::{ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode};
use rustc_hash::FxHashSet;

/// The number of elements of a chunk: three tiles of f32 fill a third of an L1 cache.
const CHUNK: usize = 1024;

/// The range of elements that a chain is computing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    start: usize,
    len: usize,
}

impl Chunk {
    /// Returns the elements of a tile that belong to the chunk.
    pub(super) fn slice<L>(self, lanes: &[L]) -> &[L] {
        let start = if lanes.len() >= self.start + self.len {
            self.start
        } else {
            0
        };
        &lanes[start..start + self.len]
    }

    /// Returns the index of the first element, and the number of elements.
    pub(super) fn range(self) -> (usize, usize) {
        (self.start, self.len)
    }
}

/// An operation of a chain.
struct Link {
    id: OpId,
    step: Step,
    out: Slot,
    /// Is `true` if only the chain uses the result.
    is_local: bool,
}

/// Converts operations to steps, and fuses those that can be chained.
pub(super) struct Chains {
    steps: Vec<Step>,
    /// The current chain, and the number of elements of its tiles.
    open: Vec<Link>,
    count: usize,
}

impl Chains {
    /// Makes an empty list of steps.
    pub(super) fn new() -> Self {
        Self {
            steps: Vec::new(),
            open: Vec::new(),
            count: 0,
        }
    }

    /// Appends the next operation in program order.
    pub(super) fn push(&mut self, cx: &mut Compiler<'_>, id: OpId, step: Step) {
        let count = chained(cx, cx.module.op(id));
        if count != Some(self.count) {
            self.close(cx.module, &cx.uses);
        }
        let Some(count) = count else {
            self.steps.push(step);
            return;
        };
        self.count = count;
        let out = cx.tile(cx.module.op(id).result());
        self.open.push(Link {
            id,
            step,
            out,
            is_local: false,
        });
    }

    /// Returns the steps.
    pub(super) fn finish(mut self, cx: &Compiler<'_>) -> Vec<Step> {
        self.close(cx.module, &cx.uses);
        self.steps
    }

    fn close(&mut self, module: &Module, uses: &Uses) {
        let mut links = std::mem::take(&mut self.open);
        if links.len() < 2 {
            self.steps.extend(links.pop().map(|link| link.step));
            return;
        }
        let ids: FxHashSet<OpId> = links.iter().map(|link| link.id).collect();
        for link in &mut links {
            let readers = uses.readers(module, module.op(link.id).result());
            link.is_local = readers.iter().all(|reader| ids.contains(reader));
        }
        let site = links[0].step.site;
        let exec = chain(links, self.count);
        self.steps.push(Step { exec, site });
    }
}

fn chain(links: Vec<Link>, count: usize) -> Exec {
    Box::new(move |machine| {
        for link in &links {
            machine.frame.tiles[link.out.0].clear();
        }
        let mut start = 0;
        while start < count {
            let len = CHUNK.min(count - start);
            machine.chunk = Some(Chunk { start, len });
            for link in &links {
                if link.is_local {
                    machine.frame.tiles[link.out.0].clear();
                }
                if let Err(stop) = (link.step.exec)(machine) {
                    machine.chunk = None;
                    let (site, trouble) = stop.at(link.step.site);
                    return Err(Stop::At(site, trouble));
                }
            }
            start += len;
        }
        machine.chunk = None;
        Ok(Flow::Next)
    })
}

/// Returns the number of elements of the result of `op`; `None` if `op` cannot be chained, or if
/// chaining it does not pay off.
fn chained(cx: &Compiler<'_>, op: &Op) -> Option<usize> {
    let can = match op.opcode {
        Opcode::Float(kind) => is_chained_float(kind),
        Opcode::Integer(kind) => is_chained_integer(kind, op),
        Opcode::Bitwise(_) => true,
        Opcode::Core(CoreOp::Select) => true,
        // The source has a different shape, so it is complete before the chain starts.
        Opcode::Core(CoreOp::Broadcast) => cx.shape(op.operands[0]) != cx.shape(op.result()),
        Opcode::Conversion(kind) => matches!(
            kind,
            ConversionOp::ExtI | ConversionOp::IToF | ConversionOp::FToF
        ),
        _ => false,
    };
    if !can || cx.lanes > 1 {
        return None;
    }
    let count = cx.shape(op.result()).iter().product();
    (count > CHUNK).then_some(count)
}

fn is_chained_float(kind: FloatOp) -> bool {
    matches!(
        kind,
        FloatOp::AbsF
            | FloatOp::AddF
            | FloatOp::Ceil
            | FloatOp::CmpF
            | FloatOp::Cos
            | FloatOp::CosH
            | FloatOp::DivF
            | FloatOp::Exp
            | FloatOp::Exp2
            | FloatOp::Floor
            | FloatOp::Fma
            | FloatOp::Log
            | FloatOp::Log2
            | FloatOp::MaxF
            | FloatOp::MinF
            | FloatOp::MulF
            | FloatOp::NegF
            | FloatOp::Pow
            | FloatOp::RSqrt
            | FloatOp::Sin
            | FloatOp::SinH
            | FloatOp::Sqrt
            | FloatOp::SubF
            | FloatOp::Tan
            | FloatOp::TanH
    )
}

fn is_chained_integer(kind: IntegerOp, op: &Op) -> bool {
    match kind {
        IntegerOp::AddI | IntegerOp::SubI | IntegerOp::MulI => {
            op.overflow() == IntegerOverflow::None
        }
        IntegerOp::CmpI | IntegerOp::MaxI | IntegerOp::MinI => true,
        _ => false,
    }
}
