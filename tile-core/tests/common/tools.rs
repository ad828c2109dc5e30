//! Finds NVIDIA's tools, where they are installed.

#[path = "cache.rs"]
mod cache;

pub(crate) use cache::skip;
use std::path::PathBuf;

/// Returns the path of a tool in the cache of `cargo xtask setup`, or in `PATH`.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    cache::installed("tileir/bin")
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
