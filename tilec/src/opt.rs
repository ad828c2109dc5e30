//! `tilec opt`: runs passes on every module of a file.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Deref;
use std::path::PathBuf;

use clap::Args;
use tile_core::diag::Diagnostics;
use tile_core::pass::{Pass, Pipeline, Trace};
use tile_core::verify::Verified;
use tile_core::{Module, text};

use crate::failure::Failure;
use crate::input::{self, Input, Piece, SEPARATOR};
use crate::options::{Accept, Print};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = passes())]
pub(crate) struct Arguments {
    /// The modules, as text or bytecode; `-` is standard input.
    file: PathBuf,
    /// The passes to run, in order, separated by commas; options of a pass follow it in braces.
    /// Without passes, the modules are printed unchanged.
    #[arg(
        long,
        value_name = "PASSES",
        default_value = "",
        hide_default_value = true
    )]
    passes: Pipeline,
    /// Print the module to standard error after each run of this pass, or of every pass if it is
    /// `all`.
    #[arg(long, value_name = "PASS", value_parser = After::parse)]
    print_after: Vec<After>,
    /// Print the number of times that each rewrite of each pass was applied, to standard error.
    #[arg(long)]
    stats: bool,
    /// Print each rewrite of each pass to standard error, in order, with the location of its
    /// operation.
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    accept: Accept,
    #[command(flatten)]
    print: Print,
}

/// Lists the passes, for the help.
fn passes() -> String {
    let mut text = "Passes:\n".to_owned();
    let width = Pass::list().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, about) in Pass::list() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name:width$}  {about}");
    }
    for (level, passes) in Pass::levels() {
        let _ = writeln!(text, "  {level:width$}  {passes}");
    }
    text
}

/// The passes after which to print.
#[derive(Clone, Debug)]
enum After {
    All,
    One(&'static str),
}

impl After {
    fn parse(name: &str) -> Result<Self, String> {
        if name == "all" {
            return Ok(Self::All);
        }
        let pass = Pass::list()
            .map(|(pass, _)| pass)
            .find(|pass| *pass == name);
        pass.map(Self::One).ok_or_else(|| {
            format!("unknown pass `{name}`; the help lists them, and `all` is for each")
        })
    }

    fn is_after(&self, pass: Pass) -> bool {
        match self {
            Self::All => true,
            Self::One(name) => *name == pass.name(),
        }
    }
}

impl Arguments {
    /// Runs all passes on a module.
    fn rewrite(&self, module: Verified, piece: &Piece) -> Result<Verified, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let rewritten = self
            .passes
            .run(module, &mut diagnostics, |pass, module, trace| {
                let said = self.say(*pass, module, trace, piece);
                // If standard error is closed, the output is lost.
                let _written = std::io::stderr().write_all(said.as_bytes());
            });
        rewritten.map_err(|_| diagnostics)
    }

    /// Returns the text to print after a pass.
    fn say(&self, pass: Pass, module: &Verified, trace: &Trace, piece: &Piece) -> String {
        let mut said = String::new();
        if self.trace {
            for rewrite in trace.rewrites() {
                let place = piece.place_of(rewrite.loc);
                let _ = writeln!(said, "{place}: note: {pass}: {}", rewrite.name);
            }
        }
        if self.stats {
            let _ = writeln!(
                said,
                "{pass} in `{}`: {} rewrites",
                module.name,
                trace.total()
            );
            for (name, count) in trace.statistics() {
                let _ = writeln!(said, "{count:>8} {name}");
            }
        }
        if self.print_after.iter().any(|after| after.is_after(pass)) {
            let _ = writeln!(said, "// after {pass}");
            said.push_str(&text::print_with(module, self.print.options()));
        }
        said
    }

    /// Runs all passes on the modules of a piece, and prints them; errors are appended to
    /// `reports`.
    fn rewrite_all(&self, piece: &mut Piece, reports: &mut Vec<tile_core::Diagnostic>) -> String {
        let mut modules = Vec::new();
        for module in std::mem::take(&mut piece.modules) {
            match self.rewrite(module, piece) {
                Ok(module) => modules.push(module),
                Err(mut diagnostics) => {
                    let mut faults = diagnostics.take();
                    piece.place(&mut faults);
                    reports.append(&mut faults);
                }
            }
        }
        let modules: Vec<&Module> = modules.iter().map(Deref::deref).collect();
        text::print_file(&modules, self.print.options())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(&arguments.file, &arguments.accept, arguments.print)?;
    input.warn();
    let mut printed = Vec::new();
    let mut diagnostics = Vec::new();
    for mut piece in input.pieces {
        printed.push(arguments.rewrite_all(&mut piece, &mut diagnostics));
    }
    if !diagnostics.is_empty() {
        return Err(input::faults(input.source, diagnostics));
    }
    output::print(&printed.join(&format!("{SEPARATOR}\n")))
}
