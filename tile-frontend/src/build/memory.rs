//! Builds entry parameters, accesses to tiles of tensors, and the tokens that order accesses.
//!
//! The host guarantees that a `&mut` tensor overlaps no other tensor of the launch, so only
//! accesses through the same `&mut` tensor need an order. These form a *chain*. All accesses
//! through raw pointers form one further chain, which includes the `&mut` tensors whose address is
//! taken.
//!
//! ```text
//! store ──► load, load, .. ──(join)──► store
//! ```
//!
//! Releases, acquires and fences order chains with respect to each other: see `order`.

use super::facts::{ALIGNMENT, Facts};
use super::{Build, Val, Variant, known};
use crate::hir::fact::Input;
use crate::hir::signature::HostScalar;
use crate::hir::ty::Padding;
use crate::hir::{ExprId, ExprKind, Memory, PartitionTy, Touch, Ty, ViewLayout};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::Loc;
use tile_core::ir::{Attr, ComparisonPredicate, MemoryOrdering, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, IntegerOp, MemoryOp, ViewOp};
use tile_core::types::{Scalar, TensorViewType, Type, TypeKind};

/// The entry parameters of a tensor, and the view built from them.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) base: ValueId,
    pub(super) dims: Vec<ValueId>,
    /// The stride of each axis, if the type of the view does not specify it.
    pub(super) strides: Vec<Option<ValueId>>,
    pub(super) view: ValueId,
    pub(super) view_type: TensorViewType,
}

/// The chain of accesses through raw pointers; other chains are indices of parameters.
const POINTERS: usize = usize::MAX;

/// The ordering state of one chain.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    /// The last store; `None` before the first.
    pub(super) store: Option<ValueId>,
    /// Loads since then, and other tokens that a store waits for.
    pub(super) loads: Vec<ValueId>,
}

impl Tokens {
    /// Returns tokens that together follow every access of the chain.
    pub(super) fn last(&self) -> Vec<ValueId> {
        // Every load waits for the last store, so the tokens of the loads suffice.
        if self.loads.is_empty() {
            self.store.into_iter().collect()
        } else {
            self.loads.clone()
        }
    }
}

/// The kind of access to a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Load,
    Store,
}

/// Appends the entry parameters of one value parameter.
pub(super) fn parameter_types(ty: &Ty, variant: Variant, types: &mut Vec<Type>) {
    match ty {
        Ty::Tensor(tensor) => {
            types.push(Type::pointer(tensor.element.scalar()));
            let index = Type::scalar(variant.index());
            types.extend(std::iter::repeat_n(index, 2 * tensor.rank));
        }
        Ty::Scalar(elem) => types.push(Type::scalar(known(*elem).scalar())),
        Ty::Pointer(pointer) => types.push(Type::pointer(pointer.element.scalar())),
        other => unreachable!("`{other}` is no parameter type"),
    }
}

impl Build<'_, '_> {
    pub(super) fn bind_parameters(&mut self, args: &[ValueId]) {
        for expr in &self.kernel.exprs {
            if let ExprKind::Memory(Memory::Address(tensor)) = &expr.kind
                && let Some(tensor) = self.ty(*tensor).tensor()
            {
                self.escaped.insert(tensor.param);
            }
        }
        self.tokens.insert(POINTERS, Tokens::default());
        let facts = Facts::new(self.kernel, self.variant, args);
        for (index, &param) in self.kernel.params.iter().enumerate() {
            let local = self.kernel.local(param);
            let Ty::Tensor(tensor) = &local.ty else {
                let input = match &local.ty {
                    Ty::Scalar(elem) => Input::Scalar(index, known(*elem)),
                    _ => Input::Address(index),
                };
                let value = self.input(&facts, input, 1, local.loc);
                self.locals[param.index()] = Some(Val::Tile(value));
                continue;
            };
            let view = self.tensor_view(&facts, index, (tensor.element, tensor.rank), local.loc);
            self.tensors.insert(index, view);
            if tensor.mutable {
                self.tokens.insert(index, Tokens::default());
            }
            self.locals[param.index()] = Some(Val::View);
        }
        // Chains without accesses are left out, since their tokens would be carried needlessly.
        let touched: BTreeSet<usize> = self
            .kernel
            .exprs
            .iter()
            .filter_map(|expr| self.touched(&expr.kind))
            .map(|(chain, _)| chain)
            .collect();
        self.tokens.retain(|chain, _| touched.contains(chain));
    }

