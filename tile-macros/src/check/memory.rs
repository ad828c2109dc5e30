//! Tensors and partitions.

use super::Checker;
use super::calls::Callee;
use super::types::{Kind, Operand};
use crate::hir::signature::HostScalar;
use crate::hir::ty::shape_text;
use crate::hir::{Elem, ExprId, ExprKind, PartitionTy, TensorTy, Ty};
use crate::parse::ast::{self, GenericArg, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::types::PaddingValue;

impl Checker<'_> {
    pub(super) fn tensor_method(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let usage = match name.text.as_str() {
            "load" => "t.load([i], [64])",
            "load_padded" => "t.load_padded([i], [64], Padding::NegInf)",
            "store" => "t.store([i], tile)",
            "partition" => "t.partition([64])",
            "dim" => "t.dim(0)",
            _ => {
                self.unknown_view_method(receiver, &Ty::Tensor(tensor.clone()), name);
                return None;
            }
        };
        let callee = Callee {
            name,
            usage,
            receiver: Some(receiver.1),
        };
        self.no_generics(&callee, generics);
        match name.text.as_str() {
            "load" => {
                let [index, shape] = self.arguments::<2>(&callee, args, loc)?;
                self.load_tile(receiver, tensor, index, shape, PaddingValue::Zero, loc)
            }
            "load_padded" => {
                let [index, shape, padding] = self.arguments::<3>(&callee, args, loc)?;
                let padding = self.padding_for(padding, tensor.element)?;
                self.load_tile(receiver, tensor, index, shape, padding, loc)
            }
            "store" => {
                let [index, written] = self.arguments::<2>(&callee, args, loc)?;
                self.store_tile(receiver, tensor, (name, index, written), loc)
            }
            "partition" => {
                let [shape] = self.arguments::<1>(&callee, args, loc)?;
                self.cut(receiver, tensor, shape, PaddingValue::Zero, loc)
            }
            _ => {
                let [axis] = self.arguments::<1>(&callee, args, loc)?;
                let axis = self.axis(axis, tensor.rank, "the tensor")?;
                let ty = Ty::scalar(HostScalar::I32);
                Some(self.push(ExprKind::Dim(receiver.0, axis), ty, loc))
            }
        }
    }

    pub(super) fn partition_method(
        &mut self,
        receiver: Operand<'_>,
        partition: &PartitionTy,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let usage = match name.text.as_str() {
            "load" => "p.load([i])",
            "store" => "p.store([i], tile)",
            "num_tiles" => "p.num_tiles(0)",
            "with_padding" => "t.partition([64]).with_padding(Padding::NegInf)",
            _ => {
                self.unknown_view_method(receiver, &Ty::Partition(partition.clone()), name);
                return None;
            }
        };
        let callee = Callee {
            name,
            usage,
            receiver: Some(receiver.1),
        };
        self.no_generics(&callee, generics);
        let rank = partition.tile.len();
        match name.text.as_str() {
            "load" => {
                if let [_, shape] = args {
                    self.error(
                        Diagnostic::error(
                            Code::BadArguments,
                            shape.loc,
                            "`load` on a partition takes the index only",
                        )
                        .note(format!(
                            "the partition already has the tile shape {}",
                            shape_text(&partition.tile)
                        ))
                        .help("remove the shape"),
                    );
                    return None;
                }
                let [index] = self.arguments::<1>(&callee, args, loc)?;
                let index = self.index(index, rank, receiver)?;
                let ty = Ty::Tile(
                    Elem::Known(partition.tensor.element),
                    partition.tile.clone(),
                );
                Some(self.push(ExprKind::Load(receiver.0, index), ty, loc))
            }
            "store" => {
                let [index, written] = self.arguments::<2>(&callee, args, loc)?;
                let index = self.index(index, rank, receiver);
                let tile = self.expr(written);
                self.writable(&partition.tensor, name)?;
                let expected = Ty::Tile(
                    Elem::Known(partition.tensor.element),
                    partition.tile.clone(),
                );
                let fits = self.expect(&expected, (tile, written), || {
                    format!(
                        "the partition holds tiles of shape {}",
                        shape_text(&partition.tile)
                    )
                });
                if !fits {
                    return None;
                }
                let kind = ExprKind::Store(receiver.0, index?, tile);
                Some(self.push(kind, Ty::unit(), loc))
            }
            "num_tiles" => {
                let [axis] = self.arguments::<1>(&callee, args, loc)?;
                let axis = self.axis(axis, rank, "the partition")?;
                let ty = Ty::scalar(HostScalar::I32);
                Some(self.push(ExprKind::NumTiles(receiver.0, axis), ty, loc))
            }
            _ => {
                let [padding] = self.arguments::<1>(&callee, args, loc)?;
                let padding = self.padding_for(padding, partition.tensor.element)?;
                let ty = Ty::Partition(PartitionTy {
                    padding,
                    ..partition.clone()
                });
                Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
            }
        }
    }

    fn padding_for(&mut self, written: &ast::Expr, element: HostScalar) -> Option<PaddingValue> {
        let padding = self.padding(written)?;
        if padding == PaddingValue::Zero || element.is_float() {
            return Some(padding);
        }
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                written.loc,
                format!(
                    "`{}` needs a float tensor, found elements of `{}`",
                    ast::text(written),
                    element.name()
                ),
            )
            .help("write `Padding::Zero`, and use `select` for another value beyond the edge"),
        );
        None
    }

    fn cut(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        shape: &ast::Expr,
        padding: PaddingValue,
        loc: Loc,
    ) -> Option<ExprId> {
        let tile = self.shape_argument(shape)?;
        if tile.len() != tensor.rank {
            self.tensor_rank(receiver, tensor, shape, tile.len(), "a tile shape");
            return None;
        }
        let ty = Ty::Partition(PartitionTy {
            tensor: tensor.clone(),
            tile,
            padding,
        });
        Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
    }

    fn load_tile(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        index: &ast::Expr,
        shape: &ast::Expr,
        padding: PaddingValue,
        loc: Loc,
    ) -> Option<ExprId> {
        let index = self.index(index, tensor.rank, receiver);
        let view = self.cut(receiver, tensor, shape, padding, loc)?;
        let Ty::Partition(partition) = self.ty(view) else {
            return None;
        };
        let ty = Ty::Tile(Elem::Known(tensor.element), partition.tile);
        Some(self.push(ExprKind::Load(view, index?), ty, loc))
    }

    fn store_tile(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        (name, index, written): (&Name, &ast::Expr, &ast::Expr),
        loc: Loc,
    ) -> Option<ExprId> {
        let index = self.index(index, tensor.rank, receiver);
        let tile = self.expr(written);
        self.writable(tensor, name)?;
        let ty = self.ty(tile);
        let tensor_text = ast::text(receiver.1);
        let tensor_ty = Ty::Tensor(tensor.clone());
        let (elem, shape) = match &ty {
            Ty::Error => return None,
            Ty::Tile(elem, shape) => (*elem, shape.clone()),
            _ => {
                let ones = vec!["1"; tensor.rank].join(", ");
                let help = match &ty {
                    Ty::Scalar(_) => format!("write `full([{ones}], {})`", ast::text(written)),
                    _ => super::types::load_help(&ty, written),
                };
                let message = format!("`store` writes a tile, found `{}`", self.show(&ty));
                self.error(Diagnostic::error(Code::TypeMismatch, written.loc, message).help(help));
                return None;
            }
        };
        if shape.len() != tensor.rank {
            let message = format!(
                "a tile of rank {} cannot be stored into a tensor of rank {}",
                shape.len(),
                tensor.rank
            );
            let help = if shape.len() + 1 == tensor.rank {
                format!(
                    "write `{0}.unsqueeze(0)` or `{0}.unsqueeze(1)` to add the missing axis",
                    ast::operand_text(written)
                )
            } else {
                let axes = if tensor.rank == 1 { "axis" } else { "axes" };
                format!(
                    "write `.reshape([..])` to give the tile {} {axes}",
                    tensor.rank
                )
            };
            self.error(
                Diagnostic::error(Code::RankMismatch, written.loc, message)
                    .label(receiver.1.loc, format!("`{tensor_text}` is `{tensor_ty}`"))
                    .label(
                        written.loc,
                        format!("`{}` is `{}`", ast::text(written), self.show(&ty)),
                    )
                    .help(help),
            );
            return None;
        }
        let want = Elem::Known(tensor.element);
        if !self.unify_elem(want, elem) {
            let expected = Ty::Tile(want, shape);
            let (_, help) = self.mismatch(&expected, &ty, Some(written));
            let message = format!(
                "`{tensor_text}` holds `{}`, and the tile is `{}`",
                tensor.element.name(),
                self.show(&ty)
            );
            let help =
                help.unwrap_or_else(|| format!("write a tile of `{}`", tensor.element.name()));
            self.error(
                Diagnostic::error(Code::TypeMismatch, written.loc, message)
                    .note("numbers are never converted silently, as in Rust")
                    .help(help),
            );
            return None;
        }
        let partition = Ty::Partition(PartitionTy {
            tensor: tensor.clone(),
            tile: shape,
            padding: PaddingValue::Zero,
        });
        let view = self.push(ExprKind::Partition(receiver.0), partition, loc);
        Some(self.push(ExprKind::Store(view, index?, tile), Ty::unit(), loc))
    }

    /// Refuses a store through `&Tensor`.
    fn writable(&mut self, tensor: &TensorTy, at: &Name) -> Option<()> {
        if tensor.mutable {
            return Some(());
        }
        let param = &self.locals[tensor.param];
        let (name, declared) = (param.name.clone(), param.loc);
        let ty = format!("Tensor<{}, {}>", tensor.element.name(), tensor.rank);
        self.error(
            Diagnostic::error(
                Code::Immutable,
                at.loc,
                format!("`{name}` is stored to, but it is a shared reference"),
            )
            .label(declared, format!("`{name}` is `&{ty}`"))
            .help(format!("declare it as `{name}: &mut {ty}`")),
        );
        None
    }

    fn tensor_rank(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        list: &ast::Expr,
        found: usize,
        what: &str,
    ) {
        let axes = if tensor.rank == 1 { "axis" } else { "axes" };
        let entries = if found == 1 { "entry" } else { "entries" };
        let text = ast::text(receiver.1);
        let ty = Ty::Tensor(tensor.clone());
        self.error(
            Diagnostic::error(
                Code::RankMismatch,
                list.loc,
                format!(
                    "{what} needs one entry per axis, found {found} {entries} for {} {axes}",
                    tensor.rank
                ),
            )
            .label(receiver.1.loc, format!("`{text}` is `{ty}`"))
            .help(format!("write {} in the brackets", count(tensor.rank))),
        );
    }

    /// A tile index in brackets; `None` after a report.
    fn index(
        &mut self,
        list: &ast::Expr,
        rank: usize,
        receiver: Operand<'_>,
    ) -> Option<Vec<ExprId>> {
        let items = self.list(list)?;
        let ids: Vec<ExprId> = items.iter().map(|item| self.expr(item)).collect();
        if items.len() != rank {
            let entries = if items.len() == 1 { "entry" } else { "entries" };
            let axes = if rank == 1 { "axis" } else { "axes" };
            let text = format!(
                "`{}` is `{}`",
                ast::text(receiver.1),
                self.show_expr(receiver.0)
            );
            self.error(
                Diagnostic::error(
                    Code::RankMismatch,
                    list.loc,
                    format!(
                        "a tile index needs one entry per axis, found {} {entries} for {rank} {axes}",
                        items.len()
                    ),
                )
                .label(receiver.1.loc, text)
                .help(format!("write {} in the brackets", count(rank))),
            );
            return None;
        }
        let mut fine = true;
        for (&id, item) in ids.iter().zip(items) {
            let ty = self.ty(id);
            let integer = match &ty {
                Ty::Error => {
                    fine = false;
                    continue;
                }
                Ty::Scalar(elem) => self.kind_of(*elem) == Kind::Integer,
                _ => false,
            };
            if integer {
                continue;
            }
            fine = false;
            let help = match &ty {
                Ty::Scalar(_) => format!("write `{} as i32`", ast::operand_text(item)),
                _ => "write an integer, such as `block_id(0)` or a loop variable".to_owned(),
            };
            let shown = self.show(&ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    item.loc,
                    format!("a tile index is an integer, found `{shown}`"),
                )
                .note("an index counts tiles, not elements")
                .help(help),
            );
        }
        fine.then_some(ids)
    }
}

fn count(entries: usize) -> String {
    if entries == 1 {
        "one entry".to_owned()
    } else {
        format!("{entries} entries")
    }
}
