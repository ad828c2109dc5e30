//! Matches the listed types and instances with the generics of the kernel.
//!
//! The parsed generics and the options become a list of distinct [`Instance`]s, in the order
//! written.
//!
//! A *factor* is a group that is listed together: the tuples of one `types(..)` or `instances(..)`,
//! or the candidates of one `NAME = ..` outside tuples. Instances are the cartesian product of the
//! factors, with the first factor outermost and the factors of `types` before those of `instances`.
//! A binding that lists several values contributes one instance for each.

mod conditions;

use crate::args::{Bindings, Choices, Options, Value};
use crate::check::evaluate;
use crate::hir::signature::{HostScalar, Instance, Signature};
use crate::parse::ast::Name;
use crate::parse::library::Library;
use crate::parse::{Cx, Defaults, Item, ast};
use proc_macro2::Ident;
use quote::ToTokens;
use std::rc::Rc;
use tile_backend::session::ScheduleOptions;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The reason for listing types and values, as a note.
const LISTED: &str =
    "a kernel is compiled while the crate is built, once for each choice that is listed";

/// Maximum number of instances of one kernel.
const MAX_INSTANCES: usize = 4096;

/// Returns every choice of type arguments and const arguments; each error is reported once.
pub(crate) fn instantiate(
    cx: &mut Cx<'_>,
    item: &Item,
    library: &Library,
    options: &Options,
) -> Vec<Instance> {
    let before = std::mem::take(cx.diagnostics);
    let instances = Listing {
        kernel: &item.kernel,
        defaults: item
            .defaults
            .consts
            .iter()
            .map(|(name, value)| {
                (
                    name.clone(),
                    Rc::new(Values::from_value(cx, &Value::from_expr(value))),
                )
            })
            .collect(),
        default_types: &item.defaults,
        library,
        cx,
    }
    .instances(options);
    let instances = conditions::fulfilling(cx, &item.kernel, library, options, instances);
    let instances = conditions::scheduled(cx, &item.kernel, library, options, instances);
    let mut instance_diagnostics = std::mem::replace(cx.diagnostics, before);
    // A binding is evaluated in each combination that contains it, so its errors would be repeated.
    let mut reported: Vec<(Code, Loc)> = Vec::new();
    for diagnostic in instance_diagnostics.take() {
        let place = (diagnostic.code, diagnostic.primary.loc);
        if !reported.contains(&place) {
            reported.push(place);
            cx.diagnostics.report(diagnostic);
        }
    }
    instances
}

/// Formats an instance as `T = f16, BM = 64` for the note on an error of one instance.
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

/// Formats an instance as `<f16, 64>`, or as an empty string without generics, to follow the
/// kernel's name in reports.
pub(crate) fn suffix(signature: &Signature, instance: &Instance) -> String {
    let types = instance.types.iter().map(|scalar| scalar.name().to_owned());
    let consts = signature.const_params.iter().zip(&instance.consts);
    let consts = consts.map(|(param, value)| match param.ty {
        HostScalar::Bool => (*value != 0).to_string(),
        _ => value.to_string(),
    });
    let arguments: Vec<String> = types.chain(consts).collect();
    if arguments.is_empty() {
        return String::new();
    }
    format!("<{}>", arguments.join(", "))
}

/// A combination of bindings, at most one for each parameter.
#[derive(Clone, Default)]
struct Row {
    types: Vec<(Ident, HostScalar)>,
    consts: Vec<(Ident, Rc<Values>)>,
    /// The locations of the tuples that the row combines.
    locs: Vec<Loc>,
    /// `true` if the row contains a wrong name, which may be a misspelling of a parameter that the
    /// row lacks.
    is_doubtful: bool,
}

impl Row {
    fn binds(&self, name: &Name) -> bool {
        let types = self.types.iter().map(|(ident, _)| ident);
        let mut bound = types.chain(self.consts.iter().map(|(ident, _)| ident));
        bound.any(|ident| *ident == name.text)
    }
}

