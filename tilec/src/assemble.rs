//! `tilec as`: a module as bytecode.

use std::path::PathBuf;

use clap::Args;
use tile_core::bytecode::{self, Version};
use tile_core::diag::{Code, Diagnostic};

use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module.
    file: PathBuf,
    /// Where to write the bytecode; `-` is standard output.
    #[arg(short)]
    output: PathBuf,
    /// The version that readers have at least: 13.1, 13.2, 13.3 or 13.4.
    #[arg(long, value_name = "VERSION", default_value = "13.4", value_parser = version)]
    bytecode_version: Version,
}

fn version(name: &str) -> Result<Version, String> {
    let known = Version::ALL;
    let found = known
        .into_iter()
        .find(|version| version.to_string() == name);
    found.ok_or_else(|| {
        let names = known.map(|version| format!("`{version}`"));
        format!("expected one of {}", names.join(", "))
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Input { source, module } = Input::read(&arguments.file)?.located();
    let bytes = bytecode::write(&module, arguments.bytecode_version).map_err(|error| {
        let mut fault = Diagnostic::error(Code::Bytecode, error.loc, error.to_string());
        let enough = Version::ALL
            .into_iter()
            .find(|&version| bytecode::write(&module, version).is_ok());
        if let Some(version) = enough {
            fault = fault.help(format!("use `--bytecode-version={version}`"));
        }
        input::faults(source.name, source.text, vec![fault])
    })?;
    output::write(&arguments.output, &bytes)
}
