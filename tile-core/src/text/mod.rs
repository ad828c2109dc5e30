//! The official assembly: a [`Module`] to text and back.
//!
//! In and out: MLIR's custom assembly of the dialect, as `tileirdisasm` prints
//! it. Most operations are printed and parsed by one engine (`format`) that
//! runs the `asm` of their row; the others have an adjacent pair of functions
//! in `constant`, `control_flow`, `function`, `reduce` or `view`.
//!
//! - `print` is deterministic and total: an operation that does not fit its row
//!   or its custom assembly is printed in MLIR's generic form, as all are with
//!   [`PrintOptions::generic`].
//! - `parse(print(m))` equals `m` for every verified `m`, up to where it was
//!   read; with [`PrintOptions::debug_info`], stated locations included. What
//!   states no location is printed without.
//! - `parse` never panics, reports all errors at their line and column (which
//!   count from 1; a column is a character), and goes on with the next operation
//!   after one. After a thousand errors it gives up.
//! - Defaults are not printed; types and operations may be written with or
//!   without the dialect's prefix; the module around entries may be left out, and
//!   MLIR's own `module` around modules may be there.
//! - Attributes without meaning are kept as text, aliases put in.

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

pub use number::parse as parse_number;

use crate::diag::{Code, Diagnostic, Diagnostics, Reported};
use crate::ir::Module;

/// How deep regions may nest, here and in the verifier; recursion over regions
/// is bounded by it.
pub(crate) const MAX_REGION_DEPTH: usize = 128;

/// What the parser accepts beyond the public dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// `testing$func`, an entry that may return values.
    pub allow_testing: bool,
    /// Operations of other dialects, in generic form.
    pub allow_unregistered: bool,
}

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// Every operation in MLIR's generic form.
    pub generic: bool,
    /// With the locations that the IR states.
    pub debug_info: bool,
}

/// The text of `module`.
pub fn print(module: &Module) -> String {
    print_with(module, PrintOptions::default())
}

/// The text of `module`, in the form that `options` say.
pub fn print_with(module: &Module, options: PrintOptions) -> String {
    printer::print(&[module], options)
}

/// The text of a file of several modules, as [`parse_file`] reads them.
pub fn print_file(modules: &[&Module], options: PrintOptions) -> String {
    printer::print(modules, options)
}

/// The module written in `source`; locations name `file_name`. A file with
/// nothing in it is an empty module.
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

/// All modules written in `source`, in order; locations name `file_name`.
/// Operations outside of any module make one of their own.
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
