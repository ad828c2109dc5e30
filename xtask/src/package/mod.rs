//! Packs the published crates, and uses the packages as users of the registry would.
//!
//! - [`published`] says which crates are published, in which order, and what their manifests lack.
//! - cargo packs them, and builds each from its package and those of the others.
//! - [`outside`] unpacks them into a folder outside of the repository. There the program of the README is built and run,
//!   the crate of `templates/kernel-crate` is tested, and every library is documented without LLVM.
//!
//! The unit tests check what needs no build: manifests, which files are packed, their sizes, and links.

pub(crate) mod archive;
#[cfg(test)]
mod contents;
mod outside;
pub(crate) mod published;
#[cfg(test)]
mod rust_version;
mod template;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use self::archive::{LIMIT, Size, kib};
pub(crate) use self::outside::first_program;
use self::outside::{Network, Outside};
use self::published::Package;
use crate::setup::{self, Scope};
use crate::{process, workspace};

/// The first cargo that packs crates that depend on each other: 1.90.
const LEAST_CARGO: (u32, u32) = (1, 90);

/// Options of `cargo xtask package`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack what is not committed too
    #[arg(long)]
    allow_dirty: bool,
    /// Do without the network: what is needed is in cargo's cache
    #[arg(long)]
    offline: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if !options.offline {
        setup::run(Scope::Build, &setup::Options::default())?;
    }
    let packages = published::packages()?;
    let network = if options.offline {
        Network::Off
    } else {
        Network::Used
    };
    let outside = Outside::new(network)?;
    let mut cargo = pack(&packages, &outside.target())?;
    outside.restrict(&mut cargo);
    // The root's manifest optimizes these for tests: each would be built once with and once without.
    for package in &packages {
        let setting = format!("profile.dev.package.{}.opt-level=0", package.name);
        cargo.args(["--config", &setting]);
    }
    if options.allow_dirty {
        cargo.arg("--allow-dirty");
    }
    let seconds = timed(&mut cargo)?;
    let sizes = archive::unpack(&packages, &outside.target(), &outside.packages())?;
    print(&packages, &sizes, &seconds);
    for (package, size) in packages.iter().zip(&sizes) {
        ensure!(
            size.compressed <= LIMIT,
            "`{}` is larger than {} KiB",
            package.name,
            kib(LIMIT)
        );
    }
    outside.patch(&packages)?;
    let facade = packages.iter().find(|it| it.name == "tile-kernel");
    let facade = facade.context("`tile-kernel` is not published")?;
    outside.run_readme(facade)?;
    outside.test_template(facade)?;
    outside.document_packages(&packages)?;
    println!("package: ok, {} packages", packages.len());
    Ok(())
}

/// Returns the command that packs the crates into `target/package`, and builds each from what was packed.
///
/// # Errors
///
/// Returns an error if this cargo cannot do that.
pub(crate) fn pack(packages: &[Package], target: &Path) -> Result<Command> {
    let output = workspace::cargo().arg("--version").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version =
        cargo_version(&text).with_context(|| format!("`{}` is no version", text.trim()))?;
    if version < LEAST_CARGO {
        let (major, minor) = LEAST_CARGO;
        bail!(
            "cargo {major}.{minor} or newer is needed, found {}",
            text.trim()
        );
    }
    let mut cargo = workspace::cargo();
    cargo.arg("package").arg("--target-dir").arg(target);
    for package in packages {
        cargo.args(["--package", &package.name]);
    }
    Ok(cargo)
}

/// Reads `cargo 1.95.0 (f2d3ce0bd 2026-03-21)`.
fn cargo_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("cargo ")?.split('.');
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some((major, minor))
}

/// Runs cargo, and returns the seconds from the line `Verifying NAME` of each crate to the next.
fn timed(cargo: &mut Command) -> Result<BTreeMap<String, f64>> {
    println!("package: {}", process::line(cargo));
    let mut verified: Option<(String, Instant)> = None;
    let mut seconds = BTreeMap::new();
    let mut end = |verified: &mut Option<(String, Instant)>| {
        if let Some((name, start)) = verified.take() {
            seconds.insert(name, start.elapsed().as_secs_f64());
        }
    };
    let status = process::tee_errors(cargo, |line| {
        let mut words = line.split_whitespace();
        if words.next() == Some("Verifying") {
            end(&mut verified);
            let name = words.next().unwrap_or_default();
            verified = Some((name.to_owned(), Instant::now()));
        }
    })?;
    end(&mut verified);
    ensure!(
        status.success(),
        "`{}` failed: {status}",
        process::line(cargo)
    );
    Ok(seconds)
}

fn print(packages: &[Package], sizes: &[Size], seconds: &BTreeMap<String, f64>) {
    println!("| crate | files | compressed, KiB | unpacked, KiB | built in, s |");
    println!("|---|---|---|---|---|");
    for (package, size) in packages.iter().zip(sizes) {
        let Size {
            files,
            compressed,
            unpacked,
        } = *size;
        let built = seconds.get(&package.name).copied().unwrap_or_default();
        println!(
            "| `{}` | {files} | {} | {} | {built:.0} |",
            package.name,
            kib(compressed),
            kib(unpacked)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_cargo_are_compared_as_numbers() {
        let version = |text| cargo_version(text).expect("a version");
        assert!(version("cargo 1.100.0 (f2d3ce0bd 2026-03-21)") > LEAST_CARGO);
        assert!(version("cargo 1.90.0-nightly") == LEAST_CARGO);
        assert!(version("cargo 1.89.1") < LEAST_CARGO);
        assert_eq!(cargo_version("rustc 1.95.0"), None);
    }
}
