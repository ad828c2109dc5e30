//! The locations of the NVIDIA tools, by the rule that this crate, the compiler and the tests share.
//!
//! | tool | first | then | last |
//! |---|---|---|---|
//! | assembler | `$TILE_PTXAS` | `<cache>/tools/current/bin/ptxas` | `ptxas` on `PATH` |
//! | fat binaries | `$TILE_FATBINARY` | `<cache>/tools/current/bin/fatbinary` | `fatbinary` on `PATH` |
//!
//! `<cache>` is `$TILE_KERNEL_CACHE`, else `$XDG_CACHE_HOME/tile-kernel`, else
//! `$HOME/.cache/tile-kernel`. An empty variable counts as unset, and so does a relative
//! `XDG_CACHE_HOME`, as its specification requires.
//!
//! `tools/current` is a symbolic link to `tools/<RELEASE>`, switched by a rename,
//! so a reader sees the old set of tools or the new one, never a mixture.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The name of the folder of this set of tools. Change it with any pinned version.
pub(crate) const RELEASE: &str = "ptxas-12.9.86-cuda-13.5.37";

/// The variable with the path of the cache.
pub(crate) const CACHE_VARIABLE: &str = "TILE_KERNEL_CACHE";

/// The variables with the paths of tools to use instead of those in the cache.
pub(crate) const OVERRIDES: [&str; 2] = ["TILE_PTXAS", "TILE_FATBINARY"];

/// Returns the folder of the project's own cache.
pub(crate) fn cache_dir() -> Result<PathBuf> {
    cache_dir_from(|name| env::var_os(name)).context(
        "there is no place for the cache: set `TILE_KERNEL_CACHE` to a folder that can be written",
    )
}

fn cache_dir_from(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    if let Some(cache) = folder(CACHE_VARIABLE) {
        return Some(cache);
    }
    if let Some(xdg) = folder("XDG_CACHE_HOME").filter(|xdg| xdg.is_absolute()) {
        return Some(xdg.join("tile-kernel"));
    }
    folder("HOME").map(|home| home.join(".cache/tile-kernel"))
}

/// Returns the folder that `tools/current` links to once this set of tools is complete.
pub(crate) fn release_dir(cache: &Path) -> PathBuf {
    cache.join("tools").join(RELEASE)
}

/// Returns the path of the link that all users of the tools follow.
pub(crate) fn current_link(cache: &Path) -> PathBuf {
    cache.join("tools/current")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache_with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        cache_dir_from(|name| {
            let variable = variables.iter().find(|(key, _)| *key == name);
            variable.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_projects_variable_wins_over_xdg_and_home() {
        let variables = [
            ("TILE_KERNEL_CACHE", "/a"),
            ("XDG_CACHE_HOME", "/b"),
            ("HOME", "/c"),
        ];
        assert_eq!(cache_with(&variables), Some("/a".into()));
        assert_eq!(cache_with(&variables[1..]), Some("/b/tile-kernel".into()));
        assert_eq!(
            cache_with(&variables[2..]),
            Some("/c/.cache/tile-kernel".into())
        );
        assert_eq!(cache_with(&[]), None);
    }

    #[test]
    fn empty_and_relative_variables_are_passed_over() {
        let variables = [
            ("TILE_KERNEL_CACHE", ""),
            ("XDG_CACHE_HOME", "relative"),
            ("HOME", "/c"),
        ];
        assert_eq!(cache_with(&variables), Some("/c/.cache/tile-kernel".into()));
    }
}
