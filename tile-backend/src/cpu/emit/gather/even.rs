//! This module finds the instructions of a nest whose lanes are the same, or a step apart.

use std::collections::HashMap;

use tile_core::Module;
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::super::ir::{Fun, Inst, Nest, Place, Reg};
use super::super::nest::Iteration;
use super::super::{Emitter, scalar_type, vector_type};
use super::At;

/// The difference of the elements that the lanes of an instruction compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lanes {
    Same,
    /// Lane `i` has the number of the first lane and `i` times a step, modulo the numbers of the type.
    Even,
    /// A multiple below 2^31 of such numbers of a narrower type, which may wrap, plus what is the same in all lanes. The factor
    /// is at most this number.
    Widened(u64),
    Any,
}

/// The lanes of each instruction of a nest, as far as they are known.
pub(in super::super::super) struct Even<'n> {
    pub(super) module: &'n Module,
    pub(super) nest: &'n Nest,
    pub(super) vals: &'n [Scalar],
    pub(super) lanes: Vec<Lanes>,
    /// The condition under which an instruction has its [`Lanes`]: it chooses between them and what masked lanes have.
    pub(super) guards: Vec<Option<Reg>>,
    /// The numbers that are the same in all lanes and by which [`Lanes::Widened`] are multiplied, at most [`MAX_STRIDE`].
    pub(super) strides: Vec<Vec<Reg>>,
    /// The elements of single lanes.
    elements: HashMap<(Reg, u32), String>,
}

/// The greatest factor of [`Lanes::Widened`].
const MAX_FACTOR: u64 = (1 << 31) - 1;

/// The greatest stride of neighbours that is not known: no element has more bytes.
pub(super) const MAX_STRIDE: u64 = 8;

impl<'n> Even<'n> {
    pub(in super::super::super) fn new(
        module: &'n Module,
        nest: &'n Nest,
        bits: &[u32],
        vals: &'n [Scalar],
    ) -> Self {
        let mut even = Self {
            module,
            nest,
            vals,
            lanes: Vec::new(),
            guards: vec![None; nest.insts.len()],
            strides: vec![Vec::new(); nest.insts.len()],
            elements: HashMap::new(),
        };
        let has_any = |inst: &Inst| {
            matches!(
                inst,
                Inst::Gather { .. } | Inst::Scatter { .. } | Inst::Atomic { .. }
            )
        };
        if bits.is_empty() || !nest.insts.iter().any(has_any) {
            even.lanes = vec![Lanes::Any; nest.insts.len()];
            return even;
        }
        for (reg, inst) in nest.insts.iter().enumerate() {
            let mut lanes = even.of(inst, bits);
            if let Inst::Call(fun, args, _) = inst
                && lanes != Lanes::Any
                && !args.iter().all(|&arg| even.is_same(arg))
            {
                match even.guard(*fun, args) {
                    Ok(guard) => even.guards[reg] = guard,
                    Err(()) => lanes = Lanes::Any,
                }
                even.strides[reg] = even.strides_of(*fun, args);
            }
            even.lanes.push(lanes);
        }
        even
    }

    /// Returns `true` if an instruction computes one element for all lanes.
    pub(super) fn is_same(&self, reg: Reg) -> bool {
        self.lanes[reg] == Lanes::Same && self.guards[reg].is_none()
    }

