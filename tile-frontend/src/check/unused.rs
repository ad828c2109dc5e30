//! Reports variables that are never read, and unnecessary `mut`.
//!
//! In: the source of a kernel without other errors, for all instances at once: a use counts even in
//! a branch that the constants of an instance exclude. Out: an error for each variable that is
//! never read, and for each `mut` variable that is never assigned, where rustc would warn.
//!
//! - An assignment is not a use, and neither is `x += 1`.
//! - Names that begin with `_` may be unused.
//! - A variable that is declared without a value may be assigned once without `mut`, so its `mut`
//!   is never reported.
//! - Parameters belong to the interface of the host, so they may be unused.
//! - `#[allow(unused_variables)]`, `#[allow(unused_mut)]` and `#[allow(unused)]` on the kernel have
//!   the same meaning as in rustc.

use crate::parse::ast::{
    Adapter, Block, Expr, ExprKind, GenericArg, Kernel, MacroCall, Name, Pat, Stmt, Subscript, Type,
};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// The lints that the attributes of a kernel allow.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    variables: bool,
    mutability: bool,
}

impl Allowed {
    fn by(attrs: &[syn::Attribute]) -> Self {
        let mut names = Vec::new();
        for attr in attrs {
            let is_lenient = attr.path().is_ident("allow") || attr.path().is_ident("expect");
            if is_lenient {
                // `reason = ".."` names no lint; its value is parsed only to skip it.
                let _ = attr.parse_nested_meta(|meta| {
                    names.extend(meta.path.get_ident().map(ToString::to_string));
                    if meta.input.peek(syn::Token![=]) {
                        let _: syn::Expr = meta.value()?.parse()?;
                    }
                    Ok(())
                });
            }
        }
        let has = |list: [&str; 2]| names.iter().any(|name| list.contains(&name.as_str()));
        Allowed {
            variables: has(["unused", "unused_variables"]),
            mutability: has(["unused", "unused_mut"]),
        }
    }
}

/// Reports the unused variables of a kernel.
pub(crate) fn check(kernel: &Kernel, attrs: &[syn::Attribute], diagnostics: &mut Diagnostics) {
    let mut unused = Unused {
        allowed: Allowed::by(attrs),
        variables: Vec::new(),
        count: 0,
        reports: Vec::new(),
    };
    for param in &kernel.params {
        unused.declare(&param.name, param.rebindable, Kind::Parameter);
    }
    unused.block(&kernel.body);
    unused.leave(0);
    // Numbers of variables follow the source order.
    unused.reports.sort_by_key(|(number, _)| *number);
    for (_, report) in unused.reports {
        diagnostics.error(report);
    }
}

/// The kind of declaration of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Parameter,
    /// Declared with a value.
    Bound,
    /// Declared by `let x;`.
    Declared,
}

/// A variable in scope.
struct Variable {
    name: Name,
    number: usize,
    kind: Kind,
    mutable: bool,
    read: bool,
    assigned: bool,
}

struct Unused {
    allowed: Allowed,
    /// The variables in scope, innermost last.
    variables: Vec<Variable>,
    /// The number of variables declared so far.
    count: usize,
    /// The errors, each with the number of its variable.
    reports: Vec<(usize, Diagnostic)>,
}

impl Unused {
    /// Ends the scope that began when there were `count` variables.
    fn leave(&mut self, count: usize) {
        for variable in self.variables.split_off(count) {
            let text = &variable.name.text;
            let loc = variable.name.loc;
            if text.starts_with('_') {
                continue;
            }
            let is_unread = !variable.read && variable.kind != Kind::Parameter;
            let is_changed = variable.assigned || variable.kind == Kind::Declared;
            let (message, help) = if is_unread && self.allowed.variables {
                continue;
            } else if is_unread && variable.assigned {
                (
                    format!("`{text}` is assigned, and never read"),
                    "remove it with its assignments, or read it".to_owned(),
                )
            } else if is_unread {
                (
                    format!("`{text}` is never used"),
                    format!("write `_{text}` if that is meant, or remove it"),
                )
            } else if variable.mutable && !is_changed && !self.allowed.mutability {
                (
                    format!("`{text}` is never assigned again, so it needs no `mut`"),
                    "remove `mut`".to_owned(),
                )
            } else {
                continue;
            };
            let report = Diagnostic::error(Code::Unreachable, loc, message).help(help);
            self.reports.push((variable.number, report));
        }
    }

