//! Atomic operations, and loads and stores that other blocks may make at the same time: one element after the other.

use tile_core::ir::AtomicRmwMode;
use tile_core::types::Scalar;

use super::super::ir::Atomic;
use super::{Emitter, literal, scalar_type};

/// An atomic operation on one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) atomic: Atomic,
    /// `true` if no other block accesses the element.
    pub(super) is_of_block: bool,
    pub(super) scalar: Scalar,
}

impl Emitter<'_> {
    /// Runs `access` where `mask` is true; elsewhere its result is `other`.
    fn where_true(
        &mut self,
        mask: &str,
        ty: &str,
        other: &str,
        access: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let [run, end] = [self.label(), self.label()];
        let before = self.block.clone();
        self.branch_if(mask, &run, &end);
        self.start(&run);
        let value = access(self);
        let after = self.block.clone();
        self.branch(&end);
        self.start(&end);
        if ty.is_empty() {
            return String::new();
        }
        self.value(&format!(
            "phi {ty} [ {value}, %{after} ], [ {other}, %{before} ]"
        ))
    }

    /// Loads an element in one step. A truth value takes a byte.
    pub(super) fn load_shared(
        &mut self,
        pointer: &str,
        mask: &str,
        padding: &str,
        scalar: Scalar,
    ) -> String {
        let ty = scalar_type(scalar);
        let bytes = scalar.bytes();
        self.where_true(mask, ty, padding, |emitter| {
            if scalar == Scalar::I1 {
                let byte =
                    emitter.value(&format!("load atomic i8, ptr {pointer} monotonic, align 1"));
                return emitter.value(&format!("icmp ne i8 {byte}, 0"));
            }
            emitter.value(&format!(
                "load atomic {ty}, ptr {pointer} monotonic, align {bytes}"
            ))
        })
    }

    /// Stores an element in one step.
    pub(super) fn store_shared(&mut self, pointer: &str, mask: &str, value: &str, scalar: Scalar) {
        let bytes = scalar.bytes();
        self.where_true(mask, "", "", |emitter| {
            let (ty, value) = if scalar == Scalar::I1 {
                ("i8", emitter.value(&format!("zext i1 {value} to i8")))
            } else {
                (scalar_type(scalar), value.to_owned())
            };
            emitter.line(&format!(
                "store atomic {ty} {value}, ptr {pointer} monotonic, align {bytes}"
            ));
            String::new()
        });
    }

    /// Changes an element in one step, and returns the old one.
    pub(super) fn atomic(
        &mut self,
        step: Step,
        address: &str,
        mask: &str,
        args: &[String],
    ) -> String {
        let Step {
            atomic,
            is_of_block,
            scalar,
        } = step;
        let bytes = scalar.bytes();
        // Another address is a fault.
        let low = self.value(&format!("and i64 {address}, {}", bytes - 1));
        let is_askew = self.value(&format!("icmp ne i64 {low}, 0"));
        let fault = self.value(&format!("and i1 {is_askew}, {mask}"));
        let is_straight = self.value(&format!("xor i1 {is_askew}, true"));
        let mask = self.value(&format!("and i1 {is_straight}, {mask}"));
        self.faults.push(fault);
        self.note_faults(1);
        let pointer = self.value(&format!("inttoptr i64 {address} to ptr"));
        let ty = scalar_type(scalar);
        let other = match atomic {
            Atomic::CompareAndSwap => args[0].clone(),
            Atomic::Modify(_) => literal(scalar, 0),
        };
        self.where_true(&mask, ty, &other, |emitter| match atomic {
            _ if is_of_block => emitter.in_steps(atomic, &pointer, args, scalar),
            Atomic::CompareAndSwap => {
                emitter.compare_and_swap(&pointer, &args[0], &args[1], scalar)
            }
            Atomic::Modify(AtomicRmwMode::AddF) => emitter.add_float(&pointer, &args[0], scalar),
            Atomic::Modify(mode) => {
                let name = match mode {
                    AtomicRmwMode::And => "and",
                    AtomicRmwMode::Or => "or",
                    AtomicRmwMode::Xor => "xor",
                    AtomicRmwMode::Add => "add",
                    AtomicRmwMode::Max => "max",
                    AtomicRmwMode::Min => "min",
                    AtomicRmwMode::UMax => "umax",
                    AtomicRmwMode::UMin => "umin",
                    AtomicRmwMode::Xchg => "xchg",
                    AtomicRmwMode::AddF => unreachable!("handled above"),
                };
                emitter.value(&format!(
                    "atomicrmw {name} ptr {pointer}, {ty} {} seq_cst, align {bytes}",
                    args[0]
                ))
            }
        })
    }

    /// Loads an element, stores what an atomic operation makes of it, and returns the old one.
    fn in_steps(
        &mut self,
        atomic: Atomic,
        pointer: &str,
        args: &[String],
        scalar: Scalar,
    ) -> String {
        let (ty, bytes) = (scalar_type(scalar), scalar.bytes());
        let old = self.value(&format!("load {ty}, ptr {pointer}, align {bytes}"));
        let binary = |emitter: &mut Self, name: &str| {
            emitter.value(&format!("{name} {ty} {old}, {}", args[0]))
        };
        let chosen = |emitter: &mut Self, name: &str| {
            let name = format!("llvm.{name}.{ty}");
            emitter.declare(format!("declare {ty} @{name}({ty}, {ty})"));
            emitter.value(&format!("call {ty} @{name}({ty} {old}, {ty} {})", args[0]))
        };
        let new = match atomic {
            Atomic::CompareAndSwap => {
                let [bits, expected] = [&old, &args[0]].map(|value| self.bits_of(value, scalar));
                let ty = Self::bits_type(scalar);
                let is_equal = self.value(&format!("icmp eq {ty} {bits}, {expected}"));
                let ty = scalar_type(scalar);
                self.value(&format!(
                    "select i1 {is_equal}, {ty} {}, {ty} {old}",
                    args[1]
                ))
            }
            Atomic::Modify(mode) => match mode {
                AtomicRmwMode::And => binary(self, "and"),
                AtomicRmwMode::Or => binary(self, "or"),
                AtomicRmwMode::Xor => binary(self, "xor"),
                AtomicRmwMode::Add => binary(self, "add"),
                AtomicRmwMode::AddF => self.sum(&old, &args[0], scalar),
                AtomicRmwMode::Max => chosen(self, "smax"),
                AtomicRmwMode::Min => chosen(self, "smin"),
                AtomicRmwMode::UMax => chosen(self, "umax"),
                AtomicRmwMode::UMin => chosen(self, "umin"),
                AtomicRmwMode::Xchg => args[0].clone(),
            },
        };
        self.line(&format!("store {ty} {new}, ptr {pointer}, align {bytes}"));
        old
    }

    /// Returns the integer type of an element's bits.
    fn bits_type(scalar: Scalar) -> String {
        format!("i{}", scalar.bytes() * 8)
    }

    fn bits_of(&mut self, value: &str, scalar: Scalar) -> String {
        match scalar_type(scalar) {
            ty @ ("float" | "double") => self.value(&format!(
                "bitcast {ty} {value} to {}",
                Self::bits_type(scalar)
            )),
            _ => value.to_owned(),
        }
    }

    fn number_of_bits(&mut self, bits: &str, scalar: Scalar) -> String {
        match scalar_type(scalar) {
            ty @ ("float" | "double") => self.value(&format!(
                "bitcast {} {bits} to {ty}",
                Self::bits_type(scalar)
            )),
            _ => bits.to_owned(),
        }
    }

    fn compare_and_swap(
        &mut self,
        pointer: &str,
        expected: &str,
        new: &str,
        scalar: Scalar,
    ) -> String {
        let ty = Self::bits_type(scalar);
        let [expected, new] = [expected, new].map(|value| self.bits_of(value, scalar));
        let pair = self.value(&format!(
            "cmpxchg ptr {pointer}, {ty} {expected}, {ty} {new} seq_cst seq_cst"
        ));
        let old = self.value(&format!("extractvalue {{ {ty}, i1 }} {pair}, 0"));
        self.number_of_bits(&old, scalar)
    }

    /// Adds to a float, of any width, by comparing and swapping until nothing came between.
    fn add_float(&mut self, pointer: &str, arg: &str, scalar: Scalar) -> String {
        let ty = Self::bits_type(scalar);
        let [again, end] = [self.label(), self.label()];
        let first = self.value(&format!(
            "load atomic {ty}, ptr {pointer} monotonic, align {}",
            scalar.bytes()
        ));
        let before = self.block.clone();
        let (old, latest) = (self.fresh(), self.fresh());
        self.branch(&again);
        self.start(&again);
        self.line(&format!(
            "{old} = phi {ty} [ {first}, %{before} ], [ {latest}, %{again} ]"
        ));
        let value = self.number_of_bits(&old, scalar);
        let sum = self.sum(&value, arg, scalar);
        let sum = self.bits_of(&sum, scalar);
        let pair = self.value(&format!(
            "cmpxchg ptr {pointer}, {ty} {old}, {ty} {sum} seq_cst seq_cst"
        ));
        self.line(&format!("{latest} = extractvalue {{ {ty}, i1 }} {pair}, 0"));
        let is_done = self.value(&format!("extractvalue {{ {ty}, i1 }} {pair}, 1"));
        self.branch_if(&is_done, &end, &again);
        self.start(&end);
        self.number_of_bits(&old, scalar)
    }
}
