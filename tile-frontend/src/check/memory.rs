//! Checks methods of tensors, and access to tiles of tensors by tile index.

use super::Checker;
use super::language::PADDINGS;
use super::math::MethodCall;
use super::types::{Kind, Operand};
use crate::hir::signature::HostScalar;
use crate::hir::ty::Padding;
use crate::hir::{Const, Elem, ExprId, ExprKind, PartitionTy, TensorTy, Ty};
use crate::parse::ast::{self, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::types::PaddingValue;

impl Checker<'_> {
    /// Checks a method that gives a number for an axis of a tensor.
    pub(super) fn tensor_axis(
        &mut self,
        tensor: &TensorTy,
        call: &MethodCall<'_>,
        scalar: HostScalar,
        make_kind: fn(ExprId, usize) -> ExprKind,
    ) -> Option<ExprId> {
        let [axis] = self.method_arguments::<1>(call)?;
        let axis = self.axis(axis, tensor.rank, "the tensor")?;
        let kind = make_kind(call.receiver.0, axis);
        Some(self.push(kind, Ty::scalar(scalar), call.loc))
    }

    pub(super) fn padding_for(
        &mut self,
        written: &ast::Expr,
        element: HostScalar,
    ) -> Option<Padding> {
        let named = match &written.kind {
            ast::ExprKind::Path(names) => match names.as_slice() {
                // The bare name of a padding is most probably not meant as a number.
                [name] => PADDINGS.has(&name.text),
                [.., ty, _] => ty.text == PADDINGS.name,
                [] => true,
            },
            ast::ExprKind::Error => true,
            _ => false,
        };
        if !named {
            return self.padding_number(written, element);
        }
        let padding = self.padding(written)?;
        if padding == PaddingValue::Zero || element.is_float() {
            return Some(padding.into());
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
            .help(match element {
                HostScalar::Bool => "write `true`, or `Padding::Zero` for `false`".to_owned(),
                _ => format!("write the number itself, such as `{}::MIN`", element.name()),
            }),
        );
        None
    }

    /// Evaluates a constant number given instead of a `Padding`.
    fn padding_number(&mut self, written: &ast::Expr, element: HostScalar) -> Option<Padding> {
        let id = self.expr(written);
        if self.ty(id).is_error() {
            return None;
        }
        if !self.expect(&Ty::scalar(element), (id, written), || {
            "what is loaded beyond the edge is a number of the elements of the tensor, or a `Padding`"
                .to_owned()
        }) {
            return None;
        }
        let scalar = element.scalar();
        let bits = match (self.constant(id), self.float_constant(id)) {
            (Some(Const::Int(value)), _) if element.is_integer() => {
                crate::build::integer_bits(scalar, value)
            }
            (Some(Const::Bool(value)), _) => u64::from(value),
            (_, Some(value)) => crate::build::float_bits(scalar, value),
            _ => {
                self.error(
                    Diagnostic::error(
                        Code::NotConstant,
                        written.loc,
                        format!(
                            "what is loaded beyond the edge must be known at compile time, and `{}` is not",
                            ast::text(written)
                        ),
                    )
                    .note("known are literals, const parameters, arithmetic on them and a `let` of these")
                    .help("load with a constant, and choose the value with `select`"),
                );
                return None;
            }
        };
        Some(Padding::Bits(bits))
    }

    pub(super) fn cut(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        shape: &ast::Expr,
        padding: Padding,
        loc: Loc,
    ) -> Option<ExprId> {
        let tile = self.shape_argument(shape)?;
        if tile.len() != tensor.rank {
            self.tensor_rank(receiver, tensor, shape, tile.len(), "a tile shape");
            return None;
        }
        let ty = Ty::Partition(PartitionTy::new(tensor.clone(), tile, padding));
        Some(self.push(ExprKind::Partition(receiver.0), ty, loc))
    }

    pub(super) fn load_tile(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        index: &ast::Expr,
        shape: &ast::Expr,
        padding: Padding,
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

    pub(super) fn store_tile(
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
                    _ => self.load_help(&ty, written),
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
        let partition = PartitionTy::new(tensor.clone(), shape, PaddingValue::Zero);
        let view = self.push(
            ExprKind::Partition(receiver.0),
            Ty::Partition(partition),
            loc,
        );
        let kind = ExprKind::Store(view, index?, tile);
        Some(self.push_store(kind, loc))
    }

    /// Reports a store through `&Tensor`.
    pub(super) fn writable(&mut self, tensor: &TensorTy, tensor_name: &Name) -> Option<()> {
        if tensor.mutable {
            return Some(());
        }
        let param = &self.locals[tensor.param];
        let (name, declared) = (param.name.clone(), param.loc);
        let ty = format!("Tensor<{}, {}>", tensor.element.name(), tensor.rank);
        self.error(
            Diagnostic::error(
                Code::Immutable,
                tensor_name.loc,
                format!("`{name}` is stored to, but it is a shared reference"),
            )
            .label(declared, format!("`{name}` is `&{ty}`"))
            .help(format!("declare it as `{name}: &mut {ty}`")),
        );
        None
    }

    pub(super) fn tensor_rank(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        list: &ast::Expr,
        result: usize,
        what: &str,
    ) {
        let axes = if tensor.rank == 1 { "axis" } else { "axes" };
        let entries = if result == 1 { "entry" } else { "entries" };
        let text = ast::text(receiver.1);
        let ty = Ty::Tensor(tensor.clone());
        // Keep the last entries, and pad with ones in front: the last axes are the innermost ones.
        let help = match &list.kind {
            ast::ExprKind::Array(items) => {
                let items: Vec<String> = items.iter().map(ast::full_text).collect();
                let more = tensor.rank.saturating_sub(items.len());
                let kept = items.iter().skip(items.len().saturating_sub(tensor.rank));
                let ones = std::iter::repeat_n("1", more);
                let padded: Vec<&str> = ones.chain(kept.map(String::as_str)).collect();
                format!(
                    "write {}, such as `[{}]`",
                    entry_count(tensor.rank),
                    padded.join(", ")
                )
            }
            _ => format!("write {} in the brackets", entry_count(tensor.rank)),
        };
        self.error(
            Diagnostic::error(
                Code::RankMismatch,
                list.loc,
                format!(
                    "{what} needs one entry per axis, found {result} {entries} for {} {axes}",
                    tensor.rank
                ),
            )
            .label(receiver.1.loc, format!("`{text}` is `{ty}`"))
            .help(help),
        );
    }

    /// Checks a tile index in brackets; `None` after an error.
    pub(super) fn index(
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
            let missing = |axis| self.usual_name(axis).unwrap_or("0").to_owned();
            let fitting = super::suggest::fitted(list, rank, missing);
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
                .help(match fitting {
                    Some(entries) => {
                        format!("write {}, such as `[{}]`", entry_count(rank), entries.join(", "))
                    }
                    None => format!("write {} in the brackets", entry_count(rank)),
                }),
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

pub(super) fn entry_count(entries: usize) -> String {
    if entries == 1 {
        "one entry".to_owned()
    } else {
        format!("{entries} entries")
    }
}
