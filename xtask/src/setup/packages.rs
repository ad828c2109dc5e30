//! Installs the Python packages that tests compare with.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::python::Python;

/// A requirements file: versions, and the checksums of their wheels.
const REQUIREMENTS: &str = include_str!("packages.txt");

/// The folder for `PYTHONPATH`, below that of the tools.
pub(super) const FOLDER: &str = "python";

/// The stamp, which is written last: the version of Python, and the requirements.
const STAMP: &str = "requirements.txt";

/// Returns `true` if these packages are installed for this Python.
pub(super) fn is_installed(python: &Python, release: &Path) -> Result<bool> {
    let stamp = fs::read_to_string(release.join(FOLDER).join(STAMP));
    let wanted = wanted(python)?;
    Ok(stamp.is_ok_and(|stamped| stamped == wanted))
}

fn wanted(python: &Python) -> Result<String> {
    Ok(format!("# {}\n{REQUIREMENTS}", python.version()?))
}

/// Downloads and unpacks the packages into `partial`, then renames them into `release`.
pub(super) fn install(python: &Python, partial: &Path, release: &Path) -> Result<()> {
    let fresh = partial.join(FOLDER);
    python.install(REQUIREMENTS, partial, &fresh)?;
    fs::write(fresh.join(STAMP), wanted(python)?)?;
    let folder = release.join(FOLDER);
    if folder.exists() {
        fs::rename(&folder, partial.join("older"))?;
    }
    fs::rename(&fresh, &folder).with_context(|| format!("could not write `{}`", folder.display()))
}

/// Returns the names of the packages, for messages.
pub(super) fn names() -> String {
    let pins = REQUIREMENTS.lines().filter(|line| line.contains("=="));
    let pins: Vec<_> = pins
        .map(|line| line.trim_end_matches(" \\").replace("==", " "))
        .collect();
    pins.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned_with_its_checksums() {
        assert_eq!(names(), "numpy 2.4.6, ml_dtypes 0.6.0, mpmath 1.4.1");
        for pin in REQUIREMENTS.split("==").skip(1) {
            assert!(pin.contains("--hash=sha256:"));
        }
    }

    #[test]
    fn packages_are_absent_until_the_stamp_of_this_python_is_there() {
        let python = Python::default();
        let release = tempfile::tempdir().expect("a temporary folder");
        let folder = release.path().join(FOLDER);
        fs::create_dir(&folder).expect("creates");
        assert!(!is_installed(&python, release.path()).expect("looks"));
        fs::write(folder.join(STAMP), REQUIREMENTS).expect("writes");
        assert!(!is_installed(&python, release.path()).expect("looks"));
        fs::write(folder.join(STAMP), wanted(&python).expect("a Python")).expect("writes");
        assert!(is_installed(&python, release.path()).expect("looks"));
    }
}
