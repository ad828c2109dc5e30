//! Evaluates what depends on the const parameters of an instance: constraints, and options for the schedule.

use super::{Written, const_value, describe, error};
use crate::args::Options;
use crate::hir::signature::{HostScalar, Instance};
use crate::parse::ast::Name;
use crate::parse::library::Library;
use crate::parse::{Cx, ast};

/// Returns the const parameters of an instance with their values.
fn values_of<'k>(
    kernel: &'k ast::Kernel,
    instance: &Instance,
) -> Vec<(&'k Name, HostScalar, i128)> {
    let params = kernel.const_params.iter().zip(&instance.consts);
    params
        .map(|((name, ty), value)| (name, *ty, *value))
        .collect()
}

/// Returns an expression of an option, with the name that messages give it.
fn named(cx: &mut Cx<'_>, option: &str, expr: &syn::Expr) -> (Name, Written) {
    let name = Name {
        text: option.to_owned(),
        loc: cx.node(expr),
    };
    (name, Written::from_expr(cx, expr))
}

/// Returns the instances that fulfil all constraints.
pub(super) fn fulfilling(
    cx: &mut Cx<'_>,
    kernel: &ast::Kernel,
    library: &Library,
    options: &Options,
    mut instances: Vec<Instance>,
) -> Vec<Instance> {
    for constraint in &options.constraints {
        let (name, written) = named(cx, "constraints", constraint);
        let before = instances.len();
        let mut is_wrong = false;
        instances.retain(|instance| {
            let values = values_of(kernel, instance);
            let value = const_value(cx, library, (&name, HostScalar::Bool), &values, &written);
            is_wrong |= value.is_none();
            value != Some(0)
        });
        if instances.is_empty() && before > 0 && !is_wrong {
            error(
                cx,
                name.loc,
                "no instance fulfils this constraint".to_owned(),
                "weaken it, or list more values in `instances(..)`".to_owned(),
            );
        }
    }
    instances
}

/// Computes the options for the schedule that depend on the const parameters.
pub(super) fn scheduled(
    cx: &mut Cx<'_>,
    kernel: &ast::Kernel,
    library: &Library,
    options: &Options,
    mut instances: Vec<Instance>,
) -> Vec<Instance> {
    for (option, expr) in &options.computed {
        let (name, written) = named(cx, option.name, expr);
        for instance in &mut instances {
            let values = values_of(kernel, instance);
            // In the type of a parameter that stands alone, and otherwise in that of small numbers.
            let mut alone = values.iter();
            let ty = alone
                .find(|(name, ..)| name.text == written.text)
                .map_or(HostScalar::U32, |(_, ty, _)| *ty);
            let value = const_value(cx, library, (&name, ty), &values, &written);
            let Some(value) = value else {
                continue;
            };
            match u32::try_from(value) {
                Ok(number) if ty.is_integer() && option.allows(number) => {
                    *(option.field)(&mut instance.schedule) = Some(number);
                }
                _ => error(
                    cx,
                    name.loc,
                    format!(
                        "`{}` cannot be {value}, as in `{}`",
                        option.name,
                        describe(kernel, instance)
                    ),
                    format!(
                        "list other values in `instances(..)`, or exclude it by a constraint; for example `{}`",
                        option.usage()
                    ),
                ),
            }
        }
    }
    instances
}
