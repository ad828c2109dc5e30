//! Entry parameters, views, loads and stores, and the tokens that order them.
//!
//! The host guarantees that a `&mut` tensor overlaps no other tensor of the
//! launch, so only accesses through the same `&mut` tensor need an order:
//!
//! ```text
//! store ──► load, load, .. ──(join)──► store
//! ```

use super::{Build, Val, Variant, known};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, ExprKind, PartitionTy, Ty};
use std::collections::BTreeMap;
use tile_core::Loc;
use tile_core::ir::{AssumePredicate, Attr, MemoryOrdering, ValueId};
use tile_core::ops::{ConversionOp, MemoryOp, ViewOp};
use tile_core::types::{PartitionViewType, Scalar, TensorViewType, Type, TypeKind};

/// Bytes to which the host aligns bases and rows of the `fast` variant.
const ALIGNMENT: u64 = 16;

/// The entry parameters of a tensor, and the view made of them.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    dims: Vec<ValueId>,
    view: ValueId,
    view_type: TensorViewType,
}

/// The order of accesses through one `&mut` tensor.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    /// The last store; `None` before the first.
    pub(super) store: Option<ValueId>,
    /// Loads since then.
    pub(super) loads: Vec<ValueId>,
}

/// How a piece of code accesses a tensor.
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
        other => unreachable!("`{other}` is no parameter type"),
    }
}

impl Build<'_, '_> {
    pub(super) fn bind_parameters(&mut self, args: &[ValueId]) {
        let mut args = args.iter().copied();
        let mut next = || args.next().expect("as many arguments as types");
        for (at, &param) in self.kernel.params.iter().enumerate() {
            let local = self.kernel.local(param);
            let Ty::Tensor(tensor) = &local.ty else {
                self.locals[param.index()] = Some(Val::Tile(next()));
                continue;
            };
            let base = next();
            let dims: Vec<ValueId> = (0..tensor.rank).map(|_| next()).collect();
            let strides: Vec<ValueId> = (0..tensor.rank).map(|_| next()).collect();
            let made = self.tensor_view(tensor.element, base, dims, &strides, local.loc);
            self.tensors.insert(at, made);
            if tensor.mutable {
                self.tokens.insert(at, Tokens::default());
            }
            self.locals[param.index()] = Some(Val::View);
        }
    }

    fn tensor_view(
        &mut self,
        element: HostScalar,
        base: ValueId,
        dims: Vec<ValueId>,
        strides: &[ValueId],
        loc: Loc,
    ) -> Tensor {
        let scalar = element.scalar();
        let rank = dims.len();
        let mut base = base;
        let mut stride_types = vec![None; rank];
        let mut dynamic: Vec<ValueId> = strides.to_vec();
        if self.variant == Variant::Fast {
            base = self.b.assume(base, divisible(ALIGNMENT), loc);
            stride_types[rank - 1] = Some(1);
            dynamic.pop();
            let elements = ALIGNMENT / scalar.bytes() as u64;
            for stride in &mut dynamic {
                *stride = self.b.assume(*stride, divisible(elements), loc);
            }
        }
        let view_type = TensorViewType {
            element: scalar,
            shape: vec![None; rank],
            strides: stride_types,
        };
        let view = self
            .b
            .op(ViewOp::MakeTensorView, loc)
            .operand("base", base)
            .operands("dynamicShape", &dims)
            .operands("dynamicStrides", &dynamic)
            .result(Type::new(TypeKind::TensorView(view_type.clone())))
            .finish_value();
        Tensor {
            dims,
            view,
            view_type,
        }
    }

    /// One partition view per tensor, tile shape and padding that is used.
    pub(super) fn make_views(&mut self) {
        for expr in &self.kernel.exprs {
            let (ExprKind::Load(view, _)
            | ExprKind::Store(view, _, _)
            | ExprKind::NumTiles(view, _)) = &expr.kind
            else {
                continue;
            };
            let Ty::Partition(partition) = self.ty(*view) else {
                unreachable!("checking made sure of a partition");
            };
            if self.views.iter().any(|(known, _)| known == partition) {
                continue;
            }
            let tensor = &self.tensors[&partition.tensor.param];
            let tile: Vec<i32> = partition
                .tile
                .iter()
                .map(|&dim| i32::try_from(dim).expect("checking limits the size of a tile"))
                .collect();
            let ty =
                PartitionViewType::new(&tile, tensor.view_type.clone(), Some(partition.padding));
            let source = tensor.view;
            let value = self
                .b
                .op(ViewOp::MakePartitionView, self.kernel.expr(*view).loc)
                .args(&[source])
                .result(ty.intern())
                .finish_value();
            self.views.push((partition.clone(), value));
        }
    }

