//! Methods.

use super::calls::Callee;
use super::habits;
use super::names::nearest;
use super::types::{Operand, load_help};
use super::{Checker, Operator};
use crate::hir::{Elem, ExprId, ExprKind, MathOp, ReduceOp, Ty, ViewLayout};
use crate::parse::ast::{self, GenericArg, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Methods that only tiles have, besides the reductions.
pub(super) const TILE_METHODS: [&str; 7] = [
    "cast",
    "t",
    "permute",
    "reshape",
    "broadcast",
    "unsqueeze",
    "squeeze",
];
const TENSOR_METHODS: [&str; 22] = [
    "load",
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
    /// `receiver.name(..)`
    pub(super) fn method(
        &mut self,
        receiver: &ast::Expr,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> ExprId {
        let id = self.expr(receiver);
        let made = match self.ty(id) {
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
        made.unwrap_or_else(|| self.poison(loc))
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
        let text = name.text.as_str();
        if let Some(&(_, op, count)) = MathOp::TABLE.iter().find(|(known, _, _)| *known == text) {
            return self.math(receiver, (op, count), name, generics, args, loc);
        }
        let is_tile = matches!(ty, Ty::Tile(..));
        if let Some(&(_, op)) = ReduceOp::TABLE.iter().find(|(known, _)| *known == text)
            && is_tile
        {
            return self.reduce(receiver, op, name, generics, args, loc);
        }
        let usage = match text {
            "cast" => "x.cast::<f32>()",
            "t" => "x.t()",
            "permute" => "x.permute([1, 0])",
            "reshape" => "x.reshape([64, 64])",
            "broadcast" => "x.broadcast([64, 64])",
            "unsqueeze" => "x.unsqueeze(0)",
            "squeeze" => "x.squeeze(0)",
            _ => return self.unknown_number_method(receiver, ty, name, args),
        };
        if !is_tile {
            return self.unknown_number_method(receiver, ty, name, args);
        }
        let callee = Callee {
            name,
            usage,
            receiver: Some(receiver.1),
        };
        if text == "cast" {
            let Some(target) = self.type_argument(&callee, generics).ok()? else {
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        name.loc,
                        "`cast` needs the new element type",
                    )
                    .help("write `.cast::<f32>()`"),
                );
                return None;
            };
            let [] = self.arguments::<0>(&callee, args, loc)?;
            let (_, shape) = ty.number()?;
            let new = Ty::of_shape(Elem::Known(target), shape);
            let expr = self.push(ExprKind::Cast(receiver.0), new, loc);
            let text = ast::operand_text(receiver.1);
            self.operators.push(Operator { expr, text });
            return Some(expr);
        }
        self.no_generics(&callee, generics);
        if text == "t" {
            let [] = self.arguments::<0>(&callee, args, loc)?;
            return Some(self.transpose(receiver, loc));
        }
        let [arg] = self.arguments::<1>(&callee, args, loc)?;
        Some(match text {
            "permute" => self.permute(receiver, arg, loc),
            "reshape" => self.reshape(receiver, arg, loc),
            "broadcast" => self.broadcast(receiver, arg, loc),
            "unsqueeze" => self.unsqueeze(receiver, arg, loc),
            _ => self.squeeze(receiver, arg, loc),
        })
    }

    fn math(
        &mut self,
        receiver: Operand<'_>,
        (op, count): (MathOp, usize),
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let usage = match count {
            1 => "x.exp()",
            2 => "x.max(y)",
            _ => "x.mul_add(y, z)",
        };
        let callee = Callee {
            name,
            usage,
            receiver: Some(receiver.1),
        };
        self.no_generics(&callee, generics);
        if args.len() + 1 != count {
            let plural = if count == 2 { "argument" } else { "arguments" };
            let receiver = ast::operand_text(receiver.1);
            let usage = match count {
                1 => format!("{receiver}.{}()", name.text),
                2 => format!("{receiver}.{}(y)", name.text),
                _ => format!("{receiver}.{}(y, z)", name.text),
            };
            let text = &name.text;
            let mut diagnostic = Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "`{text}` takes {} {plural}, found {}",
                    count - 1,
                    args.len()
                ),
            );
            let reduction = format!("reduce_{text}");
            let is_reduction = ReduceOp::TABLE.iter().any(|(known, _)| *known == reduction);
            diagnostic = if is_reduction && args.is_empty() {
                diagnostic.help(format!(
                    "write `.{reduction}(0)` for the {text} along axis 0, or `.{text}(y)` for the {text} of two tiles"
                ))
            } else {
                diagnostic.help(format!("write `{usage}`"))
            };
            self.error(diagnostic);
            return None;
        }
        let mut operands = vec![receiver];
        for arg in args {
            let id = self.expr(arg);
            operands.push((id, arg));
        }
        let mut fine = true;
        for &(id, written) in &operands {
            let ty = self.ty(id);
            if ty.is_error() {
                fine = false;
            } else if ty.number().is_none() {
                self.not_a_number(&callee, &ty, written);
                fine = false;
            }
        }
        if !fine {
            return None;
        }
        let (elem, _) = self
            .ty(receiver.0)
            .number()
            .map(|(elem, shape)| (elem, shape.len()))?;
        for &operand in &operands[1..] {
            let ty = self.ty(operand.0);
            let (other, _) = ty.number()?;
            if !self.unify_elem(elem, other) {
                self.differing(&callee, receiver, operand, loc);
                return None;
            }
        }
        let (ids, shape) = self.stretch_all(&operands, name.loc, &name.text)?;
        let ty = Ty::of_shape(elem, &shape);
        let expr = self.push(ExprKind::Math(op, ids), ty, loc);
        let text = ast::operand_text(receiver.1);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    fn reduce(
        &mut self,
        receiver: Operand<'_>,
        op: ReduceOp,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let usage = match op {
            ReduceOp::Sum => "x.sum(0)",
            ReduceOp::Prod => "x.prod(0)",
            ReduceOp::Max => "x.reduce_max(0)",
            ReduceOp::Min => "x.reduce_min(0)",
        };
        let callee = Callee {
            name,
            usage,
            receiver: Some(receiver.1),
        };
        self.no_generics(&callee, generics);
        let [axis] = self.arguments::<1>(&callee, args, loc)?;
        let ty = self.ty(receiver.0);
        let (elem, shape) = ty.number()?;
        let axis = self.axis(axis, shape.len(), "the tile")?;
        let mut left = shape.to_vec();
        left.remove(axis);
        let expr = self.push(
            ExprKind::Reduce(op, receiver.0, axis),
            Ty::of_shape(elem, &left),
            loc,
        );
        let text = ast::operand_text(receiver.1);
        self.operators.push(Operator { expr, text });
        Some(expr)
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
        let math = MathOp::TABLE.iter().map(|(known, _, _)| *known);
        let tile_only = ReduceOp::TABLE
            .iter()
            .map(|(known, _)| *known)
            .chain(TILE_METHODS)
            .filter(|_| is_tile);
        let known: Vec<&str> = math.chain(tile_only).collect();
        let argument = args.first().map_or_else(|| "y".to_owned(), ast::text);
        let written: Vec<String> = args.iter().map(ast::text).collect();
        let habit = habits::method(&name.text, &text, &written);
        let help = match name.text.as_str() {
            "cast" => format!("write `{text} as f32`"),
            "unsqueeze" | "reshape" | "broadcast" => {
                format!("write `full([..], {text})` to make a tile of the number")
            }
            "powi" => format!("write `{text}.powf(..)`, or multiply"),
            "recip" => format!("write `1.0 / {text}`"),
            "max_axis" | "amax" => "write `.reduce_max(0)`".to_owned(),
            "mean" => "write `.sum(0)` and divide by the number of elements".to_owned(),
            "transpose" => {
                "write `.t()`, or `.permute([..])` with the order of the axes".to_owned()
            }
            "clamp" => format!("write `{text}.max(low).min(high)`"),
            "log10" => format!("write `{text}.ln() * 0.4342944819`"),
            "wrapping_add" => format!("write `{text} + {argument}`, which wraps"),
            "wrapping_sub" => format!("write `{text} - {argument}`, which wraps"),
            "wrapping_mul" => format!("write `{text} * {argument}`, which wraps"),
            "add" => format!("write `{text} + {argument}`"),
            "sub" => format!("write `{text} - {argument}`"),
            "mul" => format!("write `{text} * {argument}`"),
            "div" => format!("write `{text} / {argument}`"),
            "eq" => format!("write `{text} == {argument}`"),
            "lt" => format!("write `{text} < {argument}`"),
            "gt" => format!("write `{text} > {argument}`"),
            "matmul" | "dot" => format!("write `mma({text}, {argument}, acc)`"),
            "shape" | "len" | "size" => {
                "write the numbers: the shape of a tile is known at compile time".to_owned()
            }
            "iter" | "map" | "into_iter" | "zip" | "fold" => {
                "compute on the whole tile: operators and methods work on every element".to_owned()
            }
            "clone" | "to_owned" | "copied" => format!("write `{text}`: values are copied freely"),
            "load" | "store" => "call it on a tensor parameter or a partition of one".to_owned(),
            other => match (habit, nearest(other, known.iter().copied())) {
                (Some(help), _) => help,
                (None, Some(known)) => {
                    let args: Vec<String> = args.iter().map(ast::text).collect();
                    format!("write `.{known}({})`", args.join(", "))
                }
                (None, None) => format!("use one of `{}`", known.join("`, `")),
            },
        };
        self.no_method(&shown, name, help);
        None
    }

    fn no_method(&mut self, shown: &str, name: &Name, help: impl Into<String>) {
        let message = format!("`{shown}` has no method `{}`", name.text);
        self.error(Diagnostic::error(Code::UnknownName, name.loc, message).help(help));
    }

    /// Reports a method that tensors or partitions do not have.
    pub(super) fn unknown_view_method(&mut self, receiver: Operand<'_>, ty: &Ty, name: &Name) {
        let gathers =
            matches!(ty, Ty::Partition(view) if matches!(view.layout, ViewLayout::Gather(_)));
        let known: &[&str] = if matches!(ty, Ty::Tensor(_)) {
            &TENSOR_METHODS
        } else if gathers {
            &GATHER_METHODS
        } else {
            &PARTITION_METHODS
        };
        let shown = self.show(ty);
        let text = ast::text(receiver.1);
        let is_number_method = MathOp::TABLE
            .iter()
            .any(|(known, _, _)| *known == name.text)
            || ReduceOp::TABLE.iter().any(|(known, _)| *known == name.text)
            || TILE_METHODS.contains(&name.text.as_str());
        let help = match name.text.as_str() {
            _ if is_number_method => load_help(ty, receiver.1),
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
                format!("write `{text}.at([i])` for one element")
            }
            "fetch_add" => format!("write `{text}.atomic_add([indices], tile)`"),
            "fetch_max" => format!("write `{text}.atomic_max([indices], tile)`"),
            "fetch_min" => format!("write `{text}.atomic_min([indices], tile)`"),
            "swap" => format!("write `{text}.atomic_xchg([indices], tile)`"),
            "compare_exchange" => format!("write `{text}.atomic_cas([indices], expected, new)`"),
            "num_tiles" => {
                format!("cut the tensor first: write `{text}.partition([..]).num_tiles(0)`")
            }
            other => match (
                habits::view_method(other, &text),
                nearest(other, known.iter().copied()),
            ) {
                (Some(help), _) => help,
                (None, Some(known)) => format!("write `.{known}(..)`"),
                (None, None) => format!("use one of `{}`", known.join("`, `")),
            },
        };
        self.no_method(&shown, name, help);
    }
}
