//! Compiles assumptions, which pass values through and are checked.

use super::buffers::Pointer;
use super::check::passed;
use super::compile::{Compiler, Place};
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::number::{Int, with_int};
use crate::ir::{AssumePredicate, Op, ValueDef, ValueId};
use crate::ops::{MiscOp, Opcode};
use crate::types::{Element, Scalar};

/// Compiles an operation of the group.
pub(super) fn compile(kind: MiscOp, cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    match kind {
        MiscOp::PrintTko => {
            let exec = super::print::print(cx, op);
            Some(passed(cx, op, exec))
        }
        MiscOp::Ptx | MiscOp::PtxPure => unreachable!("refused before"),
        MiscOp::Assume => {
            let value = op.operands[0];
            cx.alias(op.result(), value);
            let predicate = op.assume_predicate();
            match cx.place(value) {
                Place::Token(_) => None,
                Place::View(view) => {
                    let AssumePredicate::DivBy { divisor, .. } = *predicate else {
                        return None;
                    };
                    Some(promised(Box::new(move |machine| {
                        let base = machine.frame.views[view.0].base;
                        let address = machine.buffers.address(base);
                        divisible(address, divisor)
                    })))
                }
                // The use of the value as a stride decides whether the assumption applies.
                Place::Tile(_) if cx.uses.is_stride(cx.module, op.result()) => None,
                Place::Tile(slot) => {
                    let tile = cx.module.ty(value).as_tile();
                    let element = tile.expect("a tile slot holds a tile").element;
                    let shape = cx.shape(value);
                    Some(promised(check(*predicate, slot, element, shape)))
                }
            }
        }
    }
}

/// Returns checks of the assumptions about `value` as a stride. They are made where the stride is
/// used, because along an axis of extent 1 a stride has no effect on addresses.
pub(super) fn assumed_of_stride(cx: &mut Compiler<'_>, mut value: ValueId) -> Vec<Exec> {
    let mut checks = Vec::new();
    while let ValueDef::Result(id, _) = cx.module.value(value).def
        && let op = cx.module.op(id)
        && op.opcode == Opcode::Misc(MiscOp::Assume)
    {
        if cx.uses.is_stride(cx.module, value) {
            let slot = cx.tile(value);
            let tile = cx.module.ty(value).as_tile();
            let element = tile.expect("a stride is a number").element;
            let check = check(*op.assume_predicate(), slot, element, Vec::new());
            checks.push(promised(check));
        }
        value = op.operands[0];
    }
    checks
}

/// Wraps a check whose failure is undefined behaviour. A launch that continues ignores the failure.
fn promised(exec: Exec) -> Exec {
    Box::new(move |machine| match exec(machine) {
        Ok(flow) => Ok(flow),
        Err(stop) => machine.undefined(stop).map(|()| Flow::Next),
    })
}

fn divisible(value: u64, divisor: u64) -> Result<Flow, Stop> {
    if divisor == 0 || value.is_multiple_of(divisor) {
        return Ok(Flow::Next);
    }
    Stop::here(format!(
        "assumed divisible by {divisor}, found {}",
        value.cast_signed()
    ))
}

/// Returns every element, sign-extended; for pointers, their addresses.
fn numbers(machine: &Machine<'_>, slot: Slot, element: Element) -> Vec<i64> {
    match element {
        Element::Ptr(_) => machine
            .tile::<Pointer>(slot)
            .iter()
            .map(|&pointer| machine.buffers.address(pointer).cast_signed())
            .collect(),
        Element::Scalar(scalar) => with_int!(scalar, I => {
            let lanes = machine.tile::<<I as Int>::L>(slot);
            lanes.iter().map(|&lane| I::signed(lane)).collect()
        }, else Vec::new()),
    }
}

fn check(predicate: AssumePredicate, slot: Slot, element: Element, shape: Vec<usize>) -> Exec {
    let step = match element {
        Element::Ptr(pointee) => i64::try_from(pointee.bytes()).expect("few bytes"),
        Element::Scalar(Scalar::I1) => 0,
        Element::Scalar(_) => 1,
    };
    Box::new(move |machine| {
        let values = numbers(machine, slot, element);
        match &predicate {
            AssumePredicate::DivBy {
                divisor,
                every,
                along,
            } => {
                let axis = along.and_then(|along| usize::try_from(along).ok());
                let inner: usize = axis.map_or(1, |axis| shape[axis + 1..].iter().product());
                let extent = axis.map_or(1, |axis| shape[axis]);
                let group = every.map_or(1, |every| every.max(1));
                for (index, &value) in values.iter().enumerate() {
                    let along = i64::try_from(index / inner % extent).expect("few elements");
                    let first = value.wrapping_sub(along % group * step);
                    divisible(first.cast_unsigned(), *divisor)
                        .map_err(|stop| stop.in_element(&shape, index))?;
                }
            }
            AssumePredicate::SameElements(sizes) => {
                for (index, &value) in values.iter().enumerate() {
                    let (mut rest, mut first, mut scale) = (index, 0, 1);
                    for (&extent, &size) in shape.iter().zip(sizes).rev() {
                        let coordinate = rest % extent;
                        let size = usize::try_from(size).unwrap_or(1).max(1);
                        first += coordinate / size * size * scale;
                        scale *= extent;
                        rest /= extent;
                    }
                    if values[first] != value {
                        let message = format!(
                            "assumed blocks of one value, found {} and {value}",
                            values[first]
                        );
                        return Err(Stop::Here(message).in_element(&shape, index));
                    }
                }
            }
            AssumePredicate::Bounded { lower, upper } => {
                let outside = |value: i64| {
                    lower.is_some_and(|lower| value < lower)
                        || upper.is_some_and(|upper| value > upper)
                };
                if let Some(index) = values.iter().position(|&value| outside(value)) {
                    let bound = |bound: Option<i64>| {
                        bound.map_or_else(|| "?".to_owned(), |bound| bound.to_string())
                    };
                    let message = format!(
                        "assumed between {} and {}, found {}",
                        bound(*lower),
                        bound(*upper),
                        values[index]
                    );
                    return Err(Stop::Here(message).in_element(&shape, index));
                }
            }
        }
        Ok(Flow::Next)
    })
}
