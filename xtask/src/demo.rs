//! Runs the example `digits` and checks its closing line.
//!
//! Passes arguments to the example, and prints its output as it arrives. The last line must be
//! `demo: ok device=<name> accuracy=<fraction>`; otherwise the demo failed, whatever its exit
//! status.

use anyhow::{Result, bail};

use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

const EXAMPLE: &str = "digits";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    setup::run(Scope::Build, &Options::default())?;
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--release", "--example", EXAMPLE, "--"]);
    cargo.args(arguments);
    let mut last_line = String::new();
    let status = process::tee(&mut cargo, |line| {
        if !line.trim().is_empty() {
            line.clone_into(&mut last_line);
        }
    })?;
    if !status.success() {
        bail!("the example `{EXAMPLE}` failed: {status}");
    }
    if !is_closing_line(&last_line) {
        bail!(
            "the example `{EXAMPLE}` did not end with `demo: ok device=<name> accuracy=<fraction>`"
        );
    }
    Ok(())
}

/// Returns `true` if `line` is `demo: ok device=<name> accuracy=<fraction>`. A name may contain
/// spaces, like those of GPUs.
fn is_closing_line(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("demo: ok device=") else {
        return false;
    };
    let Some((name, accuracy)) = rest.rsplit_once(" accuracy=") else {
        return false;
    };
    let in_range = |accuracy: f64| (0.0..=1.0).contains(&accuracy);
    !name.trim().is_empty() && accuracy.parse().is_ok_and(in_range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_names_a_device_and_a_fraction() {
        assert!(is_closing_line("demo: ok device=cpu accuracy=0.9722"));
        assert!(is_closing_line("demo: ok device=NVIDIA H200 accuracy=1"));
    }

    #[test]
    fn other_lines_do_not_close_the_demo() {
        for line in [
            "",
            "demo: ok",
            "demo: ok device= accuracy=0.9",
            "demo: ok device=cpu accuracy=NaN",
            "demo: ok device=cpu accuracy=97.2",
            "demo: ok device=cpu accuracy=0.97 or so",
            " demo: ok device=cpu accuracy=0.9",
            "demo: failed device=cpu accuracy=0.9",
        ] {
            assert!(!is_closing_line(line), "{line:?}");
        }
    }
}
