//! Tells operations that compute addresses and masks alone from others, and accesses to neighbours from gathers.
//!
//! Tiles of addresses have a cost of their own on no device: where the addresses of a tile are those of neighbours, code has one for a
//! whole vector, and where they are not, the access counts for it. So what computes nothing but addresses is left out.

use std::collections::HashSet;

use tile_core::ir::{BlockId, Module, OpId, ValueDef, ValueId};
use tile_core::ops::{ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode};

use crate::hir::signature::{Param, ParamKind};

/// The slots of memory operations whose elements are read, written or compared. All others say where.
const DATA: [&str; 5] = ["value", "tile", "arg", "cmp", "val"];

/// The operations from a tile of addresses to its `iota`, at the most: each may have two operands that are looked at.
const MAX_DEPTH: usize = 16;

/// The addresses of a kernel: the values of which they are computed, and the strides by which they differ.
pub(super) struct Accesses<'m> {
    module: &'m Module,
    /// The values that are not only addresses or masks.
    data: HashSet<ValueId>,
    /// The strides of last axes. They are expected to be 1, as they are unless a tensor is a view of another.
    strides: HashSet<ValueId>,
}

impl<'m> Accesses<'m> {
    /// Finds the addresses of an entry with a body. `params` are those of the kernel.
    pub(super) fn new(module: &'m Module, body: BlockId, params: &[Param]) -> Self {
        let mut data = HashSet::new();
        add_data(module, body, &mut data);
        Accesses {
            module,
            data,
            strides: given(module, body, params)
                .filter_map(|it| it.strides.last().copied())
                .collect(),
        }
    }

    /// Returns `true` if an operation computes addresses or masks alone.
    pub(super) fn is_address(&self, id: OpId) -> bool {
        let op = self.module.op(id);
        let is_tile = |value: &ValueId| {
            let tile = self.module.ty(*value).as_tile();
            tile.is_some_and(|tile| !tile.shape.is_empty())
        };
        let computes = matches!(
            op.opcode,
            Opcode::Integer(_) | Opcode::Bitwise(_) | Opcode::Conversion(_) | Opcode::Core(_)
        );
        let is_data = |value: &ValueId| self.data.contains(value);
        computes && op.results.iter().all(is_tile) && !op.results.iter().any(is_data)
    }

    /// Returns `true` if the elements along the last axis of a tile of pointers are neighbours.
    pub(super) fn is_of_neighbours(&self, pointers: ValueId) -> bool {
        self.step(pointers, MAX_DEPTH) == Some(1)
    }

    /// Returns how much greater each element of a tile along the last axis is than the one before, if that is the same for all.
    fn step(&self, value: ValueId, depth: usize) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let shape_of = |value: ValueId| {
            self.module
                .ty(value)
                .as_tile()
                .map(|tile| tile.shape.clone())
        };
        let shape = shape_of(value)?;
        let last = *shape.last()?;
        if last == 1 {
            return Some(0);
        }
        let ValueDef::Result(id, _) = self.module.value(value).def else {
            return None;
        };
        let op = self.module.op(id);
        let of = |place: usize| self.step(op.operands[place], depth);
        match op.opcode {
            Opcode::Core(CoreOp::Constant) => op.dense_value().splat_bits().map(|_| 0),
            Opcode::Core(CoreOp::Iota) => Some(1),
            Opcode::Core(CoreOp::Broadcast) => of(0),
            Opcode::Core(CoreOp::Reshape) => {
                // Axes of extent 1 may come and go.
                (shape_of(op.operands[0])?.last() == Some(&last)).then(|| of(0))?
            }
            Opcode::Core(CoreOp::Offset) | Opcode::Integer(IntegerOp::AddI) => {
                of(0)?.checked_add(of(1)?)
            }
            Opcode::Integer(IntegerOp::SubI) => of(0)?.checked_sub(of(1)?),
            Opcode::Integer(IntegerOp::MulI) => {
                let factor = |place: usize| self.factor(op.operands[place]);
                match (of(0)?, of(1)?) {
                    (0, 0) => Some(0),
                    (step, 0) => step.checked_mul(factor(1)?),
                    (0, step) => step.checked_mul(factor(0)?),
                    _ => None,
                }
            }
            // Where a mask has no element, another address is taken.
            Opcode::Core(CoreOp::Select) => of(1),
            Opcode::Misc(MiscOp::Assume)
            | Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI) => of(0),
            _ => None,
        }
    }

    /// Returns the number that all elements of a tile are.
    fn factor(&self, value: ValueId) -> Option<i128> {
        let of = without_casts(self.module, value);
        if self.strides.contains(&of) {
            return Some(1);
        }
        splat(self.module, of)
    }
}