    fn tensor_view(
        &mut self,
        facts: &Facts,
        param: usize,
        (element, rank): (HostScalar, usize),
        loc: Loc,
    ) -> Tensor {
        let scalar = element.scalar();
        let (bytes, elements, unit_axis) = match self.variant {
            Variant::Fast => {
                let elements = ALIGNMENT / scalar.bytes() as u64;
                (ALIGNMENT, elements, Some(facts.unit_axis(param, rank)))
            }
            Variant::General => (1, 1, None),
        };
        let base = self.input(facts, Input::Address(param), bytes, loc);
        let (mut dims, mut shape, mut dynamic_shape) = (Vec::new(), Vec::new(), Vec::new());
        let (mut strides, mut stride_types, mut dynamic_strides) =
            (Vec::new(), Vec::new(), Vec::new());
        for axis in 0..rank {
            let input = Input::Dim(param, axis);
            let dim = self.input(facts, input, 1, loc);
            let constant = facts.constant(input);
            dims.push(dim);
            shape.push(constant);
            dynamic_shape.extend(constant.is_none().then_some(dim));
        }
        for axis in 0..rank {
            let input = Input::Stride(param, axis);
            let constant = match unit_axis {
                Some(unit) if unit == axis => Some(1),
                _ => facts.constant(input),
            };
            stride_types.push(constant);
            if constant == Some(1) {
                strides.push(None);
                continue;
            }
            let stride = self.input(facts, input, elements, loc);
            strides.push(Some(stride));
            dynamic_strides.extend(constant.is_none().then_some(stride));
        }
        let view_type = TensorViewType {
            element: scalar,
            shape,
            strides: stride_types,
        };
        let view = self
            .b
            .op(ViewOp::MakeTensorView, loc)
            .operand("base", base)
            .operands("dynamicShape", &dynamic_shape)
            .operands("dynamicStrides", &dynamic_strides)
            .result(Type::new(TypeKind::TensorView(view_type.clone())))
            .finish_value();
        Tensor {
            base,
            dims,
            strides,
            view,
            view_type,
        }
    }

    /// Returns the chain of a tensor or view; accesses through `&Tensor` have none.
    pub(super) fn chain(&self, view: ExprId) -> Option<usize> {
        let tensor = self
            .ty(view)
            .tensor()
            .expect("checking made sure of a tensor");
        let chain = if self.escaped.contains(&tensor.param) {
            POINTERS
        } else {
            tensor.param
        };
        tensor.mutable.then_some(chain)
    }

    /// Returns the chain of an expression and the kind of its access.
    pub(super) fn touched(&self, kind: &ExprKind) -> Option<(usize, Access)> {
        match kind {
            ExprKind::Load(view, _) => self.chain(*view).map(|chain| (chain, Access::Load)),
            ExprKind::Store(view, ..) => self.chain(*view).map(|chain| (chain, Access::Store)),
            ExprKind::Memory(memory) => self.touches(memory),
            _ => None,
        }
    }

    /// Returns the chain of an operation and the kind of its access.
    pub(super) fn touches(&self, memory: &Memory) -> Option<(usize, Access)> {
        let (chain, access) = self.reads_or_writes(memory)?;
        // Atomic loads are ordered like stores: a later load of an element must not see an older
        // value than an earlier one.
        let access = match memory.update() {
            Some(_) => Access::Store,
            None => access,
        };
        Some((chain, access))
    }

