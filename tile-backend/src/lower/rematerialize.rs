//! Rematerialization: recomputes tiles in another layout where that costs less than a conversion.
//!
//! Input: a tile of the module that was lowered in one layout, and another layout. Output: its value in the
//! other layout. Constants, coordinates and uniform numbers are available in any layout at almost no cost,
//! and values computed from them (broadcast, compared, selected, added to an address) can be recomputed.
//! Other values are converted where they have the fewest bits: an `f32` that was widened from `f8` is
//! converted as `f8` and widened again.
//!
//! ```text
//!   iota -> reshape -> broadcast -\
//!                                  compare -> select        each in layout A; needed in B:
//!   load (A) ---------------------------------/             the load is converted, the rest recomputed
//! ```
//!
//! Costs are in instructions of a thread: those that compute the registers, and those of an exchange between
//! threads, including the time that a warp waits at a barrier.

use super::assign::{broadcast_source, out_shape, tile_shape};
use super::convert::Purpose;
use super::element::constant_kind;
use super::{Lowering, number};
use crate::gpu::{ElementOp, LayoutId, MemoryKind, OpKind, Ty, ValueId as GpuValue};
use crate::layout::{
    Axis, Conversion, LinearLayout, Register, access_passes, classify, exchange_layout,
};
use tile_core::ir::{Op, ValueId};
use tile_core::ops::{ConversionOp, CoreOp, FloatOp, IntegerOp, MiscOp, Opcode};

/// Maximum number of operations that are considered for one value.
const MAX_OPERATIONS: usize = 24;

/// The costs of an exchange through shared memory across warps and within a warp, in addition to its
/// accesses.
const BLOCK_COST: u64 = 100;
const WARP_COST: u64 = 40;
/// The cost of an exchange by shuffles, in addition to the shuffles and selections themselves.
const SHUFFLE_COST: u64 = 8;

/// Which values may be converted instead of recomputed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Any value may be converted.
    Moved,
    /// No value is converted; every value is recomputed.
    Made,
}

/// The uses of a value in its present layout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Here {
    /// The value has no other use: computing it in the new layout replaces the computation in the present
    /// one.
    Only,
    /// The value has other uses, or its user is also computed in the present layout.
    Too,
}

/// A way to get a value into a layout.
enum Way {
    /// The value already exists in the layout.
    Known(GpuValue),
    /// The value is converted, by an exchange between threads or a permutation of registers.
    Moved,
    /// The value is uniform, and is splat in the layout.
    Spread(GpuValue),
    /// The value is recomputed from operands in these layouts.
    Made(Vec<(ValueId, LinearLayout, Plan)>),
}

struct Plan {
    cost: u64,
    way: Way,
}

