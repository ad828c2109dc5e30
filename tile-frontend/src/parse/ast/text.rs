//! The source of expressions and types, as messages show it.

use super::{BinaryOp, Expr, ExprKind, GenericArg, Name, Subscript, Type};
use crate::hir::signature::HostScalar;

/// Returns the source of an expression, shortened for messages.
pub(crate) fn text(expr: &Expr) -> String {
    let full = full_text(expr);
    if full.chars().count() <= 40 {
        return full;
    }
    let head: String = full.chars().take(36).collect();
    format!("{head} ..")
}

/// Returns [`text`] in a form that `.method()` or `as` can follow.
pub(crate) fn operand_text(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Unary(..)
        | ExprKind::If { .. }
        | ExprKind::Match(..)
        | ExprKind::Break { .. }
        | ExprKind::Return(_)
        | ExprKind::Assign(..) => format!("({})", text(expr)),
        _ => text(expr),
    }
}

/// Returns the source of a type.
fn type_text(ty: &Type) -> String {
    let shaped = |name: &str, element: &Name, dims: &[Expr]| {
        let dims: Vec<String> = dims.iter().map(full_text).collect();
        format!("{name}<{}, {{ [{}] }}>", element.text, dims.join(", "))
    };
    match ty {
        Type::Name(name) => name.text.clone(),
        Type::Generic(name, arguments, _) => format!("{}<{}>", name.text, generics_text(arguments)),
        Type::Tile(element, dims, _) => shaped("Tile", element, dims),
        Type::Partition(element, dims, _) => shaped("Partition", element, dims),
        Type::Tensor {
            element,
            rank,
            mutable,
            ..
        } => {
            let mutable = if *mutable { "mut " } else { "" };
            format!("&{mutable}Tensor<{}, {}>", element.text, full_text(rank))
        }
        Type::Tuple(parts, _) => {
            let parts: Vec<String> = parts.iter().map(type_text).collect();
            match parts.as_slice() {
                [part] => format!("({part},)"),
                _ => format!("({})", parts.join(", ")),
            }
        }
        Type::Infer => "_".to_owned(),
        Type::Error => "..".to_owned(),
    }
}

/// Returns the source of generic arguments.
pub(crate) fn generics_text(arguments: &[GenericArg]) -> String {
    let argument = |argument: &GenericArg| match argument {
        GenericArg::Type(ty) => type_text(ty),
        GenericArg::Const(value) => match &value.kind {
            ExprKind::Int(..) | ExprKind::Bool(_) | ExprKind::Path(_) => full_text(value),
            _ => format!("{{ {} }}", full_text(value)),
        },
    };
    let texts: Vec<String> = arguments.iter().map(argument).collect();
    texts.join(", ")
}

/// Returns generic arguments as they follow the name of a function.
fn turbofish(arguments: &[GenericArg]) -> String {
    if arguments.is_empty() {
        String::new()
    } else {
        format!("::<{}>", generics_text(arguments))
    }
}

/// Returns a type as it precedes `::`.
fn owner_text(ty: &Type) -> String {
    match ty {
        Type::Generic(name, arguments, _) => format!("{}{}", name.text, turbofish(arguments)),
        other => type_text(other),
    }
}