/// The option that contains a binding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Types,
    Instances,
}

/// A constant as written.
struct Written {
    value: ast::Expr,
    text: String,
    /// `true` if it is the name of a number type.
    is_type: bool,
}

/// The values of a const parameter, as written.
enum Values {
    /// A single value, or the values of a list.
    List(Vec<Written>),
    /// `1..=4`
    Range {
        ends: Option<Box<(Written, Written)>>,
        inclusive: bool,
        loc: Loc,
    },
}

impl Written {
    fn from_expr(cx: &mut Cx<'_>, value: &syn::Expr) -> Self {
        let name = match value {
            syn::Expr::Path(path) => path.path.segments.last(),
            _ => None,
        };
        let name = name.map(|segment| segment.ident.to_string());
        Self {
            value: cx.constant(value),
            text: value.to_token_stream().to_string(),
            is_type: name.as_deref().and_then(HostScalar::parse).is_some(),
        }
    }
}

impl Values {
    fn from_value(cx: &mut Cx<'_>, value: &Value) -> Self {
        match &value.expr {
            Some(syn::Expr::Array(list)) if !list.elems.is_empty() => Values::List(
                list.elems
                    .iter()
                    .map(|value| Written::from_expr(cx, value))
                    .collect(),
            ),
            Some(syn::Expr::Range(range)) => {
                let ends = match (&range.start, &range.end) {
                    (Some(low), Some(high)) => Some(Box::new((
                        Written::from_expr(cx, low),
                        Written::from_expr(cx, high),
                    ))),
                    _ => None,
                };
                Values::Range {
                    ends,
                    inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
                    loc: cx.node(range),
                }
            }
            Some(value) => Values::List(vec![Written::from_expr(cx, value)]),
            // Types that are not expressions.
            None => Values::List(vec![Written {
                value: ast::Expr {
                    kind: ast::ExprKind::Error,
                    loc: cx.node(&value.tokens),
                },
                text: value.tokens.to_string(),
                is_type: true,
            }]),
        }
    }
}

struct Listing<'l, 'cx> {
    cx: &'l mut Cx<'cx>,
    kernel: &'l ast::Kernel,
    /// The defaults of const parameters.
    defaults: Vec<(Ident, Rc<Values>)>,
    default_types: &'l Defaults,
    library: &'l Library,
}

impl Listing<'_, '_> {
    fn instances(&mut self, options: &Options) -> Vec<Instance> {
        let names_are_right = self.names(options);
        let mut factors: Vec<Vec<Row>> = Vec::new();
        for (place, groups) in [
            (Place::Types, &options.types),
            (Place::Instances, &options.instances),
        ] {
            for Choices {
                rows,
                factors: more,
            } in groups
            {
                if !rows.is_empty() {
                    factors.push(rows.iter().flat_map(|row| self.row(place, row)).collect());
                }
                factors.extend(more.iter().map(|factor| self.row(place, factor)));
            }
        }
        // A wrong name may be a misspelling of a parameter that seems to be missing.
        if names_are_right && !self.all_are_listed(&factors, options) {
            return Vec::new();
        }
        let count: usize = factors.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if count > MAX_INSTANCES {
            self.too_many(count);
            return Vec::new();
        }
        let mut rows = vec![Row::default()];
        for factor in &factors {
            rows = rows
                .iter()
                .flat_map(|row| factor.iter().map(|more| row.and(more)))
                .collect();
        }
        let mut instances = Vec::new();
        for row in &rows {
            let Some(types) = self.types(row, names_are_right) else {
                continue;
            };
            for consts in self.consts(row) {
                let instance = Instance {
                    types: types.clone(),
                    consts,
                    schedule: ScheduleOptions::default(),
                };
                if !instances.contains(&instance) {
                    instances.push(instance);
                }
                if instances.len() > MAX_INSTANCES {
                    self.too_many(instances.len());
                    return Vec::new();
                }
            }
        }
        instances
    }

