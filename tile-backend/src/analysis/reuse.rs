//! Reuse analysis: finds how often the launch reads a tile of global memory.
//!
//! Input: a kernel of GPU IR. Output: whether a load's tile is read once by the whole launch, by every block,
//! or by several. An index is analyzed as a sum of block and loop indices, each multiplied by a factor:
//!
//! ```text
//!   x[bid0 * n + i]       bid0: n, i: 1       once, if bid0 is the only block index that the kernel uses,
//!                                             and i the index of the only loop around
//!   w[i]                  i: 1                by every block
//!   a[bid0, i], bid1      bid0: 1, i: 1       by the blocks that differ in bid1
//!   x[bid0 + i]           the same factor     unknown: windows overlap
//!   x[bid0 / n, bid0 % n]                     once: both together determine bid0
//! ```
//!
//! Factors of unknown value, as `n` above, are assumed to keep the terms of a sum apart. A loop-carried
//! number is not analyzed at all. So performance may depend on the result, but correctness must not.

use crate::gpu::{GlobalTile, Kernel, MemoryKind, Op, OpId, OpKind, ParamKind, ValueId, each};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::ops::{ConversionOp, IntegerOp, Opcode};

/// How often the tiles of a load are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// Read by one block, in one iteration, and by nothing else.
    Once,
    /// Read by every block.
    EveryBlock,
    /// Read by several blocks, or several times by one.
    Again,
    Unknown,
}

/// A number that differs between blocks or iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Block(u8),
    /// The block index divided by an invariant value.
    Quotient(u8, ValueId),
    Remainder(u8, ValueId),
    Loop(OpId),
}

impl Variable {
    /// Returns the grid axis whose block index the variable comes from.
    fn axis(self) -> Option<u8> {
        match self {
            Self::Block(axis) | Self::Quotient(axis, _) | Self::Remainder(axis, _) => Some(axis),
            Self::Loop(_) => None,
        }
    }
}

/// A product of a constant and invariant values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Factor {
    constant: u64,
    values: Vec<ValueId>,
}

impl Factor {
    const ONE: Self = Self {
        constant: 1,
        values: Vec::new(),
    };

    fn times(&self, other: &Self) -> Self {
        let mut values = self.values.clone();
        values.extend(&other.values);
        values.sort_unstable();
        Self {
            constant: self.constant.wrapping_mul(other.constant),
            values,
        }
    }
}

/// The terms of a sum, without the invariant ones; `None` if a number is not such a sum.
type Sum = Option<BTreeMap<Variable, Factor>>;

/// The grid axes that a number may depend on, and its sum.
#[derive(Clone, Debug)]
struct Form {
    axes: u8,
    sum: Sum,
}

const ALL_AXES: u8 = 0b111;

impl Form {
    fn unknown() -> Self {
        Self {
            axes: ALL_AXES,
            sum: None,
        }
    }

    fn unchanging() -> Self {
        Self {
            axes: 0,
            sum: Some(BTreeMap::new()),
        }
    }

    fn from_variable(variable: Variable) -> Self {
        Self {
            axes: variable.axis().map_or(0, |axis| 1 << axis),
            sum: Some(BTreeMap::from([(variable, Factor::ONE)])),
        }
    }

    fn is_unchanging(&self) -> bool {
        self.axes == 0 && self.sum.as_ref().is_some_and(BTreeMap::is_empty)
    }

    /// Returns the form of the sum, or of the difference: signs do not matter.
    fn plus(&self, other: &Self) -> Self {
        let sum = self.sum.clone().zip(other.sum.clone());
        let sum = sum.and_then(|(mut sum, other)| {
            for (variable, factor) in other {
                if sum.insert(variable, factor).is_some() {
                    return None;
                }
            }
            Some(sum)
        });
        Self {
            axes: self.axes | other.axes,
            sum,
        }
    }

