//! `tilec check`: runs the stages of the compiler up to stage 5.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::input::Input;
use crate::options::{Accept, Print};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The modules, as text or bytecode; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    accept: Accept,
    #[command(flatten)]
    print: Print,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        file,
        accept,
        print,
    } = arguments;
    Input::read(file, accept, *print)?.warn();
    Ok(())
}
