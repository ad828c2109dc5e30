//! Type-checks a kernel and builds its HIR, once per instance.
//!
//! In: the parsed kernel and one [`Instance`]. Out: a [`hir::Kernel`] that keeps the invariants of
//! `hir`, or errors. Type and const parameters have their values here, so every shape is a list of
//! numbers, and an `if` on a constant keeps only the taken branch.
//!
//! - `names`: scopes, and suggestions for unknown names
//! - `types`: inference of element types, operators, casts
//! - `expectation`: expected types
//! - `shapes`: stretching, and functions that change a shape
//! - `consts`: constants
//! - `const_eval`: calls of `const fn`, and blocks in the values of constants
//! - `float_consts`: constant floats
//! - `calls`: functions
//! - `methods`: methods of numbers and tiles; `math` has the elementwise methods, `reduce` the
//!   reductions and scans along an axis
//! - `slices`: slices of tiles; `matmul`: matmuls; `random`: random numbers
//! - `facts`: `assume(..)` at the head of a kernel
//! - `macros`: `tile_print!`, `assert!`, `assume!`
//! - `ptx`, `registers`: `ptx!`
//! - `memory`: tensors and their tiles
//! - `views`: partitions, strided views, gather views
//! - `gather`: elements by index
//! - `indexing`: `x[i]`
//! - `atomics`: atomics
//! - `pointers`: raw pointers and `unsafe`
//! - `control`: bindings, assignments, branches
//! - `jump`: loops and jumps
//! - `matching`, `exhaustive`: `match`
//! - `flow`: reads before assignment, unreachable code, unused values
//! - `unused`: unused variables and `mut`
//! - `parallel`: parallel loops
//! - `races`: blocks that store to the same element
//! - `items`: the author's functions, constants and types
//! - `structs`: values, fields and methods of the author's structs
//! - `inline`: calls of functions, checked per call
//! - `foreign_names`: names of other languages and libraries
//! - `suggest`: the text of helps
//! - `finish`: checks that need all types
//! - `legal`: element types of operations

mod assignment;
mod atomics;
mod bindings;
mod calls;
mod const_eval;
mod consts;
mod control;
mod exhaustive;
mod expectation;
mod facts;
mod finish;
mod float_consts;
mod flow;
mod foreign_names;
mod gather;
mod indexing;
mod inline;
mod items;
mod jump;
mod language;
mod legal;
mod macros;
mod matching;
mod math;
mod matmul;
mod memory;
mod methods;
mod names;
mod parallel;
mod pointers;
mod ptx;
mod races;
mod random;
mod reduce;
mod registers;
mod shapes;
mod slices;
mod structs;
mod suggest;
#[cfg(test)]
mod tests;
mod types;
pub(crate) mod unused;
mod views;

use crate::grid_tiles;
use crate::hir::signature::{ElementRef, HostScalar, Instance, ParamKind};
use crate::hir::{
    self, Elem, Expr, ExprId, ExprKind, Local, LocalId, PointerTy, TargetId, TensorTy, Ty,
};
use crate::parse::ast;
use crate::parse::library::{Library, ScopeId};
use expectation::{Expectation, Place};
pub(crate) use items::{evaluate, is_language_function, is_language_method, is_language_type};
pub(crate) use language::max_of;
use names::Scopes;
pub(crate) use names::nearest;
use pointers::{Function, Safety};
pub(crate) use races::GridAxes;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc, Reported};

