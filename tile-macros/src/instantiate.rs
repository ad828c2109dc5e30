//! The listed types and instances, fitted to the generics of the kernel.
//!
//! In: the parsed generics and the options. Out: every [`Instance`]: the
//! cartesian product of `types(..)` and `instances(..)`, types outermost, in
//! the order written.

use crate::args::{Bindings, Options};
use crate::check::evaluate;
use crate::hir::signature::{HostScalar, Instance, Signature};
use crate::parse::ast::Name;
use crate::parse::library::Library;
use crate::parse::{Cx, Defaults, Item, ast};
use quote::ToTokens;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Why types and values are listed.
const LISTED: &str =
    "a kernel is compiled while the crate is built, once for each choice that is listed";

/// Every choice of type and const arguments; faults are reported.
pub(crate) fn instantiate(
    cx: &mut Cx<'_>,
    item: &Item,
    library: &Library,
    options: &Options,
) -> Vec<Instance> {
    let Item {
        kernel, defaults, ..
    } = item;
    let candidates = candidates(cx, kernel, defaults, options);
    let const_rows = const_rows(cx, kernel, defaults, library, options);
    let mut type_rows: Vec<Vec<HostScalar>> = vec![Vec::new()];
    for list in &candidates {
        type_rows = type_rows
            .iter()
            .flat_map(|row| {
                list.iter().map(|&scalar| {
                    let mut row = row.clone();
                    row.push(scalar);
                    row
                })
            })
            .collect();
    }
    let mut instances = Vec::new();
    for types in &type_rows {
        for consts in &const_rows {
            let instance = Instance {
                types: types.clone(),
                consts: consts.clone(),
            };
            if !instances.contains(&instance) {
                instances.push(instance);
            }
        }
    }
    instances
}

/// `T = f16, BM = 64`, as in a note on a fault of one instance.
pub(crate) fn describe(kernel: &ast::Kernel, instance: &Instance) -> String {
    let types = kernel
        .type_params
        .iter()
        .zip(&instance.types)
        .map(|(name, scalar)| format!("{} = {}", name.text, scalar.name()));
    let consts =
        kernel
            .const_params
            .iter()
            .zip(&instance.consts)
            .map(|((name, ty), value)| match ty {
                HostScalar::Bool => format!("{} = {}", name.text, *value != 0),
                _ => format!("{} = {value}", name.text),
            });
    types.chain(consts).collect::<Vec<_>>().join(", ")
}

/// `<f16, 64>`, or nothing without generics: what follows the kernel's name in reports.
pub(crate) fn suffix(signature: &Signature, instance: &Instance) -> String {
    let types = instance.types.iter().map(|scalar| scalar.name().to_owned());
    let consts = signature.const_params.iter().zip(&instance.consts);
    let consts = consts.map(|(param, value)| match param.ty {
        HostScalar::Bool => (*value != 0).to_string(),
        _ => value.to_string(),
    });
    let all: Vec<String> = types.chain(consts).collect();
    if all.is_empty() {
        return String::new();
    }
    format!("<{}>", all.join(", "))
}

fn error(cx: &mut Cx<'_>, loc: Loc, message: String, help: String) {
    cx.diagnostics
        .error(Diagnostic::error(Code::InstanceMismatch, loc, message).help(help));
}

