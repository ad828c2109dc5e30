//! Counts the work of a block: what the model of a tuner multiplies with the iterations of loops.
//!
//! In: a canonical module with one entry. Out: for the entry and each loop in it the operations of one iteration, with
//! programs that compute how often it runs from the numbers of a launch. An `if` counts half of each branch, and a loop whose
//! length a launch does not know runs [`UNKNOWN_TRIPS`] times, or less if it takes larger steps.

use crate::hir::signature::Param;
use access::Accesses;
use tile_core::ir::{BlockId, Module, OpId, ValueId};
use tile_core::ops::{
    AtomicOp, ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, MiscOp, Opcode, ViewOp,
};
use tile_core::reach::{Inputs, Reach, Step, reach};
use tile_core::tuning::model::{UNKNOWN_TRIPS, Work};
use tile_core::types::Element;
use trips::Numbers;

mod access;
#[cfg(test)]
mod tests;
mod trips;

/// How many operations of an element an exponential, a root or a quotient counts for.
const FUNCTION: f64 = 10.0;

/// A part of a kernel, and how often a block runs it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) work: Work,
    /// Programs whose results are multiplied.
    pub(crate) trips: Vec<Vec<Step>>,
}

/// Counts the work of the only entry of a module. `params` are those of the kernel, whose extents the entry has as
/// parameters.
pub(crate) fn count(module: &Module, params: &[Param]) -> Vec<Part> {
    let Some(body) = module
        .entries()
        .next()
        .and_then(|entry| module.region_block(entry, 0))
    else {
        return Vec::new();
    };
    let mut counter = Counter {
        module,
        numbers: Numbers::new(module, body, params),
        accesses: Accesses::new(module, body, params),
        parts: Vec::new(),
    };
    counter.part(body, 1.0, &[]);
    counter.parts
}

/// The extents, integers and blocks of the launch that candidates are compared for before any launch is known.
const NOMINAL: u32 = 2048;

struct Nominal;

impl Inputs for Nominal {
    fn blocks(&self, _: usize) -> u32 {
        NOMINAL
    }

    fn scalar(&self, _: usize) -> Option<u64> {
        Some(NOMINAL.into())
    }

    fn extent(&self, _: usize, _: usize) -> Option<u64> {
        Some(NOMINAL.into())
    }
}

/// Returns the work of a block of a launch with large arguments.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts are estimates of what a kernel does"
)]
pub(crate) fn nominal(parts: &[Part]) -> Work {
    let trips = |program: &Vec<Step>| match reach(program, &Nominal) {
        // There may be more blocks than there is work for: take one that has all of its rows.
        Reach::Between(_, most) if program.iter().any(|it| matches!(it, Step::Block(_))) => {
            most.max(0) as f64
        }
        Reach::Between(least, most) => (least as f64 + most as f64).max(0.0) / 2.0,
        Reach::Never => 0.0,
        Reach::Anything => UNKNOWN_TRIPS as f64,
    };
    let mut total = Work::default();
    for part in parts {
        total.add(part.trips.iter().map(trips).product(), part.work);
    }
    total
}

struct Counter<'m> {
    module: &'m Module,
    numbers: Numbers<'m>,
    accesses: Accesses<'m>,
    parts: Vec<Part>,
}

