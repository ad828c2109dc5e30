//! `tilec dis`: prints a module as text.

use std::path::PathBuf;

use clap::Args;
use tile_core::text;

use crate::failure::Failure;
use crate::input::Input;
use crate::options::{Accept, Print};
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module, as text or bytecode; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    print: Print,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, print } = arguments;
    let input = Input::read(file, &Accept::default(), *print)?;
    input.warn();
    let (_, module) = input.single()?;
    output::print(&text::print_with(&module, print.options()))
}