    /// Returns a grid axis if the number is the block index along that axis.
    fn block_number(&self) -> Option<u8> {
        let sum = self.sum.as_ref()?;
        let (&variable, factor) = sum.first_key_value()?;
        match variable {
            Variable::Block(axis) if sum.len() == 1 && *factor == Factor::ONE => Some(axis),
            _ => None,
        }
    }

    fn times(&self, factor: &Factor) -> Self {
        let sum = self.sum.as_ref().map(|sum| {
            let terms = sum.iter();
            terms.map(|(&of, by)| (of, by.times(factor))).collect()
        });
        Self {
            axes: self.axes,
            sum,
        }
    }
}

/// The analysis of a kernel.
#[derive(Debug)]
pub(crate) struct Reuses<'k> {
    kernel: &'k Kernel,
    /// The operation that defines each value.
    defining: FxHashMap<ValueId, OpId>,
    /// The loop of each induction variable.
    inductions: FxHashMap<ValueId, OpId>,
    /// The grid axes whose block index the kernel uses.
    axes: BTreeSet<u8>,
    /// The operations that read or write global memory.
    accesses: Vec<OpId>,
    /// The operations around each access, outermost first.
    around: FxHashMap<OpId, Vec<OpId>>,
    forms: FxHashMap<ValueId, Form>,
}

