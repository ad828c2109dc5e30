//! The project's commands, as `cargo xtask <command>`.
//!
//! They need a machine with Rust, a C linker, and Python with pip. They install the NVIDIA tools,
//! and LLVM if rustc has another version than 22, and return the result of the command as exit status.
//!
//! - This crate depends on no other crate of the workspace, so that it builds before the tools
//!   are installed.
//! - Every command that builds kernels runs [`setup`] first.
//! - No command needs a GPU, a driver or a CUDA toolkit.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks to its user"
)]

mod ablation;
mod bench;
mod bless;
mod check;
mod compare_llvm;
mod demo;
mod docs;
mod driver_tests;
mod gpu_bundle;
mod interop;
mod language_server;
mod math;
mod package;
mod process;
mod release;
mod setup;
mod simulated_driver;
mod test;
mod thread_sanitizer;
mod tools;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::setup::Scope;

/// The project's commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install ptxas, fatbinary and the tools of the tests
    Setup(setup::Options),
    /// Train the digit classifier on the best device
    Demo {
        /// Arguments of the example
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run every test and count them
    Test {
        /// Arguments of `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Check formatting, lints, unit tests and file tests
    Check,
    /// Rewrite the expected output of the golden tests
    Bless {
        /// Arguments of `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Compile the mathematical functions of kernels to LLVM IR
    Math,
    /// Compare the PTX of two libraries of LLVM, for all kernels of the repository
    CompareLlvm(compare_llvm::Options),
    /// Drive rust-analyzer on a fresh crate, as an editor does
    LanguageServer,
    /// Build the book and the API documentation without warnings, and check their links
    Docs(docs::Options),
    /// Measure against other libraries
    #[command(subcommand)]
    Bench(bench::Benchmark),
    /// Pack the published crates, and build and use them outside of the repository
    Package(package::Options),
    /// Publish the crates in the order of their dependencies
    #[command(long_about = release::ABOUT)]
    Release(release::Options),
    /// Build and test the crates of `interop/`, beside the libraries that they are for
    Interop(interop::Options),
    #[command(about = driver_tests::ABOUT)]
    DriverTests(driver_tests::Options),
    /// Run tests of the host side under ThreadSanitizer
    ThreadSanitizer(thread_sanitizer::Options),
    /// Bundle tests, examples and benchmarks for a machine with a GPU and without Rust
    GpuBundle(gpu_bundle::Options),
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            for cause in error.chain().skip(1) {
                eprintln!("  because: {cause}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Setup(options) => setup::run(Scope::Everything, &options)?,
        Command::Demo { arguments } => demo::run(&arguments)?,
        Command::Test { arguments } => return test::run(&arguments),
        Command::Check => check::run()?,
        Command::Bless { arguments } => bless::run(&arguments)?,
        Command::Math => math::run()?,
        Command::CompareLlvm(options) => compare_llvm::run(&options)?,
        Command::LanguageServer => language_server::run()?,
        Command::Docs(options) => docs::run(&options)?,
        Command::Bench(benchmark) => bench::run(&benchmark)?,
        Command::Package(options) => package::run(&options)?,
        Command::Release(options) => release::run(&options)?,
        Command::Interop(options) => interop::run(&options)?,
        Command::DriverTests(options) => driver_tests::run(&options)?,
        Command::ThreadSanitizer(options) => thread_sanitizer::run(&options)?,
        Command::GpuBundle(options) => gpu_bundle::run(&options)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::{Arguments, workspace};

    /// Collects the commands without subcommands, such as `cargo xtask bench cpu`.
    fn commands(command: &clap::Command, path: &str, names: &mut BTreeSet<String>) {
        let path = format!("{path} {}", command.get_name());
        let mut subcommands = command.get_subcommands().peekable();
        if subcommands.peek().is_none() {
            names.insert(path.trim().to_owned());
            return;
        }
        for subcommand in subcommands {
            commands(subcommand, &path, names);
        }
    }

    #[test]
    fn contributing_has_a_row_for_every_command() {
        let mut names = BTreeSet::new();
        commands(&Arguments::command(), "", &mut names);
        let page = workspace::root().join("CONTRIBUTING.md");
        let page = std::fs::read_to_string(page).expect("the page is there");
        let rows: BTreeSet<String> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| `cargo xtask"))
            .filter_map(|rest| rest.split_once('`'))
            .map(|(rest, _)| format!("cargo xtask{rest}"))
            .collect();
        assert_eq!(rows, names);
    }
}
