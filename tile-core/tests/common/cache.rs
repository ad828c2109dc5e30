//! Finds the tools that `cargo xtask setup` installs, and skips tests where they are missing.

use std::path::{Path, PathBuf};

/// Returns the path of a file in the folder of the tools, if it is installed.
pub(crate) fn installed(path: &str) -> Option<PathBuf> {
    let from = |variable: &str, rest: &str| {
        std::env::var_os(variable).map(|root| Path::new(&root).join(rest))
    };
    let cache = from("TILE_KERNEL_CACHE", "")
        .or_else(|| from("XDG_CACHE_HOME", "tile-kernel"))
        .or_else(|| from("HOME", ".cache/tile-kernel"));
    cache.map(|cache| cache.join("tools/current").join(path))
}

/// Reports that a test is skipped, or fails where `TILE_REQUIRE_TOOLS` is set.
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
pub(crate) fn skip(name: &str) {
    let required = std::env::var_os("TILE_REQUIRE_TOOLS").is_some();
    assert!(
        !required,
        "`{name}` is not installed (run `cargo xtask setup`)"
    );
    eprintln!("skipped: `{name}` is not installed (run `cargo xtask setup`)");
}
