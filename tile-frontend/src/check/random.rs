//! Checks random numbers: Philox 4x32-10 and functions of it.

use super::Checker;
use super::calls::{Callee, FunctionCall};
use super::types::{Kind, Operand};
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, ExprKind, RandomOp, TileOp, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Checks `philox((k0, k1), (c0, c1, c2, c3))`.
    pub(super) fn philox(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let [key, counter] = self.arguments::<2>(callee, args, loc)?;
        let key = self.words::<2>(callee, key, "the key")?;
        let counter = self.words::<4>(callee, counter, "the counter")?;
        let operands: Vec<Operand<'_>> = key.into_iter().chain(counter).collect();
        // If the key consists of numbers, it stays scalar, so that the round keys derived from it
        // are scalar too.
        let (ids, shape) = self.stretch_all(&operands, callee.name.loc, "philox")?;
        let key = [operands[0].0, operands[1].0];
        let keys_are_numbers = key.iter().all(|&id| matches!(self.ty(id), Ty::Scalar(_)));
        let key = if keys_are_numbers {
            key
        } else {
            [ids[0], ids[1]]
        };
        let counter = [ids[2], ids[3], ids[4], ids[5]];
        let word = Ty::from_shape(Elem::Known(HostScalar::U32), &shape);
        let ty = Ty::Tuple(vec![word; 4]);
        Some(self.push(ExprKind::Op(TileOp::Philox { key, counter }), ty, loc))
    }

    /// Checks a tuple of `N` numbers or tiles of `u32`.
    fn words<'e, const N: usize>(
        &mut self,
        callee: &Callee<'_>,
        written: &'e ast::Expr,
        what: &str,
    ) -> Option<[Operand<'e>; N]> {
        let items: Option<&'e [ast::Expr; N]> = match &written.kind {
            ast::ExprKind::Tuple(items) => items.as_slice().try_into().ok(),
            ast::ExprKind::Error => return None,
            _ => None,
        };
        let Some(items) = items else {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    written.loc,
                    format!(
                        "{what} is a tuple of {N} `u32`, found `{}`",
                        ast::text(written)
                    ),
                )
                .help(format!("write `{}`", callee.usage)),
            );
            return None;
        };
        let operands = items.each_ref().map(|item| (self.expr(item), item));
        let mut fine = true;
        for operand in operands {
            let ty = self.ty(operand.0);
            let Some((_, shape)) = ty.number() else {
                if !ty.is_error() {
                    self.not_a_number(callee, &ty, operand.1);
                }
                fine = false;
                continue;
            };
            let expected = Ty::from_shape(Elem::Known(HostScalar::U32), shape);
            fine &= self.expect(&expected, operand, || format!("{what} is made of `u32`"));
        }
        fine.then_some(operands)
    }

    /// Checks `rand_uniform(seed, offsets)`.
    pub(super) fn random(
        &mut self,
        op: RandomOp,
        scalar: HostScalar,
        call: &FunctionCall<'_>,
    ) -> Option<ExprId> {
        let [seed, offsets] = self.function_arguments::<2>(call)?;
        let (seed_id, offsets_id) = (self.expr(seed), self.expr(offsets));
        for (id, written, what) in [
            (seed_id, seed, "the seed"),
            (offsets_id, offsets, "the offsets"),
        ] {
            let ty = self.ty(id);
            if ty.is_error() {
                return None;
            }
            let integers = ty
                .number()
                .is_some_and(|(elem, _)| self.kind_of(elem) == Kind::Integer);
            let single = what != "the seed" || matches!(ty, Ty::Scalar(_));
            if integers && single {
                continue;
            }
            let shown = self.show(&ty);
            let (rule, help) = if what == "the seed" {
                (
                    "one integer",
                    "write one integer, such as a parameter `seed: u64`",
                )
            } else {
                (
                    "an integer or a tile of them",
                    "number the elements, as in `block_id(0) * 64 + iota(64)`",
                )
            };
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    written.loc,
                    format!(
                        "`{}` takes {rule} as {what}, found `{shown}`",
                        call.name.text
                    ),
                )
                .help(help),
            );
            return None;
        }
        let ty = self.ty(offsets_id);
        let (_, shape) = ty.number()?;
        let ty = Ty::from_shape(Elem::Known(scalar), shape);
        let kind = ExprKind::Op(TileOp::Random(op, seed_id, offsets_id));
        Some(self.push(kind, ty, call.loc))
    }
}
