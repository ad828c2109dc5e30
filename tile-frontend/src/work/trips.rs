//! Programs that compute how often a loop runs from the numbers of a launch.
//!
//! The bounds of a loop are sums of numbers of the kernel, and what is in both of them is left out of their difference: a block
//! that runs the rows from `first` to `(first + 64).min(rows)` runs 64 of them, or those that are left from `first` on. Interval
//! arithmetic alone would say that it is any number up to `rows`.
//!
//! Of a loop between two numbers that are loaded, such as over the elements of a row of a sparse matrix, a launch knows how long the
//! tensor is that they divide, and into how many parts: what it takes is the length of a part in the mean.

use std::cell::Cell;
use std::collections::HashSet;

use tile_core::ir::{Attr, BlockId, Module, OpId, RoundingMode, ValueDef, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, IntegerOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::reach::Step;
use tile_core::tuning::model::UNKNOWN_TRIPS;

use super::access::{given, splat, without_casts};
use crate::hir::signature::{ElementRef, Param, ParamKind};

/// The length of the longest program. A longer one counts as unknown.
const MAX_STEPS: usize = 200;

/// The operations of the longest sum. What lies deeper counts as one number.
const MAX_OPERATIONS: usize = 64;

/// The numbers of a kernel that a launch can compute.
pub(super) struct Numbers<'m> {
    module: &'m Module,
    /// The parameters of the entry that are numbers.
    inputs: Vec<(ValueId, Step)>,
    /// The addresses of tensors of rank 1, with their extents.
    vectors: Vec<(ValueId, Step)>,
    /// The program for what a launch does not know.
    unknown: Vec<Step>,
    /// The sums that may still be written for a loop. There are more ways through a long chain of operations than could be taken.
    left: Cell<usize>,
}

/// A sum of multiples of values.
#[derive(Clone, Default)]
struct Sum {
    constant: i128,
    terms: Vec<(ValueId, i128)>,
    operations: usize,
}

impl Sum {
    fn add(&mut self, value: ValueId, factor: i128) {
        match self.terms.iter_mut().find(|(of, _)| *of == value) {
            Some((_, sum)) => *sum = sum.saturating_add(factor),
            None => self.terms.push((value, factor)),
        }
        self.terms.retain(|&(_, factor)| factor != 0);
    }
}

/// Returns the program for a length that is any up to twice a mean, and at least 1: parts of a tensor differ in length, and most end
/// within a tile.
fn up_to_twice(mean: &[Step]) -> Vec<Step> {
    let mut steps = vec![Step::Between(0, 2)];
    steps.extend(mean);
    steps.extend([Step::Mul, Step::Int(1), Step::Max]);
    steps
}

/// Returns the parameters of the entry that are numbers: the extents of tensors, and integers.
fn inputs(module: &Module, body: BlockId, params: &[Param]) -> Vec<(ValueId, Step)> {
    let mut inputs = Vec::new();
    for it in given(module, body, params) {
        let param = it.number;
        let extents = it.extents.iter().enumerate();
        inputs.extend(extents.map(|(axis, &extent)| (extent, Step::Dim { param, axis })));
        if let ParamKind::Scalar(ElementRef::Concrete(scalar)) = params[param].kind
            && scalar.is_integer()
        {
            let step = Step::Scalar {
                param,
                bits: scalar.bits(),
                signed: scalar.is_signed(),
            };
            inputs.push((it.value, step));
        }
    }
    inputs
}

impl<'m> Numbers<'m> {
    /// Creates the numbers of an entry with a body. `params` are those of the kernel, whose extents the entry has as parameters.
    pub(super) fn new(module: &'m Module, body: BlockId, params: &[Param]) -> Self {
        let inputs = inputs(module, body, params);
        let vectors = given(module, body, params).filter_map(|it| {
            let extent = Step::Dim {
                param: it.number,
                axis: 0,
            };
            (it.extents.len() == 1).then_some((it.value, extent))
        });
        let vectors = vectors.collect();
        Numbers {
            module,
            inputs,
            vectors,
            unknown: Vec::new(),
            left: Cell::new(0),
        }
    }