    fn find(&mut self, name: &str) -> Option<&mut Variable> {
        let mut variables = self.variables.iter_mut().rev();
        variables.find(|variable| variable.name.text == name)
    }

    fn read(&mut self, path: &[Name]) {
        if let [name] = path
            && let Some(variable) = self.find(&name.text)
        {
            variable.read = true;
        }
    }

    /// Declares the variables of a pattern.
    fn bind(&mut self, pat: &Pat, kind: Kind) {
        match pat {
            Pat::Name { name, mutable } => self.declare(name, *mutable, kind),
            Pat::At { name, mutable, pat } => {
                self.declare(name, *mutable, kind);
                self.bind(pat, kind);
            }
            Pat::Tuple(parts, _) => parts.iter().for_each(|part| self.bind(part, kind)),
            // All alternatives bind the same names, so one of them is enough.
            Pat::Or(choices, _) => {
                for (index, choice) in choices.iter().enumerate() {
                    if index == 0 {
                        self.bind(choice, kind);
                    } else {
                        self.values(choice);
                    }
                }
            }
            Pat::Wild(_) | Pat::Rest(_) => {}
            Pat::Value(_) | Pat::Range { .. } => self.values(pat),
        }
    }

    /// Visits the constants of a pattern, which are reads.
    fn values(&mut self, pat: &Pat) {
        match pat {
            Pat::Name { .. } | Pat::Wild(_) | Pat::Rest(_) => {}
            Pat::At { pat, .. } => self.values(pat),
            Pat::Tuple(parts, _) | Pat::Or(parts, _) => {
                for part in parts {
                    self.values(part);
                }
            }
            Pat::Value(value) => self.expr(value),
            Pat::Range { low, high, .. } => {
                low.iter().chain(high).for_each(|end| self.expr(end));
            }
        }
    }

    fn declare(&mut self, name: &Name, mutable: bool, kind: Kind) {
        // In a pattern, a name that starts with a capital letter is a constant.
        let is_constant = name.text.starts_with(char::is_uppercase);
        self.count += 1;
        self.variables.push(Variable {
            name: name.clone(),
            number: self.count,
            kind,
            mutable,
            read: is_constant,
            assigned: is_constant,
        });
    }

