//! Programs that compute how often a loop runs from the numbers of a launch.
//!
//! The bounds of a loop are sums of numbers of the kernel, and what is in both of them is left out of their difference: a block
//! that runs the rows from `first` to `(first + 64).min(rows)` runs 64 of them, or those that are left from `first` on. Interval
//! arithmetic alone would say that it is any number up to `rows`.

use tile_core::ir::{Attr, BlockId, Module, OpId, RoundingMode, ValueDef, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, IntegerOp, MiscOp, Opcode, ViewOp};
use tile_core::reach::Step;
use tile_core::tuning::model::UNKNOWN_TRIPS;

use super::access::{splat, without_casts};
use crate::hir::signature::{ElementRef, Param, ParamKind};

/// The length of the longest program. A longer one counts as unknown.
const MAX_STEPS: usize = 200;

/// The operands of the longest sum. What lies deeper counts as one number.
const MAX_TERMS: usize = 32;

/// The numbers of a kernel that a launch can compute.
pub(super) struct Numbers<'m> {
    module: &'m Module,
    /// The parameters of the entry, with what they are.
    inputs: Vec<(ValueId, Option<Step>)>,
}

/// A sum of multiples of values.
#[derive(Clone, Default)]
struct Sum {
    constant: i128,
    terms: Vec<(ValueId, i128)>,
}

impl Sum {
    fn add(&mut self, value: ValueId, factor: i128) {
        match self.terms.iter_mut().find(|(of, _)| *of == value) {
            Some((_, sum)) => *sum += factor,
            None => self.terms.push((value, factor)),
        }
        self.terms.retain(|&(_, factor)| factor != 0);
    }
}

/// Returns what each parameter of the entry is, if it is a number: of a tensor, the address is followed by the extents and the
/// strides.
fn inputs(module: &Module, body: BlockId, params: &[Param]) -> Vec<(ValueId, Option<Step>)> {
    let mut steps = Vec::new();
    for (param, declared) in params.iter().enumerate() {
        match declared.kind {
            ParamKind::Tensor { rank, .. } => {
                steps.push(None);
                steps.extend((0..rank).map(|axis| Some(Step::Dim { param, axis })));
                steps.extend((0..rank).map(|_| None));
            }
            ParamKind::Scalar(element) => steps.push(match element {
                ElementRef::Concrete(scalar) if scalar.is_integer() => Some(Step::Scalar {
                    param,
                    bits: scalar.bits(),
                    signed: scalar.is_signed(),
                }),
                _ => None,
            }),
            ParamKind::Pointer { .. } => steps.push(None),
        }
    }
    let args = module.block(body).args.iter().copied();
    args.zip(steps).collect()
}

impl<'m> Numbers<'m> {
    /// Creates the numbers of an entry with a body. `params` are those of the kernel, whose extents the entry has as parameters.
    pub(super) fn new(module: &'m Module, body: BlockId, params: &[Param]) -> Self {
        Numbers {
            module,
            inputs: inputs(module, body, params),
        }
    }

    /// Returns the program for the iterations of a loop, or `None` if it would be too long.
    pub(super) fn trips(&self, id: OpId) -> Option<Vec<Step>> {
        let op = self.module.op(id);
        let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
        // ceil((upper - lower) / step), at least 0
        let mut steps = Vec::new();
        self.distance(lower, upper, &mut steps)?;
        self.number(step, &mut steps)?;
        steps.extend([Step::Int(-1), Step::Add, Step::Add]);
        self.number(step, &mut steps)?;
        steps.extend([Step::Div, Step::Int(0), Step::Max]);
        Some(steps)
    }

    /// Appends the program for the difference of two numbers.
    fn distance(&self, lower: ValueId, upper: ValueId, steps: &mut Vec<Step>) -> Option<()> {
        let mut difference = Sum::default();
        self.sum(upper, 1, &mut difference)?;
        self.sum(lower, -1, &mut difference)?;
        self.program(difference, steps)
    }

    /// Appends the program for a number.
    fn number(&self, value: ValueId, steps: &mut Vec<Step>) -> Option<()> {
        let mut sum = Sum::default();
        self.sum(value, 1, &mut sum)?;
        self.program(sum, steps)
    }

