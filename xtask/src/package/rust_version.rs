//! Tests that the manifests agree about the least supported Rust.
//!
//! `tests/rust_version.rs` compiles the crates with it where that toolchain is installed. Clippy's
//! `incompatible_msrv` finds functions of the standard library that are newer, with any toolchain.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::published;
use crate::workspace;

/// The `rust-version` of the workspace.
const LEAST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Reads `1.88` and `1.88.0`.
fn numbers(version: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = version
        .split('.')
        .map(|number| number.parse().expect("a number"))
        .collect();
    numbers.resize(3, 0);
    numbers
}

fn json(cargo: &mut Command) -> Value {
    let output = cargo.output().expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

fn host() -> String {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc starts");
    let text = String::from_utf8(output.stdout).expect("rustc writes text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc names it").to_owned()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let mut cargo = workspace::cargo();
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    cargo.args(["--filter-platform", &host()]);
    let metadata = json(&mut cargo);
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .iter()
        .map(|it| (text(&it["id"]), it))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|it| (text(&it["id"]), it))
        .collect();
    let published = published::packages().expect("cargo runs");
    let is_published = |it: &&&Value| published.iter().any(|ours| ours.name == text(&it["name"]));
    let mut waiting: Vec<&str> = packages
        .values()
        .filter(|it| it["source"].is_null())
        .filter(is_published)
        .map(|it| text(&it["id"]))
        .collect();
    assert_eq!(waiting.len(), published.len());
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let package = packages[id];
        if let Some(version) = package["rust_version"].as_str() {
            assert!(
                numbers(version) <= numbers(LEAST),
                "`{}` {} needs Rust {version}, and this project promises {LEAST}",
                text(&package["name"]),
                text(&package["version"]),
            );
        }
        for dependency in list(&nodes[id]["deps"]) {
            let mut kinds = list(&dependency["dep_kinds"]).iter();
            if kinds.any(|kind| kind["kind"] != "dev") {
                waiting.push(text(&dependency["pkg"]));
            }
        }
    }
    assert!(seen.len() > 40, "{} crates", seen.len());
}

#[test]
fn documents_state_the_least_supported_rust() {
    let root = workspace::root();
    let said = [
        ("README.md", format!("Rust {LEAST} or newer")),
        ("CONTRIBUTING.md", format!("The least supported is {LEAST}")),
        (
            "templates/kernel-crate/Cargo.toml.liquid",
            format!("rust-version = \"{LEAST}\""),
        ),
    ];
    for (page, sentence) in said {
        let text = fs::read_to_string(root.join(page)).expect("it is there");
        assert!(
            text.contains(&sentence),
            "`{page}` does not say `{sentence}`"
        );
    }
}