/// A parameter of a kernel, with the parameters of the entry that it has.
pub(super) struct Given<'m> {
    pub(super) number: usize,
    /// The number, or the address of a tensor or a pointer.
    pub(super) value: ValueId,
    /// The extents of a tensor.
    pub(super) extents: &'m [ValueId],
    strides: &'m [ValueId],
}

/// Returns the parameters of an entry with a body: the address of a tensor is followed by its extents and its strides.
pub(super) fn given<'m>(
    module: &'m Module,
    body: BlockId,
    params: &[Param],
) -> impl Iterator<Item = Given<'m>> {
    let mut left = module.block(body).args.as_slice();
    params.iter().enumerate().map_while(move |(number, param)| {
        let rank = match param.kind {
            ParamKind::Tensor { rank, .. } => rank,
            ParamKind::Scalar(_) | ParamKind::Pointer { .. } => 0,
        };
        let (&value, rest) = left.split_first()?;
        let (extents, rest) = rest.split_at_checked(rank)?;
        let (strides, rest) = rest.split_at_checked(rank)?;
        left = rest;
        Some(Given {
            number,
            value,
            extents,
            strides,
        })
    })
}

/// Adds the values of a block whose elements count, and not only where something lies.
fn add_data(module: &Module, block: BlockId, data: &mut HashSet<ValueId>) {
    // Uses come after definitions, but for those of loops, which carry data.
    for &id in module.block(block).ops.iter().rev() {
        let op = module.op(id);
        for region in 0..op.regions.len() {
            if let Some(body) = module.region_block(id, region) {
                add_data(module, body, data);
            }
        }
        match op.opcode {
            Opcode::Memory(_) | Opcode::Atomic(_) | Opcode::View(_) => {
                for slot in op.def().operands {
                    if DATA.contains(&slot.name) {
                        data.extend(op.operands_of(slot.name));
                    }
                }
            }
            Opcode::ControlFlow(_) | Opcode::Core(CoreOp::Reduce | CoreOp::Scan) => {
                data.extend(&op.operands);
            }
            _ if op.results.is_empty() || op.results.iter().any(|it| data.contains(it)) => {
                data.extend(&op.operands);
            }
            _ => {}
        }
    }
}

/// Returns the number that all elements of a tile are, if it is a constant.
pub(super) fn splat(module: &Module, value: ValueId) -> Option<i128> {
    let ValueDef::Result(id, _) = module.value(value).def else {
        return None;
    };
    let op = module.op(id);
    if op.opcode != Opcode::Core(CoreOp::Constant) {
        return None;
    }
    let dense = op.dense_value();
    let bits = dense.splat_bits()?;
    let unused = 64 - dense.scalar().bits();
    Some(((bits << unused).cast_signed() >> unused).into())
}

/// Returns the value of which another is a copy in another shape or type.
pub(super) fn without_casts(module: &Module, mut value: ValueId) -> ValueId {
    while let ValueDef::Result(id, _) = module.value(value).def
        && let op = module.op(id)
        && matches!(
            op.opcode,
            Opcode::Misc(MiscOp::Assume)
                | Opcode::Core(CoreOp::Reshape | CoreOp::Broadcast)
                | Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI)
        )
    {
        value = op.operands[0];
    }
    value
}
