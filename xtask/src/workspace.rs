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