    /// Adds a multiple of a number to a sum, each of its operands by itself.
    fn sum(&self, value: ValueId, factor: i128, sum: &mut Sum) -> Option<()> {
        let value = without_casts(self.module, value);
        if let Some(constant) = splat(self.module, value) {
            sum.constant = sum.constant.checked_add(constant.checked_mul(factor)?)?;
            return Some(());
        }
        match self.operands(value) {
            Some((IntegerOp::AddI, a, b)) if sum.terms.len() < MAX_TERMS => {
                self.sum(a, factor, sum)?;
                self.sum(b, factor, sum)
            }
            Some((IntegerOp::SubI, a, b)) if sum.terms.len() < MAX_TERMS => {
                self.sum(a, factor, sum)?;
                self.sum(b, factor.checked_neg()?, sum)
            }
            Some((IntegerOp::MulI, a, b)) => {
                let (a, b) = (without_casts(self.module, a), without_casts(self.module, b));
                match (splat(self.module, a), splat(self.module, b)) {
                    (Some(constant), _) => self.sum(b, factor.checked_mul(constant)?, sum),
                    (_, Some(constant)) => self.sum(a, factor.checked_mul(constant)?, sum),
                    _ => {
                        sum.add(value, factor);
                        Some(())
                    }
                }
            }
            _ => {
                sum.add(value, factor);
                Some(())
            }
        }
    }

    /// Appends the program of a sum. One with a minimum is the minimum of two sums: min(a, b) - c = min(a - c, b - c). What a
    /// launch does not know counts as [`UNKNOWN_TRIPS`].
    fn program(&self, sum: Sum, steps: &mut Vec<Step>) -> Option<()> {
        if steps.len() > MAX_STEPS {
            return None;
        }
        let of_two = sum.terms.iter().enumerate().find_map(|(place, term)| {
            let (kind, a, b) = self.operands(term.0)?;
            let is_greater = match kind {
                IntegerOp::MinI => term.1 < 0,
                IntegerOp::MaxI => term.1 > 0,
                _ => return None,
            };
            Some((place, if is_greater { Step::Max } else { Step::Min }, a, b))
        });
        if let Some((place, step, a, b)) = of_two {
            for operand in [a, b] {
                let mut one = sum.clone();
                let (_, factor) = one.terms.swap_remove(place);
                self.sum(operand, factor, &mut one)?;
                self.program(one, steps)?;
            }
            steps.push(step);
            return Some(());
        }
        let start = steps.len();
        steps.push(Step::Int(sum.constant));
        for (value, factor) in sum.terms {
            if self.term(value, steps).is_none() {
                steps.truncate(start);
                steps.push(Step::Int(UNKNOWN_TRIPS.saturating_add(sum.constant)));
                break;
            }
            if factor != 1 {
                steps.extend([Step::Int(factor), Step::Mul]);
            }
            steps.push(Step::Add);
        }
        (steps.len() <= MAX_STEPS).then_some(())
    }

    /// Returns the kind and the operands of an operation of two integers.
    fn operands(&self, value: ValueId) -> Option<(IntegerOp, ValueId, ValueId)> {
        let ValueDef::Result(id, _) = self.module.value(value).def else {
            return None;
        };
        let op = self.module.op(id);
        match (op.opcode, op.operands.as_slice()) {
            (Opcode::Integer(kind), &[a, b]) => Some((kind, a, b)),
            _ => None,
        }
    }