impl<'k> Reuses<'k> {
    pub(crate) fn analyze(kernel: &'k Kernel) -> Self {
        let mut reuses = Self {
            kernel,
            defining: FxHashMap::default(),
            inductions: FxHashMap::default(),
            axes: BTreeSet::new(),
            accesses: Vec::new(),
            around: FxHashMap::default(),
            forms: FxHashMap::default(),
        };
        let mut numbers = Vec::new();
        let mut used: FxHashSet<ValueId> = FxHashSet::default();
        each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
            let op = kernel.op(id);
            used.extend(&op.args);
            let results = op.results.iter();
            reuses.defining.extend(results.map(|&result| (result, id)));
            match &op.kind {
                OpKind::For { .. } => {
                    let induction = kernel.block(op.blocks[0]).args[0];
                    reuses.inductions.insert(induction, id);
                }
                OpKind::BlockId(axis) => numbers.push((*axis, op.results[0])),
                OpKind::LoadGlobal(_)
                | OpKind::StoreGlobal(_)
                | OpKind::TmaStore(_)
                | OpKind::Memory(
                    MemoryKind::Load(_) | MemoryKind::Store(_) | MemoryKind::Atomic(..),
                ) => {
                    reuses.accesses.push(id);
                    reuses.around.insert(id, around.to_vec());
                }
                _ => {}
            }
        });
        numbers.retain(|(_, number)| used.contains(number));
        reuses.axes = numbers.into_iter().map(|(axis, _)| axis).collect();
        reuses
    }

    /// Returns how often the tiles of `load` are read.
    pub(crate) fn reuse(&mut self, load: OpId) -> Reuse {
        let kernel = self.kernel;
        let op = kernel.op(load);
        let OpKind::LoadGlobal(tile) = &op.kind else {
            return Reuse::Unknown;
        };
        if self.has_other_accesses(load, tile) || !self.is_parameter(op.args[0]) {
            return Reuse::Unknown;
        }
        let indices = op.args[1..].chunks_exact(3).map(|of_axis| of_axis[0]);
        let forms: Vec<Form> = indices.map(|index| self.form(index)).collect();
        let axes = forms.iter().fold(0, |axes, form| axes | form.axes);
        let asked = self.axes.iter().fold(0, |axes, axis| axes | 1 << axis);
        if asked != 0 && axes & asked == 0 {
            return Reuse::EveryBlock;
        }
        if axes & asked != asked {
            return Reuse::Again;
        }
        let sums: Option<Vec<_>> = forms.into_iter().map(|form| form.sum).collect();
        sums.map_or(Reuse::Unknown, |sums| self.by_sums(load, tile, &sums))
    }

    /// Returns how often the tiles of `load` are read if its indices depend on all grid axes that the kernel
    /// uses.
    fn by_sums(&self, load: OpId, tile: &GlobalTile, sums: &[BTreeMap<Variable, Factor>]) -> Reuse {
        let variables: BTreeSet<Variable> = sums.iter().flat_map(BTreeMap::keys).copied().collect();
        for &axis in &self.axes {
            let is_of_axis = |variable: &&Variable| variable.axis() == Some(axis);
            let of_axis: Vec<Variable> = variables.iter().filter(is_of_axis).copied().collect();
            match of_axis.as_slice() {
                [Variable::Block(_)] => {}
                [Variable::Quotient(_, by), Variable::Remainder(_, of)] if by == of => {}
                [Variable::Quotient(..) | Variable::Remainder(..)] => return Reuse::Again,
                _ => return Reuse::Unknown,
            }
        }
        for &id in &self.around[&load] {
            match self.kernel.op(id).kind {
                OpKind::For { .. } if variables.contains(&Variable::Loop(id)) => {}
                OpKind::For { .. } => return Reuse::Again,
                OpKind::If => {}
                _ => return Reuse::Unknown,
            }
        }
        let is_disjoint = tile.axes.iter().zip(sums);
        let is_disjoint = { is_disjoint }
            .all(|(axis, sum)| sum.is_empty() || axis.step >= axis.size && self.is_injective(sum));
        if is_disjoint {
            Reuse::Once
        } else {
            Reuse::Unknown
        }
    }

    /// Returns `true` if different values of the variables give different sums.
    fn is_injective(&self, sum: &BTreeMap<Variable, Factor>) -> bool {
        let terms: Vec<(&Variable, &Factor)> = sum.iter().collect();
        let is_nothing = |factor: &Factor| factor.constant == 0;
        let is_disjoint = |(a, by): (&Variable, &Factor), (b, of): (&Variable, &Factor)| {
            if by.values != of.values {
                return true;
            }
            let (inner, least, most) = if by.constant <= of.constant {
                (a, by.constant, of.constant)
            } else {
                (b, of.constant, by.constant)
            };
            let trips = match inner {
                Variable::Loop(id) => self.constant_trips(*id),
                _ => None,
            };
            trips.is_some_and(|trips| trips.saturating_mul(least) <= most)
        };
        let pairs = terms.iter().enumerate();
        let is_all_disjoint = { pairs }.all(|(index, &term)| {
            let mut others = terms[index + 1..].iter();
            others.all(|&other| is_disjoint(term, other))
        });
        is_all_disjoint && !sum.values().any(is_nothing)
    }

    /// Returns `true` if something else may read or write the same memory.
    fn has_other_accesses(&self, load: OpId, tile: &GlobalTile) -> bool {
        let mut others = self.accesses.iter().filter(|&&other| other != load);
        others.any(|&other| {
            let roots = match &self.kernel.op(other).kind {
                OpKind::LoadGlobal(tile) | OpKind::StoreGlobal(tile) => &tile.roots,
                OpKind::TmaStore(store) => &store.tile.roots,
                OpKind::Memory(
                    MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _),
                ) => &tile.roots,
                _ => return false,
            };
            let aliasing = &self.kernel.order.aliasing;
            !roots.is_disjoint(&tile.roots) || aliasing.may_alias(roots, &tile.roots)
        })
    }

    fn is_parameter(&self, base: ValueId) -> bool {
        let mut params = self.kernel.params.iter();
        params.any(|param| param.value == base && matches!(param.kind, ParamKind::Pointer { .. }))
    }

    fn form(&mut self, value: ValueId) -> Form {
        if let Some(form) = self.forms.get(&value) {
            return form.clone();
        }
        let form = self.form_of(value);
        self.forms.insert(value, form.clone());
        form
    }

    fn form_of(&mut self, value: ValueId) -> Form {
        let kernel = self.kernel;
        if kernel.params.iter().any(|param| param.value == value) {
            return Form::unchanging();
        }
        if let Some(&id) = self.inductions.get(&value) {
            let args = kernel.op(id).args.clone();
            let (lower, step) = (self.form(args[0]), self.form(args[2]));
            if !step.is_unchanging() {
                return Form::unknown();
            }
            let step = self.factor(args[2]);
            return lower.plus(&Form::from_variable(Variable::Loop(id)).times(&step));
        }
        let Some(&id) = self.defining.get(&value) else {
            return Form::unknown();
        };
        let op = kernel.op(id);
        match &op.kind {
            OpKind::Constant(_) | OpKind::GridSize(_) => Form::unchanging(),
            OpKind::BlockId(axis) => Form::from_variable(Variable::Block(*axis)),
            OpKind::Compute(element) => self.computed(op, element.opcode),
            _ => Form::unknown(),
        }
    }

    fn computed(&mut self, op: &Op, opcode: Opcode) -> Form {
        let forms: Vec<Form> = op.args.iter().map(|&arg| self.form(arg)).collect();
        if forms.iter().all(Form::is_unchanging) {
            return Form::unchanging();
        }
        let anything = Form {
            axes: forms.iter().fold(0, |axes, form| axes | form.axes),
            sum: None,
        };
        match (opcode, forms.as_slice()) {
            (Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI), [form]) => form.clone(),
            (Opcode::Integer(IntegerOp::AddI | IntegerOp::SubI), [a, b]) => a.plus(b),
            (Opcode::Integer(IntegerOp::MulI), [a, b]) if b.is_unchanging() => {
                a.times(&self.factor(op.args[1]))
            }
            (Opcode::Integer(IntegerOp::MulI), [a, b]) if a.is_unchanging() => {
                b.times(&self.factor(op.args[0]))
            }
            (Opcode::Integer(IntegerOp::ShlI), [a, by]) if by.is_unchanging() => {
                match self.factor(op.args[1]) {
                    Factor { constant, values } if values.is_empty() && constant < 64 => {
                        a.times(&Factor {
                            constant: 1 << constant,
                            values,
                        })
                    }
                    _ => anything,
                }
            }
            (Opcode::Integer(IntegerOp::DivI), [a, by]) if by.is_unchanging() => {
                let axis = a.block_number();
                let by = self.origin(op.args[1]);
                axis.map_or(anything, |axis| {
                    Form::from_variable(Variable::Quotient(axis, by))
                })
            }
            (Opcode::Integer(IntegerOp::RemI), [a, by]) if by.is_unchanging() => {
                let axis = a.block_number();
                let by = self.origin(op.args[1]);
                axis.map_or(anything, |axis| {
                    Form::from_variable(Variable::Remainder(axis, by))
                })
            }
            _ => anything,
        }
    }

    /// Returns the factor that consists of an invariant value.
    fn factor(&self, value: ValueId) -> Factor {
        let value = self.origin(value);
        match self.constant(value) {
            Some(constant) => Factor {
                constant,
                values: Vec::new(),
            },
            None => Factor {
                constant: 1,
                values: vec![value],
            },
        }
    }

    /// Returns the value that `value` extends or truncates, or `value` itself.
    fn origin(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(&id) = self.defining.get(&value) {
            let op = self.kernel.op(id);
            match &op.kind {
                OpKind::Compute(element)
                    if matches!(
                        element.opcode,
                        Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI)
                    ) =>
                {
                    value = op.args[0];
                }
                _ => break,
            }
        }
        value
    }

    fn constant(&self, value: ValueId) -> Option<u64> {
        match self.kernel.op(*self.defining.get(&value)?).kind {
            OpKind::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns the trip count of a loop, if it is constant.
    fn constant_trips(&self, id: OpId) -> Option<u64> {
        let args = &self.kernel.op(id).args;
        let [lower, upper, step] = [args[0], args[1], args[2]].map(|arg| self.constant(arg));
        let (step, length) = (step?, upper?.checked_sub(lower?)?);
        (step > 0).then(|| length.div_ceil(step))
    }
}
