//! Finds a Python installation that has `NumPy`, `ml_dtypes` and mpmath.

#[path = "cache.rs"]
mod cache;

pub(crate) use cache::skip;
use std::process::{Command, Stdio};

/// Returns a command for Python with the packages of `cargo xtask setup`, or with packages of its
/// own.
pub(crate) fn python() -> Option<Command> {
    let packages = cache::installed("python").filter(|packages| packages.is_dir());
    let command = |program: &str| {
        let mut python = Command::new(program);
        if let Some(packages) = &packages {
            python.env("PYTHONPATH", packages);
        }
        python
    };
    let works = |program: &&str| {
        let mut python = command(program);
        python.args(["-c", "import numpy, ml_dtypes, mpmath"]);
        python.stdout(Stdio::null()).stderr(Stdio::null());
        python.status().is_ok_and(|status| status.success())
    };
    ["python3", "python"].into_iter().find(works).map(command)
}
