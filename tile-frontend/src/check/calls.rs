//! Checks calls of functions.

use super::expectation::Place;
use super::foreign_names;
use super::language::{self, ASSOCIATED, FUNCTIONS};
use super::names::{Meaning, nearest};
use super::types::{Kind, Operand};
use super::{Checker, Operator};
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, ExprKind, Ty};
use crate::parse::ast::{self, GenericArg, Name};
use crate::parse::library::Def;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A call of a free function.
pub(super) struct FunctionCall<'e> {
    pub(super) name: &'e Name,
    /// The usual form.
    pub(super) usage: &'static str,
    pub(super) generics: &'e [GenericArg],
    pub(super) args: &'e [ast::Expr],
    pub(super) loc: Loc,
}

/// A call by name, for messages about its arguments.
pub(super) struct Callee<'e> {
    /// The name of the function or method.
    pub(super) name: &'e Name,
    /// The usual form, such as `zeros::<f32>([64])`; for a method, with any receiver.
    pub(super) usage: &'static str,
    /// The receiver of a method.
    pub(super) receiver: Option<&'e ast::Expr>,
}

impl Callee<'_> {
    /// Returns the usual form with the author's receiver.
    pub(super) fn usage(&self) -> String {
        match (self.receiver, self.usage.split_once('.')) {
            (Some(receiver), Some((_, method))) => {
                format!("{}.{method}", ast::operand_text(receiver))
            }
            _ => self.usage.to_owned(),
        }
    }

    /// Returns [`Self::usage`] with the given arguments.
    fn usage_with(&self, args: &[ast::Expr]) -> String {
        let usage = self.usage();
        let Some((head, list)) =
            usage
                .rsplit_once(self.name.text.as_str())
                .and_then(|(before, rest)| {
                    let (generics, list) = rest.strip_suffix(')')?.split_once('(')?;
                    Some((format!("{before}{}{generics}", self.name.text), list))
                })
        else {
            return usage;
        };
        let wanted: Vec<&str> = top_level(list);
        let is_list = |text: &str| text.starts_with('[');
        let list: Vec<String> = wanted
            .iter()
            .enumerate()
            .map(|(index, wanted)| {
                let given = args.get(index).map(ast::full_text);
                match given {
                    Some(given) if is_list(&given) == is_list(wanted) => given,
                    _ => (*wanted).to_owned(),
                }
            })
            .collect();
        format!("{head}({})", list.join(", "))
    }
}