    fn too_many(&mut self, count: usize) {
        let message = format!(
            "the attribute lists {count} instances of `{}` or more",
            self.kernel.name.text
        );
        let help = format!("list those that are launched, at most {MAX_INSTANCES}");
        let loc = self.kernel.name.loc;
        self.error(loc, message, help);
    }

    fn error(&mut self, loc: Loc, message: String, help: String) {
        self.cx
            .diagnostics
            .error(Diagnostic::error(Code::InstanceMismatch, loc, message).help(help));
    }

    fn is_type(&self, ident: &Ident) -> bool {
        let mut params = self.kernel.type_params.iter();
        params.any(|name| *ident == name.text)
    }

    fn is_const(&self, ident: &Ident) -> bool {
        let mut params = self.kernel.const_params.iter();
        params.any(|(name, _)| *ident == name.text)
    }

    /// Checks that every name is a parameter and is bound once.
    fn names(&mut self, options: &Options) -> bool {
        let mut fine = true;
        // Maps each name to the factor that binds it; two factors must not bind the same name.
        let mut bound: Vec<(String, usize)> = Vec::new();
        let mut factor = 0;
        for (place, groups) in [
            (Place::Types, &options.types),
            (Place::Instances, &options.instances),
        ] {
            for choices in groups {
                factor += 1;
                for row in &choices.rows {
                    fine &= self.names_of(place, row, factor, &mut bound);
                }
                for row in &choices.factors {
                    factor += 1;
                    fine &= self.names_of(place, row, factor, &mut bound);
                }
            }
        }
        fine
    }

    fn names_of(
        &mut self,
        place: Place,
        row: &Bindings,
        factor: usize,
        bound: &mut Vec<(String, usize)>,
    ) -> bool {
        let has_parameters = match place {
            Place::Types => true,
            Place::Instances => {
                !self.kernel.const_params.is_empty() || !self.kernel.type_params.is_empty()
            }
        };
        if !has_parameters {
            let loc = self.cx.spans.token(row.span);
            self.error(
                loc,
                "the kernel has no const parameters".to_owned(),
                "remove `instances(..)`, or declare `const N: usize` in the generics".to_owned(),
            );
            return false;
        }
        let mut fine = true;
        for (index, (ident, _)) in row.entries.iter().enumerate() {
            let is_known = match place {
                Place::Types => self.is_type(ident),
                Place::Instances => self.is_type(ident) || self.is_const(ident),
            };
            if !is_known {
                fine = false;
                self.unknown(place, ident);
                continue;
            }
            let text = ident.to_string();
            let again = row.entries[..index].iter().any(|(other, _)| other == ident);
            let elsewhere = bound
                .iter()
                .any(|(name, other)| *name == text && *other != factor);
            if again || elsewhere {
                fine = false;
                let loc = self.cx.spans.token(ident.span());
                let (message, help) = match place {
                    Place::Types if elsewhere => (
                        format!("`types` lists `{ident}` twice"),
                        format!("write one list: `{ident} = f16 | bf16`"),
                    ),
                    _ if again => (
                        format!("the instance gives `{ident}` twice"),
                        "remove one of them".to_owned(),
                    ),
                    _ => (
                        format!("`{ident}` is listed in two places, whose choices multiply"),
                        "remove it here, or from the other list".to_owned(),
                    ),
                };
                self.error(loc, message, help);
                continue;
            }
            bound.push((text, factor));
        }
        fine
    }