    fn reads_or_writes(&self, memory: &Memory) -> Option<(usize, Access)> {
        match memory.touches() {
            Touch::Load(view) => self.chain(view).map(|chain| (chain, Access::Load)),
            Touch::Store(view) => self.chain(view).map(|chain| (chain, Access::Store)),
            Touch::LoadPointer => Some((POINTERS, Access::Load)),
            Touch::StorePointer => Some((POINTERS, Access::Store)),
            Touch::Nothing => None,
        }
    }

    /// Returns the token that an access waits for.
    pub(super) fn wait(&mut self, touched: Option<(usize, Access)>, loc: Loc) -> Option<ValueId> {
        match touched? {
            (chain, Access::Load) => self.tokens[&chain].store,
            (chain, Access::Store) => self.join(chain, loc),
        }
    }

    /// Records the token of an access.
    pub(super) fn done(&mut self, touched: Option<(usize, Access)>, token: ValueId) {
        let Some((chain, access)) = touched else {
            return;
        };
        match access {
            Access::Load => {
                let tokens = self.tokens.entry(chain).or_default();
                tokens.loads.push(token);
            }
            Access::Store => {
                let tokens = Tokens {
                    store: Some(token),
                    loads: Vec::new(),
                };
                self.tokens.insert(chain, tokens);
            }
        }
    }

    pub(super) fn dim(&mut self, tensor: ExprId, axis: usize, loc: Loc) -> ValueId {
        self.expr(tensor);
        let Ty::Tensor(tensor) = self.ty(tensor) else {
            unreachable!("checking made sure of a tensor");
        };
        let dim = self.tensors[&tensor.param].dims[axis];
        match self.variant {
            Variant::Fast => dim,
            Variant::General => self
                .b
                .convert(ConversionOp::TruncI, dim, Scalar::I32, None, loc),
        }
    }

    pub(super) fn load(&mut self, view: ExprId, index: &[ExprId], id: ExprId, loc: Loc) -> ValueId {
        let (partition, value) = self.view(view);
        let index = self.index(&partition, index);
        let touched = self.chain(view).map(|chain| (chain, Access::Load));
        let after = self.wait(touched, loc);
        let ty = super::tile_type(self.ty(id));
        let values = self
            .b
            .op(ViewOp::LoadViewTko, loc)
            .operand("view", value)
            .operands("index", &index)
            .operands("token", after.as_slice())
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(ty)
            .result(Type::token())
            .finish_values();
        self.done(touched, values[1]);
        match partition.padding {
            Padding::Named(_) => values[0],
            Padding::Bits(bits) => self.beyond(values[0], bits, &partition, &index, loc),
        }
    }

    /// Replaces those elements of a tile loaded through a view that are beyond the edges of the
    /// tensor.
    fn beyond(
        &mut self,
        loaded: ValueId,
        bits: u64,
        view: &PartitionTy,
        index: &[ValueId],
        loc: Loc,
    ) -> ValueId {
        let shape = &view.tile;
        let mut mask: Option<ValueId> = None;
        for (axis, &one) in index.iter().enumerate() {
            let extent = self.tensors[&view.tensor.param].dims[view.order[axis]];
            let step = match &view.layout {
                ViewLayout::Partition => shape[axis],
                ViewLayout::Strided(steps) => steps[axis],
                ViewLayout::Gather(_) => 1,
            };
            let gathered = matches!(view.layout, ViewLayout::Gather(along) if along == axis);
            // Each index is a tile along one axis, to be broadcast along the others.
            let mut line = vec![1; shape.len()];
            line[axis] = shape[axis];
            let index = self.wide_index(one, loc);
            let place = if gathered && line.len() == 1 {
                index
            } else if gathered {
                self.b.reshape(index, &line, loc)
            } else {
                let step = self.integer(HostScalar::I64, i128::from(step), loc);
                let first = self.b.wrapping(IntegerOp::MulI, &[index, step], loc);
                let first = self.b.splat_value(first, &line, loc);
                let within = self.count_along(axis, &line, loc);
                let within = self.wide_index(within, loc);
                self.b.wrapping(IntegerOp::AddI, &[first, within], loc)
            };
            let extent = self.wide_index(extent, loc);
            let extent = self.b.splat_value(extent, &line, loc);
            let below = ComparisonPredicate::LessThan;
            // Negative numbers are large as unsigned numbers.
            let mut inside = self.b.cmpi(below, place, extent, Signedness::Unsigned, loc);
            if line != *shape {
                inside = self.b.broadcast(inside, shape, loc);
            }
            mask = Some(match mask {
                Some(mask) => self.b.like_first(BitwiseOp::AndI, &[mask, inside], loc),
                None => inside,
            });
        }
        let mask = mask.expect("a view has an axis");
        let other = self.splat_like(loaded, bits, loc);
        self.select(mask, loaded, other, loc)
    }

