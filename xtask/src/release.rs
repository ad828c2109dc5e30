//! Publishes the crates in the order of their dependencies, or says what it would publish.
//!
//! - Nothing is published before everything has been checked.
//! - Each crate is published by its own `cargo publish`, which builds the package against the registry, and waits until the
//!   registry has it. After a failure, `--from` goes on where it stopped.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::package::archive::{self, LIMIT, Size, kib};
use crate::package::published::{self, Package};
use crate::{package, process, workspace};

/// The text of `cargo xtask release --help`.
pub(crate) const ABOUT: &str = "\
Publish the crates in the order of their dependencies

Checks first that the tree is clean, that CHANGELOG.md has a section for the version, that the version has no tag yet, that \
the README does not say that there is no release, and that manifests and packages are complete. Then it runs `cargo publish` \
for one crate after the other, without asking. cargo takes the token of the registry from `cargo login` or from \
CARGO_REGISTRY_TOKEN. What is published can never be replaced: run `cargo xtask package` and `cargo xtask release --dry-run` \
before (docs/releasing.md).";

/// The sentence of the README before the first release.
const UNRELEASED: &str = "- No release:";

/// Options of `cargo xtask release`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Check, and say what would be published in which order, but publish nothing. The status is 1 if something is wrong
    #[arg(long)]
    dry_run: bool,
    /// Begin with this crate: those before it are published already
    #[arg(long, value_name = "CRATE")]
    from: Option<String>,
    /// Do without the network, with `--dry-run`
    #[arg(long, requires = "dry_run")]
    offline: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let packages = published::packages()?;
    let first = match &options.from {
        None => 0,
        Some(name) => packages
            .iter()
            .position(|it| it.name == *name)
            .with_context(|| format!("`{name}` is not published"))?,
    };
    let sizes = sizes(&packages, options)?;
    print(&packages, &sizes, first);
    let mut problems = State::read()?.problems(&packages);
    for (package, size) in packages.iter().zip(&sizes) {
        if size.compressed > LIMIT {
            problems.push(format!(
                "`{}` is larger than {} KiB",
                package.name,
                kib(LIMIT)
            ));
        }
    }
    for problem in &problems {
        println!("release: {problem}");
    }
    ensure!(
        problems.is_empty(),
        "nothing is published before that is corrected"
    );
    if options.dry_run {
        println!("release: nothing is wrong, and nothing was published");
        return Ok(());
    }
    for package in &packages[first..] {
        process::run(workspace::cargo().args(["publish", "--package", &package.name]))
            .with_context(|| format!("go on with `--from={}`", package.name))?;
    }
    let version = &packages[0].version;
    println!("release: published; now `git tag v{version} && git push origin v{version}`");
    Ok(())
}

/// Packs the crates without building them, and returns the sizes.
fn sizes(packages: &[Package], options: &Options) -> Result<Vec<Size>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("target");
    let mut cargo = package::pack(packages, &target)?;
    // A dirty tree is one of the problems, which are all named.
    cargo.args(["--quiet", "--no-verify", "--allow-dirty"]);
    if options.offline {
        cargo.arg("--offline");
    }
    process::run(&mut cargo)?;
    archive::unpack(packages, &target, &folder.path().join("packages"))
}

fn print(packages: &[Package], sizes: &[Size], first: usize) {
    println!("| | crate | version | compressed, KiB | after |");
    println!("|---|---|---|---|---|");
    for (index, (package, size)) in packages.iter().zip(sizes).enumerate() {
        let place = if index < first {
            "published".to_owned()
        } else {
            (index - first + 1).to_string()
        };
        println!(
            "| {place} | `{}` | {} | {} | {} |",
            package.name,
            package.version,
            kib(size.compressed),
            package.needs.join(", ")
        );
    }
}

/// The state of the repository that a release depends on, besides the packages.
struct State {
    /// The output of `git status --porcelain`.
    changes: String,
    /// The output of `git tag`.
    tags: String,
    changelog: String,
    readme: String,
}

