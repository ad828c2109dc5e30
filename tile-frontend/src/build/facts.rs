//! Builds the assumptions that the compiler may make about the arguments of a launch: the facts of
//! the kernel, and the assumptions of the variant.
//!
//! Each entry parameter is replaced by a value that carries the same facts: an `assume`, a
//! constant, or another parameter with the same value.

use super::{Build, Variant};
use crate::hir;
use crate::hir::fact::{Input, Knowledge, Known};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprKind, Memory, Ty};
use std::collections::BTreeMap;
use tile_backend::session::{GridExtent, GridTiles, NoAliasParams};
use tile_core::Loc;
use tile_core::ir::{AssumePredicate, ValueId};
use tile_core::types::Scalar;

/// Alignment in bytes of bases and rows in the `fast` variant.
pub(super) const ALIGNMENT: u64 = 16;

/// The base-2 logarithm of the largest divisor that the dialect can express.
const MAX_DIVISOR_LOG2: u32 = 62;

/// The known facts about the parameters of an entry, and the values that represent the parameters.
#[derive(Debug, Default)]
pub(super) struct Facts {
    knowledge: Knowledge,
    /// The index and the type of each parameter.
    places: BTreeMap<Input, (usize, Scalar)>,
    args: Vec<ValueId>,
}

/// Returns the bound that launches of the `fast` variant observe on each axis of the grid.
pub(crate) fn grid_bounds(kernel: &hir::Kernel) -> [Option<GridTiles>; 3] {
    let facts = Facts::new(kernel, Variant::Fast, &[]);
    let mut bounds = [None; 3];
    for tiles in &kernel.grid {
        let input = Input::Dim(tiles.param, tiles.dim);
        let extent = match facts.constant(input) {
            Some(extent) => GridExtent::Constant(extent.unsigned_abs()),
            None => GridExtent::Parameter(facts.places[&facts.same(input)].0),
        };
        let step = tiles.step;
        bounds[tiles.axis] = Some(GridTiles { extent, step });
    }
    bounds
}

/// Returns the noalias parameters: tensors whose address the kernel does not take. A launch is
/// refused if one of its tensors overlaps another that the kernel writes.
pub(crate) fn noalias_params(kernel: &hir::Kernel) -> NoAliasParams {
    let facts = Facts::new(kernel, Variant::Fast, &[]);
    let mut noalias_params = NoAliasParams::default();
    for (index, &param) in kernel.params.iter().enumerate() {
        let escapes = kernel.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Memory(Memory::Address(tensor)) => {
                let tensor = kernel.expr(*tensor).ty.tensor();
                tensor.is_none_or(|tensor| tensor.param == index)
            }
            _ => false,
        });
        if matches!(kernel.local(param).ty, Ty::Tensor(_)) && !escapes {
            noalias_params = noalias_params.with(facts.places[&Input::Address(index)].0);
        }
    }
    noalias_params
}

/// Returns the unit-stride axis of a tensor in `fast`: the axis that a fact states to have stride
/// 1, or else the last axis.
pub(crate) fn unit_axis(knowledge: &Knowledge, param: usize, rank: usize) -> usize {
    (0..rank)
        .rev()
        .find(|&axis| constant(knowledge, Input::Stride(param, axis)) == Some(1))
        .unwrap_or(rank - 1)
}

fn constant(knowledge: &Knowledge, input: Input) -> Option<i128> {
    knowledge.get(input)?.constant()
}

impl Facts {
    /// Collects the facts about `args`, the parameters of the entry of this variant.
    pub(super) fn new(kernel: &hir::Kernel, variant: Variant, args: &[ValueId]) -> Self {
        let knowledge = Knowledge::derive(&kernel.facts)
            .expect("checking refused facts that contradict each other");
        let mut places = BTreeMap::new();
        let mut add = |input, scalar| {
            let number = places.len();
            places.insert(input, (number, scalar));
        };
        for (index, &param) in kernel.params.iter().enumerate() {
            match &kernel.local(param).ty {
                Ty::Tensor(tensor) => {
                    add(Input::Address(index), Scalar::I64);
                    (0..tensor.rank).for_each(|axis| add(Input::Dim(index, axis), variant.index()));
                    (0..tensor.rank)
                        .for_each(|axis| add(Input::Stride(index, axis), variant.index()));
                }
                Ty::Scalar(elem) => {
                    let scalar = super::known(*elem);
                    add(Input::Scalar(index, scalar), scalar.scalar());
                }
                _ => add(Input::Address(index), Scalar::I64),
            }
        }
        Self {
            knowledge,
            places,
            args: args.to_vec(),
        }
    }

