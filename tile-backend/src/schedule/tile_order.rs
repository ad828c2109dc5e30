//! Chooses LPT order: blocks whose loops have more iterations start first.
//!
//! Input: a kernel whose blocks may run in any order. Output: [`LptOrder`], if the trip count of its loops
//! rises, or falls, along one axis of the grid:
//!
//! ```text
//!   %i, %h = block_id                      (i + 1) * m / n rises along axis 0
//!   for %j in 0..(i + 1) * m / n { … }
//! ```
//!
//! Sizes and factors are assumed to be positive, and no arithmetic to wrap. Where the assumption fails, only
//! the order suffers, not the result. The slope of a number that is loaded, carried by a loop or chosen by a
//! branch is unknown.

use super::Refusal;
use crate::gpu::{Kernel, LptOrder, OpId, OpKind, RasterOrder, ValueId, each};
use crate::options::DisabledPasses;
use tile_core::ops::{ConversionOp, CoreOp, IntegerOp, Opcode};

/// The change of a number along an axis of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slope {
    Level,
    Rises,
    Falls,
    Unknown,
}

impl Slope {
    /// Returns the slope of a number that rises with two others, such as their sum or maximum.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (slope, Self::Level) | (Self::Level, slope) => slope,
            (one, other) if one == other => one,
            _ => Self::Unknown,
        }
    }

    /// Returns the slope of the negated number.
    fn turned(self) -> Self {
        match self {
            Self::Rises => Self::Falls,
            Self::Falls => Self::Rises,
            Self::Level | Self::Unknown => self,
        }
    }
}

/// Returns the LPT order of the work tiles of a kernel, or the reason why their order stays.
pub(super) fn choose(kernel: &Kernel) -> Result<LptOrder, Refusal> {
    let launch = &kernel.launch;
    let options = kernel.requests.options;
    let refused = match launch.raster_order {
        RasterOrder::Fixed => "a block may wait for one that starts before it",
        RasterOrder::Grouped(_) | RasterOrder::Lpt(_) => "work tiles have an order already",
        RasterOrder::Any if options.disabled.contains(DisabledPasses::LPT_ORDER) => {
            "it is disabled"
        }
        RasterOrder::Any if launch.blocks_per_tile > 1 => "several blocks split a work tile",
        RasterOrder::Any => {
            return longest_first(kernel).ok_or(Refusal::Because(
                "no axis of the grid along which loops have more or fewer iterations",
            ));
        }
    };
    Err(Refusal::Because(refused))
}

/// Returns the order of a kernel whose loops have more, or fewer, iterations along exactly one axis.
fn longest_first(kernel: &Kernel) -> Option<LptOrder> {
    let orders = (0..3).filter_map(|axis| {
        let rises = match of_loops(kernel, axis) {
            Slope::Rises => true,
            Slope::Falls => false,
            Slope::Level | Slope::Unknown => return None,
        };
        Some(LptOrder { axis, rises })
    });
    match orders.collect::<Vec<_>>()[..] {
        [order] => Some(order),
        _ => None,
    }
}

/// Returns the combined slope of the trip counts of all loops, except for loops whose slope is unknown.
fn of_loops(kernel: &Kernel, axis: u8) -> Slope {
    let mut slopes = vec![Slope::Level; kernel.num_values()];
    let mut combined = Slope::Level;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let op = kernel.op(id);
        let arg = |index: usize| slopes[op.args[index].index()];
        let counts = matches!(op.kind, OpKind::For { .. });
        if counts {
            let trips = arg(1).with(arg(0).turned());
            if trips != Slope::Unknown {
                combined = combined.with(trips);
            }
        }
        let start = counts.then(|| arg(0));
        let slope = of_result(kernel, id, &slopes, axis);
        for result in &op.results {
            slopes[result.index()] = slope;
        }
        for &block in &op.blocks {
            for value in &kernel.block(block).args {
                slopes[value.index()] = Slope::Unknown;
            }
        }
        if let Some(start) = start {
            let counter = kernel.block(op.blocks[0]).args[0];
            slopes[counter.index()] = start;
        }
    });
    combined
}

/// Returns the slope of the result of an operation, from those of its operands.
fn of_result(kernel: &Kernel, id: OpId, slopes: &[Slope], axis: u8) -> Slope {
    let op = kernel.op(id);
    let arg = |index: usize| slopes[op.args[index].index()];
    let by = |factors: &[usize], slope: Slope| {
        let mut factors = factors.iter();
        if factors.any(|&index| is_negative(kernel, op.args[index])) {
            slope.turned()
        } else {
            slope
        }
    };
    let opcode = match &op.kind {
        OpKind::BlockId(of) if *of == axis => return Slope::Rises,
        OpKind::Compute(element) => Some(element.opcode),
        _ => None,
    };
    match opcode {
        Some(Opcode::Integer(IntegerOp::AddI | IntegerOp::MaxI | IntegerOp::MinI)) => {
            arg(0).with(arg(1))
        }
        Some(Opcode::Integer(IntegerOp::SubI)) => arg(0).with(arg(1).turned()),
        Some(Opcode::Integer(IntegerOp::NegI)) => arg(0).turned(),
        Some(Opcode::Integer(IntegerOp::MulI)) => by(&[0, 1], arg(0).with(arg(1))),
        Some(Opcode::Integer(IntegerOp::ShlI)) => arg(0).with(arg(1)),
        Some(Opcode::Integer(IntegerOp::DivI)) => by(&[1], arg(0).with(arg(1).turned())),
        Some(Opcode::Integer(IntegerOp::ShrI)) => arg(0).with(arg(1).turned()),
        Some(Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI)) => arg(0),
        Some(Opcode::Core(CoreOp::Select)) => match (arg(0), arg(1).with(arg(2))) {
            (Slope::Level, slope) => slope,
            // The coordinate of the block decides which of the two numbers is selected.
            (_, Slope::Level) => Slope::Unknown,
            (_, slope) => slope,
        },
        // Operands that are the same in all blocks give a result that is the same in all blocks, whatever the
        // operation.
        _ if op.blocks.is_empty() && (0..op.args.len()).all(|index| arg(index) == Slope::Level) => {
            Slope::Level
        }
        _ => Slope::Unknown,
    }
}

fn is_negative(kernel: &Kernel, value: ValueId) -> bool {
    let kind = kernel.defining(value).map(|id| &kernel.op(id).kind);
    match (kind, kernel.ty(value).scalar()) {
        (Some(OpKind::Constant(bits)), Some(scalar)) => bits >> (scalar.bits() - 1) & 1 == 1,
        _ => false,
    }
}