/// Checks one instance of a kernel.
pub(crate) fn check(
    kernel: &ast::Kernel,
    library: &Library,
    instance: &Instance,
    diagnostics: &mut Diagnostics,
) -> Result<hir::Kernel, Reported> {
    let mut checker = Checker::new(library, diagnostics);
    checker.kernel.clone_from(&kernel.name.text);
    checker.is_generic = !kernel.type_params.is_empty() || !kernel.const_params.is_empty();
    if kernel.is_unsafe {
        checker.safety.function = Function::Unsafe;
    }
    for (name, &scalar) in kernel.type_params.iter().zip(&instance.types) {
        checker.scopes.add_type(&name.text, Elem::Known(scalar));
    }
    for ((name, ty), &value) in kernel.const_params.iter().zip(&instance.consts) {
        checker.scopes.add_const(&name.text, *ty, value);
    }
    let params = checker.params(kernel, instance);
    let target = checker.enter_function(&kernel.name, Some(Ty::unit()));
    let behind_facts = checker.facts(&kernel.body);
    let (body, ty) = checker.block(&behind_facts);
    checker.leave_target();
    if ty != Ty::unit() && !ty.is_error() && ty != Ty::Never && !kernel.has_return_type {
        let tail = kernel.body.tail.as_deref();
        let loc = tail.map_or(kernel.body.loc, |tail| tail.loc);
        let result = checker.show(&ty);
        let help = checker.stored_value(&params, &ty, tail);
        checker.error(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("a kernel returns nothing, found `{result}`"),
            )
            .help(help),
        );
    }
    checker.finish();
    let facts = checker.finish_facts(&params);
    checker.forget_structs();
    let ast = kernel;
    let mut kernel = hir::Kernel {
        name: kernel.name.text.clone(),
        loc: kernel.name.loc,
        params,
        locals: std::mem::take(&mut checker.locals),
        exprs: std::mem::take(&mut checker.exprs),
        body,
        facts,
        target,
        targets: checker.target_types(),
        single: [false; 3],
        max_blocks: [None; 3],
        claims: Vec::new(),
        grid: grid_tiles::find_grid_tiles(ast, library, instance),
    };
    let vouched = std::mem::take(&mut checker.safety.vouched);
    let pruned = std::mem::take(&mut checker.pruned);
    diagnostics.checkpoint()?;
    // A part that could not be parsed may assign or read any variable, or leave any target.
    if ast.understood {
        flow::check(&kernel, &pruned, diagnostics);
        diagnostics.checkpoint()?;
    }
    hir::structure::structure(&mut kernel);
    if ast.understood {
        parallel::check(&kernel, diagnostics);
        diagnostics.checkpoint()?;
        let limits = races::check(&kernel, &vouched, ast.grid, diagnostics);
        (kernel.single, kernel.max_blocks) = (limits.single, limits.max_blocks);
        kernel.claims = limits.claims;
        diagnostics.checkpoint()?;
    }
    hir::counted::counted(&mut kernel);
    Ok(kernel)
}

/// An enclosing loop or branch of the code that is being checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Loop,
    Branch,
}

/// An operator that is checked once its element type is known.
struct Operator {
    expr: ExprId,
    text: String,
}

struct Checker<'a> {
    diagnostics: &'a mut Diagnostics,
    /// The name of the kernel; empty outside a kernel.
    kernel: String,
    /// `true` if the kernel has generic parameters.
    is_generic: bool,
    scopes: Scopes,
    vars: Vec<types::Var>,
    locals: Vec<Local>,
    /// The initial values of immutable variables, for constant floats.
    initial: BTreeMap<LocalId, ExprId>,
    /// The call that created the tile of each variable, for helps.
    made: BTreeMap<LocalId, suggest::Made>,
    exprs: Vec<Expr>,
    frames: Vec<Frame>,
    operators: Vec<Operator>,
    prints: Vec<macros::OpenPrint>,
    texts: Vec<registers::OpenPtx>,
    facts: Vec<facts::OpenFact>,
    /// The condition of the fact that is being converted.
    fact: String,
    safety: Safety,
    /// Every target of a jump, by number.
    targets: Vec<jump::Target>,
    /// The enclosing targets of the code that is being checked, innermost last.
    open_targets: Vec<TargetId>,
    /// For each reduction closure that is being checked: the number of targets open at its start.
    closures: Vec<usize>,
    /// Every `match`, for `finish`.
    matches: Vec<matching::Match>,
    /// Variables declared without a value, until the first assignment determines their type.
    unset: BTreeSet<LocalId>,
    /// Expressions that diverge only because of a constant of the instance.
    pruned: BTreeSet<ExprId>,
    /// Items that can be named besides those of the language.
    library: &'a Library,
    /// The scope whose names are visible.
    scope: ScopeId,
    /// The calls that are being inlined.
    calls: inline::Calls,
    /// The expected types of expressions.
    wanted: Vec<Expectation>,
}