fn candidates(
    cx: &mut Cx<'_>,
    kernel: &ast::Kernel,
    defaults: &Defaults,
    options: &Options,
) -> Vec<Vec<HostScalar>> {
    let listed: &[(proc_macro2::Ident, Vec<syn::Path>)] =
        options.types.as_ref().map_or(&[], |types| &types.0);
    for (at, (ident, _)) in listed.iter().enumerate() {
        let known = kernel.type_params.iter().any(|name| *ident == name.text);
        let again = listed[..at].iter().any(|(other, _)| other == ident);
        if known && !again {
            continue;
        }
        let loc = cx.spans.token(ident.span());
        let message = if again {
            format!("`types` lists `{ident}` twice")
        } else {
            format!("the kernel has no type parameter `{ident}`")
        };
        let help = match kernel.type_params.as_slice() {
            _ if again => format!("write one list: `{ident} = f16 | bf16`"),
            [] => format!("remove it, or declare `{ident}: Element` in the generics"),
            params => {
                let names: Vec<&str> = params.iter().map(|name| name.text.as_str()).collect();
                format!("write a parameter of the kernel: `{}`", names.join("`, `"))
            }
        };
        error(cx, loc, message, help);
    }
    let mut listed = listed.to_vec();
    for (ident, default) in &defaults.types {
        if !listed.iter().any(|(name, _)| name == ident) {
            listed.push((ident.clone(), vec![default.clone()]));
        }
    }
    kernel
        .type_params
        .iter()
        .map(|name| type_list(cx, name, &listed))
        .collect()
}

