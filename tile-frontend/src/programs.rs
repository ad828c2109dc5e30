//! Runs programs in Rust, given as text, through the stages of the macro up to GPU IR, for tests of
//! messages.

use crate::collect::bundle::{Health, Unit};
use crate::collect::members::Members;
use crate::collect::task::Kind;
use crate::expand::{Backend, Job, Source, expand};
use std::fmt::Write;
use tile_backend::internals::lower_for;
use tile_backend::session::Times;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Reported};

/// A backend that stops after GPU IR.
#[derive(Default)]
pub(crate) struct StopAtGpuIr(Times);

impl Backend for StopAtGpuIr {
    type Artifact = ();

    fn clock(&mut self) -> &mut Times {
        &mut self.0
    }

    fn compile(&mut self, job: Job<'_>, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
        let verified = verify(job.module, diagnostics)?;
        let flat = flatten(verified, &FlattenOptions::default(), diagnostics)?;
        let canonical = canonicalize(flat.module);
        if job.targets.is_cpu_only() {
            return Ok(());
        }
        lower_for(
            canonical.module(),
            Arch::SM_80,
            job.targets.kernel_options,
            diagnostics,
        )?;
        Ok(())
    }
}

/// Returns `true` if the macro expands an item with these attributes.
fn is_expanded(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let last = attr.path().segments.last();
        last.is_some_and(|last| last.ident == "tile_kernel" || last.ident == "tile_fn")
    })
}

/// Groups the items of a program by expansion: the items outside of modules, and those of each module.
///
/// Outside of modules rustc expands each item alone. Here they are one group, so that a kernel sees the
/// functions and constants of the file, which it sees under rustc by means of exported macros.
pub(crate) fn groups(file: syn::File) -> Vec<Vec<syn::Item>> {
    let mut groups: Vec<Vec<syn::Item>> = vec![Vec::new()];
    for item in file.items {
        match item {
            syn::Item::Mod(module) if is_expanded(&module.attrs) => {
                groups.push(module.content.map_or_else(Vec::new, |(_, items)| items));
            }
            syn::Item::Fn(ref function) if is_expanded(&function.attrs) => groups[0].push(item),
            syn::Item::Const(ref constant) if is_expanded(&constant.attrs) => groups[0].push(item),
            syn::Item::Type(ref alias) if is_expanded(&alias.attrs) => groups[0].push(item),
            _ => {}
        }
    }
    groups
}

/// Returns the kernels of a group, with the items that they may name.
pub(crate) fn source(items: Vec<syn::Item>) -> syn::Result<Source> {
    let members = Members::new(items);
    members.check(Kind::Kernel)?;
    Ok(Source {
        kernels: members.kernels(),
        units: vec![Unit {
            id: String::new(),
            health: Health::Sound,
            items: members.unit_tokens(),
            links: Vec::new(),
        }],
        root: None,
    })
}

/// Returns the errors that the macro reports for a program, in order.
pub(crate) fn errors(program: &str) -> Vec<syn::Error> {
    let file = match syn::parse_file(program) {
        Ok(file) => file,
        Err(error) => return error.into_iter().collect(),
    };
    let mut errors = Vec::new();
    for items in groups(file) {
        let expansion = source(items).map_err(Some);
        let expansion = expansion.and_then(|source| expand(source, &mut StopAtGpuIr::default()));
        if let Err(Some(error)) = expansion {
            errors.extend(error);
        }
    }
    errors
}

/// Formats an error as rustc does, without the line that names the file.
pub(crate) fn drawn(error: &syn::Error, source: &str) -> String {
    let mut text = String::new();
    for (index, line) in error.to_string().lines().enumerate() {
        let lead = if index == 0 { "error: " } else { "       " };
        let _ = writeln!(text, "{lead}{line}");
    }
    let (start, end) = (error.span().start(), error.span().end());
    let line = source.lines().nth(start.line - 1).unwrap_or_default();
    let number = start.line.to_string();
    let margin = " ".repeat(number.len());
    let width = if end.line == start.line {
        end.column - start.column
    } else {
        line.chars().count() - start.column
    };
    let _ = writeln!(text, "{margin} |\n{number} | {line}");
    let _ = writeln!(
        text,
        "{margin} | {}{}",
        " ".repeat(start.column),
        "^".repeat(width)
    );
    text
}

/// Formats all errors of a program, separated by empty lines.
pub(crate) fn messages(program: &str) -> String {
    let errors = errors(program);
    let texts: Vec<String> = errors.iter().map(|error| drawn(error, program)).collect();
    // This frees the source map, since nothing uses a span of this program any more.
    proc_macro2::extra::invalidate_current_thread_spans();
    texts.join("\n")
}
