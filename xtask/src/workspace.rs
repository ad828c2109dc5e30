//! The checkout, and the cargo that builds it.

use std::env;
use std::path::{self, PathBuf};
use std::process::Command;

use crate::tools;

/// Returns the root of the checkout.
///
/// `cargo run` sets this crate's folder at run time, which takes precedence over the folder at
/// compile time, since that is stale once a checkout has been moved.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = manifest_dir
        .parent()
        .expect("this crate is a folder of the workspace");
    root.to_path_buf()
}

/// Returns a cargo command in the root of the checkout that finds the tools.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    // rustc and the tests run in other folders.
    if let Some(cache) = env::var_os(tools::CACHE_VARIABLE).filter(|cache| !cache.is_empty())
        && let Ok(absolute) = path::absolute(cache)
    {
        cargo.env(tools::CACHE_VARIABLE, absolute);
    }
    cargo
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::Value;

    use super::{cargo, root};

    /// Returns the dependencies of each package in a lock file that is of this checkout, as `package dependency`.
    fn locked(lock: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut packages, mut dependencies) = (BTreeSet::new(), BTreeSet::new());
        let ours = lock.split("[[package]]").skip(1);
        for package in ours.filter(|package| !package.contains("\nsource = ")) {
            let mut quoted = package.lines().filter_map(|line| line.split('"').nth(1));
            let name = quoted.next().expect("a package has a name");
            packages.insert(name.to_owned());
            let names = quoted.filter_map(|text| text.split(' ').next());
            dependencies.extend(names.map(|dependency| format!("{name} {dependency}")));
        }
        (packages, dependencies)
    }

    /// `cargo` notices only where it is run, and what runs there is slow and not in the main tests.
    #[test]
    fn the_lock_files_of_other_workspaces_have_the_dependencies_of_our_crates() {
        let mut metadata = cargo();
        metadata.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
        let output = metadata.output().expect("cargo starts");
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
        let text = |value: &Value| value.as_str().expect("names are texts").to_owned();
        for workspace in ["fuzz", "interop"] {
            let path = root().join(workspace).join("Cargo.lock");
            let lock = fs::read_to_string(&path).expect("the lock file is in the checkout");
            let (packages, dependencies) = locked(&lock);
            let mut count = 0;
            for package in metadata["packages"].as_array().expect("a list") {
                let name = text(&package["name"]);
                if !packages.contains(&name) {
                    continue;
                }
                for dependency in package["dependencies"].as_array().expect("a list") {
                    // The features of this workspace decide about optional ones.
                    if dependency["kind"] == "dev" || dependency["optional"] == true {
                        continue;
                    }
                    let line = format!("{name} {}", text(&dependency["name"]));
                    assert!(
                        dependencies.contains(&line),
                        "{} lacks `{line}`: run `cargo update --workspace` in {workspace}",
                        path.display()
                    );
                    count += 1;
                }
            }
            assert!(count > 10, "{workspace} depends on crates of this checkout");
        }
    }
}
