//! Checks method calls.

use super::Checker;
use super::foreign_names;
use super::math::{MethodCall, UNCHECKED};
use super::names::nearest;
use super::types::Operand;
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, MathOp, ReduceOp, RoundedOp, Ty, ViewLayout};
use crate::parse::ast::{self, GenericArg, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The methods that only tiles have, except for the reductions.
pub(super) const TILE_METHODS: [&str; 25] = [
    "argmax",
    "argmin",
    "cumsum",
    "cumprod",
    "cumsum_rev",
    "cumprod_rev",
    "sum_as",
    "prod_as",
    "cumsum_as",
    "cumprod_as",
    "cumsum_rev_as",
    "cumprod_rev_as",
    "reduce",
    "scan",
    "scan_rev",
    "extract",
    "split",
    "gather",
    "item",
    "t",
    "permute",
    "reshape",
    "broadcast",
    "unsqueeze",
    "squeeze",
];
const TENSOR_METHODS: [&str; 36] = [
    "load",
    "load_at",
    "load_at_padded",
    "load_padded",
    "store",
    "partition",
    "strided",
    "gather_view",
    "dim",
    "stride",
    "at",
    "gather",
    "gather_padded",
    "scatter",
    "as_ptr",
    "as_mut_ptr",
    "atomic_add",
    "atomic_max",
    "atomic_min",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_xchg",
    "atomic_cas",
    "atomic_load",
    "atomic_store",
    "atomic_add_masked",
    "atomic_max_masked",
    "atomic_min_masked",
    "atomic_and_masked",
    "atomic_or_masked",
    "atomic_xor_masked",
    "atomic_xchg_masked",
    "atomic_cas_masked",
    "atomic_load_masked",
    "atomic_store_masked",
];
const PARTITION_METHODS: [&str; 11] = [
    "load",
    "store",
    "num_tiles",
    "with_padding",
    "with_order",
    "atomic_add",
    "atomic_max",
    "atomic_min",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
];
const GATHER_METHODS: [&str; 3] = ["load", "store", "with_padding"];

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
        let result = match self.ty(id) {
            Ty::Error | Ty::Never => None,
            Ty::Tensor(tensor) => {
                self.tensor_method((id, receiver), &tensor, name, generics, args, loc)
            }
            Ty::Partition(partition) => {
                self.partition_method((id, receiver), &partition, name, generics, args, loc)
            }
            Ty::Pointer(pointer) => {
                self.pointer_method((id, receiver), &pointer, name, generics, args, loc)
            }
            ty @ (Ty::Scalar(_) | Ty::Tile(..)) => {
                self.number_method((id, receiver), &ty, name, generics, args, loc)
            }
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

    fn number_method(
        &mut self,
        receiver: Operand<'_>,
        ty: &Ty,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let call = MethodCall {
            receiver,
            name,
            generics,
            args,
            loc,
        };
        if let Some(result) = self.elementwise(&call, ty) {
            return result;
        }
        if !matches!(ty, Ty::Tile(..)) {
            return self.unknown_number_method(receiver, ty, name, args);
        }
        if let Some(result) = self.combination(&call) {
            return result;
        }
        let usage = match name.text.as_str() {
            "t" => "x.t()",
            "item" => "x.item()",
            "permute" => "x.permute([1, 0])",
            "reshape" => "x.reshape([64, 64])",
            "broadcast" => "x.broadcast([64, 64])",
            "unsqueeze" => "x.unsqueeze(0)",
            "squeeze" => "x.squeeze(0)",
            "extract" if matches!(ty, Ty::Tile(_, shape) if shape.len() == 1) => {
                "x.extract([0], [16])"
            }
            "extract" => "x.extract([0, 1], [16, 16])",
            "split" => "x.split()",
            "gather" => "x.gather(0, index)",
            _ => return self.unknown_number_method(receiver, ty, name, args),
        };
        let callee = call.callee(usage);
        self.no_generics(&callee, generics);
        match name.text.as_str() {
            "t" => {
                let [] = self.arguments::<0>(&callee, args, loc)?;
                return Some(self.transpose(receiver, loc));
            }
            "item" => {
                let [] = self.arguments::<0>(&callee, args, loc)?;
                return Some(self.one_element(receiver, loc));
            }
            "split" => {
                let [] = self.arguments::<0>(&callee, args, loc)?;
                return self.split(receiver, loc);
            }
            "gather" => {
                let [axis, index] = self.arguments::<2>(&callee, args, loc)?;
                return self.take(receiver, axis, index, loc);
            }
            "extract" => {
                let [index, shape] = self.arguments::<2>(&callee, args, loc)?;
                return Some(self.extract(receiver, index, shape, loc));
            }
            _ => {}
        }
        let [arg] = self.arguments::<1>(&callee, args, loc)?;
        Some(match name.text.as_str() {
            "permute" => self.permute(receiver, arg, loc),
            "reshape" => self.reshape(receiver, arg, loc),
            "broadcast" => self.broadcast(receiver, arg, loc),
            "unsqueeze" => self.unsqueeze(receiver, arg, loc),
            _ => self.squeeze(receiver, arg, loc),
        })
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
        let math = elementwise_methods();
        let tile_only = ReduceOp::TABLE
            .iter()
            .map(|(name, _)| *name)
            .chain(TILE_METHODS)
            .filter(|_| is_tile);
        let candidates: Vec<&str> = math.chain(tile_only).collect();
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
    pub(super) fn unknown_view_method(&mut self, receiver: Operand<'_>, ty: &Ty, name: &Name) {
        let gathers =
            matches!(ty, Ty::Partition(view) if matches!(view.layout, ViewLayout::Gather(_)));
        let candidates: &[&str] = if matches!(ty, Ty::Tensor(_)) {
            &TENSOR_METHODS
        } else if gathers {
            &GATHER_METHODS
        } else {
            &PARTITION_METHODS
        };
        let shown = self.show(ty);
        let text = ast::text(receiver.1);
        let rank = match ty {
            Ty::Partition(partition) => partition.tile.len(),
            _ => ty.tensor().map_or(1, |tensor| tensor.rank),
        };
        let (index, dims) = (self.some_index(rank), vec!["64"; rank].join(", "));
        let is_number_method = elementwise_methods().any(|method| method == name.text)
            || ReduceOp::TABLE
                .iter()
                .any(|(method, _)| *method == name.text)
            || TILE_METHODS.contains(&name.text.as_str());
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

/// Returns the names of the elementwise methods.
pub(super) fn elementwise_methods() -> impl Iterator<Item = &'static str> {
    MathOp::TABLE
        .iter()
        .map(|row| row.name)
        .chain(RoundedOp::TABLE.iter().map(|(name, _, _)| *name))
        .chain(UNCHECKED.iter().map(|(name, _)| *name))
        .chain(["cast", "cast_with", "saturating_cast", "sin_cos", "bitcast"])
}
