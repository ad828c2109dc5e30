//! Finds NVIDIA's tools.

use std::path::{Path, PathBuf};

/// Returns the path of a tool in the cache of `cargo xtask setup` or in `PATH`. If the tool is
/// missing, reports that the test is skipped, or panics where `TILE_REQUIRE_TOOLS` is set.
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let from = |variable: &str, rest: &str| {
        std::env::var_os(variable).map(|root| Path::new(&root).join(rest))
    };
    let cache = from("TILE_KERNEL_CACHE", "")
        .or_else(|| from("XDG_CACHE_HOME", "tile-kernel"))
        .or_else(|| from("HOME", ".cache/tile-kernel"));
    let cached = cache.map(|cache| cache.join("tools/current/tileir/bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tool = cached
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    if tool.is_none() {
        let required = std::env::var_os("TILE_REQUIRE_TOOLS").is_some();
        let reason = format!("`{name}` is not installed (run `cargo xtask setup`)");
        assert!(!required, "{reason}");
        eprintln!("skipped: {reason}");
    }
    tool
}
