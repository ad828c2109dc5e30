//! Artifacts that a crate ships with its source, so that it builds without LLVM and ptxas.
//!
//! In: the folder `tile-artifacts` of a crate, and the key of a compilation. Out: the [`Blobs`] that a compiler once
//! made of it.
//!
//! The key has the bytecode, the architectures and the options, but neither the compiler nor its tools: what an older
//! compiler generated still does what the kernel says. `TILE_ARTIFACTS=check` compares it with what this one generates.
//!
//! Invariants:
//! - a file that is absent, cannot be read, or is damaged never fails a build: the kernel is compiled;
//! - a reader sees a whole file or none: files are written under another name, and then renamed.
//!
//! A file is named after the entry and the first 32 digits of the key, and has the form of an entry of [`crate::cache`].

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::cache::{Blobs, Key, decode, encode};

/// The name of the folder, beside the manifest of a crate.
pub(crate) const FOLDER: &str = "tile-artifacts";

/// The use of shipped artifacts, which `TILE_ARTIFACTS` decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Use {
    /// An artifact that is there is taken, and nothing is compiled.
    #[default]
    Read,
    /// Kernels are compiled, and their artifacts are written.
    Write,
    /// Kernels are compiled, and an artifact that is absent or differs is an error.
    Check,
    /// The folder is ignored.
    Ignore,
}

/// The artifacts of a crate.
#[derive(Clone, Debug)]
pub(crate) struct Shipped {
    folder: PathBuf,
}

impl Shipped {
    /// Returns the artifacts in `folder`, which need not be there.
    pub(crate) fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Returns the file of a compilation.
    pub(crate) fn file(&self, entry: &str, key: &Key) -> PathBuf {
        let hex = key.to_hex();
        self.folder.join(format!("{entry}-{}.artifact", &hex[..32]))
    }

    /// Returns the blobs of a compilation.
    pub(crate) fn get(&self, entry: &str, key: &Key) -> Option<Blobs> {
        decode(&fs::read(self.file(entry, key)).ok()?)
    }

    /// Writes the blobs of a compilation.
    pub(crate) fn put(&self, entry: &str, key: &Key, blobs: &Blobs) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(&self.folder)?;
        file.write_all(&encode(blobs))?;
        // Temporary files are private; these are committed.
        #[cfg(unix)]
        fs::set_permissions(
            file.path(),
            std::os::unix::fs::PermissionsExt::from_mode(0o644),
        )?;
        file.persist(self.file(entry, key))
            .map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(of: &str) -> Key {
        Key::of_content("test").part("bytecode", of).finish()
    }

    #[test]
    fn what_is_written_is_read_and_damage_is_absence() {
        let folder = tempfile::tempdir().expect("a folder");
        let shipped = Shipped::at(&folder.path().join(FOLDER));
        let mut blobs = Blobs::new();
        blobs.insert("fatbin", [1, 2, 3]);
        assert_eq!(shipped.get("k", &key("a")), None);
        shipped.put("k", &key("a"), &blobs).expect("a file");
        assert_eq!(shipped.get("k", &key("a")), Some(blobs.clone()));
        assert_eq!(shipped.get("k", &key("b")), None);
        let file = shipped.file("k", &key("a"));
        let mut bytes = fs::read(&file).expect("the file");
        bytes[20] ^= 1;
        fs::write(&file, bytes).expect("a file");
        assert_eq!(shipped.get("k", &key("a")), None);
        assert!(file.exists(), "a committed file is not removed");
        shipped.put("k", &key("a"), &blobs).expect("a file");
        assert_eq!(shipped.get("k", &key("a")), Some(blobs));
    }
}
