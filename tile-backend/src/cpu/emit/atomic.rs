//! Atomic operations, and loads and stores that other blocks may make at the same time: one element after the other.

use tile_core::ir::AtomicRmwMode;
use tile_core::types::Scalar;

use super::super::ir::Atomic;
use super::gather::{At, Check, Direct, Odds};
use super::{Emitter, literal, scalar_type, vector_of};

/// An atomic operation on one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) atomic: Atomic,
    /// `true` if no other block accesses the element.
    pub(super) is_of_block: bool,
    pub(super) scalar: Scalar,
}

/// The bytes from an address register to the element of a lane, times the number of the lane. Processors such as Zen 4 guess
/// by the form of an address which store a load reads; with one form for all lanes, 16 increments took 47 ns in place
/// of 8. Direct accesses have an element between lanes.
const APART: u32 = 4;

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

    /// Changes the element of each lane in one step, in the order of the lanes, and returns the old ones. `again` emits the
    /// addresses and the mask of `at` again.
    pub(super) fn atomic(
        &mut self,
        step: Step,
        at: &At,
        direct: Option<&Direct>,
        args: &[String],
        again: impl Fn(&mut Self) -> At,
    ) -> String {
        let Some(direct) = direct else {
            return self.atomic_checked(step, at, args, true);
        };
        let is_whole = self.all(&direct.mask);
        let is_straight = self.is_straight(direct, step.scalar);
        let mut condition = self.value(&format!("and i1 {is_whole}, {is_straight}"));
        condition = self.value(&format!("and i1 {condition}, {}", direct.condition));
        let lanes = self.lanes;
        // Indices below 2^31 and fewer than 2^31 lanes are less than 2^32.
        let apart = |lane| i64::from(lanes - 1 - lane);
        let apart: Vec<i64> = (0..lanes).map(apart).collect();
        self.one_of(
            (&condition, Odds::Mostly),
            step.scalar,
            |this| {
                let (numbers, apart) = (vector_of("i32", lanes), this.lane_constant("i32", &apart));
                let indices = this.value(&format!("add {numbers} {}, {apart}", direct.indices));
                let pointer = |this: &mut Self, lane| {
                    let start = this.lane_pointer(direct, &indices, step.scalar, lanes, lane);
                    let distance = i64::from(lane) - i64::from(lanes - 1);
                    let element = scalar_type(step.scalar);
                    this.value(&format!(
                        "getelementptr {element}, ptr {start}, i64 {distance}"
                    ))
                };
                this.atomic_of_lanes(step, pointer, None, args)
            },
            |this| {
                let at = again(this);
                this.atomic_checked(step, &at, args, false)
            },
        )
    }

    /// Changes elements whose addresses are checked. `is_often` is `true` if the code is often run.
    fn atomic_checked(&mut self, step: Step, at: &At, args: &[String], is_often: bool) -> String {
        let mask = self.checked(at, Check::AtEnd);
        let bytes = step.scalar.bytes();
        let address = &at.address;
        let (wide, truth) = (vector_of("i64", self.lanes), vector_of("i1", self.lanes));
        // Another address is a fault.
        let [low_bits, zero, ones] = [
            self.splat_of(&(bytes - 1).to_string(), "i64"),
            self.splat_of("0", "i64"),
            self.splat_of("true", "i1"),
        ];
        let low = self.value(&format!("and {wide} {address}, {low_bits}"));
        let is_askew = self.value(&format!("icmp ne {wide} {low}, {zero}"));
        let fault = self.value(&format!("and {truth} {is_askew}, {mask}"));
        let is_straight = self.value(&format!("xor {truth} {is_askew}, {ones}"));
        let mask = self.value(&format!("and {truth} {is_straight}, {mask}"));
        self.faults.push(fault);
        self.note_faults(self.lanes);
        if self.lanes == 1 {
            let pointer = self.value(&format!("inttoptr i64 {address} to ptr"));
            return self.atomic_where_true(step, &pointer, &mask, args);
        }
        let lanes = self.lanes;
        let starts: Vec<i64> = (0..lanes).map(|lane| -i64::from(lane * APART)).collect();
        let starts = self.lane_constant("i64", &starts);
        let starts = self.value(&format!("add {wide} {address}, {starts}"));
        let pointer = |this: &mut Self, lane: u32| {
            let start = this.value(&format!("extractelement {wide} {starts}, i64 {lane}"));
            let start = this.value(&format!("inttoptr i64 {start} to ptr"));
            let distance = lane * APART;
            this.value(&format!("getelementptr i8, ptr {start}, i64 {distance}"))
        };
        if !is_often {
            return self.atomic_of_lanes(step, pointer, Some(&mask), args);
        }
        // Without a branch for each lane if the mask has all of them.
        let is_whole = self.all(&mask);
        self.one_of(
            (&is_whole, Odds::Unknown),
            step.scalar,
            |this| this.atomic_of_lanes(step, pointer, None, args),
            |this| this.atomic_of_lanes(step, pointer, Some(&mask), args),
        )
    }

    /// Changes the elements of the lanes of a vector, or of a mask.
    fn atomic_of_lanes(
        &mut self,
        step: Step,
        pointer: impl Fn(&mut Self, u32) -> String,
        mask: Option<&str>,
        args: &[String],
    ) -> String {
        let ty = scalar_type(step.scalar);
        let lanes = std::mem::replace(&mut self.lanes, 1);
        let vector = vector_of(ty, lanes);
        let mut old = "poison".to_owned();
        for lane in 0..lanes {
            let of_lane = |emitter: &mut Self, element: &str, values: &str| {
                let ty = vector_of(element, lanes);
                emitter.value(&format!("extractelement {ty} {values}, i64 {lane}"))
            };
            let pointer = pointer(self, lane);
            let args: Vec<String> = args.iter().map(|arg| of_lane(self, ty, arg)).collect();
            let value = match mask {
                None => self.atomic_step(step, &pointer, &args),
                Some(mask) => {
                    let mask = of_lane(self, "i1", mask);
                    self.atomic_where_true(step, &pointer, &mask, &args)
                }
            };
            old = self.value(&format!(
                "insertelement {vector} {old}, {ty} {value}, i64 {lane}"
            ));
        }
        self.lanes = lanes;
        old
    }

    /// Changes an element if `mask` is true.
    fn atomic_where_true(
        &mut self,
        step: Step,
        pointer: &str,
        mask: &str,
        args: &[String],
    ) -> String {
        let ty = scalar_type(step.scalar);
        let other = match step.atomic {
            Atomic::CompareAndSwap => args[0].clone(),
            Atomic::Modify(_) => literal(step.scalar, 0),
        };
        self.where_true(mask, ty, &other, |emitter| {
            emitter.atomic_step(step, pointer, args)
        })
    }

    /// Changes an element, and returns the old one.
    fn atomic_step(&mut self, step: Step, pointer: &str, args: &[String]) -> String {
        let Step {
            atomic,
            is_of_block,
            scalar,
        } = step;
        let (ty, bytes) = (scalar_type(scalar), scalar.bytes());
        match atomic {
            _ if is_of_block => self.in_steps(atomic, pointer, args, scalar),
            Atomic::CompareAndSwap => self.compare_and_swap(pointer, &args[0], &args[1], scalar),
            Atomic::Modify(AtomicRmwMode::AddF) => self.add_float(pointer, &args[0], scalar),
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
                self.value(&format!(
                    "atomicrmw {name} ptr {pointer}, {ty} {} seq_cst, align {bytes}",
                    args[0]
                ))
            }
        }
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
