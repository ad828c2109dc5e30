//! Debian packages: finds the missing ones, and installs them.
//!
//! - The package lists are updated only if they do not contain a missing package.
//! - Without root, `sudo` is used if it exists; otherwise the error names the command to run.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::os::unix::fs::MetadataExt;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

/// The means of becoming root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Privilege {
    Root,
    Sudo,
    None,
}

/// The package manager of this machine.
pub(super) struct Apt {
    privilege: Privilege,
}

impl Apt {
    /// Returns the package manager, or `None` if there is no apt.
    pub(super) fn find() -> Option<Self> {
        if !["apt-get", "apt-cache", "dpkg-query"]
            .into_iter()
            .all(is_on_path)
        {
            return None;
        }
        // The owner of this process's folder in /proc is its effective user.
        let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
        let privilege = match (is_root, is_on_path("sudo")) {
            (true, _) => Privilege::Root,
            (false, true) => Privilege::Sudo,
            (false, false) => Privilege::None,
        };
        Some(Self { privilege })
    }

    /// Returns those of `packages` that are not installed, in their order.
    pub(super) fn missing<'a>(packages: &[&'a str]) -> Result<Vec<&'a str>> {
        // `dpkg-query` exits with 1 if a package is unknown, but still lists the others.
        let output = Command::new("dpkg-query")
            .args([
                "--show",
                "--showformat",
                "${Package} ${db:Status-Status}\\n",
            ])
            .args(packages)
            .output()
            .context("could not start `dpkg-query`")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let installed = installed(&text);
        let is_missing = |package: &&&str| !installed.contains(**package);
        Ok(packages.iter().filter(is_missing).copied().collect())
    }

    /// Installs `packages`.
    pub(super) fn install(&self, packages: &[&str]) -> Result<()> {
        let names = packages.join(" ");
        let install = ["install", "-y", "--no-install-recommends"];
        if self.privilege == Privilege::None {
            bail!(
                "packages are missing, and there is no `sudo` to install them with. \
                 Run as root: `apt-get update && apt-get {} {names}`",
                install.join(" ")
            );
        }
        println!("setup: installing {names}");
        let mut updated = false;
        if !Self::unavailable(packages)?.is_empty() {
            self.update()?;
            updated = true;
        }
        let unavailable = Self::unavailable(packages)?;
        if !unavailable.is_empty() {
            bail!(
                "apt knows no package {}: this release does not have it. \
                 Add the package source for LLVM 22 that https://apt.llvm.org names for it, \
                 and run `cargo xtask setup` again",
                unavailable.join(", ")
            );
        }
        let mut command = self.apt_get();
        command.args(install).args(packages);
        let result = process::run(&mut command);
        if result.is_ok() || updated {
            return result;
        }
        // Outdated lists name files that no longer exist.
        self.update()?;
        process::run(&mut command)
    }

    fn update(&self) -> Result<()> {
        println!("setup: updating the lists of packages");
        process::run(self.apt_get().arg("update"))
    }

    /// Returns those of `packages` that are not in the package lists.
    fn unavailable<'a>(packages: &[&'a str]) -> Result<Vec<&'a str>> {
        let output = Command::new("apt-cache")
            .env("LC_ALL", "C")
            .arg("policy")
            .args(packages)
            .output()
            .context("could not start `apt-cache`")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let candidates = candidates(&text);
        let is_unavailable = |package: &&&str| !candidates.contains_key(**package);
        Ok(packages.iter().filter(is_unavailable).copied().collect())
    }

    fn apt_get(&self) -> Command {
        let mut command = match self.privilege {
            Privilege::Root | Privilege::None => Command::new("env"),
            Privilege::Sudo => {
                let mut sudo = Command::new("sudo");
                // Without a terminal nobody can type a password.
                if !io::stdin().is_terminal() {
                    sudo.arg("--non-interactive");
                }
                sudo.arg("env");
                sudo
            }
        };
        // Another apt may hold the lock for a while.
        command.args([
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "--quiet",
            "--option=DPkg::Lock::Timeout=120",
        ]);
        command
    }
}

fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Parses the installed packages in lines of `name status`. A package may have a line for each
/// architecture.
fn installed(text: &str) -> BTreeSet<&str> {
    text.lines()
        .filter_map(|line| line.strip_suffix(" installed"))
        .collect()
}

/// Parses the packages with a candidate version in the output of `apt-cache policy`.
fn candidates(text: &str) -> BTreeMap<&str, &str> {
    let mut candidates = BTreeMap::new();
    let mut package = None;
    for line in text.lines() {
        if !line.starts_with(' ') {
            package = line.strip_suffix(':');
            continue;
        }
        let version = line.trim_start().strip_prefix("Candidate: ");
        if let (Some(package), Some(version)) = (package, version)
            && version != "(none)"
        {
            candidates.insert(package, version);
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_not_fully_installed_do_not_count() {
        let text = "llvm-22-dev installed\n\
                    libzstd-dev config-files\n\
                    zlib1g-dev not-installed\n\
                    zlib1g-dev installed\n\
                    libffi-dev half-installed\n";
        let expected = ["llvm-22-dev", "zlib1g-dev"];
        assert_eq!(installed(text), expected.into());
    }

    #[test]
    fn candidates_are_packages_with_a_version() {
        let text = "\
llvm-22-dev:
  Installed: (none)
  Candidate: 1:22.1.8-1~deb12u1
  Version table:
     1:22.1.8-1~deb12u1 500
libpolly-22-dev:
  Installed: 1:22.1.8-1~deb12u1
  Candidate: (none)
  Version table:
libzstd-dev:
  Installed: (none)
  Candidate: 1.5.4
";
        let expected = [
            ("libzstd-dev", "1.5.4"),
            ("llvm-22-dev", "1:22.1.8-1~deb12u1"),
        ];
        assert_eq!(candidates(text), expected.into());
    }

    #[test]
    fn no_candidates_without_lists_of_packages() {
        assert!(candidates("").is_empty());
    }

    #[test]
    fn without_root_and_sudo_the_command_to_run_is_the_error() {
        let apt = Apt {
            privilege: Privilege::None,
        };
        let error = apt.install(&["libffi-dev"]).expect_err("cannot install");
        let command = "apt-get install -y --no-install-recommends libffi-dev";
        assert!(error.to_string().contains(command));
    }

    #[test]
    fn sudo_runs_the_whole_command() {
        let sudo = Apt {
            privilege: Privilege::Sudo,
        };
        let line = process::line(sudo.apt_get().arg("update"));
        assert!(line.starts_with("sudo "), "{line}");
        assert!(line.ends_with(" update"), "{line}");
        assert!(
            line.contains(" env DEBIAN_FRONTEND=noninteractive apt-get "),
            "{line}"
        );
    }
}