fn type_list(
    cx: &mut Cx<'_>,
    name: &Name,
    listed: &[(proc_macro2::Ident, Vec<syn::Path>)],
) -> Vec<HostScalar> {
    let text = &name.text;
    let Some((_, paths)) = listed.iter().find(|(ident, _)| *ident == *text) else {
        cx.diagnostics.error(
            Diagnostic::error(
                Code::InstanceMismatch,
                name.loc,
                format!("the types that `{text}` stands for are not listed"),
            )
            .note(LISTED)
            .help(format!(
                "write `#[tile_kernel(types({text} = f16 | f32), ..)]` with the types that are used"
            )),
        );
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in paths {
        let last = path
            .segments
            .last()
            .map(|segment| segment.ident.to_string());
        let scalar = last.as_deref().and_then(HostScalar::parse);
        match scalar {
            Some(scalar) if !scalar.is_kernel_only() && !found.contains(&scalar) => {
                found.push(scalar);
            }
            Some(scalar) if found.contains(&scalar) => {}
            _ => {
                let loc = cx.spans.extent(crate::report::Extent {
                    first: syn::spanned::Spanned::span(path),
                    last: syn::spanned::Spanned::span(path),
                });
                let written = path.to_token_stream();
                error(
                    cx,
                    loc,
                    format!("`{written}` is no element type"),
                    "write number types, such as `f16 | bf16 | f32`".to_owned(),
                );
            }
        }
    }
    found
}

fn const_rows(
    cx: &mut Cx<'_>,
    kernel: &ast::Kernel,
    defaults: &Defaults,
    library: &Library,
    options: &Options,
) -> Vec<Vec<i128>> {
    let params = &kernel.const_params;
    let default_of = |name: &Name| {
        let mut defaults = defaults.consts.iter();
        defaults.find(|(ident, _)| *ident == name.text)
    };
    let Some(list) = &options.instances else {
        if !params.is_empty() && params.iter().all(|(name, _)| default_of(name).is_some()) {
            let row = Bindings {
                span: proc_macro2::Span::call_site(),
                entries: Vec::new(),
            };
            let row = const_row(cx, params, defaults, library, &row);
            return row.into_iter().collect();
        }
        if let Some((name, _)) = params.iter().find(|(name, _)| default_of(name).is_none()) {
            let example: Vec<String> = params
                .iter()
                .map(|(name, ty)| match ty {
                    HostScalar::Bool => format!("{} = true", name.text),
                    _ => format!("{} = 64", name.text),
                })
                .collect();
            cx.diagnostics.error(
                Diagnostic::error(
                    Code::InstanceMismatch,
                    name.loc,
                    format!("the values of `{}` are not listed", name.text),
                )
                .note(LISTED)
                .help(format!(
                    "write `#[tile_kernel(instances(({})), ..)]` with the values that are used",
                    example.join(", ")
                )),
            );
            return Vec::new();
        }
        return vec![Vec::new()];
    };
    if params.is_empty() {
        for row in &list.0 {
            let loc = cx.spans.token(row.span);
            error(
                cx,
                loc,
                "the kernel has no const parameters".to_owned(),
                "remove `instances(..)`, or declare `const N: usize` in the generics".to_owned(),
            );
        }
        return vec![Vec::new()];
    }
    list.0
        .iter()
        .filter_map(|row| const_row(cx, params, defaults, library, row))
        .collect()
}

fn const_row(
    cx: &mut Cx<'_>,
    params: &[(Name, HostScalar)],
    defaults: &Defaults,
    library: &Library,
    row: &Bindings,
) -> Option<Vec<i128>> {
    let mut fine = true;
    for (at, (ident, _)) in row.entries.iter().enumerate() {
        let known = params.iter().any(|(name, _)| *ident == name.text);
        let again = row.entries[..at].iter().any(|(other, _)| other == ident);
        if known && !again {
            continue;
        }
        fine = false;
        let loc = cx.spans.token(ident.span());
        let message = if again {
            format!("the instance gives `{ident}` twice")
        } else {
            format!("the kernel has no const parameter `{ident}`")
        };
        let names: Vec<&str> = params.iter().map(|(name, _)| name.text.as_str()).collect();
        let help = if again {
            "remove one of them".to_owned()
        } else {
            format!("write a parameter of the kernel: `{}`", names.join("`, `"))
        };
        error(cx, loc, message, help);
    }
    let names_are_right = fine;
    let mut values: Vec<i128> = Vec::new();
    for (name, ty) in params {
        let written = row.entries.iter().find(|(ident, _)| *ident == name.text);
        let mut defaults = defaults.consts.iter();
        let entry = written.or_else(|| defaults.find(|(ident, _)| *ident == name.text));
        let Some((_, value)) = entry else {
            fine = false;
            if !names_are_right {
                // What is wrong above may be meant for this one.
                continue;
            }
            let loc = cx.spans.token(row.span);
            error(
                cx,
                loc,
                format!("the instance gives no value for `{}`", name.text),
                format!("add `{} = ..` to it", name.text),
            );
            continue;
        };
        // Values of parameters to the left can be used.
        let known = params.iter().zip(&values);
        let known: Vec<(&Name, HostScalar, i128)> = known
            .map(|((name, ty), value)| (name, *ty, *value))
            .collect();
        match const_value(cx, library, (name, *ty), &known, value) {
            Some(value) => values.push(value),
            None => fine = false,
        }
    }
    fine.then_some(values)
}

fn const_value(
    cx: &mut Cx<'_>,
    library: &Library,
    (name, ty): (&Name, HostScalar),
    known: &[(&Name, HostScalar, i128)],
    value: &syn::Expr,
) -> Option<i128> {
    let text = &name.text;
    let written = value.to_token_stream();
    let value = cx.constant(value);
    // `BM = -1` and `BM = true` are worth a word of their own.
    let literal = match &value.kind {
        ast::ExprKind::Bool(value) => Some((HostScalar::Bool, i128::from(*value))),
        ast::ExprKind::Int(value, None) => {
            let value = i128::try_from(*value).unwrap_or(i128::MAX);
            Some((HostScalar::I64, value))
        }
        ast::ExprKind::Unary(ast::UnaryOp::Neg, value) => match value.kind {
            ast::ExprKind::Int(value, None) => {
                let value = i128::try_from(value).unwrap_or(i128::MAX);
                Some((HostScalar::I64, -value))
            }
            _ => None,
        },
        _ => None,
    };
    if let Some((kind, number)) = literal {
        if (kind == HostScalar::Bool) != (ty == HostScalar::Bool) {
            let example = if ty == HostScalar::Bool { "true" } else { "64" };
            error(
                cx,
                value.loc,
                format!("`{text}` is a `{}`, found `{written}`", ty.name()),
                format!("write a constant of that type, as in `{text} = {example}`"),
            );
            return None;
        }
        if !ty.holds(number) {
            error(
                cx,
                value.loc,
                format!(
                    "`{number}` does not fit into `{text}`, which is a `{}`",
                    ty.name()
                ),
                "write a number in the range of the type".to_owned(),
            );
            return None;
        }
        return Some(number);
    }
    evaluate(library, known, &value, ty, cx.diagnostics)
}