/// Splits a list at its commas, except for those in brackets or closure parameters.
fn top_level(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    let mut in_bars = false;
    for (index, letter) in list.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '|' => in_bars = !in_bars,
            ',' if depth == 0 && !in_bars => {
                parts.push(list[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    let last = list[start..].trim();
    parts.extend((!last.is_empty()).then_some(last));
    parts
}

impl Checker<'_> {
    /// Returns exactly `N` arguments; `None` after an error.
    pub(super) fn arguments<'e, const N: usize>(
        &mut self,
        callee: &Callee<'_>,
        args: &'e [ast::Expr],
        loc: Loc,
    ) -> Option<&'e [ast::Expr; N]> {
        if let Ok(args) = args.try_into() {
            return Some(args);
        }
        let plural = if N == 1 { "argument" } else { "arguments" };
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "`{}` takes {N} {plural}, found {}",
                    callee.name.text,
                    args.len()
                ),
            )
            .help(format!("write `{}`", callee.usage_with(args))),
        );
        None
    }

    /// Returns exactly `N` arguments of a function; `None` after an error.
    pub(super) fn function_arguments<'e, const N: usize>(
        &mut self,
        call: &FunctionCall<'e>,
    ) -> Option<&'e [ast::Expr; N]> {
        self.arguments::<N>(&call.callee(), call.args, call.loc)
    }

    /// Returns at most one type between `::<` and `>`; `Err` after an error.
    pub(super) fn type_argument(
        &mut self,
        callee: &Callee<'_>,
        generics: &[GenericArg],
    ) -> Result<Option<HostScalar>, ()> {
        match generics {
            [] => Ok(None),
            [GenericArg::Type(ast::Type::Name(name))] => self.element(name).map(Some).ok_or(()),
            [GenericArg::Type(ast::Type::Infer)] => Ok(None),
            [GenericArg::Type(ast::Type::Error)] => Err(()),
            _ => {
                let ty = match generics {
                    [first @ GenericArg::Type(_), ..] => {
                        ast::generics_text(std::slice::from_ref(first))
                    }
                    _ => "f32".to_owned(),
                };
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        callee.name.loc,
                        format!("`{}` takes one element type", callee.name.text),
                    )
                    .help(format!("write `{}::<{ty}>(..)`", callee.name.text)),
                );
                Err(())
            }
        }
    }

    /// Reports generics on a function or method that has none.
    pub(super) fn no_generics(&mut self, callee: &Callee<'_>, generics: &[GenericArg]) {
        if !generics.is_empty() {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    callee.name.loc,
                    format!("`{}` takes no generic arguments", callee.name.text),
                )
                .help(format!("write `{}`", callee.usage())),
            );
        }
    }

    /// Checks `name::<..>(..)`.
    pub(super) fn call(
        &mut self,
        path: &[Name],
        place: Place<'_>,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> ExprId {
        if let [ty, name] = path
            && let Some(row) = language::find(ASSOCIATED, &name.text)
            && self.scopes.ty(&ty.text).is_some()
        {
            let call = FunctionCall {
                name,
                usage: row.usage,
                generics,
                args,
                loc,
            };
            self.no_generics(&call.callee(), generics);
            let expr = (row.check)(self, ty, &call);
            return expr.unwrap_or_else(|| self.poison(loc));
        }
        let name = match path {
            [name] => Some(name),
            [root, .., name] if root.text == "tile_kernel" => Some(name),
            [root, module, name] if module.text == "mem" && name.text == "size_of" => {
                ["std", "core"]
                    .contains(&root.text.as_str())
                    .then_some(name)
            }
            _ => None,
        };
        let row = name.and_then(|name| Some((name, language::find(FUNCTIONS, &name.text)?)));
        let Some((name, row)) = row else {
            return match self.item_call(path, place, generics, args, loc) {
                Some(result) => result,
                None => self.unknown_function(path, args, loc),
            };
        };
        let call = FunctionCall {
            name,
            usage: row.usage,
            generics,
            args,
            loc,
        };
        if !row.is_generic {
            self.no_generics(&call.callee(), generics);
        }
        let expr = (row.check)(self, &call);
        expr.unwrap_or_else(|| self.poison(loc))
    }

    fn unknown_function(&mut self, path: &[Name], args: &[ast::Expr], loc: Loc) -> ExprId {
        // Report errors in the arguments as well.
        let mut rank = 1;
        for (index, arg) in args.iter().enumerate() {
            if !matches!(arg.kind, ast::ExprKind::Array(_)) {
                let id = self.expr(arg);
                if let Ty::Tensor(tensor) = self.ty(id)
                    && index == 0
                {
                    rank = tensor.rank;
                }
            }
        }
        let (index, dims) = (self.some_index(rank), vec!["64"; rank].join(", "));
        let text: Vec<&str> = path.iter().map(|name| name.text.as_str()).collect();
        let text = text.join("::");
        let Some(last) = path.last() else {
            return self.poison(loc);
        };
        if let [name] = path
            && let Some(meaning) = self.scopes.value(&name.text)
        {
            return self.called_value(name, meaning, loc);
        }
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            last.loc,
            format!("a kernel cannot call `{text}`"),
        );
        let methods = language::tile_names();
        let first = args
            .first()
            .map_or_else(|| "x".to_owned(), ast::operand_text);
        let rest: Vec<String> = args.iter().skip(1).map(ast::text).collect();
        let rest = rest.join(", ");
        let written: Vec<String> = args.iter().map(ast::operand_text).collect();
        let candidates = self.item_names(|def| matches!(def, Def::Function(_)));
        let functions = language::names(FUNCTIONS).map(|name| -> &str { name });
        let structs = self.item_names(|def| matches!(def, Def::Struct(_) | Def::Alias(_)));
        let owner = match path {
            [.., owner, _] if crate::collect::free::is_upper(&owner.text) => Some(&owner.text),
            _ => None,
        };
        diagnostic = if text == self.kernel {
            diagnostic
                .note(format!(
                    "`{text}` is the kernel itself: kernels are launched from the host"
                ))
                .help("write a loop, or move the shared code into a function under `#[tile_fn]`")
        } else if let Some(help) = foreign_names::function(&text, &written, (&index, &dims)) {
            diagnostic.help(help)
        } else if let Some(owner) = owner {
            match nearest(owner, structs) {
                Some(known) => diagnostic.help(format!("write `{known}::{}(..)`", last.text)),
                None => diagnostic
                    .note("a kernel sees the structs of its `#[tile_kernel] mod`, and those of a `#[tile_fn] mod`")
                    .help("put the struct and the kernel into one `#[tile_kernel] mod`"),
            }
        } else if let Some(known) = nearest(&last.text, candidates.into_iter().chain(functions)) {
            diagnostic.help(format!("write `{known}(..)`"))
        } else if let Some(method) = nearest(&last.text, methods) {
            diagnostic.help(format!("write it as a method: `{first}.{method}({rest})`"))
        } else {
            diagnostic
                .note("a kernel calls functions of the kernel language, and the author's own under `#[tile_fn]`")
                .help(format!("write `#[tile_fn]` above `fn {}`", last.text))
        };
        self.error(diagnostic);
        self.poison(loc)
    }

    /// Reports a call of a variable, unless the variable has been reported.
    fn called_value(&mut self, name: &Name, meaning: Meaning, loc: Loc) -> ExprId {
        let ty = match meaning {
            Meaning::Local(local) => self.resolve(&self.locals[local.index()].ty),
            Meaning::Const(scalar, _) => Ty::scalar(scalar),
        };
        if !ty.is_error() {
            let shown = self.show(&ty);
            let functions: Vec<&str> = language::names(FUNCTIONS).collect();
            self.error(
                Diagnostic::error(
                    Code::UnknownName,
                    name.loc,
                    format!("`{}` is `{shown}`, and a kernel cannot call it", name.text),
                )
                .note(format!("the functions are `{}`", functions.join("`, `")))
                .help("write an operator, or a method after a `.`"),
            );
        }
        self.poison(loc)
    }

    /// Checks a function of an axis of the grid.
    pub(super) fn grid_query(
        &mut self,
        make_kind: fn(usize) -> ExprKind,
        call: &FunctionCall<'_>,
    ) -> Option<ExprId> {
        let [axis] = self.function_arguments::<1>(call)?;
        let axis = self.axis(axis, 3, "the grid")?;
        Some(self.push(make_kind(axis), Ty::scalar(HostScalar::I32), call.loc))
    }

    pub(super) fn zeros(&mut self, call: &FunctionCall<'_>) -> Option<ExprId> {
        let callee = &call.callee();
        let scalar = self.type_argument(callee, call.generics).ok()?;
        let [shape] = self.function_arguments::<1>(call)?;
        let shape = self.shape_argument(shape)?;
        let elem = scalar.map_or_else(|| self.fresh(Kind::Any), Elem::Known);
        // The type decides whether this is an integer or a float zero.
        let zero = self.push(ExprKind::Int(0), Ty::Scalar(elem), call.loc);
        Some(self.stretch(zero, &shape))
    }

    pub(super) fn full(&mut self, call: &FunctionCall<'_>) -> Option<ExprId> {
        let callee = &call.callee();
        let scalar = self.type_argument(callee, call.generics).ok()?;
        let [shape, written] = self.function_arguments::<2>(call)?;
        let shape = self.shape_argument(shape);
        let value = self.expr(written);
        let ty = self.ty(value);
        if ty.is_error() {
            return None;
        }
        let Ty::Scalar(_) = ty else {
            let shown = self.show(&ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    written.loc,
                    format!("`full` repeats one number, found `{shown}`"),
                )
                .help("write a number, or `.broadcast([..])` to repeat a tile"),
            );
            return None;
        };
        if let Some(scalar) = scalar {
            let expected = Ty::scalar(scalar);
            self.expect(&expected, (value, written), || {
                "the number has the element type of the tile".to_owned()
            });
        }
        Some(self.stretch(value, &shape?))
    }

    pub(super) fn iota(&mut self, call: &FunctionCall<'_>) -> Option<ExprId> {
        let (callee, loc) = (&call.callee(), call.loc);
        let scalar = self.type_argument(callee, call.generics).ok()?;
        let [extent] = self.function_arguments::<1>(call)?;
        if let ast::ExprKind::Array(items) | ast::ExprKind::Tuple(items) = &extent.kind {
            let count = items.first().map_or_else(|| "64".to_owned(), ast::text);
            let generics = match scalar {
                Some(scalar) => format!("::<{}>", scalar.name()),
                None => String::new(),
            };
            let diagnostic = Diagnostic::error(
                Code::BadArguments,
                extent.loc,
                format!("`iota` takes a number, found `{}`", ast::text(extent)),
            );
            let diagnostic = if items.len() > 1 {
                diagnostic.note("`iota` counts along one axis; `.unsqueeze(..)` and `.broadcast([..])` add others")
            } else {
                diagnostic
            };
            self.error(diagnostic.help(format!("write `iota{generics}({count})`")));
            return None;
        }
        let shape = self.shape(std::slice::from_ref(extent), extent.loc)?;
        if let Some(scalar) = scalar {
            let text = ast::text(extent);
            if !scalar.is_integer() {
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!("`iota` counts in integers, found `{}`", scalar.name()),
                    )
                    .help(format!(
                        "write `iota::<i32>({text}).cast::<{}>()`",
                        scalar.name()
                    )),
                );
                return None;
            }
            if !scalar.holds(i128::from(shape[0] - 1)) {
                self.error(
                    Diagnostic::error(
                        Code::OutOfRange,
                        loc,
                        format!("`{}` cannot count to {}", scalar.name(), shape[0] - 1),
                    )
                    .help(format!("write `iota::<i32>({text})`")),
                );
                return None;
            }
        }
        let elem = scalar.map_or_else(|| self.fresh(Kind::Integer), Elem::Known);
        Some(self.push(ExprKind::Iota, Ty::Tile(elem, shape), loc))
    }

    /// Returns the number of bytes of an element, a constant.
    pub(super) fn size_of(&mut self, call: &FunctionCall<'_>) -> Option<ExprId> {
        let (callee, loc) = (&call.callee(), call.loc);
        let scalar = self.type_argument(callee, call.generics).ok()?;
        let [] = self.function_arguments::<0>(call)?;
        let (message, help) = match scalar {
            Some(HostScalar::F4e2m1) => (
                "an `f4e2m1` has half a byte".to_owned(),
                "write `f4e2m1::BITS`, which is 4".to_owned(),
            ),
            Some(scalar) => {
                let bytes = i128::from(scalar.bits().div_ceil(8));
                return Some(self.push(ExprKind::Int(bytes), Ty::scalar(HostScalar::Usize), loc));
            }
            None => (
                "the type whose size is asked for is missing".to_owned(),
                format!("write `{}`", callee.usage),
            ),
        };
        self.error(Diagnostic::error(Code::BadArguments, loc, message).help(help));
        None
    }

    /// Checks a comparison of two types, such as `TypeId::of::<T>() == TypeId::of::<f16>()`, whose
    /// value is a constant; `None` for any other comparison.
    pub(super) fn same_types(
        &mut self,
        op: ast::BinaryOp,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let equal = match op {
            ast::BinaryOp::Eq => true,
            ast::BinaryOp::Ne => false,
            _ => return None,
        };
        let (left, right) = (type_id(lhs)?, type_id(rhs)?);
        let types = [left, right].map(|(name, generics)| {
            let callee = Callee {
                name,
                usage: "TypeId::of::<f32>()",
                receiver: None,
            };
            let scalar = self.type_argument(&callee, generics).ok()?;
            if scalar.is_none() {
                let message = "`TypeId::of` takes one element type";
                self.error(
                    Diagnostic::error(Code::BadArguments, name.loc, message)
                        .help(format!("write `{}`", callee.usage)),
                );
            }
            scalar
        });
        let [Some(left), Some(right)] = types else {
            return Some(self.poison(loc));
        };
        let value = ExprKind::Bool((left == right) == equal);
        Some(self.push(value, Ty::scalar(HostScalar::Bool), loc))
    }

    pub(super) fn select(&mut self, call: &FunctionCall<'_>) -> Option<ExprId> {
        let (callee, loc) = (&call.callee(), call.loc);
        let args = self.function_arguments::<3>(call)?;
        let ids = args.each_ref().map(|arg| self.expr(arg));
        let types = ids.map(|id| self.ty(id));
        if types.iter().any(Ty::is_error) {
            return None;
        }
        for (ty, arg) in types.iter().zip(args) {
            if ty.number().is_none() {
                self.not_a_number(callee, ty, arg);
                return None;
            }
        }
        let (mask, _) = types[0].number()?;
        if !self.unify_elem(mask, Elem::Known(HostScalar::Bool)) {
            let shown = self.show(&types[0]);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    args[0].loc,
                    format!("the mask of `select` is made of `bool`, found `{shown}`"),
                )
                .help(format!("compare it, as in `{} != 0`", ast::text(&args[0]))),
            );
            return None;
        }
        let (elem, _) = types[1].number()?;
        let (other, _) = types[2].number()?;
        if !self.unify_elem(elem, other) {
            self.differing(callee, (ids[1], &args[1]), (ids[2], &args[2]), loc);
            return None;
        }
        let operands = [(ids[0], &args[0]), (ids[1], &args[1]), (ids[2], &args[2])];
        let (ids, shape) = self.stretch_all(&operands, callee.name.loc, "select")?;
        let ty = Ty::from_shape(elem, &shape);
        let expr = self.push(ExprKind::Select(ids[0], ids[1], ids[2]), ty, loc);
        let text = ast::operand_text(&args[1]);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    /// Reports arguments of different element types.
    pub(super) fn differing(
        &mut self,
        callee: &Callee<'_>,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
        loc: Loc,
    ) {
        let (lhs_ty, rhs_ty) = (self.ty(lhs.0), self.ty(rhs.0));
        // Whatever its shape, the second argument is converted to the element type of the first.
        let (_, help) = match (lhs_ty.number(), &rhs_ty) {
            (Some((elem, _)), Ty::Tile(_, shape)) => {
                self.mismatch(&Ty::Tile(elem, shape.clone()), &rhs_ty, Some(rhs.1))
            }
            (Some((elem, _)), _) => self.mismatch(&Ty::Scalar(elem), &rhs_ty, Some(rhs.1)),
            _ => (Code::TypeMismatch, None),
        };
        let message = format!(
            "`{}` needs one element type, found `{}` and `{}`",
            callee.name.text,
            self.show(&lhs_ty),
            self.show(&rhs_ty)
        );
        let diagnostic = self.label_operands(
            Diagnostic::error(Code::TypeMismatch, loc, message),
            &[lhs, rhs],
        );
        self.error(diagnostic.help(help.unwrap_or_else(|| {
            "convert one of them: `.cast::<f32>()` for a tile, `as f32` for a number".to_owned()
        })));
    }

    pub(super) fn not_a_number(&mut self, callee: &Callee<'_>, ty: &Ty, written: &ast::Expr) {
        let message = format!(
            "`{}` needs numbers or tiles, found `{}`",
            callee.name.text,
            self.show(ty)
        );
        self.error(
            Diagnostic::error(Code::TypeMismatch, written.loc, message)
                .help(self.load_help(ty, written)),
        );
    }
}

/// Returns the generics of `TypeId::of::<T>()`, and the name that they follow.
fn type_id(expr: &ast::Expr) -> Option<(&Name, &[GenericArg])> {
    match &expr.kind {
        ast::ExprKind::Call {
            path,
            owner: None,
            generics,
            args,
        } if args.is_empty() => match path.as_slice() {
            [.., ty, name] if ty.text == "TypeId" && name.text == "of" => Some((name, generics)),
            _ => None,
        },
        _ => None,
    }
}
