//! The record of an installed package: its version, and the checksum, size and path of each file,
//! as text with one line for each.
//!
//! A stamp is written after its files, so files with a stamp were once complete; their sizes reveal
//! a file that was truncated or replaced since.

use std::fmt;
use std::fs;
use std::path::Path;

/// One installed file: `sha256 size path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) path: String,
}

impl FileStamp {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (sha256, rest) = line.split_once(' ')?;
        let (bytes, path) = rest.split_once(' ')?;
        let is_digest = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_digest || path.is_empty() {
            return None;
        }
        Some(Self {
            sha256: sha256.into(),
            bytes: bytes.parse().ok()?,
            path: path.into(),
        })
    }
}

impl fmt::Display for FileStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            sha256,
            bytes,
            path,
        } = self;
        write!(f, "{sha256} {bytes} {path}")
    }
}

/// One installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) files: Vec<FileStamp>,
}

impl Stamp {
    /// Parses the output of `Display`. Returns `None` for anything else, so that the package is
    /// installed again.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (head, files) = text.split_once('\n')?;
        let (package, version) = head.split_once(' ')?;
        Some(Self {
            package: package.into(),
            version: version.into(),
            files: files.lines().map(FileStamp::parse).collect::<Option<_>>()?,
        })
    }

    /// Returns `true` if this is a stamp of `package` in `version`, with exactly the files at
    /// `paths`, and they are below `folder` with the recorded sizes.
    pub(super) fn holds<'a>(
        &self,
        folder: &Path,
        package: &str,
        version: &str,
        paths: impl Iterator<Item = &'a str>,
    ) -> bool {
        let has_size = |file: &FileStamp| {
            fs::metadata(folder.join(&file.path))
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() == file.bytes)
        };
        self.package == package
            && self.version == version
            && paths.eq(self.files.iter().map(|file| file.path.as_str()))
            && self.files.iter().all(has_size)
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            package,
            version,
            files,
        } = self;
        writeln!(f, "{package} {version}")?;
        files.iter().try_for_each(|file| writeln!(f, "{file}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp() -> Stamp {
        let file = |path: &str, bytes| FileStamp {
            sha256: "0123456789abcdef".repeat(4),
            bytes,
            path: path.into(),
        };
        Stamp {
            package: "nvidia-cuda-nvcc".into(),
            version: "13.5.37".into(),
            files: vec![file("bin/fatbinary", 3), file("bin/with space", 4)],
        }
    }

    const PATHS: [&str; 2] = ["bin/fatbinary", "bin/with space"];

    fn installed() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("bin")).expect("creates");
        fs::write(folder.path().join(PATHS[0]), "abc").expect("writes");
        fs::write(folder.path().join(PATHS[1]), "abcd").expect("writes");
        folder
    }

    fn holds(stamp: &Stamp, folder: &Path, version: &str) -> bool {
        stamp.holds(folder, "nvidia-cuda-nvcc", version, PATHS.into_iter())
    }

    #[test]
    fn a_stamp_reads_back_as_written() {
        assert_eq!(Stamp::parse(&stamp().to_string()), Some(stamp()));
    }

    #[test]
    fn damaged_stamps_are_not_read() {
        let text = stamp().to_string();
        for damaged in [
            "",
            "nvidia-cuda-nvcc\n",
            &text[..text.len() - 20],
            &text.replace(" 3 ", " x "),
            &text.replace("0123", "012g"),
        ] {
            assert_eq!(Stamp::parse(damaged), None, "{damaged:?}");
        }
    }

    #[test]
    fn a_stamp_holds_while_its_files_are_there() {
        let folder = installed();
        assert!(holds(&stamp(), folder.path(), "13.5.37"));
        fs::remove_file(folder.path().join(PATHS[1])).expect("removes");
        assert!(!holds(&stamp(), folder.path(), "13.5.37"));
    }

    #[test]
    fn a_stamp_of_another_version_does_not_hold() {
        assert!(!holds(&stamp(), installed().path(), "13.5.38"));
    }

    #[test]
    fn a_stamp_does_not_hold_for_a_file_of_another_size() {
        let folder = installed();
        fs::write(folder.path().join(PATHS[0]), "ab").expect("writes");
        assert!(!holds(&stamp(), folder.path(), "13.5.37"));
    }

    #[test]
    fn a_stamp_without_a_wanted_file_does_not_hold() {
        let mut stamp = stamp();
        stamp.files.pop();
        assert!(!holds(&stamp, installed().path(), "13.5.37"));
    }
}