impl<'a> Checker<'a> {
    fn new(library: &'a Library, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            diagnostics,
            kernel: String::new(),
            is_generic: false,
            scopes: Scopes::default(),
            vars: Vec::new(),
            locals: Vec::new(),
            initial: BTreeMap::new(),
            made: BTreeMap::new(),
            exprs: Vec::new(),
            frames: Vec::new(),
            operators: Vec::new(),
            prints: Vec::new(),
            texts: Vec::new(),
            facts: Vec::new(),
            fact: String::new(),
            safety: Safety::default(),
            targets: Vec::new(),
            open_targets: Vec::new(),
            closures: Vec::new(),
            matches: Vec::new(),
            unset: BTreeSet::new(),
            pruned: BTreeSet::new(),
            library,
            scope: ScopeId::default(),
            calls: inline::Calls::default(),
            wanted: Vec::new(),
        }
    }
}

/// Returns the help for a list that is neither a shape nor an index: it suggests a tile of the
/// elements.
fn joined(items: &[ast::Expr]) -> String {
    const HELP: &str = "write the list in the call, or use a tuple";
    if !matches!(items.len(), 2 | 4) {
        return HELP.to_owned();
    }
    let mut tiles: Vec<String> = items
        .iter()
        .map(|item| format!("full([1], {})", ast::full_text(item)))
        .collect();
    while tiles.len() > 1 {
        let pairs = tiles.chunks(2);
        tiles = pairs
            .map(|pair| format!("cat({}, 0)", pair.join(", ")))
            .collect();
    }
    format!(
        "{HELP}; for a tile of these elements, write `{}`",
        tiles.concat()
    )
}

