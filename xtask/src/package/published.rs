//! The crates of the workspace that are published, as `cargo metadata` describes them.
//!
//! A crate is published unless its manifest says `publish = false`. Each has one version, that of the workspace.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace;

/// The licences' files, which each package holds.
pub(crate) const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The categories of <https://crates.io/category_slugs> that our crates are in. Others would be dropped without an error.
const CATEGORIES: [&str; 8] = [
    "command-line-utilities",
    "compilers",
    "concurrency",
    "development-tools::testing",
    "emulators",
    "hardware-support",
    "science",
    "simulation",
];

/// The most keywords, and the most categories, that the registry takes.
const MOST: usize = 5;

/// The most characters of a keyword.
const LONGEST_KEYWORD: usize = 20;

/// A crate that is published.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// The published crates of the workspace that must be in the registry before it.
    pub(crate) needs: Vec<String>,
    /// The entry of the crate in the output of `cargo metadata`.
    manifest: Value,
}

/// Returns the published crates in an order in which they can be published.
///
/// # Errors
///
/// Returns an error if cargo fails, or if the crates need each other in a circle.
pub(crate) fn packages() -> Result<Vec<Package>> {
    let output = workspace::cargo()
        .args(["metadata", "--no-deps", "--offline"])
        .args(["--format-version", "1"])
        .output()
        .context("could not start `cargo metadata`")?;
    if !output.status.success() {
        bail!(
            "`cargo metadata` failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let manifests = list(&metadata["packages"]);
    ordered(manifests.filter(|it| is_published(it)).map(Package::new))
}

/// `publish` is `null`, or a list of registries, which `publish = false` leaves empty.
fn is_published(manifest: &Value) -> bool {
    manifest["publish"]
        .as_array()
        .is_none_or(|registries| !registries.is_empty())
}

/// Returns crates that others need before those others, and else by name.
fn ordered(packages: impl Iterator<Item = Package>) -> Result<Vec<Package>> {
    let mut waiting: Vec<Package> = packages.collect();
    waiting.sort_by(|a, b| a.name.cmp(&b.name));
    let names: Vec<String> = waiting.iter().map(|it| it.name.clone()).collect();
    for package in &mut waiting {
        package.needs.retain(|need| names.contains(need));
    }
    let mut ordered: Vec<Package> = Vec::new();
    while !waiting.is_empty() {
        let is_ready = |package: &Package| {
            let mut needs = package.needs.iter();
            needs.all(|need| ordered.iter().any(|it| it.name == *need))
        };
        let Some(next) = waiting.iter().position(is_ready) else {
            let names: Vec<&str> = waiting.iter().map(|it| it.name.as_str()).collect();
            bail!("crates that need each other: {}", names.join(", "));
        };
        ordered.push(waiting.remove(next));
    }
    Ok(ordered)
}

impl Package {
    fn new(manifest: &Value) -> Self {
        let path = Path::new(text(&manifest["manifest_path"]));
        let folder = path.parent().expect("a manifest is in a folder");
        // cargo removes a dependency of tests that has no version from the package.
        let kept = list(&manifest["dependencies"])
            .filter(|it| it["kind"] != "dev" || it["req"] != "*")
            .map(|it| text(&it["name"]).to_owned());
        let mut needs: Vec<String> = kept.collect();
        needs.sort();
        needs.dedup();
        Self {
            name: text(&manifest["name"]).to_owned(),
            version: text(&manifest["version"]).to_owned(),
            folder: folder.to_path_buf(),
            needs,
            manifest: manifest.clone(),
        }
    }

    /// Returns the name of the package's folder, and without the ending `.crate` of its file.
    pub(crate) fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Returns the root files of its libraries, programs, examples, and build script.
    #[cfg(test)]
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        let targets = list(&self.manifest["targets"]);
        let kinds = ["lib", "proc-macro", "bin", "example", "custom-build"];
        targets
            .filter(|target| list(&target["kind"]).any(|kind| kinds.contains(&text(kind))))
            .map(|target| PathBuf::from(text(&target["src_path"])))
            .collect()
    }

    /// Returns `true` if it is a library, which docs.rs documents.
    pub(crate) fn is_library(&self) -> bool {
        let mut targets = list(&self.manifest["targets"]);
        let kinds = ["lib", "proc-macro"];
        targets.any(|target| list(&target["kind"]).any(|kind| kinds.contains(&text(kind))))
    }

    /// Returns the arguments with which docs.rs runs `cargo doc`.
    pub(crate) fn docs_arguments(&self) -> Vec<String> {
        let docs = &self.manifest["metadata"]["docs"]["rs"];
        let mut arguments = Vec::new();
        if docs["all-features"] == true {
            arguments.push("--all-features".to_owned());
        }
        for feature in list(&docs["features"]) {
            arguments.push(format!("--features={}", text(feature)));
        }
        arguments
    }

    /// Returns what the manifest lacks for a page in the registry and on docs.rs.
    pub(crate) fn faults(&self) -> Vec<String> {
        let manifest = &self.manifest;
        let mut faults = Vec::new();
        for key in [
            "description",
            "license",
            "repository",
            "readme",
            "rust_version",
        ] {
            if text(&manifest[key]).is_empty() {
                faults.push(format!("no `{}`", key.replace('_', "-")));
            }
        }
        for key in ["keywords", "categories"] {
            if !(1..=MOST).contains(&list(&manifest[key]).count()) {
                faults.push(format!("no `{key}`, or more than {MOST}"));
            }
        }
        for keyword in list(&manifest["keywords"]).map(text) {
            let is_word = keyword
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || char == '-');
            if !is_word || keyword.len() > LONGEST_KEYWORD {
                faults.push(format!("`{keyword}` is no keyword"));
            }
        }
        for category in list(&manifest["categories"]).map(text) {
            if !CATEGORIES.contains(&category) {
                faults.push(format!("`{category}` is no category"));
            }
        }
        let files = LICENSES.into_iter().chain([text(&manifest["readme"])]);
        for file in files.filter(|file| !file.is_empty()) {
            if !self.folder.join(file).is_file() {
                faults.push(format!("no file `{file}`"));
            }
        }
        if self.is_library() {
            if text(&manifest["documentation"]).is_empty() {
                faults.push("no `documentation`".to_owned());
            }
            if list(&manifest["metadata"]["docs"]["rs"]["targets"]).count() == 0 {
                faults.push("no `targets` in `package.metadata.docs.rs`".to_owned());
            }
        }
        for dependency in list(&manifest["dependencies"]) {
            let req = text(&dependency["req"]);
            let is_ours = dependency["path"].is_string();
            let is_removed = dependency["kind"] == "dev" && req == "*";
            if is_ours && !is_removed && req != format!("={}", self.version) {
                faults.push(format!(
                    "`{}` needs the version `={}`",
                    text(&dependency["name"]),
                    self.version
                ));
            }
        }
        faults
    }
}

