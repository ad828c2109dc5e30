//! Checks methods of tensors, and access to tiles of tensors by tile index.

use super::Checker;
use super::calls::{Callee, PADDINGS};
use super::types::{Kind, Operand};
use crate::hir::signature::HostScalar;
use crate::hir::ty::Padding;
use crate::hir::{AtomicOp, Const, Elem, ExprId, ExprKind, Memory, PartitionTy, TensorTy, Ty};
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
        let text = name.text.as_str();
        let usage = match text {
            "load" => "t.load([i], [64])",
            "load_padded" => "t.load_padded([i], [64], Padding::NegInf)",
            "store" => "t.store([i], tile)",
            "partition" => "t.partition([64])",
            "strided" => "t.strided([64], [32])",
            "gather_view" => "t.gather_view(0, [64])",
            "load_at" => "t.load_at([i], [64])",
            "load_at_padded" => "t.load_at_padded([i], [64], Padding::NegInf)",
            "dim" => "t.dim(0)",
            "stride" => "t.stride(0)",
            "at" => "t.at([i])",
            "gather" => "t.gather([indices])",
            "gather_padded" => "t.gather_padded([indices], Padding::NegInf)",
            "scatter" => "t.scatter([indices], tile)",
            "as_ptr" => "t.as_ptr()",
            "as_mut_ptr" => "t.as_mut_ptr()",
            "atomic_cas" => "t.atomic_cas([indices], expected, new)",
            "atomic_cas_masked" => "t.atomic_cas_masked([indices], expected, new, mask)",
            "atomic_load" => "t.atomic_load([indices])",
            "atomic_load_masked" => "t.atomic_load_masked([indices], mask)",
            "atomic_store" => "t.atomic_store([indices], tile)",
            "atomic_store_masked" => "t.atomic_store_masked([indices], tile, mask)",
            _ if AtomicOp::parse(text).is_some_and(|method| method.masked) => {
                "t.atomic_add_masked([indices], tile, mask)"
            }
            _ if AtomicOp::parse(text).is_some() => "t.atomic_add([indices], tile)",
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
        if let Some(method) = AtomicOp::parse(text) {
            return self.atomic(receiver, tensor, &callee, method, args, loc);
        }
        match text {
            "load" => {
                let [index, shape] = self.arguments::<2>(&callee, args, loc)?;
                let padding = PaddingValue::Zero.into();
                self.load_tile(receiver, tensor, index, shape, padding, loc)
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
                self.cut(receiver, tensor, shape, PaddingValue::Zero.into(), loc)
            }
            "strided" => {
                let [shape, steps] = self.arguments::<2>(&callee, args, loc)?;
                self.strided(receiver, tensor, (shape, steps), loc)
            }
            "gather_view" => {
                let [axis, shape] = self.arguments::<2>(&callee, args, loc)?;
                self.gather_view(receiver, tensor, (axis, shape), loc)
            }
            "load_at" => {
                let [start, shape] = self.arguments::<2>(&callee, args, loc)?;
                let padding = PaddingValue::Zero.into();
                self.window(receiver, tensor, (start, shape), padding, loc)
            }
            "load_at_padded" => {
                let [start, shape, padding] = self.arguments::<3>(&callee, args, loc)?;
                let padding = self.padding_for(padding, tensor.element)?;
                self.window(receiver, tensor, (start, shape), padding, loc)
            }
            "at" => {
                let [index] = self.arguments::<1>(&callee, args, loc)?;
                self.at(receiver, tensor, index, loc)
            }
            "gather" => {
                let [index] = self.arguments::<1>(&callee, args, loc)?;
                self.gather(receiver, tensor, index, PaddingValue::Zero.into(), loc)
            }
            "gather_padded" => {
                let [index, padding] = self.arguments::<2>(&callee, args, loc)?;
                let padding = self.padding_for(padding, tensor.element)?;
                self.gather(receiver, tensor, index, padding, loc)
            }
            "scatter" => {
                let [index, value] = self.arguments::<2>(&callee, args, loc)?;
                self.scatter(receiver, tensor, (name, index, value), loc)
            }
            "as_ptr" | "as_mut_ptr" => {
                let [] = self.arguments::<0>(&callee, args, loc)?;
                self.address(receiver, tensor, name, loc)
            }
            _ => {
                let [axis] = self.arguments::<1>(&callee, args, loc)?;
                let axis = self.axis(axis, tensor.rank, "the tensor")?;
                let (kind, scalar) = if text == "dim" {
                    (ExprKind::Dim(receiver.0, axis), HostScalar::I32)
                } else {
                    let stride = Memory::Stride(receiver.0, axis);
                    (ExprKind::Memory(stride), HostScalar::I64)
                };
                Some(self.push(kind, Ty::scalar(scalar), loc))
            }
        }
    }

    pub(super) fn padding_for(
        &mut self,
        written: &ast::Expr,
        element: HostScalar,
    ) -> Option<Padding> {
        let named = match &written.kind {
            ast::ExprKind::Path(names) => match names.as_slice() {
                // The bare name of a padding is most probably not meant as a number.
                [name] => PADDINGS
                    .iter()
                    .any(|(padding_name, _)| *padding_name == name.text),
                [.., ty, _] => ty.text == "Padding",
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

    fn load_tile(
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