    fn of(&self, inst: &Inst, bits: &[u32]) -> Lanes {
        let is_same = |reg: &Reg| self.is_same(*reg);
        let same_if = |holds| if holds { Lanes::Same } else { Lanes::Any };
        match inst {
            Inst::Scalar(_) | Inst::Constant(..) => Lanes::Same,
            Inst::Position(_, weights) => {
                let step = weights[bits[0] as usize];
                let doubles = |(index, &bit): (usize, &u32)| weights[bit as usize] == step << index;
                match bits.iter().enumerate().all(doubles) {
                    true if step == 0 => Lanes::Same,
                    true => Lanes::Even,
                    false => Lanes::Any,
                }
            }
            Inst::Table(_, _, weights) => same_if(stays(weights, bits)),
            Inst::Load(place, _) => same_if(stays_at(place, bits)),
            Inst::Gather {
                is_shared,
                address,
                mask,
                padding,
                ..
            } => {
                let mut others = mask.iter().chain(padding);
                same_if(!is_shared && is_same(address) && others.all(is_same))
            }
            Inst::Call(_, args, _) if args.iter().all(is_same) => Lanes::Same,
            Inst::Call(fun, args, to) => self.of_call(*fun, args, *to),
            _ => Lanes::Any,
        }
    }

    /// Returns the condition under which a call has its lanes; an error if there are two.
    fn guard(&self, fun: Fun, args: &[Reg]) -> Result<Option<Reg>, ()> {
        let is_choice = self.is_choice(fun);
        let mut guard = is_choice.then(|| args[0]);
        let kept = if is_choice { &args[1..2] } else { args };
        for &arg in kept {
            match (guard, self.guards[arg]) {
                (Some(one), Some(two)) if one != two => return Err(()),
                (one, two) => guard = one.or(two),
            }
        }
        Ok(guard)
    }

    fn is_choice(&self, fun: Fun) -> bool {
        match fun {
            Fun::Select => true,
            Fun::Op(id) => self.module.op(id).opcode == Opcode::Core(CoreOp::Select),
            _ => false,
        }
    }

    /// Returns `true` if `mask` is false wherever `guard` is.
    pub(super) fn implies(&self, mask: Reg, guard: Reg) -> bool {
        mask == guard
            || match &self.nest.insts[mask] {
                Inst::Call(fun, args, Scalar::I1) => {
                    let is_and = match fun {
                        Fun::And => true,
                        Fun::Op(id) => {
                            self.module.op(*id).opcode == Opcode::Bitwise(BitwiseOp::AndI)
                        }
                        _ => false,
                    };
                    is_and && args.iter().any(|&arg| self.implies(arg, guard))
                }
                _ => false,
            }
    }

    fn of_call(&self, fun: Fun, args: &[Reg], to: Scalar) -> Lanes {
        let of = |index: usize| self.lanes[args[index]];
        match fun {
            _ if self.is_choice(fun) => of(1),
            Fun::Add | Fun::Sub => sum(of(0), of(1)),
            _ if self.is_product(fun) => self.product(args),
            Fun::SignExtend | Fun::ZeroExtend => self.widened(args[0], to),
            Fun::Truncate(_) => narrowed(of(0)),
            Fun::Op(id) => match self.module.op(id).opcode {
                // No element has more bytes than the greatest stride.
                Opcode::Core(CoreOp::Offset) => {
                    sum(of(0), times(self.widened(args[1], Scalar::I64), MAX_STRIDE))
                }
                Opcode::Integer(IntegerOp::AddI | IntegerOp::SubI) => sum(of(0), of(1)),
                Opcode::Conversion(ConversionOp::ExtI) => self.widened(args[0], to),
                Opcode::Conversion(ConversionOp::TruncI) => narrowed(of(0)),
                Opcode::Conversion(
                    ConversionOp::PtrToPtr | ConversionOp::PtrToInt | ConversionOp::IntToPtr,
                ) => of(0),
                _ => Lanes::Any,
            },
            _ => Lanes::Any,
        }
    }

    /// Returns the lanes of a number that is extended to a wider type.
    fn widened(&self, reg: Reg, to: Scalar) -> Lanes {
        if self.nest.scalar(reg, self.vals) == Some(to) {
            return self.lanes[reg];
        }
        let does_not_wrap = match &self.nest.insts[reg] {
            Inst::Position(from, weights) => {
                weights.iter().all(|&weight| weight >= 0)
                    && weights.iter().sum::<i64>() < 1 << (from.bits() - 1)
            }
            _ => false,
        };
        match self.lanes[reg] {
            Lanes::Even if does_not_wrap => Lanes::Even,
            Lanes::Even => Lanes::Widened(1),
            Lanes::Same => Lanes::Same,
            Lanes::Widened(_) | Lanes::Any => Lanes::Any,
        }
    }