/// Returns the items of a list, none of anything else.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns a text, the empty one for anything else.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn manifest(name: &str, dependencies: &Value) -> Value {
        json!({
            "name": name,
            "version": "1.2.3",
            "manifest_path": format!("/nowhere/{name}/Cargo.toml"),
            "dependencies": dependencies,
        })
    }

    fn order(manifests: &[Value]) -> Result<Vec<String>> {
        let packages = ordered(manifests.iter().map(Package::new))?;
        Ok(packages.into_iter().map(|it| it.name).collect())
    }

    #[test]
    fn what_users_need_is_published_and_nothing_else() {
        let packages = packages().expect("cargo runs");
        let mut names: Vec<&str> = packages.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "tile-backend",
                "tile-core",
                "tile-frontend",
                "tile-kernel",
                "tile-macros",
                "tile-sim",
                "tile-sim-driver",
                "tilec"
            ]
        );
    }

    #[test]
    fn manifests_of_published_crates_lack_nothing() {
        for package in packages().expect("cargo runs") {
            assert_eq!(package.faults(), Vec::<String>::new(), "{}", package.name);
        }
    }

    #[test]
    fn what_a_manifest_lacks_is_named() {
        let mut manifest = manifest(
            "a",
            &json!([
                { "name": "b", "kind": null, "req": "^1.2.3", "path": "/nowhere/b" },
                { "name": "c", "kind": "dev", "req": "*", "path": "/nowhere/c" },
                { "name": "serde", "kind": null, "req": "^1" },
            ]),
        );
        manifest["keywords"] = json!(["gpu", "not one word"]);
        manifest["categories"] = json!(["gpus"]);
        manifest["targets"] = json!([{ "kind": ["lib"] }]);
        assert_eq!(
            Package::new(&manifest).faults(),
            [
                "no `description`",
                "no `license`",
                "no `repository`",
                "no `readme`",
                "no `rust-version`",
                "`not one word` is no keyword",
                "`gpus` is no category",
                "no file `LICENSE-APACHE`",
                "no file `LICENSE-MIT`",
                "no `documentation`",
                "no `targets` in `package.metadata.docs.rs`",
                "`b` needs the version `=1.2.3`",
            ]
        );
    }

    #[test]
    fn a_crate_comes_after_those_it_needs() {
        let manifests = [
            manifest(
                "a",
                &json!([{ "name": "c", "kind": null, "req": "=1.2.3" }]),
            ),
            manifest(
                "b",
                &json!([{ "name": "a", "kind": "build", "req": "=1.2.3" }]),
            ),
            manifest(
                "c",
                &json!([{ "name": "serde", "kind": null, "req": "^1" }]),
            ),
        ];
        assert_eq!(order(&manifests).expect("no circle"), ["c", "a", "b"]);
    }

    #[test]
    fn dependencies_of_tests_count_if_they_have_a_version() {
        let circle = |req: &str| {
            order(&[
                manifest("a", &json!([{ "name": "b", "kind": "dev", "req": req }])),
                manifest(
                    "b",
                    &json!([{ "name": "a", "kind": null, "req": "=1.2.3" }]),
                ),
            ])
        };
        assert_eq!(circle("*").expect("no circle"), ["a", "b"]);
        let error = circle("=1.2.3").expect_err("a circle");
        assert_eq!(error.to_string(), "crates that need each other: a, b");
    }
}