impl Checker<'_> {
    /// Returns the help for a kernel that ends with a value.
    fn stored_value(&self, params: &[LocalId], ty: &Ty, tail: Option<&ast::Expr>) -> String {
        let tensors = params.iter().filter_map(|param| {
            let local = &self.locals[param.index()];
            match &local.ty {
                Ty::Tensor(tensor) if tensor.mutable => Some((local.name.as_str(), tensor)),
                _ => None,
            }
        });
        let fits = |(_, tensor): &(&str, &TensorTy)| match ty {
            Ty::Tile(_, shape) => shape.len() == tensor.rank,
            Ty::Scalar(_) => true,
            _ => false,
        };
        let Some(((name, tensor), tail)) = tensors.into_iter().find(fits).zip(tail) else {
            return "store the value in a `&mut Tensor` parameter, or end the line with `;`"
                .to_owned();
        };
        let value = if matches!(ty, Ty::Tile(..)) {
            ast::full_text(tail)
        } else {
            let ones = vec!["1"; tensor.rank].join(", ");
            format!("full([{ones}], {})", ast::full_text(tail))
        };
        let index = self.some_index(tensor.rank);
        format!(
            "store the value: write `{name}.store([{index}], {value});`, or end the line with `;`"
        )
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if let Some(diagnostic) = self.calls.explain(diagnostic) {
            self.diagnostics.error(diagnostic);
        }
    }

    fn params(&mut self, kernel: &ast::Kernel, instance: &Instance) -> Vec<LocalId> {
        let mut params = Vec::new();
        for (index, param) in kernel.params.iter().enumerate() {
            let bind = |element: ElementRef| element.bind(instance);
            let ty = match param.kind {
                ParamKind::Tensor {
                    element,
                    rank,
                    mutable,
                } => Ty::Tensor(TensorTy {
                    param: index,
                    element: bind(element),
                    rank,
                    mutable,
                }),
                ParamKind::Scalar(element) => Ty::scalar(bind(element)),
                ParamKind::Pointer { element, mutable } => Ty::Pointer(PointerTy {
                    element: bind(element),
                    shape: Vec::new(),
                    mutable,
                }),
            };
            params.push(self.declare(&param.name, ty, param.rebindable));
        }
        // These are declared last, since the locals of the valid parameters come first.
        for name in &kernel.refused_params {
            self.declare(name, Ty::Error, true);
        }
        params
    }

    fn declare(&mut self, name: &ast::Name, ty: Ty, mutable: bool) -> LocalId {
        let id = self.new_local(&name.text, ty, mutable, name.loc);
        self.scopes.add_local(&name.text, id);
        id
    }

    fn new_local(&mut self, name: &str, ty: Ty, mutable: bool, loc: Loc) -> LocalId {
        let id = LocalId::new(self.locals.len());
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
            mutable,
            loc,
            depth: self.frames.len(),
            constant: None,
            deferred: false,
        });
        id
    }

    fn push(&mut self, kind: ExprKind, ty: Ty, loc: Loc) -> ExprId {
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(Expr { kind, ty, loc });
        id
    }

    fn poison(&mut self, loc: Loc) -> ExprId {
        self.push(ExprKind::Error, Ty::Error, loc)
    }

    /// Returns the type of an expression, as far as it has been inferred.
    fn ty(&self, id: ExprId) -> Ty {
        self.resolve(&self.exprs[id.index()].ty)
    }

    fn loc(&self, id: ExprId) -> Loc {
        self.exprs[id.index()].loc
    }

    fn unit(&mut self, loc: Loc) -> ExprId {
        self.push(ExprKind::Tuple(Vec::new()), Ty::unit(), loc)
    }

    fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let loc = expr.loc;
        match &expr.kind {
            ast::ExprKind::Int(value, suffix) => {
                let elem = suffix.map_or_else(|| self.fresh(types::Kind::Integer), Elem::Known);
                let value = i128::try_from(*value).unwrap_or(i128::MAX);
                self.push(ExprKind::Int(value), Ty::Scalar(elem), loc)
            }
            ast::ExprKind::Float(value, suffix) => {
                let elem = suffix.map_or_else(|| self.fresh(types::Kind::Float), Elem::Known);
                self.push(ExprKind::Float(*value), Ty::Scalar(elem), loc)
            }
            ast::ExprKind::Bool(value) => {
                self.push(ExprKind::Bool(*value), Ty::scalar(HostScalar::Bool), loc)
            }
            ast::ExprKind::Path(names) => self.path(names, loc),
            ast::ExprKind::Unary(op, value) => self.unary(*op, value, loc),
            ast::ExprKind::Binary(op, op_loc, lhs, rhs) => {
                if let Some(constant) = self.same_types(*op, lhs, rhs, loc) {
                    return constant;
                }
                let lhs_id = self.expr(lhs);
                let rhs_id = self.expr(rhs);
                self.binary(*op, *op_loc, (lhs_id, lhs), (rhs_id, rhs), loc)
            }
            ast::ExprKind::Assign(place, value) => self.assign(place, value, loc),
            ast::ExprKind::AssignOp(op, op_loc, place, value) => {
                self.assign_op(*op, *op_loc, place, value, loc)
            }
            ast::ExprKind::Cast(value, ty) => self.cast(value, ty, loc),
            ast::ExprKind::Associated(owner, names) => self.associated_value(owner, names, loc),
            ast::ExprKind::Call {
                path,
                owner,
                generics,
                args,
            } => {
                let place = Place {
                    owner: owner.as_deref(),
                    wanted: self.wanted(expr),
                };
                self.call(path, place, generics, args, loc)
            }
            ast::ExprKind::Method {
                receiver,
                name,
                generics,
                args,
            } => self.method(receiver, name, generics, args, loc),
            ast::ExprKind::Field(value, index) => self.field(value, *index, loc),
            ast::ExprKind::Member(value, name) => self.member(value, name, loc),
            ast::ExprKind::Index(value, index) => self.subscript(value, index, loc),
            ast::ExprKind::Struct { name, fields, base } => {
                let wanted = self.wanted(expr);
                self.struct_value(name, fields, base.as_deref(), wanted, loc)
            }
            ast::ExprKind::Array(items) => {
                let help = joined(items);
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        loc,
                        "an array value cannot be used in a kernel",
                    )
                    .note("lists in brackets are shapes and indices of the calls that take them")
                    .help(help),
                );
                self.poison(loc)
            }
            ast::ExprKind::Tuple(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|part| self.expr(part)).collect();
                let types = parts.iter().map(|&part| self.ty(part)).collect();
                self.push(ExprKind::Tuple(parts), Ty::Tuple(types), loc)
            }
            ast::ExprKind::Block(block) => {
                let (block, ty) = self.block(block);
                self.push(ExprKind::Block(block), ty, loc)
            }
            ast::ExprKind::Unsafe(block) => self.unsafe_block(block, loc),
            ast::ExprKind::Parallel(parallel) => self.parallel(parallel, loc),
            ast::ExprKind::If { cond, then, other } => {
                self.conditional(cond, then, other.as_deref(), loc)
            }
            ast::ExprKind::For {
                label,
                pat,
                range,
                body,
            } => self.for_loop(label.as_ref(), pat, range, body, loc),
            ast::ExprKind::While { label, cond, body } => {
                self.while_loop(label.as_ref(), cond, body, loc)
            }
            ast::ExprKind::Loop { label, body } => self.endless_loop(label.as_ref(), body, loc),
            ast::ExprKind::Labelled(label, body) => self.labelled(label, body, loc),
            ast::ExprKind::Break { label, value } => {
                self.leave(label.as_ref(), value.as_deref(), loc)
            }
            ast::ExprKind::Continue(label) => self.next(label.as_ref(), loc),
            ast::ExprKind::Return(value) => self.give_back(value.as_deref(), loc),
            ast::ExprKind::Match(value, arms) => self.choice(value, arms, loc),
            ast::ExprKind::Closure(_) => {
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        loc,
                        "a closure cannot be used here",
                    )
                    .note("a closure is an argument of `reduce`, `scan` and `scan_rev`")
                    .help("write the code of the closure in place"),
                );
                self.poison(loc)
            }
            ast::ExprKind::Macro(call) => self.macro_call(call, loc),
            ast::ExprKind::Error => self.poison(loc),
        }
    }

    fn field(&mut self, value: &ast::Expr, index: u32, loc: Loc) -> ExprId {
        let id = self.expr(value);
        let i = index as usize;
        match self.ty(id) {
            Ty::Error => self.poison(loc),
            Ty::Tuple(parts) if i < parts.len() => {
                self.push(ExprKind::Field(id, i), parts[i].clone(), loc)
            }
            ty => {
                let shown = self.show(&ty);
                let mut diagnostic = Diagnostic::error(
                    Code::UnknownName,
                    loc,
                    format!("`{shown}` has no part `.{index}`"),
                );
                diagnostic = match &ty {
                    Ty::Tuple(parts) if !parts.is_empty() => {
                        let last = parts.len() - 1;
                        diagnostic.help(format!(
                            "write a part from `.0` to `.{last}`, such as `{}.{last}`",
                            ast::operand_text(value)
                        ))
                    }
                    _ => diagnostic.help(format!("write `{}` itself", ast::text(value))),
                };
                self.error(diagnostic);
                self.poison(loc)
            }
        }
    }
}