    fn product(&self, args: &[Reg]) -> Lanes {
        let (number, by) = match (self.lanes[args[0]], self.lanes[args[1]]) {
            (number, Lanes::Same) => (number, args[1]),
            (Lanes::Same, number) => (number, args[0]),
            _ => return Lanes::Any,
        };
        let by = match self.nest.insts[by] {
            Inst::Constant(_, by) => by,
            _ => MAX_STRIDE,
        };
        times(number, by)
    }

    fn is_product(&self, fun: Fun) -> bool {
        match fun {
            Fun::Mul => true,
            Fun::Op(id) => self.module.op(id).opcode == Opcode::Integer(IntegerOp::MulI),
            _ => false,
        }
    }

    /// Returns the strides of a call.
    fn strides_of(&self, fun: Fun, args: &[Reg]) -> Vec<Reg> {
        let mut strides: Vec<Reg> = Vec::new();
        let is_widened = |reg: &Reg| matches!(self.lanes[*reg], Lanes::Widened(_));
        let multiplies = self.is_product(fun) && args.iter().any(is_widened);
        for &arg in args {
            strides.extend(&self.strides[arg]);
            let is_constant = matches!(self.nest.insts[arg], Inst::Constant(..));
            if multiplies && !is_widened(&arg) && !is_constant {
                strides.push(arg);
            }
        }
        strides
    }

    /// Returns the reason why elements at these addresses are not taken to be neighbours in memory, as a sentence; `None` if
    /// they may be.
    pub(in super::super::super) fn far(&self, reg: Reg, mask: Option<Reg>) -> Option<&'static str> {
        if let Some(guard) = self.guards[reg]
            && !mask.is_some_and(|mask| self.implies(mask, guard))
        {
            return Some(
                "a `select` chooses the addresses, and the mask has elements that it did not choose",
            );
        }
        match self.lanes[reg] {
            Lanes::Even | Lanes::Widened(_) => None,
            Lanes::Same => Some("all elements have one address"),
            Lanes::Any => Some("their addresses are not a start plus a multiple of `iota`"),
        }
    }

    /// Emits the addresses and the mask of an access again, for code that is seldom run: LLVM removes what other code does not
    /// need of the instructions before.
    pub(in super::super) fn again(
        &self,
        emitter: &mut Emitter<'_>,
        (address, mask): (Reg, Option<Reg>),
        at: &At,
        regs: &[String],
        iteration: &Iteration,
    ) -> At {
        let mut regs = Again {
            even: self,
            iteration,
            first: regs,
            emitted: HashMap::new(),
        };
        At {
            address: regs.emit(emitter, address),
            mask: mask.map(|mask| regs.emit(emitter, mask)),
            ..*at
        }
    }

    /// Returns the element that an instruction computes in a lane in which its guard holds.
    pub(super) fn element(
        &mut self,
        emitter: &mut Emitter<'_>,
        reg: Reg,
        lane: u32,
        regs: &[String],
        iteration: &Iteration,
    ) -> String {
        if iteration.has_one_lane() {
            return regs[reg].clone();
        }
        let is_same = self.is_same(reg);
        let lane = if is_same { 0 } else { lane };
        if let Some(element) = self.elements.get(&(reg, lane)) {
            return element.clone();
        }
        let scalar = |reg: Reg| {
            self.nest
                .scalar(reg, self.vals)
                .expect("an instruction with a result")
        };
        let lanes = emitter.lanes;
        let element = match &self.nest.insts[reg] {
            _ if is_same => {
                let ty = vector_type(scalar(reg), lanes);
                emitter.value(&format!("extractelement {ty} {}, i64 0", regs[reg]))
            }
            Inst::Position(to, weights) => {
                let first = emitter.coordinate(weights, iteration);
                let offset = iteration.lane_offsets(weights)[lane as usize];
                let sum = emitter.value(&format!("add i64 {first}, {offset}"));
                match scalar_type(*to) {
                    "i64" => sum,
                    ty => emitter.value(&format!("trunc i64 {sum} to {ty}")),
                }
            }
            Inst::Call(fun, args, _) if self.is_choice(*fun) => {
                self.element(emitter, args[1], lane, regs, iteration)
            }
            Inst::Call(fun, args, to) => {
                let types: Vec<Scalar> = args.iter().map(|&arg| scalar(arg)).collect();
                let args: Vec<String> = args
                    .iter()
                    .map(|&arg| self.element(emitter, arg, lane, regs, iteration))
                    .collect();
                let element = emitter.call(*fun, &args, &types, *to, 1);
                emitter.lanes = lanes;
                // They are those of the vector.
                emitter.faults.clear();
                element
            }
            _ => unreachable!("the lanes of other instructions are not even"),
        };
        self.elements.insert((reg, lane), element.clone());
        element
    }
}

