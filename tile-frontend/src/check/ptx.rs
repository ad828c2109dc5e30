//! Checks `ptx!`: inline PTX, and the code that the CPU device runs instead.
//!
//! The inputs are evaluated once and bound to variables. They are followed by `if (the code is of
//! the CPU device) { body } else { text }`. The builder keeps one of the branches, so dataflow
//! analyses need no special case for `ptx!`.

use super::registers::{OpenPtx, write_instead};
use super::types::Kind;
use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::walk::each_expr;
use crate::hir::{
    Block, Const, Elem, ExprId, ExprKind, LocalId, Ptx, PtxOperand, PtxPiece, Stmt, TileOp, Ty,
};
use crate::parse::ast::{self, Name, PtxKind};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::verify::MAX_PACKED;

/// The operands as written, while they are checked one by one.
#[derive(Default)]
struct Operands<'e> {
    /// The statements that evaluate the inputs before the text.
    stmts: Vec<Stmt>,
    /// The variables that hold the inputs.
    reads: Vec<(LocalId, Ty, &'e ast::Expr)>,
    /// Element types of outputs, and the location of each type that is written.
    outs: Vec<(Elem, Option<Loc>)>,
    kinds: Vec<PtxOperand>,
    /// The values of constant operands.
    constants: Vec<Option<i128>>,
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
                .help("use it on the tile, before or after the reduction"),
            );
            return self.poison(loc);
        }
        let Some(operands) = self.ptx_operands(call) else {
            return self.poison(loc);
        };
        let Operands {
            stmts,
            reads,
            outs,
            kinds,
            constants,
        } = operands;
        let pack = match &call.pack {
            None => Some(1),
            Some(written) => self.ptx_pack(written),
        };
        let read = |checker: &mut Self| -> Vec<(ExprId, &ast::Expr)> {
            let each = reads.iter().map(|(local, ty, written)| {
                let kind = ExprKind::Local(*local);
                (checker.push(kind, ty.clone(), written.loc), *written)
            });
            each.collect()
        };
        let operands = read(self);
        let given = read(self);
        let stretched = self.stretch_all(&operands, loc, "`ptx!`");
        let (Some(pack), Some((ins, shape))) = (pack, stretched) else {
            return self.poison(loc);
        };
        if !self.has_packs(call, pack, &shape, loc) {
            return self.poison(loc);
        }
        let Some(text) = self.ptx_text(call, &constants) else {
            return self.poison(loc);
        };
        let named = call.text.iter().filter_map(|piece| match piece {
            ast::PtxPiece::Operand { index, register } => Some((*index, *register)),
            ast::PtxPiece::Text(_) => None,
        });
        self.texts.push(OpenPtx {
            ins: operands
                .iter()
                .map(|&(id, written)| (id, written.loc, ast::operand_text(written)))
                .collect(),
            outs: outs.clone(),
            operands: call
                .operands
                .iter()
                .map(|operand| operand.name.clone())
                .zip(kinds.iter().copied())
                .collect(),
            named: named.collect(),
            written: call.written.clone(),
            pack,
            loc: call.loc,
        });
        let mut types: Vec<Ty> = outs
            .iter()
            .map(|&(elem, _)| Ty::from_shape(elem, &shape))
            .collect();
        let ty = match types.len() {
            1 => types.remove(0),
            _ => Ty::Tuple(types),
        };
        let text = ExprKind::Op(TileOp::Ptx(Box::new(Ptx {
            text,
            operands: kinds,
            ins,
            pack,
            pure: call.pure,
        })));
        let mut value = self.push(text, ty.clone(), call.loc);
        if let Some(body) = &call.cpu {
            let Some(body) = self.body_on_cpu(body, &given, &ty) else {
                return self.poison(loc);
            };
            value = self.on_cpu(body, value, &ty, loc);
        }
        let block = Block {
            stmts,
            tail: Some(value),
        };
        self.push(ExprKind::Block(block), ty, loc)
    }

    /// Checks that the tiles of this shape consist of packs of `pack` elements.
    fn has_packs(&mut self, call: &ast::Ptx, pack: usize, shape: &[i64], loc: Loc) -> bool {
        let elements = shape.iter().product::<i64>().unsigned_abs();
        if elements >= pack as u64 {
            return true;
        }
        let (mismatch, help) = if shape.is_empty() {
            let help = "leave `pack` out, or make a tile of an input".to_owned();
            ("there is no tile".to_owned(), help)
        } else {
            (
                format!("tiles have {elements}"),
                format!("write `{elements}`"),
            )
        };
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                call.pack.as_ref().map_or(loc, |pack| pack.loc),
                format!("the text takes {pack} elements at a time, and {mismatch}"),
            )
            .note(
                "with `pack`, one run of the text takes elements that follow each other in a tile",
            )
            .help(help),
        );
        false
    }

    /// Returns the value of `body` on the CPU, and `text` elsewhere.
    fn on_cpu(&mut self, body: Block, text: ExprId, ty: &Ty, loc: Loc) -> ExprId {
        let cond = ExprKind::Op(TileOp::OnCpu);
        let cond = self.push(cond, Ty::scalar(HostScalar::Bool), loc);
        let text = Block {
            stmts: Vec::new(),
            tail: Some(text),
        };
        self.push(ExprKind::If(cond, body, Some(text)), ty.clone(), loc)
    }

    /// Checks the operands one by one; `None` after an error.
    fn ptx_operands<'e>(&mut self, call: &'e ast::Ptx) -> Option<Operands<'e>> {
        let mut fine = true;
        let mut operands = Operands::default();
        for operand in &call.operands {
            let mut constant = None;
            let kind = match &operand.kind {
                PtxKind::In(value) => {
                    let Some(input) = self.ptx_input(value, &mut operands) else {
                        fine = false;
                        continue;
                    };
                    PtxOperand::In(input)
                }
                PtxKind::Out(written, loc) => {
                    let Some(output) = self.ptx_output(written, *loc, &mut operands) else {
                        fine = false;
                        continue;
                    };
                    PtxOperand::Out(output)
                }
                PtxKind::InOut(value, written) => {
                    let input = self.ptx_input(value, &mut operands);
                    let output = match written {
                        Some((written, loc)) => self.ptx_output(written, *loc, &mut operands),
                        None => input.and_then(|input| {
                            let (elem, _) = operands.reads[input].1.number()?;
                            operands.outs.push((elem, None));
                            Some(operands.outs.len() - 1)
                        }),
                    };
                    let (Some(input), Some(output)) = (input, output) else {
                        fine = false;
                        continue;
                    };
                    PtxOperand::InOut { input, output }
                }
                PtxKind::Const(value) => {
                    constant = self.ptx_constant(value);
                    fine &= constant.is_some();
                    PtxOperand::Const
                }
            };
            operands.kinds.push(kind);
            operands.constants.push(constant);
        }
        fine.then_some(operands)
    }

    /// Checks an input and returns its index; `None` after an error.
    fn ptx_input<'e>(
        &mut self,
        written: &'e ast::Expr,
        operands: &mut Operands<'e>,
    ) -> Option<usize> {
        let id = self.expr(written);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
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
            return None;
        }
        let local = self.new_local("", ty.clone(), false, written.loc);
        operands.stmts.push(Stmt::Bind(local, id));
        operands.reads.push((local, ty, written));
        Some(operands.reads.len() - 1)
    }

    /// Checks an output and returns its index; `None` after an error.
    fn ptx_output(
        &mut self,
        written: &ast::Type,
        loc: Loc,
        operands: &mut Operands<'_>,
    ) -> Option<usize> {
        match self.annotation(written) {
            Ty::Scalar(elem) => {
                operands.outs.push((elem, Some(loc)));
                Some(operands.outs.len() - 1)
            }
            Ty::Error => None,
            other => {
                let shown = self.show(&other);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!(
                            "an output of `ptx!` is given by its element type, found `{shown}`"
                        ),
                    )
                    .note("its shape is that of the inputs")
                    .help("write the element type alone, as in `out(f32)`"),
                );
                None
            }
        }
    }

    /// Returns the value of `const value`; `None` after an error.
    fn ptx_constant(&mut self, written: &ast::Expr) -> Option<i128> {
        let id = self.expr(written);
        let ty = self.ty(id);
        let is_integer = match &ty {
            Ty::Error => return None,
            Ty::Scalar(Elem::Known(scalar)) => scalar.is_integer(),
            Ty::Scalar(elem) => self.kind_of(*elem) == Kind::Integer,
            _ => false,
        };
        if !is_integer {
            let shown = self.show(&ty);
            let text = ast::operand_text(written);
            let help = match &ty {
                Ty::Scalar(Elem::Known(HostScalar::Bool)) => format!("write `{text} as u32`"),
                _ => format!("write `in({text})` without the `const`, or its bits as an integer"),
            };
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    written.loc,
                    format!("a `const` of `ptx!` is an integer, found `{shown}`"),
                )
                .help(help),
            );
            return None;
        }
        if matches!(ty, Ty::Scalar(Elem::Var(_))) {
            // As in Rust, a literal whose type nothing else determines is an `i32`.
            self.unify(&Ty::scalar(HostScalar::I32), &ty);
        }
        if let Some(Const::Int(value)) = self.constant(id) {
            return Some(value);
        }
        // If the value does not fit its type, that error is reported instead.
        let is_literal = matches!(self.exprs[id.index()].kind, ExprKind::Int(_));
        if !is_literal && self.overflowing(id).is_none() {
            self.not_constant(id, written, "a `const` of `ptx!`");
        }
        None
    }

    /// Returns the value of `pack`; `None` after an error.
    fn ptx_pack(&mut self, written: &ast::Expr) -> Option<usize> {
        let value = self.known_usize(written, "`pack`")?;
        if let Ok(pack) = usize::try_from(value)
            && pack.is_power_of_two()
            && pack <= MAX_PACKED
        {
            return Some(pack);
        }
        let greatest = i64::try_from(MAX_PACKED).unwrap_or(i64::MAX);
        let nearest = 1 << value.clamp(1, greatest).ilog2();
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                written.loc,
                format!("a text cannot take {value} elements at a time"),
            )
            .note("`pack` is 1, 2, 4, 8 or 16")
            .help(format!("write `{nearest}`")),
        );
        None
    }

    /// Returns the text, with the values of constants; `None` after an error.
    fn ptx_text(&mut self, call: &ast::Ptx, constants: &[Option<i128>]) -> Option<Vec<PtxPiece>> {
        let mut pieces = Vec::with_capacity(call.text.len());
        for piece in &call.text {
            pieces.push(match piece {
                ast::PtxPiece::Text(text) => PtxPiece::Text(text.clone()),
                ast::PtxPiece::Operand { index, register } => match (constants[*index], register) {
                    (Some(value), None) => PtxPiece::Text(value.to_string()),
                    (Some(_), Some(register)) => {
                        let name = &call.operands[*index].name;
                        let (from, to) = (format!("{{{name}[{register}]}}"), format!("{{{name}}}"));
                        self.error(
                            Diagnostic::error(
                                Code::BadArguments,
                                call.loc,
                                format!("`{from}` names a register of a constant"),
                            )
                            .note("a constant is written into the text as a number")
                            .help(write_instead(
                                &call.written,
                                &from,
                                &to,
                            )),
                        );
                        return None;
                    }
                    (None, register) => PtxPiece::Register {
                        operand: *index,
                        register: register.unwrap_or(0),
                    },
                },
            });
        }
        Some(pieces)
    }

    /// Applies to the inputs the closure that replaces the text on the CPU device.
    fn body_on_cpu(
        &mut self,
        written: &ast::Expr,
        given: &[(ExprId, &ast::Expr)],
        ty: &Ty,
    ) -> Option<Block> {
        let usage = || {
            let names: Vec<String> = (0..given.len()).map(|index| format!("x{index}")).collect();
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
        for ((pat, annotation), &(value, operand_loc)) in closure.params.iter().zip(given) {
            if let Some(annotation) = annotation {
                let expected = self.annotation(annotation);
                self.expect(&expected, (value, operand_loc), || {
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
        if let Some(index) = leaves {
            self.error(
                Diagnostic::error(
                    Code::BadJump,
                    index,
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
}