impl State {
    fn read() -> Result<Self> {
        let root = workspace::root();
        let git = |arguments: &[&str]| -> Result<String> {
            let mut git = Command::new("git");
            let output = git.args(arguments).current_dir(&root).output();
            let output = output.context("could not start git")?;
            if !output.status.success() {
                bail!("`git {}` failed", arguments.join(" "));
            }
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        Ok(Self {
            changes: git(&["status", "--porcelain"])?,
            tags: git(&["tag", "--list"])?,
            changelog: fs::read_to_string(root.join("CHANGELOG.md"))?,
            readme: fs::read_to_string(root.join("README.md"))?,
        })
    }

    /// Returns what prevents a release.
    fn problems(&self, packages: &[Package]) -> Vec<String> {
        let Self {
            changes,
            tags,
            changelog,
            readme,
        } = self;
        let mut problems = Vec::new();
        let changed = changes.lines().count();
        if changed > 0 {
            problems.push(format!(
                "the tree is dirty: commit or remove {changed} files"
            ));
        }
        let mut versions: Vec<&str> = packages.iter().map(|it| it.version.as_str()).collect();
        versions.sort_unstable();
        versions.dedup();
        if versions.len() > 1 {
            problems.push(format!(
                "the crates have several versions: {}",
                versions.join(", ")
            ));
        }
        for version in versions {
            let heading = format!("## [{version}]");
            if !changelog.lines().any(|line| line.starts_with(&heading)) {
                problems.push(format!("`CHANGELOG.md` has no section `{heading}`"));
            }
            let tag = format!("v{version}");
            if tags.lines().any(|line| line == tag) {
                problems.push(format!("the tag `{tag}` is there: choose another version"));
            }
        }
        if readme.contains(UNRELEASED) {
            problems.push(format!("`README.md` says `{UNRELEASED}`"));
        }
        for package in packages {
            for fault in package.faults() {
                problems.push(format!("`{}`: {fault}", package.name));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state in which the version of the workspace can be published.
    fn ready() -> (Vec<Package>, State) {
        let packages = published::packages().expect("cargo runs");
        let version = &packages[0].version;
        let state = State {
            changes: String::new(),
            tags: "v0.0.1\n".to_owned(),
            changelog: format!("# Changelog\n\n## [{version}] - 2026-11-28\n"),
            readme: "# tile-kernel\n".to_owned(),
        };
        (packages, state)
    }

    #[test]
    fn a_complete_release_has_no_problem() {
        let (packages, state) = ready();
        assert_eq!(state.problems(&packages), Vec::<String>::new());
    }

    #[test]
    fn every_problem_is_named() {
        let (mut packages, mut state) = ready();
        for package in &mut packages {
            package.version = "9.9.9".to_owned();
        }
        state.changes = " M Cargo.toml\n?? x\n".to_owned();
        state.tags = "v9.9.9\n".to_owned();
        state.readme = format!("{UNRELEASED} version 9 is not in the registry.\n");
        let problems = state.problems(&packages);
        assert_eq!(
            problems[..4],
            [
                "the tree is dirty: commit or remove 2 files",
                "`CHANGELOG.md` has no section `## [9.9.9]`",
                "the tag `v9.9.9` is there: choose another version",
                "`README.md` says `- No release:`",
            ]
        );
        // Their manifests have another version.
        let others = problems[4..].iter();
        assert!(
            others
                .clone()
                .all(|it| it.ends_with("needs the version `=9.9.9`"))
        );
        assert!(others.count() > 0);
    }

    #[test]
    fn crates_have_one_version() {
        let (mut packages, state) = ready();
        packages[0].version = "9.9.9".to_owned();
        let problems = state.problems(&packages);
        assert!(problems[0].starts_with("the crates have several versions: "));
        assert!(problems[0].ends_with(", 9.9.9"));
    }
}