    /// The partition that an expression stands for, and its view.
    fn view(&mut self, id: ExprId) -> (PartitionTy, ValueId) {
        // For the effects of a block that yields the partition.
        self.expr(id);
        let Ty::Partition(partition) = self.ty(id) else {
            unreachable!("checking made sure of a partition");
        };
        let (partition, value) = self
            .views
            .iter()
            .find(|(known, _)| known == partition)
            .expect("the prologue made a view for every access");
        (partition.clone(), *value)
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

    pub(super) fn num_tiles(&mut self, view: ExprId, axis: usize, loc: Loc) -> ValueId {
        let (partition, view) = self.view(view);
        let types = vec![Type::scalar(Scalar::I32); partition.tile.len()];
        self.b
            .op(ViewOp::GetIndexSpaceShape, loc)
            .args(&[view])
            .results(&types)
            .finish_values()[axis]
    }

    /// Index operands, all of one type: `i32`, or `i64` if one has 64 bits.
    fn index(&mut self, index: &[ExprId]) -> Vec<ValueId> {
        let wide = index.iter().any(|&id| self.element(id).bits() == 64);
        let target = if wide {
            HostScalar::I64
        } else {
            HostScalar::I32
        };
        index
            .iter()
            .map(|&id| {
                let value = self.tile(id);
                let loc = self.kernel.expr(id).loc;
                self.cast(value, self.element(id), target, loc)
            })
            .collect()
    }

    pub(super) fn load(&mut self, view: ExprId, index: &[ExprId], id: ExprId, loc: Loc) -> ValueId {
        let (partition, view) = self.view(view);
        let index = self.index(index);
        let param = partition.tensor.param;
        let after = self.tokens.get(&param).and_then(|tokens| tokens.store);
        let ty = super::tile_type(self.ty(id));
        let values = self
            .b
            .op(ViewOp::LoadViewTko, loc)
            .operand("view", view)
            .operands("index", &index)
            .operands("token", after.as_slice())
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(ty)
            .result(Type::token())
            .finish_values();
        if let Some(tokens) = self.tokens.get_mut(&param) {
            tokens.loads.push(values[1]);
        }
        values[0]
    }

    pub(super) fn store(&mut self, view: ExprId, index: &[ExprId], tile: ExprId, loc: Loc) {
        let (partition, view) = self.view(view);
        let index = self.index(index);
        let tile = self.tile(tile);
        let param = partition.tensor.param;
        let after = self.join(param, loc);
        let token = self
            .b
            .op(ViewOp::StoreViewTko, loc)
            .operand("tile", tile)
            .operand("view", view)
            .operands("index", &index)
            .operands("token", after.as_slice())
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(Type::token())
            .finish_value();
        self.tokens.insert(
            param,
            Tokens {
                store: Some(token),
                loads: Vec::new(),
            },
        );
    }

    /// One token after everything done to a tensor so far, if anything was.
    fn join(&mut self, param: usize, loc: Loc) -> Option<ValueId> {
        let Tokens { store, loads } = self.tokens[&param].clone();
        // A load comes after the store before it, so the loads suffice.
        match loads.as_slice() {
            [] => store,
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

    /// The token of a tensor to carry into or out of a branch or loop.
    pub(super) fn carried_token(&mut self, param: usize, loc: Loc) -> ValueId {
        match self.join(param, loc) {
            Some(token) => token,
            None => self.make_token(loc),
        }
    }

    /// Continues after a carried token. Code that only loads leaves the last
    /// store as it was, so that its loads need not wait for each other.
    pub(super) fn resume(&mut self, param: usize, access: Access, token: ValueId) {
        let tokens = self
            .tokens
            .get_mut(&param)
            .expect("only `&mut` tensors have tokens");
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

    /// The tokens of tensors at this point, to go back to.
    pub(super) fn save_tokens(&self) -> BTreeMap<usize, Tokens> {
        self.tokens.clone()
    }
}

fn divisible(divisor: u64) -> AssumePredicate {
    AssumePredicate::DivBy {
        divisor,
        every: None,
        along: None,
    }
}