    /// Returns the value and the type of a parameter.
    fn value(&self, input: Input) -> (ValueId, Scalar) {
        let (number, scalar) = self.places[&input];
        (self.args[number], scalar)
    }

    /// Returns the parameter that represents an input and all inputs equal to it.
    fn same(&self, input: Input) -> Input {
        let scalar = |input: &Input| self.places.get(input).map(|(_, scalar)| *scalar);
        let stands_for = |other: &&Input| {
            !matches!(other, Input::Address(_))
                && is_signed(**other) == is_signed(input)
                && scalar(other) == scalar(&input)
        };
        let known = self.knowledge.get(input);
        let same = known.and_then(|known| known.equal.iter().find(stands_for));
        same.copied().unwrap_or(input)
    }

    /// Returns the unit-stride axis in `fast`.
    pub(super) fn unit_axis(&self, param: usize, rank: usize) -> usize {
        unit_axis(&self.knowledge, param, rank)
    }

    /// Returns the value of an extent or stride if it is known and the type of a view can express
    /// it.
    pub(super) fn constant(&self, input: Input) -> Option<i64> {
        let (_, scalar) = self.places.get(&input)?;
        let value = constant(&self.knowledge, input)?;
        let greatest = (1_i128 << (scalar.bits() - 1)) - 1;
        i64::try_from(value)
            .ok()
            .filter(|&value| value > 0 && i128::from(value) <= greatest)
    }
}

impl Build<'_, '_> {
    /// Returns the value of an input. It is a multiple of `divisor`, or of a larger known divisor.
    pub(super) fn input(&mut self, facts: &Facts, input: Input, divisor: u64, loc: Loc) -> ValueId {
        let (known_value, scalar) = facts.value(input);
        let Some(known) = facts.knowledge.get(input) else {
            return self.assume_divisible(known_value, scalar, divisor, loc);
        };
        let signed = is_signed(input);
        if !matches!(input, Input::Address(_))
            && let Some(value) = known.constant()
            && let Some(bits) = bits(value, scalar)
        {
            return self.b.splat(scalar, bits, &[], loc);
        }
        let (value, _) = facts.value(facts.same(input));
        let zeros = known.divisor.trailing_zeros().min(MAX_DIVISOR_LOG2);
        let value = self.assume_divisible(value, scalar, divisor.max(1 << zeros), loc);
        if matches!(input, Input::Address(_)) {
            return value;
        }
        match bounds(known, scalar, signed) {
            Some(predicate) => self.b.assume(value, predicate, loc),
            None => value,
        }
    }

    fn assume_divisible(
        &mut self,
        value: ValueId,
        scalar: Scalar,
        divisor: u64,
        loc: Loc,
    ) -> ValueId {
        // In a type with too few bits for the divisor, zero would be the only multiple.
        let divisor = divisor.min(1 << (scalar.bits().saturating_sub(2)));
        if divisor <= 1 {
            return value;
        }
        let predicate = AssumePredicate::DivBy {
            divisor,
            every: None,
            along: None,
        };
        self.b.assume(value, predicate, loc)
    }
}

fn is_signed(input: Input) -> bool {
    !matches!(input, Input::Scalar(_, scalar) if !scalar.is_signed())
}

/// Returns the bits of a number if it is in the range of the signed or unsigned type.
fn bits(value: i128, scalar: Scalar) -> Option<u64> {
    let bits = scalar.bits();
    let fits = -(1_i128 << (bits - 1)) <= value && value < 1_i128 << bits;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the low bits of a number that fits"
    )]
    let low = value as u64 & (u64::MAX >> (64 - bits));
    fits.then_some(low)
}

/// Returns the bounds of a range if the dialect, whose numbers are signed, can express them.
fn bounds(known: &Known, scalar: Scalar, signed: bool) -> Option<AssumePredicate> {
    if scalar.bits() == 1 {
        return None;
    }
    let (least, greatest) = HostScalar::I64.range().expect("an integer");
    let shift = 64 - scalar.bits();
    let (least, greatest) = (least >> shift, greatest >> shift);
    let lower = if signed {
        known.lower
    } else {
        known.lower.max(0)
    };
    if !signed && known.upper > greatest || lower > greatest || known.upper < least {
        return None;
    }
    let bound = |value: i128| i64::try_from(value).ok();
    let lower = bound(lower).filter(|&lower| i128::from(lower) > least);
    let upper = bound(known.upper).filter(|&upper| i128::from(upper) < greatest);
    (lower.is_some() || upper.is_some()).then_some(AssumePredicate::Bounded { lower, upper })
}
