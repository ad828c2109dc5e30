//! Checks views: partitions, their order of axes, strided views, and gather views.

use super::Checker;
use super::language::{self, GATHER_VIEWS, PARTITIONS};
use super::math::MethodCall;
use super::memory::entry_count;
use super::types::Operand;
use crate::hir::signature::HostScalar;
use crate::hir::ty::{PaddingValue, shape_text};
use crate::hir::{AtomicOp, Elem, ExprId, ExprKind, PartitionTy, TensorTy, Ty, ViewLayout};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The largest step of a strided view.
const MAX_STEP: i64 = i32::MAX as i64;

impl Checker<'_> {
    /// Checks a method of a partition, a strided view or a gather view.
    pub(super) fn view_method(
        &mut self,
        view: &PartitionTy,
        call: MethodCall<'_>,
    ) -> Option<ExprId> {
        let name = &call.name.text;
        let gathers = matches!(view.layout, ViewLayout::Gather(_));
        let rows = if gathers { GATHER_VIEWS } else { PARTITIONS };
        match (language::find(rows, name), AtomicOp::parse(name)) {
            (Some(row), _) => self.check_row(row, view, call),
            (None, Some(method)) if !gathers => self.only_on_tensors(view, call.name, method),
            (None, _) => {
                let ty = Ty::Partition(view.clone());
                self.unknown_view_method(call.receiver, &ty, call.name)
            }
        }
    }

    /// Checks `p.load([i])`.
    pub(super) fn load_view(
        &mut self,
        view: &PartitionTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        if let [_, shape] = call.args {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    shape.loc,
                    format!("`load` on a {} takes the index only", view.noun()),
                )
                .note(format!(
                    "the {} already has the tile shape {}",
                    view.noun(),
                    shape_text(&view.tile)
                ))
                .help("remove the shape"),
            );
            return None;
        }
        let [index] = self.method_arguments::<1>(call)?;
        let index = self.view_index(index, view, call.receiver)?;
        let ty = Ty::Tile(Elem::Known(view.tensor.element), view.tile.clone());
        Some(self.push(ExprKind::Load(call.receiver.0, index), ty, call.loc))
    }

    /// Checks `p.store([i], tile)`.
    pub(super) fn store_view(
        &mut self,
        view: &PartitionTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let [index, written] = self.method_arguments::<2>(call)?;
        let index = self.view_index(index, view, call.receiver);
        let tile = self.expr(written);
        self.writable(&view.tensor, call.name)?;
        let expected = Ty::Tile(Elem::Known(view.tensor.element), view.tile.clone());
        let fits = self.expect(&expected, (tile, written), || {
            let what = view.noun();
            format!("the {what} holds tiles of shape {}", shape_text(&view.tile))
        });
        if matches!(view.layout, ViewLayout::Gather(_)) {
            self.needs_unsafe(
                call.name,
                "`store` through a `GatherView`",
                "two of the indices, of one block or of two, may name one place",
            );
        }
        if !fits {
            return None;
        }
        Some(self.push_store(ExprKind::Store(call.receiver.0, index?, tile), call.loc))
    }

    /// Checks `p.num_tiles(axis)`.
    pub(super) fn num_tiles(
        &mut self,
        view: &PartitionTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let [axis] = self.method_arguments::<1>(call)?;
        let axis = self.axis(axis, view.tile.len(), "the partition")?;
        let ty = Ty::scalar(HostScalar::I32);
        Some(self.push(ExprKind::NumTiles(call.receiver.0, axis), ty, call.loc))
    }

    /// Checks `p.with_padding(Padding::NegInf)`.
    pub(super) fn with_padding(
        &mut self,
        view: &PartitionTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let [padding] = self.method_arguments::<1>(call)?;
        let padding = self.padding_for(padding, view.tensor.element)?;
        let ty = Ty::Partition(PartitionTy {
            padding,
            ..view.clone()
        });
        Some(self.push(ExprKind::Partition(call.receiver.0), ty, call.loc))
    }

    /// Checks that an index fits the view; `None` after an error.
    fn view_index(
        &mut self,
        list: &ast::Expr,
        view: &PartitionTy,
        receiver: Operand<'_>,
    ) -> Option<Vec<ExprId>> {
        match view.layout {
            ViewLayout::Partition | ViewLayout::Strided(_) => {
                self.index(list, view.tile.len(), receiver)
            }
            ViewLayout::Gather(axis) => self.gather_index(list, view, axis, receiver),
        }
    }

    /// Checks an index with a tile of indices along one axis and numbers along the others.
    fn gather_index(
        &mut self,
        list: &ast::Expr,
        view: &PartitionTy,
        axis: usize,
        receiver: Operand<'_>,
    ) -> Option<Vec<ExprId>> {
        let items = self.list(list)?;
        let ids: Vec<ExprId> = items.iter().map(|item| self.expr(item)).collect();
        if !self.one_per_axis(list, items.len(), view.tile.len(), receiver) {
            return None;
        }
        let mut fine = true;
        for (index, (&id, item)) in ids.iter().zip(items).enumerate() {
            if index != axis {
                fine &= self.number_index((id, item), "an index along this axis");
                continue;
            }
            let ty = self.ty(id);
            let expected = vec![view.tile[axis]];
            let fits = match &ty {
                Ty::Error => {
                    fine = false;
                    continue;
                }
                Ty::Tile(elem, shape) => *shape == expected && self.is_integer(*elem),
                _ => false,
            };
            if fits {
                continue;
            }
            fine = false;
            let message = format!(
                "the index along axis {axis} is a tile of {} integers, found `{}`",
                view.tile[axis],
                self.show(&ty)
            );
            self.error(
                Diagnostic::error(Code::TypeMismatch, item.loc, message)
                    .label(
                        receiver.1.loc,
                        format!("`{}` gathers along axis {axis}", ast::text(receiver.1)),
                    )
                    .note("the indices of a `GatherView` count elements")
                    .help(format!(
                        "write a tile of shape {}, such as one that was loaded, or `iota::<i32>({})`",
                        shape_text(&expected),
                        view.tile[axis]
                    )),
            );
        }
        fine.then_some(ids)
    }

    pub(super) fn with_order(
        &mut self,
        receiver: Operand<'_>,
        view: &PartitionTy,
        written: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let rank = view.tile.len();
        let axes = self.constant_list(written, "an axis")?;
        let order: Vec<usize> = axes
            .iter()
            .filter_map(|&axis| usize::try_from(axis).ok())
            .collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != (0..rank).collect::<Vec<_>>() {
            let all_axes: Vec<String> = (0..rank).rev().map(|axis| axis.to_string()).collect();
            let message = format!(
                "the order {} does not name each of the {rank} axes once",
                ast::text(written)
            );
            self.error(
                Diagnostic::error(Code::RankMismatch, written.loc, message)
                    .note("axis `k` of a tile runs along the axis of the tensor that the order has at place `k`")
                    .help(format!(
                        "write each axis once, in the order of the axes of a tile, such as `[{}]`",
                        all_axes.join(", ")
                    )),
            );
            return None;
        }
        let ty = Ty::Partition(PartitionTy {
            order,
            ..view.clone()
        });
        Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
    }

    /// Checks `x.strided([tile], [steps])`.
    pub(super) fn strided(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        (shape, steps): (&ast::Expr, &ast::Expr),
        loc: Loc,
    ) -> Option<ExprId> {
        let tile = self.shape_argument(shape);
        let list = self.constant_list(steps, "a step");
        let (tile, list) = (tile?, list?);
        for (written, len, what) in [
            (shape, tile.len(), "a tile shape"),
            (steps, list.len(), "a list of steps"),
        ] {
            if len != tensor.rank {
                self.tensor_rank(receiver, tensor, written, len, what);
                return None;
            }
        }
        if let Some(&step) = list.iter().find(|step| !(1..=MAX_STEP).contains(*step)) {
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    steps.loc,
                    format!("a step is from 1 to {MAX_STEP}, found {step}"),
                )
                .note("tile `i` of a strided view begins at element `i * step`")
                .help(format!(
                    "write the number of elements from a tile to the next, such as `{}`",
                    shape_text(&tile)
                )),
            );
            return None;
        }
        let ty = Ty::Partition(PartitionTy {
            layout: ViewLayout::Strided(list),
            ..PartitionTy::new(tensor.clone(), tile, PaddingValue::Zero)
        });
        Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
    }

    /// Checks `x.gather_view(axis, [tile])`.
    pub(super) fn gather_view(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        (axis, shape): (&ast::Expr, &ast::Expr),
        loc: Loc,
    ) -> Option<ExprId> {
        let axis = self.axis(axis, tensor.rank, "the tensor");
        let tile = self.shape_argument(shape)?;
        if tile.len() != tensor.rank {
            self.tensor_rank(receiver, tensor, shape, tile.len(), "a tile shape");
            return None;
        }
        let ty = Ty::Partition(PartitionTy {
            layout: ViewLayout::Gather(axis?),
            ..PartitionTy::new(tensor.clone(), tile, PaddingValue::Zero)
        });
        Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
    }

    /// Checks that an index has an entry per axis; `false` after an error.
    pub(super) fn one_per_axis(
        &mut self,
        list: &ast::Expr,
        count: usize,
        rank: usize,
        receiver: Operand<'_>,
    ) -> bool {
        if count == rank {
            return true;
        }
        let entries = if count == 1 { "entry" } else { "entries" };
        let axes = if rank == 1 { "axis" } else { "axes" };
        let label = format!(
            "`{}` is `{}`",
            ast::text(receiver.1),
            self.show_expr(receiver.0)
        );
        self.error(
            Diagnostic::error(
                Code::RankMismatch,
                list.loc,
                format!(
                    "an index needs one entry per axis, found {count} {entries} for {rank} {axes}"
                ),
            )
            .label(receiver.1.loc, label)
            .help(format!("write {} in the brackets", entry_count(rank))),
        );
        false
    }
}
