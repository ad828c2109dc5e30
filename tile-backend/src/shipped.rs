//! Artifacts that a crate ships with its source, so that it builds without LLVM and ptxas.
//!
//! In: the folder `tile-artifacts` of a crate, and the key of a compilation. Out: the [`Blobs`] that a compiler once
//! made of it.
//!
//! The key has the bytecode, the architectures and the options, but neither the compiler nor its tools: what an older
//! compiler generated still does what the kernel says. `TILE_ARTIFACTS=check` compares it with what this one generates.
//!
//! Invariants:
//! - a file that is absent, cannot be read, is damaged, or holds another artifact never fails a build: the kernel is
//!   compiled;
//! - a reader sees a whole file or none: files are written under another name, and then renamed.
//!
//! A file is named after the entry and the first 32 digits of the key, and has the form of an entry of [`crate::cache`].
//! It holds the whole key too, since a file may be renamed by mistake.

use std::fmt;
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

/// The blob with the key.
const KEY: &str = "key";

/// The reason why an artifact cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// There is no such file.
    Missing,
    /// The file cannot be used, for this reason, which is the rest of a sentence about it.
    Unusable(String),
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is missing"),
            Self::Unusable(reason) => f.write_str(reason),
        }
    }
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
    pub(crate) fn get(&self, entry: &str, key: &Key) -> Result<Blobs, Absence> {
        let bytes = fs::read(self.file(entry, key)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Absence::Missing,
            _ => Absence::Unusable(format!("cannot be read: {error}")),
        })?;
        let unusable = |reason: &str| Absence::Unusable(reason.to_owned());
        let blobs = decode(&bytes)
            .ok_or_else(|| unusable("is damaged, or of a version with another format"))?;
        if blobs.get_text(KEY) != Some(key.to_hex().as_str()) {
            return Err(unusable("holds the code of another kernel"));
        }
        Ok(blobs.without(|name| name == KEY))
    }

    /// Writes the blobs of a compilation.
    pub(crate) fn put(&self, entry: &str, key: &Key, blobs: &Blobs) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(&self.folder)?;
        let mut blobs = blobs.clone();
        blobs.insert(KEY, key.to_hex());
        file.write_all(&encode(&blobs))?;
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
        assert_eq!(shipped.get("k", &key("a")), Err(Absence::Missing));
        shipped.put("k", &key("a"), &blobs).expect("a file");
        assert_eq!(shipped.get("k", &key("a")), Ok(blobs.clone()));
        assert_eq!(shipped.get("k", &key("b")), Err(Absence::Missing));
        let file = shipped.file("k", &key("a"));
        let unusable = |key: &Key| {
            let absence = shipped.get("k", key).expect_err("it cannot be taken");
            assert!(matches!(absence, Absence::Unusable(_)), "{absence}");
            absence.to_string()
        };
        // Under the name of another kernel.
        fs::copy(&file, shipped.file("k", &key("b"))).expect("a copy");
        assert_eq!(unusable(&key("b")), "holds the code of another kernel");
        let mut bytes = fs::read(&file).expect("the file");
        bytes[20] ^= 1;
        fs::write(&file, bytes).expect("a file");
        assert!(unusable(&key("a")).starts_with("is damaged"));
        assert!(file.exists(), "a committed file is not removed");
        shipped.put("k", &key("a"), &blobs).expect("a file");
        assert_eq!(shipped.get("k", &key("a")), Ok(blobs));
        fs::remove_file(&file).expect("the file");
        fs::create_dir(&file).expect("a folder");
        assert!(unusable(&key("a")).starts_with("cannot be read: "));
    }
}