    fn unknown(&mut self, place: Place, ident: &Ident) {
        let types = self.kernel.type_params.iter();
        let mut names: Vec<&str> = types.map(|name| name.text.as_str()).collect();
        let has_types = !names.is_empty();
        let (message, help) = match place {
            Place::Types if self.is_const(ident) => (
                format!("`{ident}` is a const parameter"),
                format!("write `instances({ident} = ..)`"),
            ),
            Place::Types => {
                let help = match names.as_slice() {
                    [] => format!("remove it, or declare `{ident}: Element` in the generics"),
                    names => format!("write a parameter of the kernel: `{}`", names.join("`, `")),
                };
                (format!("the kernel has no type parameter `{ident}`"), help)
            }
            Place::Instances => {
                let consts = self.kernel.const_params.iter();
                names.extend(consts.map(|(name, _)| name.text.as_str()));
                let what = if has_types {
                    "parameter"
                } else {
                    "const parameter"
                };
                (
                    format!("the kernel has no {what} `{ident}`"),
                    format!("write a parameter of the kernel: `{}`", names.join("`, `")),
                )
            }
        };
        let loc = self.cx.spans.token(ident.span());
        self.error(loc, message, help);
    }

    /// Expands a tuple into one row for each choice of the types that it lists.
    fn row(&mut self, place: Place, row: &Bindings) -> Vec<Row> {
        let entries = &row.entries;
        let is_known = |ident: &Ident| self.is_type(ident) || self.is_const(ident);
        let is_doubtful = |(index, (ident, _)): (usize, &(Ident, Value))| {
            !is_known(ident) || entries[..index].iter().any(|(other, _)| other == ident)
        };
        // A wrong name in `types(..)` is not a misspelling of a const parameter.
        let is_doubtful = place == Place::Instances && entries.iter().enumerate().any(is_doubtful);
        let mut rows = vec![Row {
            locs: vec![self.cx.spans.token(row.span)],
            is_doubtful,
            ..Row::default()
        }];
        for (ident, value) in entries {
            if place == Place::Types && self.is_const(ident) {
                continue;
            }
            if place == Place::Instances && !self.is_type(ident) {
                let values = Rc::new(Values::from_value(self.cx, value));
                for row in &mut rows {
                    row.consts.push((ident.clone(), Rc::clone(&values)));
                }
                continue;
            }
            let scalars = self.scalars(value);
            rows = rows
                .iter()
                .flat_map(|row| {
                    scalars.iter().map(|&scalar| {
                        let mut row = row.clone();
                        row.types.push((ident.clone(), scalar));
                        row
                    })
                })
                .collect();
        }
        rows
    }

    /// Returns the distinct element types that a value lists.
    fn scalars(&mut self, value: &Value) -> Vec<HostScalar> {
        let Some(paths) = &value.types else {
            let loc = self.cx.node(&value.tokens);
            self.no_element(&value.tokens, loc);
            return Vec::new();
        };
        let mut scalars = Vec::new();
        for path in paths {
            let last = path
                .segments
                .last()
                .map(|segment| segment.ident.to_string());
            match last.as_deref().and_then(HostScalar::parse) {
                // `usize` is a type of launch arguments, not an element type of tensors.
                Some(scalar) if !scalar.is_kernel_only() && scalar != HostScalar::Usize => {
                    if !scalars.contains(&scalar) {
                        scalars.push(scalar);
                    }
                }
                _ => {
                    let loc = self.cx.node(path);
                    self.no_element(path, loc);
                }
            }
        }
        scalars
    }

    fn no_element(&mut self, written: &impl ToTokens, loc: Loc) {
        let written = written.to_token_stream();
        self.error(
            loc,
            format!("`{written}` is no element type"),
            "write number types, such as `f16 | bf16 | f32`".to_owned(),
        );
    }

