//! Checks access to elements of tensors by element index (one, or one per element of a tile of
//! indices), and operations that are allowed only in `unsafe`.

use super::Checker;
use super::types::{Kind, Operand};
use crate::hir::ty::{Padding, PaddingValue, shape_text};
use crate::hir::{Elem, ExprId, ExprKind, Memory, TensorTy, Ty};
use crate::parse::ast::{self, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The form of an element index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Indices {
    /// A number per axis.
    Numbers,
    /// Numbers and tiles, which stretch to one tile shape.
    Tiles,
    /// Either of the two.
    NumbersOrTiles,
}

impl Checker<'_> {
    pub(super) fn is_integer(&self, elem: Elem) -> bool {
        self.kind_of(elem) == Kind::Integer
    }

    /// Checks that an entry of an index is an integer; `false` after an error.
    pub(super) fn number_index(&mut self, (id, item): Operand<'_>, what: &str) -> bool {
        let ty = self.ty(id);
        let integer = match &ty {
            Ty::Error => return false,
            Ty::Scalar(elem) => self.is_integer(*elem),
            _ => false,
        };
        if !integer {
            let help = match &ty {
                Ty::Scalar(_) => format!("write `{} as i32`", ast::operand_text(item)),
                _ => "write an integer, such as `block_id(0)` or a loop variable".to_owned(),
            };
            let message = format!("{what} is an integer, found `{}`", self.show(&ty));
            self.error(Diagnostic::error(Code::TypeMismatch, item.loc, message).help(help));
        }
        integer
    }

    /// Returns element indices, stretched to one shape; `None` after an error.
    pub(super) fn element_index(
        &mut self,
        list: &ast::Expr,
        rank: usize,
        receiver: Operand<'_>,
        (what, indices): (&str, Indices),
    ) -> Option<(Vec<ExprId>, Vec<i64>)> {
        let items = self.list(list)?;
        let ids: Vec<ExprId> = items.iter().map(|item| self.expr(item)).collect();
        if !self.one_per_axis(list, items.len(), rank, receiver) {
            return None;
        }
        let operands: Vec<Operand<'_>> = ids.iter().copied().zip(items).collect();
        if indices == Indices::Numbers {
            let mut fine = true;
            for &operand in &operands {
                fine &= self.element_number(operand, list, receiver, what);
            }
            return fine.then_some((ids, Vec::new()));
        }
        let mut fine = true;
        for &operand in &operands {
            fine &= self.element_integers(operand);
        }
        if !fine {
            return None;
        }
        let (ids, shape) = self.stretch_all(&operands, list.loc, what)?;
        if shape.is_empty() && indices == Indices::Tiles {
            let text = ast::text(receiver.1);
            let list_text = ast::text(list);
            let help = match what {
                "gather" | "gather_padded" => {
                    let rank = match &list.kind {
                        ast::ExprKind::Array(items) => items.len(),
                        _ => 1,
                    };
                    let ones = vec!["1"; rank].join(", ");
                    format!(
                        "write `{text}.at({list_text})` for the element, or `{text}.load({list_text}, [{ones}])` for a tile of it"
                    )
                }
                _ => "make one of the indices a tile, as in `full([1], i)`".to_owned(),
            };
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    list.loc,
                    format!("`{what}` needs a tile of indices, found numbers only"),
                )
                .help(help),
            );
            return None;
        }
        Some((ids, shape))
    }

    /// Checks an index of one element along an axis.
    fn element_number(
        &mut self,
        operand: Operand<'_>,
        list: &ast::Expr,
        receiver: Operand<'_>,
        what: &str,
    ) -> bool {
        if !matches!(self.ty(operand.0), Ty::Tile(..)) {
            return self.number_index(operand, "an element index");
        }
        let text = ast::text(receiver.1);
        let (message, help) = if what == "load_at" {
            (
                "`load_at` begins at one element, found a tile of indices".to_owned(),
                format!("write `{text}.gather([..])` with an index for each element"),
            )
        } else {
            (
                format!("`{what}` reads one element, found a tile of indices"),
                format!("write `{text}.gather({})`", ast::text(list)),
            )
        };
        self.error(Diagnostic::error(Code::TypeMismatch, operand.1.loc, message).help(help));
        false
    }

    /// Checks that the indices of elements along an axis are integers.
    fn element_integers(&mut self, (id, item): Operand<'_>) -> bool {
        let ty = self.ty(id);
        let integer = match &ty {
            Ty::Error => return false,
            Ty::Scalar(elem) | Ty::Tile(elem, _) => self.is_integer(*elem),
            _ => false,
        };
        if integer {
            return true;
        }
        let help = match &ty {
            Ty::Tile(..) => format!("write `{}.cast::<i32>()`", ast::operand_text(item)),
            Ty::Scalar(_) => format!("write `{} as i32`", ast::operand_text(item)),
            _ => "write a tile of integers, such as one that was loaded".to_owned(),
        };
        let message = format!(
            "an element index is made of integers, found `{}`",
            self.show(&ty)
        );
        self.error(Diagnostic::error(Code::TypeMismatch, item.loc, message).help(help));
        false
    }

    /// Checks `x.at([i, j])`.
    pub(super) fn at(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        index: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let method = ("at", Indices::Numbers);
        let (index, _) = self.element_index(index, tensor.rank, receiver, method)?;
        let kind = Memory::Gather {
            tensor: receiver.0,
            index,
            padding: PaddingValue::Zero.into(),
        };
        Some(self.push(ExprKind::Memory(kind), Ty::scalar(tensor.element), loc))
    }

    /// Checks `x.gather([i, j])`.
    pub(super) fn gather(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        index: &ast::Expr,
        padding: Padding,
        loc: Loc,
    ) -> Option<ExprId> {
        let method = ("gather", Indices::Tiles);
        let (index, shape) = self.element_index(index, tensor.rank, receiver, method)?;
        let kind = Memory::Gather {
            tensor: receiver.0,
            index,
            padding,
        };
        let ty = Ty::Tile(Elem::Known(tensor.element), shape);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// Checks `x.load_at([i, j], [m, n])`.
    pub(super) fn window(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        (start, shape): (&ast::Expr, &ast::Expr),
        padding: Padding,
        loc: Loc,
    ) -> Option<ExprId> {
        let method = ("load_at", Indices::Numbers);
        let index = self.element_index(start, tensor.rank, receiver, method);
        let tile = self.shape_argument(shape)?;
        if tile.len() != tensor.rank {
            self.tensor_rank(receiver, tensor, shape, tile.len(), "a tile shape");
            return None;
        }
        let (start, _) = index?;
        let kind = Memory::Window {
            tensor: receiver.0,
            start,
            padding,
        };
        let ty = Ty::Tile(Elem::Known(tensor.element), tile);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// Checks `x.scatter([i, j], tile)`.
    pub(super) fn scatter(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        (name, index, written): (&Name, &ast::Expr, &ast::Expr),
        loc: Loc,
    ) -> Option<ExprId> {
        let method = ("scatter", Indices::Tiles);
        let index = self.element_index(index, tensor.rank, receiver, method);
        let value = self.expr(written);
        self.writable(tensor, name)?;
        self.needs_unsafe(
            name,
            "`scatter`",
            "two of the indices, of one block or of two, may name one place",
        );
        let (index, shape) = index?;
        let value = self.element_operand((value, written), tensor, &shape, "scatter")?;
        let kind = Memory::Scatter {
            tensor: receiver.0,
            index,
            value,
        };
        Some(self.push(ExprKind::Memory(kind), Ty::unit(), loc))
    }

    /// Stretches a number or tile of the element type of a tensor to the shape of the indices;
    /// `None` after an error.
    pub(super) fn element_operand(
        &mut self,
        (id, written): Operand<'_>,
        tensor: &TensorTy,
        shape: &[i64],
        what: &str,
    ) -> Option<ExprId> {
        let ty = self.ty(id);
        let fits = match &ty {
            Ty::Error => return None,
            Ty::Scalar(_) => true,
            Ty::Tile(_, operand_shape) => {
                operand_shape.len() == shape.len()
                    && operand_shape
                        .iter()
                        .zip(shape)
                        .all(|(&operand_shape, &dim)| operand_shape == dim || operand_shape == 1)
            }
            _ => false,
        };
        if !fits {
            let code = match &ty {
                Ty::Tile(_, operand_shape) if operand_shape.len() == shape.len() => {
                    Code::ShapeMismatch
                }
                Ty::Tile(..) => Code::RankMismatch,
                _ => Code::TypeMismatch,
            };
            let shown = self.show(&ty);
            self.error(
                Diagnostic::error(
                    code,
                    written.loc,
                    format!("`{what}` at indices of shape {} cannot take `{shown}`", shape_text(shape)),
                )
                .note("there is an element for each index; a number, and an axis of extent 1, are repeated")
                .help(if shape.is_empty() {
                    "write a number, or make one of the indices a tile".to_owned()
                } else {
                    format!("write a tile of shape {}", shape_text(shape))
                }),
            );
            return None;
        }
        let (elem, operand_shape) = ty.number()?;
        if !self.unify_elem(Elem::Known(tensor.element), elem) {
            let expected = Ty::from_shape(Elem::Known(tensor.element), operand_shape);
            let why = || "numbers are never converted silently, as in Rust".to_owned();
            self.expect(&expected, (id, written), why);
            return None;
        }
        Some(self.stretch(id, shape))
    }

    /// Reports an operation outside of `unsafe` that requires it.
    pub(super) fn needs_unsafe(&mut self, name: &Name, what: &str, why: &str) {
        if self.safety.allows_unsafe() {
            return;
        }
        self.error(
            Diagnostic::error(
                Code::NeedsUnsafe,
                name.loc,
                format!("{what} needs an `unsafe` block"),
            )
            .note(why)
            .help("make sure that it is right, and write `unsafe { .. }` around it"),
        );
    }

    /// Adds a store of a tile, which the race check considers unless it is in an `unsafe` block.
    pub(super) fn push_store(&mut self, kind: ExprKind, loc: Loc) -> ExprId {
        let id = self.push(kind, Ty::unit(), loc);
        if self.safety.in_block() {
            self.safety.vouched.insert(id);
        }
        id
    }
}
