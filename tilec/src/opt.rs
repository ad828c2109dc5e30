//! `tilec opt`: passes on every module of a file.

use std::ops::Deref;
use std::path::PathBuf;

use clap::Args;
use tile_core::canonicalize::canonicalize;
use tile_core::diag::Diagnostics;
use tile_core::verify::{Verified, verify};
use tile_core::{Module, text};

use crate::failure::Failure;
use crate::input::{self, Input, SEPARATOR};
use crate::options::{Accept, Print};
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Text or bytecode; `-` is standard input.
    file: PathBuf,
    /// The passes to run, in order, separated by commas: `canonicalize`. Without any, the
    /// modules are printed as they are.
    #[arg(
        long,
        value_name = "PASSES",
        default_value = "",
        hide_default_value = true,
        value_parser = Passes::parse
    )]
    passes: Passes,
    #[command(flatten)]
    accept: Accept,
    #[command(flatten)]
    print: Print,
}

/// A rewrite of a module.
#[derive(Clone, Copy, Debug)]
enum Pass {
    Canonicalize,
}

impl Pass {
    const ALL: [Self; 1] = [Self::Canonicalize];

    fn name(self) -> &'static str {
        match self {
            Self::Canonicalize => "canonicalize",
        }
    }
}

/// Passes in the order in which they run.
#[derive(Clone, Debug)]
struct Passes(Vec<Pass>);

impl Passes {
    fn parse(list: &str) -> Result<Self, String> {
        if list.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let pass = |name: &str| {
            let found = Pass::ALL.into_iter().find(|pass| pass.name() == name);
            found.ok_or_else(|| {
                let known = Pass::ALL.map(|pass| format!("`{}`", pass.name()));
                format!("unknown pass `{name}`, known are: {}", known.join(", "))
            })
        };
        list.split(',')
            .map(pass)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The module after all passes.
    fn run(&self, module: Verified) -> Result<Verified, Diagnostics> {
        let mut module = module;
        for pass in &self.0 {
            let rewritten = match pass {
                Pass::Canonicalize => canonicalize(module).into_inner(),
            };
            let mut diagnostics = Diagnostics::new();
            module = verify(rewritten, &mut diagnostics).map_err(|_| diagnostics)?;
        }
        Ok(module)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        file,
        passes,
        accept,
        print,
    } = arguments;
    let input = Input::read(file, accept, *print)?;
    input.warn();
    let mut printed = Vec::new();
    let mut found = Vec::new();
    for mut piece in input.pieces {
        let mut modules = Vec::new();
        for module in std::mem::take(&mut piece.modules) {
            match passes.run(module) {
                Ok(module) => modules.push(module),
                Err(mut diagnostics) => {
                    let mut faults = diagnostics.take();
                    piece.place(&mut faults);
                    found.append(&mut faults);
                }
            }
        }
        let modules: Vec<&Module> = modules.iter().map(Deref::deref).collect();
        printed.push(text::print_file(&modules, print.options()));
    }
    if !found.is_empty() {
        return Err(input::faults(input.source, found));
    }
    output::print(&printed.join(&format!("{SEPARATOR}\n")))
}
