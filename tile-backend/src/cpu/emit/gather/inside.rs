//! Accesses of neighbours within a tensor, as in `x.load_at([first], [16])` and `x.at([i])`.
//!
//! The address is `start + (first + iota) * stride`, and the mask has `first + iota < extent`, without signs. If the stride is 1
//! and the first `extent` elements are in memory, which does not change from one access to the next, one comparison of `first`
//! shows that the mask has all lanes and that all elements are in memory.

use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{BitwiseOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::super::ir::Reg;
use super::super::Emitter;
use super::super::nest::Iteration;
use super::super::places::memory_scalar;
use super::indexed::Elements;
use super::{At, Even};

/// The greatest extent, whose bytes are numbers of 64 bits.
const MAX_EXTENT: u64 = 1 << 59;

/// An access of neighbours, all of them within a tensor.
pub(in super::super) struct Inside {
    /// The condition under which the mask has all lanes and all elements are in memory.
    pub(super) condition: String,
    /// The address of the first element.
    pub(super) first: String,
}

/// The coordinates of elements, as the instructions of a nest compute them.
struct Coordinates {
    /// The coordinate of each element, and the extent that all are below.
    coordinate: Reg,
    extent: Reg,
    /// The comparisons that the mask consists of besides.
    others: Vec<Reg>,
}

/// The address of an element: that of the one at coordinate 0, and what a coordinate is multiplied by.
#[derive(Default)]
struct Address {
    same: Vec<Reg>,
    is_found: bool,
    /// `None` for 1.
    stride: Option<Reg>,
}

impl Even<'_> {
    /// Returns the access of neighbours within a tensor, if the address and the mask of an instruction have the form for it.
    pub(super) fn inside(
        &mut self,
        emitter: &mut Emitter<'_>,
        (address, mask): (Reg, Option<Reg>),
        at: &At,
        regs: &[String],
        iteration: &Iteration,
    ) -> Option<Inside> {
        let mask = mask?;
        let bytes = memory_scalar(at.scalar).bytes();
        let (start, by) = self.offset_of(address, mask, bytes)?;
        if !self.stays(start, iteration) {
            return None;
        }
        let comparisons = self.comparisons(mask);
        let (coordinates, parts) = comparisons.iter().find_map(|&comparison| {
            let coordinates = self.coordinates(comparison, &comparisons, iteration)?;
            let mut parts = Address::default();
            self.add_to(&mut parts, by, coordinates.coordinate, iteration)?;
            parts.is_found.then_some((coordinates, parts))
        })?;
        let others = coordinates.others.iter();
        let others = others.map(|&other| self.whole(emitter, other, regs, iteration));
        let others = others.collect::<Option<Vec<_>>>()?;
        let mut origin = self.element(emitter, start, 0, regs, iteration);
        for same in parts.same {
            let elements = self.element(emitter, same, 0, regs, iteration);
            let by = emitter.value(&format!("mul i64 {elements}, {bytes}"));
            origin = emitter.value(&format!("add i64 {origin}, {by}"));
        }
        let extent = self.element(emitter, coordinates.extent, 0, regs, iteration);
        let elements = Elements {
            first: &origin,
            extent: &extent,
            bytes,
        };
        let mut is_plain = emitter.has_elements(&elements, at.param, MAX_EXTENT);
        if let Some(stride) = parts.stride {
            let stride = self.element(emitter, stride, 0, regs, iteration);
            let is_one = emitter.value(&format!("icmp eq i64 {stride}, 1"));
            is_plain = emitter.value(&format!("and i1 {is_plain}, {is_one}"));
        }
        // The first coordinate for which the condition does not hold. LLVM would make two conditions of a `select`.
        for name in ["usub.sat", "umin"] {
            emitter.declare(format!("declare i64 @llvm.{name}.i64(i64, i64)"));
        }
        let beyond = emitter.lanes - 1;
        let end = emitter.value(&format!(
            "call i64 @llvm.usub.sat.i64(i64 {extent}, i64 {beyond})"
        ));
        let most = emitter.value(&format!("sext i1 {is_plain} to i64"));
        let end = emitter.value(&format!("call i64 @llvm.umin.i64(i64 {end}, i64 {most})"));
        let coordinate = self.element(emitter, coordinates.coordinate, 0, regs, iteration);
        let mut condition = emitter.value(&format!("icmp ult i64 {coordinate}, {end}"));
        for whole in others {
            condition = emitter.value(&format!("and i1 {condition}, {whole}"));
        }
        let distance = emitter.value(&format!("mul i64 {coordinate}, {bytes}"));
        let first = emitter.value(&format!("add i64 {origin}, {distance}"));
        Some(Inside { condition, first })
    }

    /// Returns `true` if an instruction computes one element for the lanes of an access.
    pub(super) fn stays(&self, reg: Reg, iteration: &Iteration) -> bool {
        iteration.has_one_lane() || self.is_same(reg)
    }

    /// Returns the conditions that a mask consists of.
    pub(super) fn comparisons(&self, mask: Reg) -> Vec<Reg> {
        match self.op(mask) {
            Some((_, Opcode::Bitwise(BitwiseOp::AndI), &[one, two])) => {
                [self.comparisons(one), self.comparisons(two)].concat()
            }
            _ => vec![mask],
        }
    }

    /// Returns the coordinates that a comparison is one of.
    fn coordinates(
        &self,
        comparison: Reg,
        all: &[Reg],
        iteration: &Iteration,
    ) -> Option<Coordinates> {
        let (id, Opcode::Integer(IntegerOp::CmpI), &[coordinate, extent]) = self.op(comparison)?
        else {
            return None;
        };
        let op = self.module.op(id);
        let is_below = op.predicate() == ComparisonPredicate::LessThan
            && op.signedness() == Signedness::Unsigned;
        let ascends = iteration.has_one_lane() || self.step(coordinate, iteration) == Some(1);
        let is_wide = self.nest.scalar(coordinate, self.vals) == Some(Scalar::I64);
        if !is_below || !ascends || !is_wide || !self.stays(extent, iteration) {
            return None;
        }
        let others = all.iter().copied().filter(|&other| other != comparison);
        Some(Coordinates {
            coordinate,
            extent,
            others: others.collect(),
        })
    }

    /// Adds the terms of a number of elements to an address; `None` if there are others than the coordinate and what is the
    /// same for all.
    fn add_to(
        &self,
        address: &mut Address,
        reg: Reg,
        coordinate: Reg,
        iteration: &Iteration,
    ) -> Option<()> {
        let stride = match self.op(reg) {
            _ if reg == coordinate => None,
            Some((_, Opcode::Integer(IntegerOp::MulI), &[one, two])) if one == coordinate => {
                Some(two)
            }
            Some((_, Opcode::Integer(IntegerOp::MulI), &[one, two])) if two == coordinate => {
                Some(one)
            }
            Some((_, Opcode::Integer(IntegerOp::AddI), &[one, two])) => {
                self.add_to(address, one, coordinate, iteration)?;
                return self.add_to(address, two, coordinate, iteration);
            }
            _ => {
                address.same.push(reg);
                return self.stays(reg, iteration).then_some(());
            }
        };
        if address.is_found || !stride.is_none_or(|stride| self.stays(stride, iteration)) {
            return None;
        }
        address.is_found = true;
        address.stride = stride;
        Some(())
    }
}
