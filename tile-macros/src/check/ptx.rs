//! `ptx!`: text in PTX, and what the CPU device computes in its place.
//!
//! The inputs are computed once and bound to variables. Behind these stands
//! `if (the code is of the CPU device) { body } else { text }`, of which the builder takes one
//! branch, so that whatever follows values through a kernel needs to know nothing of it.

use super::types::convert_help;
use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::walk::each_expr;
use crate::hir::{Block, Elem, ExprId, ExprKind, Ptx, Stmt, TileOp, Ty};
use crate::parse::ast::{self, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::types::Element;
use tile_core::verify::has_ptx_register;

/// Operands whose types are not known yet.
pub(super) struct OpenPtx {
    /// Inputs, their places and what is written there.
    ins: Vec<(ExprId, Loc, String)>,
    /// Element types of outputs, and their places.
    outs: Vec<(Elem, Loc)>,
}

impl Checker<'_> {
    pub(super) fn inline_ptx(&mut self, call: &ast::Ptx, loc: Loc) -> ExprId {
        let name = Name {
            text: "ptx!".to_owned(),
            loc,
        };
        self.needs_unsafe(
            &name,
            "`ptx!`",
            "nothing checks what the text does: it must give every thread that runs it the same results for the same \
             inputs, and leave alone what it does not own",
        );
        if !self.closures.is_empty() {
            self.error(
                Diagnostic::error(
                    Code::UnsupportedSyntax,
                    loc,
                    "`ptx!` cannot be used in a closure",
                )
                .note("how the elements of a reduction meet is chosen for each GPU")
                .help("use it on the tile, before or behind the reduction"),
            );
            return self.poison(loc);
        }
        let mut fine = true;
        let mut stmts = Vec::new();
        let mut reads = Vec::new();
        for written in &call.ins {
            let id = self.expr(written);
            let ty = self.ty(id);
            if ty.is_error() {
                fine = false;
                continue;
            }
            if ty.number().is_none() {
                let shown = self.show(&ty);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        written.loc,
                        format!("an input of `ptx!` is a number or a tile, found `{shown}`"),
                    )
                    .help(self.load_help(&ty, written)),
                );
                fine = false;
                continue;
            }
            let local = self.new_local("", ty.clone(), false, written.loc);
            stmts.push(Stmt::Bind(local, id));
            reads.push((local, ty, written));
        }
        let mut outs = Vec::new();
        for (written, at) in &call.outs {
            match self.annotation(written) {
                Ty::Scalar(elem) => outs.push((elem, *at)),
                Ty::Error => fine = false,
                other => {
                    let shown = self.show(&other);
                    self.error(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            *at,
                            format!(
                                "an output of `ptx!` is given by its element type, found `{shown}`"
                            ),
                        )
                        .note("its shape is that of the inputs")
                        .help("write `out(f32)`, with the element type"),
                    );
                    fine = false;
                }
            }
        }
        if !fine {
            return self.poison(loc);
        }
        let read = |checker: &mut Self| -> Vec<(ExprId, &ast::Expr)> {
            let each = reads.iter().map(|(local, ty, written)| {
                let kind = ExprKind::Local(*local);
                (checker.push(kind, ty.clone(), written.loc), *written)
            });
            each.collect()
        };
        let operands = read(self);
        let given = read(self);
        let Some((ins, shape)) = self.stretch_all(&operands, loc, "`ptx!`") else {
            return self.poison(loc);
        };
        self.texts.push(OpenPtx {
            ins: operands
                .iter()
                .map(|&(id, written)| (id, written.loc, ast::operand_text(written)))
                .collect(),
            outs: outs.clone(),
        });
        let mut types: Vec<Ty> = outs
            .iter()
            .map(|&(elem, _)| Ty::of_shape(elem, &shape))
            .collect();
        let ty = match types.len() {
            1 => types.remove(0),
            _ => Ty::Tuple(types),
        };
        let text = ExprKind::Op(TileOp::Ptx(Box::new(Ptx {
            text: call.text.clone(),
            ins,
            pure: call.pure,
        })));
        let mut value = self.push(text, ty.clone(), call.loc);
        if let Some(body) = &call.cpu {
            let Some(body) = self.body_on_cpu(body, &given, &ty) else {
                return self.poison(loc);
            };
            let cond = ExprKind::Op(TileOp::OnCpu);
            let cond = self.push(cond, Ty::scalar(HostScalar::Bool), loc);
            let text = Block {
                stmts: Vec::new(),
                tail: Some(value),
            };
            value = self.push(ExprKind::If(cond, body, Some(text)), ty.clone(), loc);
        }
        let block = Block {
            stmts,
            tail: Some(value),
        };
        self.push(ExprKind::Block(block), ty, loc)
    }

    /// The closure that stands for the text, applied to the inputs.
    fn body_on_cpu(
        &mut self,
        written: &ast::Expr,
        given: &[(ExprId, &ast::Expr)],
        ty: &Ty,
    ) -> Option<Block> {
        let usage = || {
            let names: Vec<String> = (0..given.len()).map(|at| format!("x{at}")).collect();
            format!("write `cpu = |{}| ..`", names.join(", "))
        };
        let ast::ExprKind::Closure(closure) = &written.kind else {
            if !matches!(written.kind, ast::ExprKind::Error) {
                let message = format!("expected a closure, found `{}`", ast::text(written));
                self.error(
                    Diagnostic::error(Code::BadArguments, written.loc, message).help(usage()),
                );
            }
            return None;
        };
        if closure.params.len() != given.len() {
            let message = format!(
                "the closure takes {} values, and the text has {} inputs",
                closure.params.len(),
                given.len()
            );
            self.error(
                Diagnostic::error(Code::BadArguments, written.loc, message)
                    .note("the closure takes the inputs, in their order")
                    .help(usage()),
            );
            return None;
        }
        let mark = self.scopes.enter();
        self.frames.push(Frame::Branch);
        let mut stmts = Vec::new();
        for ((pat, annotation), &(value, of)) in closure.params.iter().zip(given) {
            if let Some(annotation) = annotation {
                let expected = self.annotation(annotation);
                self.expect(&expected, (value, of), || {
                    "the parameters of the closure are the inputs of the text".to_owned()
                });
            }
            self.bind(pat, value, &mut stmts);
        }
        let result = self.expr_as(&closure.body, ty);
        self.frames.pop();
        self.scopes.leave(mark);
        let mut leaves = None;
        each_expr(&self.exprs, result, &mut |_, expr| {
            if let ExprKind::Exit(target, _) | ExprKind::Continue(target) = expr.kind
                && self.open_targets.contains(&target)
            {
                leaves = Some(expr.loc);
            }
        });
        if let Some(at) = leaves {
            self.error(
                Diagnostic::error(
                    Code::BadJump,
                    at,
                    "a jump cannot leave the body of `ptx!` for the CPU device",
                )
                .note("the text does not jump, and both do the same")
                .help("end the closure with its value"),
            );
            return None;
        }
        let fits = self.expect(ty, (result, &closure.body), || {
            "the closure gives what the text gives: its outputs, of the shape of the inputs"
                .to_owned()
        });
        fits.then_some(Block {
            stmts,
            tail: Some(result),
        })
    }

    /// Reports operands that PTX has no register for, now that the types are known.
    pub(super) fn finish_texts(&mut self) {
        let misfit = |scalar: HostScalar| !has_ptx_register(Element::Scalar(scalar.scalar()));
        let wide = |scalar: HostScalar| match scalar {
            HostScalar::I8 => HostScalar::I32,
            HostScalar::U8 | HostScalar::Bool => HostScalar::U32,
            _ => HostScalar::F32,
        };
        for OpenPtx { ins, outs } in std::mem::take(&mut self.texts) {
            for (id, loc, text) in ins {
                let Some(scalar) = self.element_of(id).filter(|&scalar| misfit(scalar)) else {
                    continue;
                };
                let is_tile = matches!(self.exprs[id.index()].ty, Ty::Tile(..));
                let from_bool = scalar == HostScalar::Bool;
                let help = convert_help(&text, None, wide(scalar), from_bool, !is_tile);
                let message = format!("PTX has no register for a `{}`", scalar.name());
                self.error(
                    Diagnostic::error(Code::TypeMismatch, loc, message)
                        .note("its registers have 16, 32 or 64 bits")
                        .help(help),
                );
            }
            for (elem, loc) in outs {
                let Elem::Known(scalar) = self.resolve_elem(elem) else {
                    continue;
                };
                if misfit(scalar) {
                    let message = format!("PTX has no register for a `{}`", scalar.name());
                    self.error(
                        Diagnostic::error(Code::TypeMismatch, loc, message)
                            .note("its registers have 16, 32 or 64 bits: convert the result")
                            .help(format!("write `out({})`", wide(scalar).name())),
                    );
                }
            }
        }
    }
}
