//! `tilec`: runs the stages of the compiler on files.
//!
//! The input is Tile IR as text or bytecode, distinguished by the first byte; `-` is standard
//! input. A successful command prints only its output and exits with 0, even if there are warnings.
//! Otherwise the status is 1 and nothing is written.
//!
//! On standard error, each error is a line `FILE:LINE:COL: error: MESSAGE` (or `warning`, or
//! `note`). The rendered source follows, for the first hundred. Lines and columns count from 1, in
//! characters. Line 0 means a file without lines: bytecode that cannot be read, where the column is
//! the offset in bytes, or a file that cannot be opened.

mod assemble;
mod build;
mod check;
mod choice;
mod disassemble;
mod doctor;
mod failure;
mod input;
mod launches;
mod maps;
mod opt;
mod options;
mod output;
mod run;
mod schedule;
mod tune;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::Failure;

/// Checks, assembles, prints, rewrites, compiles and runs Tile IR. FILE is text or bytecode;
/// `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "tilec", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Verifies modules and prints the errors; those of bytecode in its text form.
    Check(check::Arguments),
    /// Writes a module as bytecode.
    As(assemble::Arguments),
    /// Prints a module as text.
    Dis(disassemble::Arguments),
    /// Runs passes on modules and prints them.
    Opt(opt::Arguments),
    /// Compiles a module for GPUs.
    Build(build::Arguments),
    /// Runs an entry of a module.
    Run(run::Arguments),
    /// Lists, checks, merges and prunes files with records of tuning.
    Tune(tune::Arguments),
    /// Says which parts GPU code needs are here, where, and how to get the others. The status is 0
    /// if GPU code can be generated.
    Doctor,
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Check(arguments) => check::run(arguments),
        Command::As(arguments) => assemble::run(arguments),
        Command::Dis(arguments) => disassemble::run(arguments),
        Command::Opt(arguments) => opt::run(arguments),
        Command::Build(arguments) => build::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
        Command::Doctor => doctor::run(),
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are requested output; other errors of clap are failures. If the
            // stream is closed, the output is lost.
            let _printed = error.print();
            return if error.use_stderr() {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    match run(&cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _written = std::io::stderr().write_all(failure.to_string().as_bytes());
            ExitCode::FAILURE
        }
    }
}
