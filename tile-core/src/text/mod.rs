//! The official assembly: parses and prints a [`Module`].
//!
//! The format is MLIR's custom assembly of the dialect, as printed by `tileirdisasm`. Most
//! operations are printed and parsed by one engine (`format`), which interprets the `asm` of their
//! row. Each of the others has a pair of functions in `constant`, `control_flow`, `function`,
//! `reduce` or `view`.
//!
//! - `print` is deterministic and total: an operation that does not fit its row or its custom
//!   assembly is printed in MLIR's generic form. With [`PrintOptions::generic`], every operation
//!   is.
//! - `parse(print(m))` equals `m` for every verified `m`, up to source positions, and up to debug
//!   locations unless [`PrintOptions::debug_info`] is set. An operation without a debug location is
//!   printed without `loc(…)`.
//! - `parse` never panics, and reports all errors. Lines and columns count from 1, and a column is
//!   a character. After an error it continues with the next operation; after a thousand errors it
//!   gives up.
//! - Defaults are not printed; types and operations may be written with or without the dialect's
//!   prefix; the module around entries may be omitted, and MLIR's own `module` may enclose modules.
//! - Attributes without meaning are kept as text, with aliases expanded.
//!
//! Without the feature `parser` nothing calls the halves of these modules that parse, and no machine code is made of
//! them: they are an eighth of the crate, of which the macro and the programs of users need nothing.

#![cfg_attr(
    not(feature = "parser"),
    allow(dead_code, unreachable_pub, reason = "half of it parses")
)]

mod alias;
mod assume;
mod attribute;
mod constant;
mod control_flow;
mod cursor;
mod debug;
mod dictionary;
mod draft;
mod file;
mod format;
mod function;
mod generic;
mod hints;
mod lexer;
mod literal;
mod locations;
mod loop_dialect;
mod names;
mod number;
mod parser;
mod printer;
mod properties;
mod ptx;
mod raw;
mod recovery;
mod reduce;
mod scope;
mod types;
mod view;

#[cfg(feature = "parser")]
pub use number::parse as parse_number;

#[cfg(feature = "parser")]
use crate::diag::{Code, Diagnostic, Diagnostics, Reported};
use crate::ir::Module;

/// The maximum nesting depth of regions, here and in the verifier; it bounds recursion over
/// regions.
pub(crate) const MAX_REGION_DEPTH: usize = 128;

/// Extensions of the public dialect that the parser accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// `testing$func`, an entry that may return values.
    pub allow_testing: bool,
    /// Operations of other dialects, in generic form.
    pub allow_unregistered: bool,
}

/// Options of the printer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// Prints every operation in MLIR's generic form.
    pub generic: bool,
    /// Prints the debug locations of the IR.
    pub debug_info: bool,
}

/// Prints `module`.
pub fn print(module: &Module) -> String {
    print_with(module, PrintOptions::default())
}

/// Prints `module` in the form of `options`.
pub fn print_with(module: &Module, options: PrintOptions) -> String {
    printer::print(&[module], options)
}

/// Prints a file of several modules, as [`parse_file`] reads them.
pub fn print_file(modules: &[&Module], options: PrintOptions) -> String {
    printer::print(modules, options)
}

/// Parses the module in `source`; locations name `file_name`. An empty file is an empty module.
#[cfg(feature = "parser")]
pub fn parse(
    source: &str,
    file_name: &str,
    diagnostics: &mut Diagnostics,
) -> Result<Module, Reported> {
    let modules = parse_file(source, file_name, ParseOptions::default(), diagnostics)?;
    let mut modules = modules.into_iter();
    let first = modules.next();
    if let Some(second) = modules.next() {
        let error = Diagnostic::error(
            Code::IrSyntax,
            second.loc.with_debug(None),
            "expected the end of the file, found another module",
        );
        return Err(diagnostics.error(error));
    }
    Ok(first.unwrap_or_else(|| Module::new(file::DEFAULT_NAME)))
}

/// Parses all modules in `source`, in order; locations name `file_name`. Operations outside of any
/// module form a module of their own.
#[cfg(feature = "parser")]
pub fn parse_file(
    source: &str,
    file_name: &str,
    options: ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Module>, Reported> {
    let (modules, errors) = file::parse(source, file_name, options);
    let mut reported = None;
    for error in errors {
        reported = Some(diagnostics.error(error));
    }
    reported.map_or(Ok(modules), Err)
}
