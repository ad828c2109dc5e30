//! The memory of a launch: files that are read before it and written after it.
//!
//! - One file is one buffer, even if several arguments name it.
//! - Nothing is written unless the kernel ran to its end. Every file is written completely before
//!   the first is moved into its place. A file that the kernel has not changed is not touched.
//! - Buffers start at multiples of [`ALIGNMENT`], like those of a GPU.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The alignment of allocations of a GPU, in bytes.
const ALIGNMENT: usize = 256;

/// The buffers of a launch.
#[derive(Debug, Default)]
pub(super) struct Memory {
    buffers: Vec<Buffer>,
    /// `true` if several arguments name one file.
    pub(super) is_shared: bool,
}

/// The index of a buffer of [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(usize);

#[derive(Debug)]
struct Buffer {
    file: Option<File>,
    /// The contents from `start` on; the bytes before `start` are padding, which aligns the
    /// contents.
    bytes: Vec<u8>,
    start: usize,
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    /// The path without symbolic links, which identifies the file.
    resolved: PathBuf,
    origin: Origin,
}

/// The contents of a buffer before the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The contents of the file, with their hash.
    Read(blake3::Hash),
    Zeros,
    /// Uninitialized, for checks.
    Uninitialized,
}

impl Memory {
    /// Reads a file.
    pub(super) fn read(&mut self, path: &Path) -> Result<Id, Failure> {
        let failed =
            |error: &io::Error| Failure::host(path.display().to_string(), "read it", error);
        // A pipe has no canonical path.
        let resolved = path.canonicalize().or_else(|_| std::path::absolute(path));
        let resolved = resolved.map_err(|error| failed(&error))?;
        if let Some(id) = self.find(&resolved) {
            if !matches!(self.origin(id), Some(Origin::Read(_))) {
                return Err(mixed(path));
            }
            self.is_shared = true;
            return Ok(id);
        }
        let contents = fs::read(path).map_err(|error| failed(&error))?;
        let file = File {
            path: path.to_owned(),
            resolved,
            origin: Origin::Read(blake3::hash(&contents)),
        };
        self.add(Some(file), contents.len(), &contents)
    }

    /// Allocates the buffer of a file that is not read.
    pub(super) fn room(
        &mut self,
        path: &Path,
        bytes: usize,
        origin: Origin,
    ) -> Result<Id, Failure> {
        let failed =
            |error: &io::Error| Failure::host(path.display().to_string(), "write it", error);
        let resolved = resolve(path).map_err(|error| failed(&error))?;
        if let Some(id) = self.find(&resolved) {
            let same = self.buffers[id.0].contents().len() == bytes;
            if !same || self.origin(id) != Some(origin) {
                return Err(mixed(path));
            }
            self.is_shared = true;
            return Ok(id);
        }
        let file = File {
            path: path.to_owned(),
            resolved,
            origin,
        };
        self.add(Some(file), bytes, &[])
    }

    /// Allocates a buffer that belongs to no file.
    pub(super) fn scratch(&mut self, bytes: usize) -> Result<Id, Failure> {
        self.add(None, bytes, &[])
    }

    fn find(&self, resolved: &Path) -> Option<Id> {
        let is_same = |buffer: &Buffer| {
            let file = buffer.file.as_ref();
            file.is_some_and(|file| file.resolved == resolved)
        };
        self.buffers.iter().position(is_same).map(Id)
    }

    /// Returns the initial contents of a buffer that belongs to a file.
    pub(super) fn origin(&self, id: Id) -> Option<Origin> {
        self.buffers[id.0].file.as_ref().map(|file| file.origin)
    }

    fn add(&mut self, file: Option<File>, count: usize, contents: &[u8]) -> Result<Id, Failure> {
        let mut bytes: Vec<u8> = Vec::new();
        let padded = count.checked_add(ALIGNMENT);
        let room = padded.is_some_and(|padded| bytes.try_reserve_exact(padded).is_ok());
        if !room {
            let name = file.map_or("--arg".to_owned(), |file| file.path.display().to_string());
            return Err(Failure::Host {
                file: name,
                message: format!("there is not enough memory for {count} bytes"),
            });
        }
        let start = bytes.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        bytes.resize(start, 0);
        bytes.extend_from_slice(contents);
        bytes.resize(start + count, 0);
        self.buffers.push(Buffer { file, bytes, start });
        Ok(Id(self.buffers.len() - 1))
    }

    /// Returns the contents of a buffer.
    pub(super) fn contents(&mut self, id: Id) -> &mut [u8] {
        let Buffer { bytes, start, .. } = &mut self.buffers[id.0];
        &mut bytes[*start..]
    }

    /// Writes the files whose contents have changed.
    pub(super) fn write(&self) -> Result<(), Failure> {
        let mut complete = Vec::new();
        for buffer in &self.buffers {
            let Some(file) = &buffer.file else {
                continue;
            };
            let is_changed = match file.origin {
                Origin::Zeros | Origin::Uninitialized => true,
                Origin::Read(before) => blake3::hash(buffer.contents()) != before,
            };
            if is_changed {
                let outcome = prepare(file, buffer.contents());
                complete.push((file, outcome.map_err(|error| file.failed(&error))?));
            }
        }
        for (file, prepared) in complete {
            if let Some(prepared) = prepared {
                let moved = prepared.persist(&file.resolved);
                moved.map_err(|error| file.failed(&error.error))?;
            }
        }
        Ok(())
    }
}

impl Buffer {
    fn contents(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

impl File {
    fn failed(&self, error: &io::Error) -> Failure {
        Failure::host(self.path.display().to_string(), "write it", error)
    }
}

/// Writes the new contents to a temporary file beside `file`, which is to be moved into its place.
/// A path that is not a regular file, such as a pipe, is written directly.
fn prepare(file: &File, contents: &[u8]) -> io::Result<Option<NamedTempFile>> {
    let existing = match fs::metadata(&file.resolved) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if existing
        .as_ref()
        .is_some_and(|existing| !existing.is_file())
    {
        fs::write(&file.resolved, contents)?;
        return Ok(None);
    }
    let folder = file.resolved.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    if existing.is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        // The user's umask applies, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut prepared = builder.tempfile_in(folder)?;
    prepared.write_all(contents)?;
    if let Some(existing) = existing {
        if existing.permissions().readonly() {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        prepared.as_file().set_permissions(existing.permissions())?;
    }
    Ok(Some(prepared))
}

/// Resolves the links of a path to a file, which need not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        outcome => return outcome,
    }
    let name = path
        .file_name()
        .ok_or(io::Error::from(io::ErrorKind::NotFound))?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(folder.canonicalize()?.join(name))
}

fn mixed(path: &Path) -> Failure {
    Failure::Host {
        file: path.display().to_string(),
        message: "the file is given twice, and not in the same way; a file is one buffer, so \
                  give it alike each time"
            .to_owned(),
    }
}