    fn block(&mut self, block: &Block) {
        let count = self.variables.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, ty, init } => {
                    if let Some(ty) = ty {
                        self.ty(ty);
                    }
                    let kind = match init {
                        Some(init) => {
                            self.expr(init);
                            Kind::Bound
                        }
                        None => Kind::Declared,
                    };
                    self.bind(pat, kind);
                }
                Stmt::Expr(expr) => self.expr(expr),
            }
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
        self.leave(count);
    }

    /// Checks code in a scope with variables of its own.
    fn scope(&mut self, pats: &[&Pat], code: impl FnOnce(&mut Self)) {
        let count = self.variables.len();
        for pat in pats {
            self.bind(pat, Kind::Bound);
        }
        code(self);
        self.leave(count);
    }

    /// Marks the target of an assignment: the variable of `x`, `s.field` and `(a, b)`.
    fn assigned(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Path(path) => {
                if let [name] = path.as_slice()
                    && let Some(variable) = self.find(&name.text)
                {
                    variable.assigned = true;
                }
            }
            ExprKind::Field(value, _) | ExprKind::Member(value, _) => self.assigned(value),
            ExprKind::Tuple(parts) | ExprKind::Array(parts) => {
                for part in parts {
                    self.assigned(part);
                }
            }
            _ => self.expr(target),
        }
    }

    fn exprs<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) {
        list.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(..)
            | ExprKind::Float(..)
            | ExprKind::Bool(_)
            | ExprKind::Continue(_)
            | ExprKind::Error => {}
            ExprKind::Path(path) => self.read(path),
            ExprKind::Associated(owner, _) => self.ty(owner),
            ExprKind::Unary(_, value) | ExprKind::Field(value, _) | ExprKind::Member(value, _) => {
                self.expr(value);
            }
            ExprKind::Binary(_, _, lhs, rhs) => self.exprs([&**lhs, rhs]),
            ExprKind::Assign(target, value) | ExprKind::AssignOp(_, _, target, value) => {
                self.expr(value);
                self.assigned(target);
            }
            ExprKind::Cast(value, ty) => {
                self.expr(value);
                self.ty(ty);
            }
            ExprKind::Call {
                path,
                owner,
                generics,
                args,
            } => {
                self.read(path);
                if let Some(owner) = owner {
                    self.ty(owner);
                }
                self.generics(generics);
                self.exprs(args);
            }
            ExprKind::Method {
                receiver,
                generics,
                args,
                ..
            } => {
                self.expr(receiver);
                self.generics(generics);
                self.exprs(args);
            }
            ExprKind::Index(value, subscript) => {
                self.expr(value);
                match subscript {
                    Subscript::At(index) => self.expr(index),
                    Subscript::Range(low, high) => {
                        self.exprs(low.iter().chain(high).map(|end| &**end));
                    }
                }
            }
            ExprKind::Struct { fields, base, .. } => {
                self.exprs(fields.iter().map(|(_, value)| value));
                self.exprs(base.as_deref());
            }
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => self.exprs(parts),
            ExprKind::Block(block) | ExprKind::Unsafe(block) | ExprKind::Labelled(_, block) => {
                self.block(block);
            }
            ExprKind::Parallel(parallel) => {
                self.exprs(parallel.ranges.iter().flatten());
                self.scope(&[&parallel.pat], |unused| unused.expr(&parallel.body));
                if let Some(reduction) = &parallel.reduction {
                    self.expr(&reduction.init);
                    self.scope(&[&reduction.left, &reduction.right], |unused| {
                        unused.expr(&reduction.value);
                    });
                }
            }
            ExprKind::If { cond, then, other } => {
                self.expr(cond);
                self.block(then);
                self.exprs(other.as_deref());
            }
            ExprKind::For {
                pat, range, body, ..
            } => {
                self.exprs([&*range.low, &range.high]);
                for adapter in &range.adapters {
                    if let Adapter::StepBy(step) = adapter {
                        self.expr(step);
                    }
                }
                self.scope(&[pat], |unused| unused.block(body));
            }
            ExprKind::Closure(closure) => {
                let pats: Vec<&Pat> = closure.params.iter().map(|(pat, _)| pat).collect();
                self.scope(&pats, |unused| unused.expr(&closure.body));
            }
            ExprKind::Macro(call) => match &**call {
                MacroCall::Print { args, .. } => self.exprs(args),
                MacroCall::Assert { cond, .. } | MacroCall::Assume(cond) => self.expr(cond),
                MacroCall::Ptx(ptx) => {
                    ptx.types().for_each(|ty| self.ty(ty));
                    self.exprs(ptx.exprs());
                }
            },
            ExprKind::While { cond, body, .. } => {
                self.expr(cond);
                self.block(body);
            }
            ExprKind::Loop { body, .. } => self.block(body),
            ExprKind::Break { value, .. } | ExprKind::Return(value) => self.exprs(value.as_deref()),
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    self.scope(&[&arm.pat], |unused| {
                        unused.exprs(&arm.guard);
                        unused.expr(&arm.body);
                    });
                }
            }
        }
    }

    fn generics(&mut self, list: &[GenericArg]) {
        for arg in list {
            match arg {
                GenericArg::Type(ty) => self.ty(ty),
                GenericArg::Const(value) => self.expr(value),
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            // The name may also be a constant: `f::<n>()`.
            Type::Name(name) => self.read(std::slice::from_ref(name)),
            Type::Generic(_, generics, _) => self.generics(generics),
            Type::Tensor { rank, .. } => self.expr(rank),
            Type::Partition(_, extents, _) | Type::Tile(_, extents, _) => self.exprs(extents),
            Type::Tuple(parts, _) => parts.iter().for_each(|part| self.ty(part)),
            Type::Infer | Type::Error => {}
        }
    }
}
