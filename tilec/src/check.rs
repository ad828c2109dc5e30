//! `tilec check`: stages 5 and before.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::input::Input;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module.
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    Input::read(&arguments.file).map(drop)
}
