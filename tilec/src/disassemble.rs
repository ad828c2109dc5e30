//! `tilec dis`: a module as text.

use std::path::PathBuf;

use clap::Args;
use tile_core::text;

use crate::failure::Failure;
use crate::input::Input;
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module.
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(&arguments.file)?;
    output::print(&text::print(&input.module))
}
