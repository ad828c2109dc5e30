//! Builds operations on tiles and numbers other than operators and functions.

use super::{Build, Val, tile_type};
use crate::hir::{ExprId, TileOp};
use tile_core::Loc;
use tile_core::ir::{Attr, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, FloatOp, MiscOp};
use tile_core::types::Type;

impl<'k> Build<'k, '_> {
    pub(super) fn tile_op(&mut self, op: &'k TileOp, id: ExprId, loc: Loc) -> Val {
        Val::Tile(match op {
            TileOp::Rounded(op, args, mode) => self.rounded(*op, args, *mode, loc),
            TileOp::CastWith(value, rounding) => {
                let to = self.element(id);
                self.cast_with(*value, to, *rounding, loc)
            }
            TileOp::SaturatingCast(value) => {
                let to = self.element(id);
                self.saturating_cast(*value, to, loc)
            }
            TileOp::SinCos(value) => return self.sin_cos(*value, loc),
            TileOp::Unchecked(op, lhs, rhs) => self.unchecked(*op, [*lhs, *rhs], loc),
            TileOp::UncheckedShift(op, lhs, rhs) => self.unchecked_shift(*op, [*lhs, *rhs], loc),
            TileOp::BitCast(value) => {
                let (from, to) = (self.element(*value).scalar(), self.element(id).scalar());
                let value = self.tile(*value);
                if from == to {
                    value
                } else {
                    self.b.convert(ConversionOp::BitCast, value, to, None, loc)
                }
            }
            TileOp::Extract(source, index) => self.extract(*source, index, id, loc),
            TileOp::Take(source, index, axis) => self.take(*source, *index, *axis, loc),
            TileOp::Cat(lhs, rhs, axis) => self.cat([*lhs, *rhs], *axis, id, loc),
            TileOp::Scan(op, source, axis, direction) => {
                self.reduce(*op, Some(*direction), (*source, *axis), id, loc)
            }
            TileOp::Arg(op, source, axis) => self.arg_reduce(*op, (*source, *axis), id, loc),
            TileOp::Fold(fold) => return self.fold(fold, id, loc),
            TileOp::MmaScaled(args) => self.mma_scaled(args, id, loc),
            TileOp::Philox { key, counter } => return self.philox(*key, *counter, loc),
            TileOp::Random(op, seed, offsets) => self.random(*op, *seed, *offsets, loc),
            TileOp::Print(format, args) => {
                self.print(format, args, loc);
                return Val::Tuple(Vec::new());
            }
            TileOp::Assert(cond, message) => {
                let cond = self.tile(*cond);
                self.b
                    .op(ControlFlowOp::Assert, loc)
                    .args(&[cond])
                    .attr("message", Attr::Str(message.as_str().into()))
                    .finish();
                return Val::Tuple(Vec::new());
            }
            TileOp::Assume(value, predicate) => {
                let value = self.tile(*value);
                self.b.assume(value, predicate.clone(), loc)
            }
            TileOp::Ptx(text) => return self.inline_ptx(text, id, loc),
            TileOp::OnCpu => unreachable!("the branch is chosen in place"),
        })
    }

    fn mma_scaled(&mut self, args: &[ExprId; 5], id: ExprId, loc: Loc) -> ValueId {
        let [lhs, lhs_scale, rhs, rhs_scale, acc] = args.map(|arg| self.tile(arg));
        let ty = tile_type(self.ty(id));
        self.b
            .op(FloatOp::MmaFScaled, loc)
            .args(&[lhs, rhs, acc, lhs_scale, rhs_scale])
            .result(ty)
            .finish_value()
    }

    fn print(&mut self, format: &str, args: &[ExprId], loc: Loc) {
        let values: Vec<ValueId> = args.iter().map(|&arg| self.tile(arg)).collect();
        self.b
            .op(MiscOp::PrintTko, loc)
            .operands("args", &values)
            .attr("str", Attr::Str(format.into()))
            .result(Type::token())
            .finish();
    }
}