impl Lowering<'_> {
    /// Returns `operand` in `layout`, if rematerialization is the cheapest way.
    pub(super) fn rematerialized(
        &mut self,
        operand: ValueId,
        layout: LayoutId,
        leaves: Leaves,
    ) -> Option<GpuValue> {
        let value = self.value(operand);
        self.kernel.ty(value).layout()?;
        let wanted = self.kernel.layout(layout).clone();
        let mut budget = MAX_OPERATIONS;
        let plan = self.plan(operand, &wanted, (leaves, Here::Only), &mut budget)?;
        match plan.way {
            Way::Moved => None,
            _ => Some(self.carry_out(operand, layout, plan)),
        }
    }

    /// Returns the cheapest way to get a tile into a layout; `None` if there is none.
    fn plan(
        &self,
        operand: ValueId,
        wanted: &LinearLayout,
        (leaves, here): (Leaves, Here),
        budget: &mut usize,
    ) -> Option<Plan> {
        let value = self.value(operand);
        let Ty::Distributed { element, layout } = self.kernel.ty(value) else {
            return Some(Plan {
                cost: 0,
                way: Way::Spread(value),
            });
        };
        if let Some(existing) = self.known_in(value, wanted) {
            return Some(Plan {
                cost: 0,
                way: Way::Known(existing),
            });
        }
        let moved = || {
            let bits = u32::try_from(element.bytes() * 8).expect("an element has few bits");
            let cost = moving(self.kernel.layout(layout), wanted, bits);
            let way = Way::Moved;
            Plan { cost, way }
        };
        let moved = (leaves == Leaves::Moved).then(moved);
        let free = moved.as_ref().is_some_and(|plan| plan.cost == 0);
        let rematerialized = if free {
            None
        } else {
            self.plan_made(operand, wanted, (leaves, here), budget)
        };
        match (rematerialized, moved) {
            (Some(rematerialized), Some(moved)) if moved.cost <= rematerialized.cost => Some(moved),
            (Some(rematerialized), _) => Some(rematerialized),
            (None, moved) => moved,
        }
    }

    /// Returns `value` in the layout `wanted`, if it has that layout or was converted to it in a visible
    /// scope.
    fn known_in(&self, value: GpuValue, wanted: &LinearLayout) -> Option<GpuValue> {
        if self.kernel.layout_of(value) == wanted {
            return Some(value);
        }
        let (layout, _) = self.kernel.layouts().find(|(_, other)| *other == wanted)?;
        let key = (value, layout, Purpose::Layout);
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.converted.get(&key)).copied()
    }

    fn plan_made(
        &self,
        operand: ValueId,
        wanted: &LinearLayout,
        (leaves, here): (Leaves, Here),
        budget: &mut usize,
    ) -> Option<Plan> {
        *budget = budget.checked_sub(1)?;
        let op = self.module.op(self.module.defining_op(operand)?);
        let own_cost = self.own_cost(op)?;
        let parts: Vec<(ValueId, LinearLayout)> = match op.opcode {
            Opcode::Core(CoreOp::Constant | CoreOp::Iota) => Vec::new(),
            Opcode::Core(CoreOp::Reshape) => {
                let source = op.operand("source");
                let shape = tile_shape(self.module, source).unwrap_or_default();
                vec![(source, wanted.reshape(out_shape(shape)))]
            }
            Opcode::Core(CoreOp::Permute) => {
                vec![(op.operand("source"), wanted.permute_axes(&backward(op)))]
            }
            Opcode::Core(CoreOp::Broadcast) => {
                let source = op.operand("source");
                let shape = tile_shape(self.module, source).unwrap_or_default();
                let layout = if shape.is_empty() {
                    wanted.clone()
                } else {
                    broadcast_source(wanted, shape).unique_registers().0
                };
                vec![(source, layout)]
            }
            _ => {
                let operands = op.operands.iter();
                operands.map(|&value| (value, wanted.clone())).collect()
            }
        };
        // A value with other users is also computed in its present layout, as are its operands.
        let here = match self.uses[operand.index()] {
            0 | 1 => here,
            _ => Here::Too,
        };
        let mut cost = match here {
            Here::Only => 0,
            Here::Too => own_cost * wanted.num_registers() as u64,
        };
        let mut planned = Vec::with_capacity(parts.len());
        // Plan operands recursively: each may be recomputed, converted, or already available in the layout.
        for (value, layout) in parts {
            let plan = self.plan(value, &layout, (leaves, here), budget)?;
            cost += plan.cost;
            planned.push((value, layout, plan));
        }
        Some(Plan {
            cost,
            way: Way::Made(planned),
        })
    }

    /// Returns the number of instructions per element of an operation; `None` if it cannot be recomputed.
    fn own_cost(&self, op: &Op) -> Option<u64> {
        let is_wide = op.results.first().is_some_and(|&result| {
            let tile = self.module.ty(result).as_tile();
            tile.is_some_and(|tile| number(tile.element).bits() > 32)
        });
        let simple = match op.opcode {
            Opcode::Core(CoreOp::Constant | CoreOp::Reshape | CoreOp::Permute) => 0,
            Opcode::Core(CoreOp::Broadcast) => 0,
            Opcode::Core(CoreOp::Iota | CoreOp::Offset | CoreOp::Select) => 1,
            Opcode::Integer(IntegerOp::DivI | IntegerOp::RemI) => 16,
            Opcode::Integer(IntegerOp::MmaI) => return None,
            Opcode::Integer(_) | Opcode::Bitwise(_) => 1,
            Opcode::Float(
                FloatOp::AbsF
                | FloatOp::AddF
                | FloatOp::CmpF
                | FloatOp::Fma
                | FloatOp::MaxF
                | FloatOp::MinF
                | FloatOp::MulF
                | FloatOp::NegF
                | FloatOp::SubF,
            ) => 1,
            Opcode::Conversion(
                ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
            ) => 0,
            Opcode::Conversion(ConversionOp::FToF | ConversionOp::FToI | ConversionOp::IToF) => 2,
            Opcode::Conversion(_) => 1,
            Opcode::Misc(MiscOp::Assume) => 0,
            _ => return None,
        };
        Some(if is_wide { 2 * simple } else { simple })
    }

    /// Carries out a plan, in the outermost scope to which computations on the value may be moved.
    fn carry_out(&mut self, operand: ValueId, layout: LayoutId, plan: Plan) -> GpuValue {
        let parts = match plan.way {
            Way::Known(value) => return value,
            Way::Moved => return self.in_layout(operand, layout),
            Way::Spread(value) => {
                let element = self
                    .kernel
                    .ty(value)
                    .scalar()
                    .unwrap_or(tile_core::Scalar::I64);
                let ty = Ty::Distributed { element, layout };
                let loc = self.kernel.value(value).loc;
                let scope = self.scope_for(value);
                return self.emit_at(scope, OpKind::Splat, &[value], ty, loc);
            }
            Way::Made(parts) => parts,
        };
        let gpu_value = self.value(operand);
        let scope = self.scope_for(gpu_value);
        let key = (gpu_value, layout, Purpose::Layout);
        let module = self.module;
        let op = module.op(module.defining_op(operand).expect("it was planned"));
        let element = self
            .kernel
            .ty(gpu_value)
            .scalar()
            .expect("a tile of numbers");
        let mut args = Vec::with_capacity(parts.len());
        // The operand of an operation that only relabels elements keeps its registers, so its layout follows
        // from the operation. Element-wise operands have the layout of the result.
        for (value, wanted, plan) in parts {
            let is_spread = matches!(plan.way, Way::Spread(_));
            let (from, registers) = match op.opcode {
                Opcode::Core(CoreOp::Broadcast) if !is_spread => {
                    let shape = tile_shape(module, value).expect("a tile");
                    let whole = broadcast_source(self.kernel.layout(layout), shape);
                    let (_, registers) = whole.unique_registers();
                    (wanted, Some(registers))
                }
                Opcode::Core(CoreOp::Reshape | CoreOp::Permute) if !is_spread => {
                    let registers: Vec<Register> = wanted.registers().collect();
                    (wanted, Some(registers))
                }
                _ => (self.kernel.layout(layout).clone(), None),
            };
            let from = self.kernel.add_layout(from);
            let arg = self.carry_out(value, from, plan);
            args.push((arg, registers));
        }
        let ty = Ty::Distributed { element, layout };
        let values: Vec<GpuValue> = args.iter().map(|(value, _)| *value).collect();
        let kind = match op.opcode {
            Opcode::Core(CoreOp::Constant) => constant_kind(op),
            Opcode::Core(CoreOp::Iota) => OpKind::Coordinate(Axis(0)),
            Opcode::Core(CoreOp::Reshape | CoreOp::Permute | CoreOp::Broadcast) => {
                match args.pop().expect("it has a source") {
                    (_, Some(registers)) => OpKind::PermuteRegisters(registers),
                    (value, None) => return value,
                }
            }
            Opcode::Core(CoreOp::Offset) => OpKind::Memory(MemoryKind::Offset {
                bytes: self.pointee_bytes(op.result()),
            }),
            Opcode::Misc(MiscOp::Assume)
            | Opcode::Conversion(
                ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
            ) => return values[0],
            _ => OpKind::Compute(ElementOp::from_tile_op(op)),
        };
        let moved = self.emit_at(scope, kind, &values, ty, op.loc);
        self.scopes[scope].converted.insert(key, moved);
        moved
    }
}

