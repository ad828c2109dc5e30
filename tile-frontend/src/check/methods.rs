//! Checks method calls.

use super::Checker;
use super::foreign_names;
use super::language::{self, GATHER_VIEWS, NUMBERS, PARTITIONS, POINTERS, TENSORS, TILES};
use super::math::MethodCall;
use super::names::nearest;
use super::types::Operand;
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, MathOp, Ty, ViewLayout};
use crate::parse::ast::{self, GenericArg, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Checks `receiver.name(..)`.
    pub(super) fn method(
        &mut self,
        receiver: &ast::Expr,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> ExprId {
        let id = self.expr(receiver);
        self.ambiguous(receiver, id, name);
        let call = MethodCall {
            receiver: (id, receiver),
            name,
            usage: "",
            generics,
            args,
            loc,
        };
        let result = match self.ty(id) {
            Ty::Error | Ty::Never => None,
            Ty::Tensor(tensor) => match language::find(TENSORS, &name.text) {
                Some(row) => self.check_row(row, &tensor, call),
                None => self.unknown_view_method(call.receiver, &Ty::Tensor(tensor), name),
            },
            Ty::Partition(view) => self.view_method(&view, call),
            Ty::Pointer(pointer) => match language::find(POINTERS, &name.text) {
                Some(row) => self.check_row(row, &pointer, call),
                None => self.unknown_pointer_method(call.receiver, &pointer, name),
            },
            ty @ (Ty::Scalar(_) | Ty::Tile(..)) => self.number_method(&ty, call),
            Ty::Struct(structure, _) => {
                return self.struct_method(&structure, (id, receiver), name, generics, args, loc);
            }
            ty @ Ty::Tuple(_) => {
                let shown = self.show(&ty);
                self.no_method(&shown, name, "call it on a part, such as `.0`");
                None
            }
        };
        result.unwrap_or_else(|| self.poison(loc))
    }

    /// Reports a method of a literal that has no type yet.
    fn ambiguous(&mut self, receiver: &ast::Expr, id: ExprId, name: &Name) {
        let mut literal = receiver;
        while let ast::ExprKind::Unary(_, inner) = &literal.kind {
            literal = inner;
        }
        let example = match literal.kind {
            ast::ExprKind::Int(_, None) => "i32",
            ast::ExprKind::Float(_, None) => "f32",
            _ => return,
        };
        let Ty::Scalar(Elem::Var(_)) = self.ty(id) else {
            return;
        };
        let text = ast::text(receiver);
        let typed = if matches!(receiver.kind, ast::ExprKind::Unary(..)) {
            format!("({text}_{example})")
        } else {
            format!("{text}_{example}")
        };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                receiver.loc,
                format!("`{}` is called on a number whose type is not known yet", name.text),
            )
            .note("as in Rust, a method is looked up before the rest of the code gives a literal its type")
            .help(format!("write the type: `{typed}.{}(..)`", name.text)),
        );
    }

    fn number_method(&mut self, ty: &Ty, call: MethodCall<'_>) -> Option<ExprId> {
        let name = call.name.text.as_str();
        if let Some(row) = MathOp::from_name(name) {
            let call = MethodCall {
                usage: row.usage,
                ..call
            };
            self.no_generics(&call.callee(), call.generics);
            return self.math(row, &call);
        }
        let of_tile = || match ty {
            Ty::Tile(..) => language::find(TILES, name),
            _ => None,
        };
        match language::find(NUMBERS, name).or_else(of_tile) {
            Some(row) => self.check_row(row, ty, call),
            None => self.unknown_number_method(call.receiver, ty, call.name, call.args),
        }
    }

    fn unknown_number_method(
        &mut self,
        receiver: Operand<'_>,
        ty: &Ty,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<ExprId> {
        let is_tile = matches!(ty, Ty::Tile(..));
        let text = ast::operand_text(receiver.1);
        let shown = self.show(ty);
        let candidates: Vec<&str> = if is_tile {
            language::tile_names().collect()
        } else {
            language::elementwise_names().collect()
        };
        let argument = args.first().map_or_else(|| "y".to_owned(), ast::text);
        let written: Vec<String> = args.iter().map(ast::text).collect();
        let foreign = foreign_names::method(&name.text, &text, &written);
        let typed = self.instead_of_method(ty, &name.text, &text, args);
        let help = match name.text.as_str() {
            _ if typed.is_some() => typed.unwrap_or_default(),
            "unsqueeze" | "reshape" | "broadcast" => {
                format!("write `full([..], {text})` to make a tile of the number")
            }
            "max_axis" | "amax" => format!("write `{text}.reduce_max(0)`"),
            "mean" => "write `.sum(axis)` and divide by the number of elements".to_owned(),
            "transpose" => {
                "write `.t()`, or `.permute([..])` with the order of the axes".to_owned()
            }
            "checked_add" | "checked_sub" | "checked_mul" | "checked_div" | "checked_pow"
            | "checked_ilog2" | "checked_next_power_of_two" | "overflowing_add"
            | "overflowing_sub" | "overflowing_mul" => {
                "compare before: a kernel has no `Option`, and arithmetic wraps".to_owned()
            }
            "expm1" => format!("write `{text}.exp_m1()`"),
            "log1p" => format!("write `{text}.ln_1p()`"),
            "fold" if is_tile => "write `.reduce(axis, init, |a, b| ..)`".to_owned(),
            "add" => format!("write `{text} + {argument}`"),
            "sub" => format!("write `{text} - {argument}`"),
            "mul" => format!("write `{text} * {argument}`"),
            "div" => format!("write `{text} / {argument}`"),
            "eq" => format!("write `{text} == {argument}`"),
            "lt" => format!("write `{text} < {argument}`"),
            "gt" => format!("write `{text} > {argument}`"),
            "matmul" | "dot" => format!("write `dot({text}, {argument})`"),
            "len" if is_tile => {
                let count: i64 = ty.number().map_or(1, |(_, shape)| shape.iter().product());
                format!("write `{count}`: the shape of a tile is known at compile time")
            }
            "shape" | "len" | "size" => {
                "write the numbers: the shape of a tile is known at compile time".to_owned()
            }
            "iter" | "into_iter" if is_tile => format!(
                "compute on the whole tile: operators and methods work on every element, and `{text}.sum(0)` or `.reduce(..)` combines them"
            ),
            "map" if let [ast::Expr { kind: ast::ExprKind::Closure(closure), .. }] = args => {
                mapped(closure, &text)
            }
            "iter" | "map" | "into_iter" | "zip" | "fold" => {
                "compute on the whole tile: operators and methods work on every element, and `.reduce(..)` combines them".to_owned()
            }
            "clone" | "to_owned" | "copied" => format!("write `{text}`: values are copied freely"),
            "load" => format!("write `{text}`: it is loaded already"),
            "store" => "call it on a tensor parameter or a partition of one".to_owned(),
            other => match (foreign, nearest(other, candidates.iter().copied())) {
                (Some(help), _) => help,
                // A method that Rust has is not treated as a misspelling of another method.
                (None, Some(known)) if !foreign_names::is_method_of_rust(other) => {
                    let args: Vec<String> = args.iter().map(ast::text).collect();
                    format!("write `.{known}({})`", args.join(", "))
                }
                (None, _) if is_tile => {
                    "use a method of tiles: docs/language.md lists them under \"Tiles\" and \"Reductions\"".to_owned()
                }
                (None, _) => {
                    "use a method of numbers: docs/language.md lists them under \"Numbers\"".to_owned()
                }
            },
        };
        self.no_method(&shown, name, help);
        None
    }

    /// Returns the help for a method of Rust or `NumPy` that depends on the type of the receiver.
    fn instead_of_method(
        &mut self,
        ty: &Ty,
        name: &str,
        text: &str,
        args: &[ast::Expr],
    ) -> Option<String> {
        let (elem, shape) = ty.number()?;
        let shape = shape.to_vec();
        let is_tile = matches!(ty, Ty::Tile(..));
        let is_integer = self.kind_of(elem) == super::types::Kind::Integer;
        let scalar = match self.resolve_elem(elem) {
            Elem::Known(scalar) => Some(scalar),
            Elem::Var(_) => None,
        };
        let is_integer = is_integer || scalar.is_some_and(HostScalar::is_integer);
        match name {
            "mean" if is_tile => {
                let axis = match args {
                    [] if shape.len() == 1 => 0,
                    [arg] => match arg.kind {
                        ast::ExprKind::Int(axis, _) => usize::try_from(axis).ok()?,
                        _ => return None,
                    },
                    _ => return None,
                };
                let extent = shape.get(axis)?;
                let point = if is_integer { "" } else { ".0" };
                Some(format!("write `{text}.sum({axis}) / {extent}{point}`"))
            }
            // The square root in `f64` is exact where an `f64` holds every value of the type.
            "isqrt" if scalar?.is_integer() && scalar?.bits() <= 32 => {
                let to = scalar?.name();
                Some(if is_tile {
                    format!("write `{text}.cast::<f64>().sqrt().cast::<{to}>()`")
                } else {
                    format!("write `({text} as f64).sqrt() as {to}`")
                })
            }
            "ilog2" if scalar?.is_integer() => Some(format!(
                "write `{} - {text}.leading_zeros()`",
                scalar?.bits() - 1
            )),
            "leading_ones" if is_integer => Some(format!("write `(!{text}).leading_zeros()`")),
            "trailing_ones" if is_integer => Some(format!("write `(!{text}).trailing_zeros()`")),
            _ => None,
        }
    }

    fn no_method(&mut self, shown: &str, name: &Name, help: impl Into<String>) {
        let message = format!("`{shown}` has no method `{}`", name.text);
        self.error(Diagnostic::error(Code::UnknownName, name.loc, message).help(help));
    }

    /// Reports a method that tensors or partitions do not have.
    pub(super) fn unknown_view_method(
        &mut self,
        receiver: Operand<'_>,
        ty: &Ty,
        name: &Name,
    ) -> Option<ExprId> {
        let gathers =
            matches!(ty, Ty::Partition(view) if matches!(view.layout, ViewLayout::Gather(_)));
        let candidates: Vec<&str> = match ty {
            Ty::Tensor(_) => language::names(TENSORS).collect(),
            _ if gathers => language::names(GATHER_VIEWS).collect(),
            _ => language::names(PARTITIONS).collect(),
        };
        let shown = self.show(ty);
        let text = ast::text(receiver.1);
        let rank = match ty {
            Ty::Partition(partition) => partition.tile.len(),
            _ => ty.tensor().map_or(1, |tensor| tensor.rank),
        };
        let (index, dims) = (self.some_index(rank), vec!["64"; rank].join(", "));
        let is_number_method = language::tile_names().any(|method| method == name.text);
        let help = match name.text.as_str() {
            _ if is_number_method => self.load_help(ty, receiver.1),
            "shape" | "size" | "len" => format!("write `{text}.dim(0)` for the extent of axis 0"),
            "tiles" => format!(
                "write `{text}.num_tiles(0)` on a partition: `tiles` is for the `grid` option"
            ),
            "dim" => "call `dim` on the tensor itself".to_owned(),
            "num_tiles" if gathers => {
                "call `dim` on the tensor: the indices of a `GatherView` count elements".to_owned()
            }
            "with_order" if gathers => {
                "leave it out: the axes of a `GatherView` are those of the tensor".to_owned()
            }
            "get" | "get_unchecked" | "index" | "item" | "read"
                if !matches!(ty, Ty::Partition(_)) =>
            {
                format!(
                    "write `{text}.at([{}])` for one element",
                    self.some_index(rank)
                )
            }
            "fetch_add" => format!("write `{text}.atomic_add(..)`"),
            "fetch_max" => format!("write `{text}.atomic_max(..)`"),
            "fetch_min" => format!("write `{text}.atomic_min(..)`"),
            "swap" => format!("write `{text}.atomic_xchg(..)`"),
            "compare_exchange" => format!("write `{text}.atomic_cas([indices], expected, new)`"),
            "load_relaxed" | "read_volatile" => format!("write `{text}.atomic_load([indices])`"),
            "store_relaxed" | "write_volatile" => {
                format!("write `{text}.atomic_store([indices], tile)`")
            }
            "num_tiles" => {
                format!("cut the tensor first: write `{text}.partition([..]).num_tiles(0)`")
            }
            other => match (
                foreign_names::view_method(other, &text, (&index, &dims)),
                nearest(other, candidates.iter().copied()),
            ) {
                (Some(help), _) => help,
                (None, Some(known)) => format!("write `.{known}(..)`"),
                (None, None) => format!("use one of `{}`", candidates.join("`, `")),
            },
        };
        self.no_method(&shown, name, help);
        None
    }
}

/// Returns the help for `tile.map(|x| ..)`: the body of the closure with the tile substituted for
/// its parameter.
fn mapped(closure: &ast::Closure, tile: &str) -> String {
    const WHOLE: &str = "compute on the whole tile: operators and methods work on every element";
    let [(ast::Pat::Name { name, .. }, _)] = closure.params.as_slice() else {
        return WHOLE.to_owned();
    };
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let body = ast::full_text(&closure.body);
    let mut text = String::new();
    for word in body.split_inclusive(|letter| !is_word(letter)) {
        let end = word.trim_end_matches(|letter| !is_word(letter)).len();
        let (word, rest) = word.split_at(end);
        text.push_str(if word == name.text { tile } else { word });
        text.push_str(rest);
    }
    format!("{WHOLE}; write `{text}`")
}