    /// Appends the program for a number that is no sum, if a launch can compute it.
    fn term(&self, value: ValueId, steps: &mut Vec<Step>) -> Option<()> {
        if let Some((_, step)) = self.inputs.iter().find(|(input, _)| *input == value) {
            steps.push((*step)?);
            return Some(());
        }
        let (id, index) = match self.module.value(value).def {
            ValueDef::Result(id, index) => (id, usize::try_from(index).ok()?),
            ValueDef::Argument(block, index) => {
                return self.counter(block, usize::try_from(index).ok()?, steps);
            }
        };
        let op = self.module.op(id);
        match op.opcode {
            Opcode::Core(CoreOp::GetTileBlockId) => steps.push(Step::Block(index)),
            Opcode::Core(CoreOp::GetNumTileBlocks) => steps.push(Step::Blocks(index)),
            Opcode::Core(CoreOp::Select) => self.select(id, steps)?,
            Opcode::Integer(kind) => self.arithmetic(id, kind, steps)?,
            Opcode::View(ViewOp::GetIndexSpaceShape) => {
                let src = op.operand("src");
                let ty = self.module.ty(src).as_tile_view()?;
                self.extent(src, ty.tensor_axis(index), steps)?;
                let step = i128::from(ty.step(index)).max(1);
                steps.extend([Step::Int(step - 1), Step::Add, Step::Int(step), Step::Div]);
            }
            Opcode::View(ViewOp::GetTensorShape) => {
                self.extent(op.operand("src"), index, steps)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Appends the program for a number that is 0 if a range is empty, which it would otherwise be less than: the iterations of a
    /// range in steps.
    fn select(&self, id: OpId, steps: &mut Vec<Step>) -> Option<()> {
        let [chosen, other] = [
            self.module.op(id).operands[1],
            self.module.op(id).operands[2],
        ];
        if splat(self.module, without_casts(self.module, other)) != Some(0) {
            return None;
        }
        self.number(chosen, steps)?;
        steps.extend([Step::Int(0), Step::Max]);
        Some(())
    }

    /// Appends the program for a product, a quotient or a shift.
    fn arithmetic(&self, id: OpId, kind: IntegerOp, steps: &mut Vec<Step>) -> Option<()> {
        let op = self.module.op(id);
        let step = match kind {
            IntegerOp::MulI => Step::Mul,
            IntegerOp::DivI => Step::Div,
            IntegerOp::RemI => Step::Rem,
            IntegerOp::ShrI => Step::Shr,
            _ => return None,
        };
        let [a, b] = [op.operands[0], op.operands[1]];
        self.number(a, steps)?;
        if kind == IntegerOp::DivI
            && op.attr("rounding") == Some(&Attr::Rounding(RoundingMode::PositiveInf))
        {
            // Extents are not negative.
            self.number(b, steps)?;
            steps.extend([Step::Int(-1), Step::Add, Step::Add]);
        }
        self.number(b, steps)?;
        steps.push(step);
        Some(())
    }

    /// Appends the program for the counter of a loop in any of its iterations.
    fn counter(&self, block: BlockId, index: usize, steps: &mut Vec<Step>) -> Option<()> {
        let id = self.module.parent_op_of_block(block)?;
        let op = self.module.op(id);
        if index != 0 || op.opcode != Opcode::ControlFlow(ControlFlowOp::For) {
            return None;
        }
        let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
        self.number(lower, steps)?;
        self.distance(lower, upper, steps)?;
        self.number(step, steps)?;
        steps.push(Step::Trips);
        self.number(step, steps)?;
        steps.extend([Step::Mul, Step::Add]);
        Some(())
    }

    /// Appends the program for an extent of the tensor of a view.
    fn extent(&self, view: ValueId, axis: usize, steps: &mut Vec<Step>) -> Option<()> {
        let ValueDef::Result(id, _) = self.module.value(view).def else {
            return None;
        };
        let op = self.module.op(id);
        match op.opcode {
            Opcode::View(ViewOp::MakeTensorView) => {
                let ty = self.module.ty(view).as_tensor_view()?;
                if let Some(extent) = ty.shape.get(axis)? {
                    steps.push(Step::Int((*extent).into()));
                    return Some(());
                }
                let before = ty.shape[..axis].iter().filter(|extent| extent.is_none());
                let value = *op.operands_of("dynamicShape").get(before.count())?;
                self.number(value, steps)
            }
            Opcode::View(
                ViewOp::MakePartitionView | ViewOp::MakeStridedView | ViewOp::MakeGatherScatterView,
            )
            | Opcode::Misc(MiscOp::Assume) => self.extent(op.operands[0], axis, steps),
            _ => None,
        }
    }
}