/// Returns the inverse of a permutation: for each axis of the source, the axis of the result.
fn backward(op: &Op) -> Vec<Axis> {
    let axes = op.permutation();
    let mut backward = vec![Axis(0); axes.len()];
    for (index, &axis) in axes.iter().enumerate() {
        backward[usize::try_from(axis).expect("verified permutation")] = Axis(index);
    }
    backward
}

/// Returns the cost of a conversion from one layout to another, in instructions of a thread.
fn moving(from: &LinearLayout, to: &LinearLayout, bits: u32) -> u64 {
    let words = (to.num_registers() as u64 * u64::from(bits)).div_ceil(32);
    let through_memory = || {
        let memory = exchange_layout(from, to, bits)?;
        Some(access_passes(from, &memory, bits)? + access_passes(to, &memory, bits)?)
    };
    match classify(from, to, bits) {
        Some(Conversion::Identity | Conversion::RegisterPermutation(_)) => 0,
        Some(Conversion::WarpShuffle(plan)) => {
            SHUFFLE_COST + 2 * words * plan.candidates.len() as u64
        }
        Some(Conversion::WarpShared(_)) => WARP_COST + through_memory().unwrap_or(2 * words),
        Some(Conversion::BlockShared(_) | Conversion::ClusterShared(_)) | None => {
            BLOCK_COST + through_memory().unwrap_or(2 * words)
        }
    }
}