    /// Extends an index or extent to 64 bits.
    fn wide_index(&mut self, value: ValueId, loc: Loc) -> ValueId {
        let (scalar, _) = self.b.ty(value).as_number_tile().expect("it is a number");
        if scalar == Scalar::I64 {
            return value;
        }
        let sign = Some(Signedness::Signed);
        self.b
            .convert(ConversionOp::ExtI, value, Scalar::I64, sign, loc)
    }

    pub(super) fn store(&mut self, view: ExprId, index: &[ExprId], tile: ExprId, loc: Loc) {
        let (partition, value) = self.view(view);
        let index = self.index(&partition, index);
        let tile = self.tile(tile);
        let touched = self.chain(view).map(|chain| (chain, Access::Store));
        let after = self.wait(touched, loc);
        let token = self
            .b
            .op(ViewOp::StoreViewTko, loc)
            .operand("tile", tile)
            .operand("view", value)
            .operands("index", &index)
            .operands("token", after.as_slice())
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(Type::token())
            .finish_value();
        self.done(touched, token);
    }

    /// Returns one token that follows every access of a chain so far; `None` if there are none.
    fn join(&mut self, chain: usize, loc: Loc) -> Option<ValueId> {
        let last = self.tokens[&chain].last();
        self.joined(&last, loc)
    }

    /// Joins tokens into one; returns `None` if there are none.
    pub(super) fn joined(&mut self, tokens: &[ValueId], loc: Loc) -> Option<ValueId> {
        match tokens {
            [] => None,
            [one] => Some(*one),
            several => Some(self.join_tokens(several, loc)),
        }
    }

    fn join_tokens(&mut self, tokens: &[ValueId], loc: Loc) -> ValueId {
        self.b
            .op(MemoryOp::JoinTokens, loc)
            .operands("tokens", tokens)
            .result(Type::token())
            .finish_value()
    }

    fn make_token(&mut self, loc: Loc) -> ValueId {
        self.b
            .op(MemoryOp::MakeToken, loc)
            .result(Type::token())
            .finish_value()
    }

    /// Returns the token of a chain to carry into or out of a branch or loop.
    pub(super) fn carried_token(&mut self, chain: usize, loc: Loc) -> ValueId {
        match self.join(chain, loc) {
            Some(token) => token,
            None => self.make_token(loc),
        }
    }

    /// Continues after a carried token. After code that only loads, the last store is unchanged, so
    /// that loads need not wait for each other.
    pub(super) fn resume(&mut self, chain: usize, access: Access, token: ValueId) {
        let tokens = self.tokens.entry(chain).or_default();
        match access {
            Access::Load => tokens.loads = vec![token],
            Access::Store => {
                *tokens = Tokens {
                    store: Some(token),
                    loads: Vec::new(),
                }
            }
        }
    }

    /// Returns the tokens of all chains at this point, to be restored later.
    pub(super) fn save_tokens(&self) -> BTreeMap<usize, Tokens> {
        self.tokens.clone()
    }
}