/// Returns the source of an expression.
pub(crate) fn full_text(expr: &Expr) -> String {
    let list = |items: &[Expr]| {
        let items: Vec<String> = items.iter().map(full_text).collect();
        items.join(", ")
    };
    let path = |names: &[Name]| {
        let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        names.join("::")
    };
    match &expr.kind {
        ExprKind::Int(value, suffix) => {
            format!("{value}{}", suffix.map_or("", HostScalar::name))
        }
        ExprKind::Float(value, suffix) => {
            format!("{:?}{}", value.double, suffix.map_or("", HostScalar::name))
        }
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Path(names) => path(names),
        ExprKind::Associated(owner, names) => match names.last() {
            Some(name) => format!("{}::{}", owner_text(owner), name.text),
            None => owner_text(owner),
        },
        ExprKind::Unary(op, value) => format!("{}{}", op.symbol(), factor_text(value)),
        ExprKind::Binary(op, _, lhs, rhs) => binary_text(*op, lhs, rhs),
        ExprKind::Assign(place, value) => format!("{} = {}", full_text(place), full_text(value)),
        ExprKind::AssignOp(op, _, place, value) => {
            format!("{} {}= {}", full_text(place), op.symbol(), full_text(value))
        }
        ExprKind::Cast(value, ty) => format!("{} as {}", factor_text(value), type_text(ty)),
        ExprKind::Call {
            path: names,
            owner,
            generics,
            args,
        } => {
            let path = match (owner.as_deref(), names.last()) {
                (Some(owner), Some(name)) => format!("{}::{}", owner_text(owner), name.text),
                _ => path(names),
            };
            format!("{path}{}({})", turbofish(generics), list(args))
        }
        ExprKind::Method {
            receiver,
            name,
            generics,
            args,
        } => format!(
            "{}.{}{}({})",
            factor_text(receiver),
            name.text,
            turbofish(generics),
            list(args)
        ),
        ExprKind::Field(value, index) => format!("{}.{index}", factor_text(value)),
        ExprKind::Member(value, name) => format!("{}.{}", factor_text(value), name.text),
        ExprKind::Index(value, Subscript::At(subscript)) => {
            format!("{}[{}]", factor_text(value), full_text(subscript))
        }
        ExprKind::Index(value, Subscript::Range(low, high)) => {
            let end = |end: &Option<Box<Expr>>| end.as_deref().map_or_else(String::new, full_text);
            format!("{}[{}..{}]", factor_text(value), end(low), end(high))
        }
        ExprKind::Struct { name, .. } => format!("{} {{ .. }}", name.text),
        ExprKind::Array(items) => format!("[{}]", list(items)),
        ExprKind::Tuple(items) => format!("({})", list(items)),
        ExprKind::Block(_) => "{ .. }".to_owned(),
        ExprKind::Unsafe(_) => "unsafe { .. }".to_owned(),
        ExprKind::Parallel(_) => "parallel(..)".to_owned(),
        ExprKind::If { .. } => "if ..".to_owned(),
        ExprKind::For { .. } => "for ..".to_owned(),
        ExprKind::Closure(_) => "|..| ..".to_owned(),
        ExprKind::Macro(_) => "..!(..)".to_owned(),
        ExprKind::While { .. } => "while ..".to_owned(),
        ExprKind::Loop { .. } => "loop ..".to_owned(),
        ExprKind::Labelled(label, _) => format!("'{}: {{ .. }}", label.text),
        ExprKind::Break { .. } => "break".to_owned(),
        ExprKind::Continue(_) => "continue".to_owned(),
        ExprKind::Return(_) => "return".to_owned(),
        ExprKind::Match(..) => "match ..".to_owned(),
        ExprKind::Error => "..".to_owned(),
    }
}

/// Returns an expression as the operand of an operator that binds more strongly than any infix one.
fn factor_text(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Binary(..) | ExprKind::Cast(..) => format!("({})", full_text(expr)),
        _ => full_text(expr),
    }
}

/// Returns the source of an operation with two operands, with the parentheses that it needs.
fn binary_text(op: BinaryOp, lhs: &Expr, rhs: &Expr) -> String {
    let precedence = op.precedence();
    // Comparisons do not associate: a comparison as an operand of another needs parentheses.
    let left = precedence + u8::from(op.is_comparison());
    let side = |side: &Expr, least: u8| match &side.kind {
        ExprKind::Binary(op, ..) if op.precedence() < least => {
            format!("({})", full_text(side))
        }
        _ => full_text(side),
    };
    let lhs = match (&lhs.kind, op) {
        // Rust would parse `a as i32 < b` as generic arguments.
        (ExprKind::Cast(..), BinaryOp::Lt | BinaryOp::Shl) => factor_text(lhs),
        _ => side(lhs, left),
    };
    format!("{lhs} {} {}", op.symbol(), side(rhs, precedence + 1))
}