impl Counter<'_> {
    /// Adds a block of operations that runs as often as the programs say, in a `share` of these runs.
    fn part(&mut self, block: BlockId, share: f64, trips: &[Vec<Step>]) {
        let mut work = Work::default();
        self.operations(block, share, trips, &mut work);
        if work != Work::default() {
            self.parts.push(Part {
                work,
                trips: trips.to_vec(),
            });
        }
    }

    fn operations(&mut self, block: BlockId, share: f64, trips: &[Vec<Step>], work: &mut Work) {
        for &id in &self.module.block(block).ops {
            let op = self.module.op(id);
            match op.opcode {
                Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop) => {
                    let trip = match op.opcode {
                        Opcode::ControlFlow(ControlFlowOp::For) => self.numbers.trips(id),
                        _ => None,
                    };
                    let mut trips = trips.to_vec();
                    trips.push(trip.unwrap_or_else(|| vec![Step::Int(UNKNOWN_TRIPS)]));
                    if let Some(body) = self.module.region_block(id, 0) {
                        self.part(body, share, &trips);
                    }
                }
                Opcode::ControlFlow(ControlFlowOp::If) => {
                    for region in 0..op.regions.len() {
                        if let Some(branch) = self.module.region_block(id, region) {
                            self.operations(branch, share / 2.0, trips, work);
                        }
                    }
                }
                _ => self.operation(id, share, work),
            }
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "counts are estimates of what a kernel does"
    )]
    fn operation(&self, id: OpId, share: f64, work: &mut Work) {
        let op = self.module.op(id);
        let elements = |value: ValueId| {
            let tile = self.module.ty(value).as_tile();
            tile.map_or(0.0, |tile| tile.num_elements() as f64)
        };
        let bytes = |value: ValueId| {
            let tile = self.module.ty(value).as_tile();
            let each = tile.map_or(0.0, |tile| match tile.element {
                Element::Scalar(scalar) => f64::from(scalar.bits()) / 8.0,
                Element::Ptr(_) => 8.0,
            });
            elements(value) * each
        };
        let result = op.results.first().copied();
        let first = result.map_or(0.0, elements);
        let is_gathered = |view: &str| {
            let ty = self.module.ty(op.operand(view)).as_tile_view();
            ty.is_some_and(|ty| ty.sparse_dim.is_some())
        };
        if self.accesses.is_address(id) {
            return;
        }
        match op.opcode {
            // What has no cost, or whose cost is that of its users.
            Opcode::Core(
                CoreOp::Constant
                | CoreOp::Iota
                | CoreOp::Broadcast
                | CoreOp::Reshape
                | CoreOp::Extract
                | CoreOp::GetTileBlockId
                | CoreOp::GetNumTileBlocks
                | CoreOp::GetGlobal
                | CoreOp::Module
                | CoreOp::Entry
                | CoreOp::Global,
            )
            | Opcode::Misc(MiscOp::Assume)
            | Opcode::ControlFlow(_)
            | Opcode::Memory(MemoryOp::JoinTokens | MemoryOp::MakeToken) => return,
            Opcode::View(
                ViewOp::MakeTensorView
                | ViewOp::MakePartitionView
                | ViewOp::MakeStridedView
                | ViewOp::MakeGatherScatterView
                | ViewOp::GetTensorShape
                | ViewOp::GetIndexSpaceShape,
            ) => return,
            Opcode::View(ViewOp::LoadViewTko) if is_gathered("view") => {
                work.scattered += share * first;
            }
            Opcode::View(ViewOp::LoadViewTko) => {
                work.loaded += share * result.map_or(0.0, bytes);
            }
            Opcode::View(ViewOp::StoreViewTko) if is_gathered("view") => {
                work.scattered += share * elements(op.operand("tile"));
            }
            Opcode::View(ViewOp::StoreViewTko) => {
                work.stored += share * bytes(op.operand("tile"));
            }
            Opcode::Memory(MemoryOp::LoadPtrTko) if self.is_of_neighbours(id, "source") => {
                work.loaded += share * result.map_or(0.0, bytes);
            }
            Opcode::Memory(MemoryOp::StorePtrTko) if self.is_of_neighbours(id, "destination") => {
                work.stored += share * bytes(op.operand("value"));
            }
            Opcode::Memory(MemoryOp::LoadPtrTko) => work.scattered += share * first,
            Opcode::Memory(MemoryOp::StorePtrTko) => {
                work.scattered += share * elements(op.operand("value"));
            }
            Opcode::Atomic(
                AtomicOp::AtomicRmwTko | AtomicOp::AtomicCasTko | AtomicOp::AtomicRedViewTko,
            ) => {
                let operands = op.operands.iter().map(|&operand| elements(operand));
                work.scattered += share * operands.fold(0.0, f64::max);
            }
            Opcode::Float(FloatOp::MmaF | FloatOp::MmaFScaled)
            | Opcode::Integer(IntegerOp::MmaI) => {
                let lhs = self.module.ty(op.operand("lhs")).as_tile();
                let k = lhs
                    .and_then(|tile| tile.shape.last())
                    .map_or(1.0, |&k| k as f64);
                work.products += share * first * k;
                work.packed += share * elements(op.operand("rhs"));
            }
            Opcode::Core(CoreOp::Reduce | CoreOp::Scan) => {
                let body = self.module.region_block(id, 0);
                let steps = body.map_or(1, |body| self.module.block(body).ops.len());
                let source = op.operands.first().copied().map_or(0.0, elements);
                work.elements += share * source * steps.max(1) as f64;
            }
            Opcode::Float(
                FloatOp::Atan2
                | FloatOp::Cos
                | FloatOp::CosH
                | FloatOp::DivF
                | FloatOp::Exp
                | FloatOp::Exp2
                | FloatOp::FPowI
                | FloatOp::Log
                | FloatOp::Log2
                | FloatOp::Pow
                | FloatOp::RemF
                | FloatOp::RSqrt
                | FloatOp::Sin
                | FloatOp::SinH
                | FloatOp::Sqrt
                | FloatOp::Tan
                | FloatOp::TanH,
            )
            | Opcode::Integer(IntegerOp::DivI | IntegerOp::RemI) => {
                work.elements += share * first * FUNCTION;
            }
            _ => work.elements += share * first,
        }
        work.operations += share;
    }

    fn is_of_neighbours(&self, id: OpId, slot: &str) -> bool {
        self.accesses
            .is_of_neighbours(self.module.op(id).operand(slot))
    }
}
