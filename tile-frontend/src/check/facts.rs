//! Checks `assume(condition);` at the head of a kernel: facts about the arguments of a launch.
//!
//! In: the statements of a kernel. Out: [`Fact`]s, which a launch evaluates before the kernel runs,
//! and the remaining statements. The condition is checked like any other expression. Once all types
//! are known, it is converted to a [`Term`]; operands that are unknown at the launch are reported.

use super::Checker;
use super::calls::Callee;
use crate::hir::fact::{Fact, Input, Knowledge, Term};
use crate::hir::signature::HostScalar;
use crate::hir::{Const, Elem, Expr, ExprId, ExprKind, LocalId, Memory, Ty};
use crate::parse::ast::{self, BinaryOp, Name, Stmt, UnaryOp};
use std::ops::Range;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

const USAGE: &str = "assume(n % 16 == 0)";

/// A condition whose types are not known yet.
pub(super) struct OpenFact {
    text: String,
    condition: ExprId,
    loc: Loc,
    /// The range of its expressions.
    exprs: Range<usize>,
}

impl Checker<'_> {
    /// Checks the facts at the head of a kernel; returns the statements after them.
    pub(super) fn facts(&mut self, body: &ast::Block) -> ast::Block {
        let facts = body.stmts.iter().map_while(|stmt| match stmt {
            Stmt::Expr(expr) => Some((stated(expr)?, expr.loc)),
            Stmt::Let { .. } => None,
        });
        let mut count = 0;
        for ((name, args), loc) in facts {
            count += 1;
            self.fact(name, args, loc);
        }
        ast::Block {
            stmts: body.stmts[count..].to_vec(),
            tail: body.tail.clone(),
            loc: body.loc,
        }
    }

    fn fact(&mut self, name: &Name, args: &[ast::Expr], loc: Loc) {
        let callee = Callee {
            name,
            usage: USAGE,
            receiver: None,
        };
        let Some([written]) = self.arguments::<1>(&callee, args, loc) else {
            return;
        };
        let first = self.exprs.len();
        let condition = self.expr(written);
        let ty = self.ty(condition);
        if ty.is_error() {
            return;
        }
        let is_bool = matches!(&ty, Ty::Scalar(elem)
            if self.unify_elem(*elem, Elem::Known(HostScalar::Bool)));
        if !is_bool {
            let shown = self.show(&ty);
            let text = ast::operand_text(written);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    written.loc,
                    format!("a fact is a `bool`, found `{shown}`"),
                )
                .help(match ty {
                    Ty::Scalar(_) => format!("compare it, as in `{text} % 16 == 0`"),
                    _ => format!("write `{USAGE}`, of numbers, extents, strides and addresses"),
                }),
            );
            return;
        }
        self.facts.push(OpenFact {
            text: ast::full_text(written),
            condition,
            loc: written.loc,
            exprs: first..self.exprs.len(),
        });
    }

    /// Reports `assume(..)` where no fact is allowed.
    pub(super) fn misplaced_fact(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> ExprId {
        if let Some([condition]) = self.arguments::<1>(callee, args, loc) {
            let text = ast::full_text(condition);
            self.error(
                Diagnostic::error(
                    Code::NoFact,
                    loc,
                    "a fact is written at the head of a kernel, before everything else",
                )
                .note("a launch checks it before anything runs, so it is about the arguments")
                .help(format!(
                    "move it there; of what the kernel computes, check `assert!({text})`, or promise `unsafe {{ assume!({text}) }}`"
                )),
            );
        }
        self.poison(loc)
    }

    /// Converts all facts to terms, once the types are known, and removes their expressions, which
    /// are not part of the kernel.
    pub(super) fn finish_facts(&mut self, params: &[LocalId]) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut locs = Vec::new();
        for open in std::mem::take(&mut self.facts) {
            self.fact.clone_from(&open.text);
            let condition = self.term(open.condition, params);
            for expr in &mut self.exprs[open.exprs] {
                *expr = Expr {
                    kind: ExprKind::Tuple(Vec::new()),
                    ty: Ty::unit(),
                    loc: expr.loc,
                };
            }
            match condition {
                // The fact holds for every launch.
                None | Some(Term::Int(1)) => {}
                Some(Term::Int(_)) => self.error(
                    Diagnostic::error(
                        Code::NoFact,
                        open.loc,
                        format!("`{}` never holds", open.text),
                    )
                    .help("leave the instance out, or correct the condition"),
                ),
                Some(condition) => {
                    facts.push(Fact {
                        text: open.text,
                        condition,
                    });
                    locs.push(open.loc);
                }
            }
        }
        if let Err(number) = Knowledge::derive(&facts) {
            let message = format!(
                "no launch satisfies `{}` and what is assumed besides",
                facts[number].text
            );
            self.error(
                Diagnostic::error(Code::NoFact, locs[number], message)
                    .help("correct the conditions: all of them must hold at once"),
            );
        }
        facts
    }

    /// Converts an expression to a term that a launch computes; `None` after an error.
    fn term(&mut self, id: ExprId, params: &[LocalId]) -> Option<Term> {
        match self.constant(id) {
            Some(Const::Int(value)) => return Some(Term::Int(value)),
            Some(Const::Bool(value)) => return Some(Term::Int(i128::from(value))),
            None => {}
        }
        let scalar = match self.ty(id) {
            Ty::Scalar(Elem::Known(scalar)) => scalar,
            Ty::Error => return None,
            ty => {
                let shown = self.show(&ty);
                return self.no_term(id, &format!("a fact is made of numbers, found `{shown}`"));
            }
        };
        if scalar.is_float() {
            let message = format!("a fact is about integers, found `{}`", scalar.name());
            return self.no_term(id, &message);
        }
        match &self.exprs[id.index()].kind {
            &ExprKind::Int(value) => Some(Term::Int(value)),
            &ExprKind::Bool(value) => Some(Term::Int(i128::from(value))),
            ExprKind::Local(local) => match params.iter().position(|param| param == local) {
                Some(param) => Some(Term::Input(Input::Scalar(param, scalar))),
                None => self.no_term(id, UNKNOWN),
            },
            &ExprKind::Dim(tensor, axis) => {
                let tensor = self.tensor_of(tensor)?;
                Some(Term::Input(Input::Dim(tensor, axis)))
            }
            &ExprKind::Memory(Memory::Stride(tensor, axis)) => {
                let tensor = self.tensor_of(tensor)?;
                Some(Term::Input(Input::Stride(tensor, axis)))
            }
            &ExprKind::Cast(value) => {
                if let Some(param) = self.address_of(value, params) {
                    return Some(Term::Input(Input::Address(param)));
                }
                let value = self.term(value, params)?;
                Some(Term::Cast(scalar, Box::new(value)))
            }
            &ExprKind::Unary(op, value) => {
                let value = Box::new(self.term(value, params)?);
                Some(match op {
                    UnaryOp::Neg => Term::Neg(value),
                    UnaryOp::Not if scalar == HostScalar::Bool => Term::Not(value),
                    UnaryOp::Not => {
                        let less = Term::Binary(
                            BinaryOp::Sub,
                            Box::new(Term::Neg(value)),
                            Box::new(Term::Int(1)),
                        );
                        Term::Cast(scalar, Box::new(less))
                    }
                })
            }
            &ExprKind::Binary(op, lhs, rhs) => {
                let lhs = self.term(lhs, params)?;
                let rhs = self.term(rhs, params)?;
                Some(Term::Binary(op, Box::new(lhs), Box::new(rhs)))
            }
            &ExprKind::ShortCircuit(op, lhs, rhs) => {
                let (lhs, rhs) = (self.term(lhs, params), self.term(rhs, params));
                Some(Term::Binary(op, Box::new(lhs?), Box::new(rhs?)))
            }
            _ => self.no_term(id, UNKNOWN),
        }
    }

    /// Returns the index of the parameter if an expression is the address of one.
    fn address_of(&self, id: ExprId, params: &[LocalId]) -> Option<usize> {
        match &self.exprs[id.index()].kind {
            ExprKind::Memory(Memory::Address(tensor)) => self.tensor_of(*tensor),
            ExprKind::Local(local) if matches!(self.ty(id), Ty::Pointer(_)) => {
                params.iter().position(|param| param == local)
            }
            _ => None,
        }
    }

    fn tensor_of(&self, id: ExprId) -> Option<usize> {
        self.ty(id).tensor().map(|tensor| tensor.param)
    }

    fn no_term(&mut self, id: ExprId, message: &str) -> Option<Term> {
        let loc = self.loc(id);
        self.error(
            Diagnostic::error(Code::NoFact, loc, message)
                .note(
                    "a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, \
                     `x.as_ptr().addr()`, constants, and operators on these",
                )
                .help(format!(
                    "write the condition with these, or check it in the kernel: write `assert!({})`",
                    self.fact
                )),
        );
        None
    }
}

const UNKNOWN: &str = "no launch knows this value";

/// Returns the name and the arguments of `assume(..)`.
fn stated(expr: &ast::Expr) -> Option<(&Name, &[ast::Expr])> {
    let ast::ExprKind::Call {
        path,
        owner: _,
        generics,
        args,
    } = &expr.kind
    else {
        return None;
    };
    let name = match path.as_slice() {
        [name] => name,
        [root, .., name] if root.text == "tile_kernel" => name,
        _ => return None,
    };
    (name.text == "assume" && generics.is_empty()).then_some((name, args))
}
