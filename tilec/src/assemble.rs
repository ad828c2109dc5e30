//! `tilec as`: writes a module as bytecode.

use std::path::PathBuf;

use clap::Args;
use tile_core::bytecode::{self, BytecodeError, Version};
use tile_core::diag::{Code, Diagnostic};

use crate::failure::Failure;
use crate::input::{self, Input};
use crate::options::{Accept, Print};
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module, as text or bytecode; `-` is standard input.
    file: PathBuf,
    /// Write the bytecode to this file; `-` is standard output.
    #[arg(short)]
    output: PathBuf,
    /// 13.1, 13.2, 13.3 or 13.4; modules that this version cannot express are refused.
    #[arg(long, value_name = "VERSION", default_value = "13.3", value_parser = version)]
    bytecode_version: Version,
}

fn version(name: &str) -> Result<Version, String> {
    let versions = Version::ALL;
    let matching = versions
        .into_iter()
        .find(|version| version.to_string() == name);
    matching.ok_or_else(|| {
        let names = versions.map(|version| format!("`{version}`"));
        format!("expected one of {}", names.join(", "))
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        file,
        output,
        bytecode_version: version,
    } = arguments;
    let input = Input::read(file, &Accept::default(), Print::default())?;
    input.warn();
    let (source, module) = input.single()?;
    let bytes = match bytecode::write(&module, *version) {
        Ok(bytes) => bytes,
        Err(error) => {
            // A module that was read from bytecode has no locations, but its text form has.
            let (source, module) = input::located(source, module);
            let error = bytecode::write(&module, *version).err().unwrap_or(error);
            let enough = Version::ALL
                .into_iter()
                .find(|&version| bytecode::write(&module, version).is_ok());
            let fault = fault(&error, enough);
            return Err(input::faults(source, vec![fault]));
        }
    };
    output::write(output, &bytes)
}

/// Returns the error for a module that a version cannot express. It names the first version that
/// can.
fn fault(error: &BytecodeError, enough: Option<Version>) -> Diagnostic {
    let fault = Diagnostic::error(Code::Bytecode, error.loc, error.to_string());
    match enough {
        Some(version) => fault.help(format!("use `--bytecode-version={version}`")),
        None => fault,
    }
}