/// The instructions of a nest that are emitted for the second time.
struct Again<'e> {
    even: &'e Even<'e>,
    iteration: &'e Iteration,
    first: &'e [String],
    emitted: HashMap<Reg, String>,
}

impl Again<'_> {
    /// Emits an instruction, and those that it needs; what is the same in all lanes, or reads memory, stays what it is.
    fn emit(&mut self, emitter: &mut Emitter<'_>, reg: Reg) -> String {
        if let Some(value) = self.emitted.get(&reg) {
            return value.clone();
        }
        let nest = self.even.nest;
        let value = match &nest.insts[reg] {
            Inst::Position(scalar, weights) => emitter.position(*scalar, weights, self.iteration),
            Inst::Call(fun, args, to) if !self.even.is_same(reg) => {
                let scalar = |&reg: &Reg| nest.scalar(reg, self.even.vals);
                let types = args.iter().map(scalar).collect::<Option<Vec<Scalar>>>();
                let types = types.expect("instructions with a result");
                let args: Vec<String> = args.iter().map(|&arg| self.emit(emitter, arg)).collect();
                let value = emitter.call(*fun, &args, &types, *to, emitter.lanes);
                // They are those of the first time.
                emitter.faults.clear();
                value
            }
            _ => self.first[reg].clone(),
        };
        self.emitted.insert(reg, value.clone());
        value
    }
}

/// Returns `true` if the lanes of a place are one element.
fn stays_at(place: &Place, bits: &[u32]) -> bool {
    place.axes.iter().all(|axis| stays(&axis.weights, bits))
}

fn stays(weights: &[i64], bits: &[u32]) -> bool {
    bits.iter().all(|&bit| weights[bit as usize] == 0)
}

fn sum(one: Lanes, two: Lanes) -> Lanes {
    match (one, two) {
        (Lanes::Same, other) | (other, Lanes::Same) => other,
        (Lanes::Even, Lanes::Even) => Lanes::Even,
        _ => Lanes::Any,
    }
}

/// Returns the lanes of a product with a number that is the same in all lanes.
fn times(lanes: Lanes, by: u64) -> Lanes {
    match lanes {
        Lanes::Widened(factor) => {
            let product = factor.checked_mul(by);
            let product = product.filter(|&product| product <= MAX_FACTOR);
            product.map_or(Lanes::Any, Lanes::Widened)
        }
        other => other,
    }
}

fn narrowed(lanes: Lanes) -> Lanes {
    match lanes {
        Lanes::Widened(_) => Lanes::Any,
        other => other,
    }
}