    /// Returns the program for the iterations of a loop, or `None` if it would be too long.
    pub(super) fn trips(&mut self, id: OpId) -> Option<Vec<Step>> {
        let op = self.module.op(id);
        let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
        let unknown = self.part(id);
        let unknown = unknown.unwrap_or_else(|| up_to_twice(&[Step::Int(UNKNOWN_TRIPS)]));
        self.unknown = unknown;
        self.left.set(MAX_STEPS);
        // ceil((upper - lower) / step), at least 0
        let mut steps = Vec::new();
        self.distance(lower, upper, &mut steps)?;
        self.number(step, &mut steps)?;
        steps.extend([Step::Int(-1), Step::Add, Step::Add]);
        self.number(step, &mut steps)?;
        steps.extend([Step::Div, Step::Int(0), Step::Max]);
        Some(steps)
    }

    /// Returns the program for the length of a part in the mean, if a loop is over a part of a tensor whose bounds are loaded.
    fn part(&self, id: OpId) -> Option<Vec<Step>> {
        let body = self.module.region_block(id, 0)?;
        let upper = self.module.op(id).operands[1];
        let bounds = self.find(upper, |value| self.vector_of_load(value))?;
        let counter = *self.module.block(body).args.first()?;
        let whole = self.module.block(body).ops.iter().find_map(|&inner| {
            let op = self.module.op(inner);
            if op.opcode != Opcode::Memory(MemoryOp::LoadPtrTko) {
                return None;
            }
            self.find(op.operand("source"), |value| {
                (value == counter).then_some(())
            })?;
            self.vector_of_load(*op.results.first()?)
        })?;
        // extent / max(bounds - 1, 1)
        Some(up_to_twice(&[
            whole,
            bounds,
            Step::Int(-1),
            Step::Add,
            Step::Int(1),
            Step::Max,
            Step::Div,
        ]))
    }

    /// Returns the extent of the tensor of rank 1 of which a value is loaded.
    fn vector_of_load(&self, value: ValueId) -> Option<Step> {
        let ValueDef::Result(id, 0) = self.module.value(value).def else {
            return None;
        };
        let op = self.module.op(id);
        if op.opcode != Opcode::Memory(MemoryOp::LoadPtrTko) {
            return None;
        }
        let mut pointer = without_casts(self.module, op.operand("source"));
        while let ValueDef::Result(offset, _) = self.module.value(pointer).def
            && let offset = self.module.op(offset)
            && offset.opcode == Opcode::Core(CoreOp::Offset)
        {
            pointer = without_casts(self.module, offset.operands[0]);
        }
        let vector = self
            .vectors
            .iter()
            .find(|(address, _)| *address == pointer)?;
        Some(vector.1)
    }

    /// Returns what is found first for a number or those from which it is computed.
    fn find<T>(&self, value: ValueId, found: impl Fn(ValueId) -> Option<T>) -> Option<T> {
        let mut seen = HashSet::new();
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            let value = without_casts(self.module, value);
            if let Some(result) = found(value) {
                return Some(result);
            }
            if let ValueDef::Result(id, _) = self.module.value(value).def
                && let op = self.module.op(id)
                && matches!(
                    op.opcode,
                    Opcode::Integer(_) | Opcode::Core(CoreOp::Offset | CoreOp::Select)
                )
                && seen.insert(id)
            {
                left.extend(&op.operands);
            }
        }
        None
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
        sum.operations += 1;
        if let Some(constant) = splat(self.module, value) {
            sum.constant = sum.constant.checked_add(constant.checked_mul(factor)?)?;
            return Some(());
        }
        match self.operands(value) {
            _ if sum.operations > MAX_OPERATIONS => {
                sum.add(value, factor);
                Some(())
            }
            Some((IntegerOp::AddI, a, b)) => {
                self.sum(a, factor, sum)?;
                self.sum(b, factor, sum)
            }
            Some((IntegerOp::SubI, a, b)) => {
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

    /// Appends the program of a sum. One with a minimum is the minimum of two sums: min(a, b) - c = min(a - c, b - c). If a launch
    /// does not know a term, it is the length of a part.
    fn program(&self, sum: Sum, steps: &mut Vec<Step>) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
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
                one.operations = 0;
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
                steps.extend(&self.unknown);
                steps.extend([Step::Int(sum.constant), Step::Add]);
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
            steps.push(*step);
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