    /// Checks that every parameter without a default is listed; parameters missing from single
    /// tuples are reported elsewhere.
    fn all_are_listed(&mut self, factors: &[Vec<Row>], options: &Options) -> bool {
        let is_bound = |name: &Name| {
            factors
                .iter()
                .any(|rows| rows.is_empty() || rows.iter().any(|row| row.binds(name)))
        };
        let mut fine = true;
        let types = self.kernel.type_params.iter();
        let missing: Vec<&Name> = types
            .filter(|name| {
                let mut defaults = self.default_types.types.iter();
                !is_bound(name) && !defaults.any(|(ident, _)| *ident == name.text)
            })
            .collect();
        for name in missing {
            fine = false;
            let text = &name.text;
            self.cx.diagnostics.error(
                Diagnostic::error(
                    Code::InstanceMismatch,
                    name.loc,
                    format!("the types of `{text}` are not listed"),
                )
                .note(LISTED)
                .help(format!(
                    "write `#[tile_kernel(types({text} = f16 | f32), ..)]` with the types that are used"
                )),
            );
        }
        let rows = options.instances.iter().map(|choices| choices.rows.len());
        if rows.sum::<usize>() > 0 {
            // Parameters that tuples leave out are reported at the tuples.
            return fine;
        }
        let params = &self.kernel.const_params;
        let missing = params.iter().find(|(name, _)| {
            let mut defaults = self.defaults.iter();
            !is_bound(name) && !defaults.any(|(ident, _)| *ident == name.text)
        });
        if let Some((name, _)) = missing {
            fine = false;
            let example: Vec<String> = params
                .iter()
                .filter(|(name, _)| !is_bound(name))
                .map(|(name, ty)| match ty {
                    HostScalar::Bool => format!("{} = true", name.text),
                    _ => format!("{} = 64", name.text),
                })
                .collect();
            self.cx.diagnostics.error(
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
        }
        fine
    }

    /// Returns the types of a row, in the order of the parameters, or `None` after a report.
    fn types(&mut self, row: &Row, names_are_right: bool) -> Option<Vec<HostScalar>> {
        let mut types = Vec::new();
        for name in &self.kernel.type_params {
            let bound = row.types.iter().find(|(ident, _)| *ident == name.text);
            if let Some((_, scalar)) = bound {
                types.push(*scalar);
                continue;
            }
            let mut defaults = self.default_types.types.iter();
            if let Some((_, path)) = defaults.find(|(ident, _)| *ident == name.text) {
                let value = Value::from_type(path);
                types.push(*self.scalars(&value).first()?);
                continue;
            }
            if names_are_right {
                self.left_out(row, name);
            }
            return None;
        }
        Some(types)
    }

    /// Reports a tuple that lacks a value for a parameter to which another tuple gives one.
    fn left_out(&mut self, row: &Row, name: &Name) {
        let text = &name.text;
        let loc = row.locs.last().copied().unwrap_or(name.loc);
        let mut consts = self.kernel.const_params.iter();
        let (what, sample) = match consts.find(|(param, _)| param.text == *text) {
            Some((_, HostScalar::Bool)) => ("value", "true"),
            Some(_) => ("value", "64"),
            None => ("type", "f32"),
        };
        self.error(
            loc,
            format!("the instance gives no {what} for `{text}`"),
            format!("add `{text} = {sample}` to it, or another {what}"),
        );
    }

    /// Returns the values of a row, in the order of the parameters, one list for each choice.
    fn consts(&mut self, row: &Row) -> Vec<Vec<i128>> {
        let mut rows: Vec<Vec<i128>> = vec![Vec::new()];
        let mut fine = true;
        for (index, (name, ty)) in self.kernel.const_params.iter().enumerate() {
            let bound = row.consts.iter().find(|(ident, _)| *ident == name.text);
            let mut defaults = self.defaults.iter();
            let entry = bound.or_else(|| defaults.find(|(ident, _)| *ident == name.text));
            let Some((_, written)) = entry else {
                fine = false;
                if !row.is_doubtful {
                    self.left_out(row, name);
                }
                continue;
            };
            let written = Rc::clone(written);
            let mut next = Vec::new();
            for values in &rows {
                // Parameters to the left whose values are wrong have none.
                let left = self.kernel.const_params[..index].iter().zip(values);
                let earlier: Vec<(&Name, HostScalar, i128)> = left
                    .map(|((name, ty), value)| (name, *ty, *value))
                    .collect();
                let listed = const_values(self.cx, self.library, (name, *ty), &earlier, &written);
                let Some(listed) = listed else {
                    fine = false;
                    continue;
                };
                for value in listed {
                    let mut values = values.clone();
                    values.push(value);
                    next.push(values);
                }
                if next.len() > MAX_INSTANCES {
                    self.too_many(next.len());
                    return Vec::new();
                }
            }
            if fine {
                rows = next;
            }
        }
        if fine { rows } else { Vec::new() }
    }
}

impl Row {
    /// Combines two rows that bind different parameters.
    fn and(&self, more: &Row) -> Row {
        let mut row = self.clone();
        row.types.extend(more.types.iter().cloned());
        row.consts.extend(more.consts.iter().cloned());
        row.locs.extend(&more.locs);
        row.is_doubtful |= more.is_doubtful;
        row
    }
}

fn error(cx: &mut Cx<'_>, loc: Loc, message: String, help: String) {
    cx.diagnostics
        .error(Diagnostic::error(Code::InstanceMismatch, loc, message).help(help));
}

/// Evaluates the written values: a single value, a list, or a range. Returns `None` after a report.
fn const_values(
    cx: &mut Cx<'_>,
    library: &Library,
    (name, ty): (&Name, HostScalar),
    earlier: &[(&Name, HostScalar, i128)],
    written: &Values,
) -> Option<Vec<i128>> {
    let text = &name.text;
    match written {
        Values::List(list) => {
            let values: Vec<Option<i128>> = list
                .iter()
                .map(|value| const_value(cx, library, (name, ty), earlier, value))
                .collect();
            values.into_iter().collect()
        }
        Values::Range { loc, .. } if ty == HostScalar::Bool => {
            let message = format!("`{text}` is a `bool`, of which there are no ranges");
            error(cx, *loc, message, format!("write `{text} = [false, true]`"));
            None
        }
        Values::Range {
            ends: None, loc, ..
        } => {
            let message = "a range of instances has two ends".to_owned();
            error(cx, *loc, message, format!("write `{text} = 1..=4`"));
            None
        }
        Values::Range {
            ends: Some(ends),
            inclusive,
            loc,
        } => {
            let low = const_value(cx, library, (name, ty), earlier, &ends.0)?;
            let high = const_value(cx, library, (name, ty), earlier, &ends.1)?;
            let end = if *inclusive { high + 1 } else { high };
            let (message, help) = match usize::try_from(end - low).unwrap_or(0) {
                0 => (
                    format!("the range of `{text}` is empty"),
                    "write the smaller number first".to_owned(),
                ),
                count if count > MAX_INSTANCES => (
                    format!("the range of `{text}` has {count} values"),
                    format!("list those that are launched, at most {MAX_INSTANCES}"),
                ),
                _ => return Some((low..end).collect()),
            };
            error(cx, *loc, message, help);
            None
        }
    }
}

fn const_value(
    cx: &mut Cx<'_>,
    library: &Library,
    (name, ty): (&Name, HostScalar),
    earlier: &[(&Name, HostScalar, i128)],
    Written {
        value,
        text: written,
        is_type,
    }: &Written,
) -> Option<i128> {
    let text = &name.text;
    let example = if ty == HostScalar::Bool { "true" } else { "64" };
    if *is_type {
        error(
            cx,
            value.loc,
            format!("`{text}` is a `{}`, found the type `{written}`", ty.name()),
            format!("write a constant of that type, as in `{text} = {example}`"),
        );
        return None;
    }
    // `BM = -1` and `BM = true` get more specific messages.
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
                format!("write a number in the range of the type, such as `{text} = 64`"),
            );
            return None;
        }
        return Some(number);
    }
    evaluate(library, earlier, value, ty, cx.diagnostics)
}
