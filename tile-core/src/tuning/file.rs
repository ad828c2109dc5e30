//! Updates files of records.
//!
//! In: a path, and what to do with the records there. Out: the file with the changed records.
//!
//! - Updates of one file follow one another, in threads and in processes: each holds an exclusive
//!   advisory lock on a file beside it while it reads, changes and writes. Readers need no lock.
//! - A reader sees the file before or after an update, and so does who comes after a process that
//!   was killed: the records are written to a temporary file, which is then renamed.
//! - Lines that cannot be read stay, at the end of the file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fs4::FileExt;
use tempfile::NamedTempFile;

use super::lines::{BadLine, LineFault};
use super::records::Records;

/// Changes the records in the file at `path`, which is created, with its folder, if it is not there.
/// Returns the lines that cannot be read. They are kept, except for the conflict markers of git: the
/// new file has the records of both sides.
pub fn update(path: &Path, change: impl FnOnce(&mut Records)) -> io::Result<Vec<BadLine>> {
    // The rename would replace a symbolic link.
    let resolved = fs::canonicalize(path);
    let path = resolved.as_deref().unwrap_or(path);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(|error| explain("create the folder", folder, &error))?;
    let lock_path = lock_path(path)?;
    let lock = Lock::acquire(&lock_path).map_err(|error| explain("lock", &lock_path, &error))?;

    let before = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(explain("read", path, &error)),
    };
    let (mut records, bad_lines) = Records::from_bytes(&before);
    change(&mut records);
    let mut after = records.to_text().into_bytes();
    for bad_line in &bad_lines {
        if bad_line.fault != LineFault::ConflictMarker {
            after.extend_from_slice(&bad_line.text);
            after.push(b'\n');
        }
    }
    if after != before {
        replace(path, folder, &after).map_err(|error| explain("write", path, &error))?;
    }
    drop(lock);
    Ok(bad_lines)
}

/// Adds to `error` what failed.
fn explain(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot {what} `{}`: {error}", path.display()),
    )
}

/// Writes a new file and puts it in place of the one at `path`.
fn replace(path: &Path, folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary(folder)?;
    if let Ok(metadata) = fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    file.persist(path)?;
    Ok(())
}

/// Creates a file with the permissions of others that the user creates; those of a temporary file
/// are for its owner only.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tuning-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Returns the path of the lock of a file: `.tuning.jsonl.lock` for `tuning.jsonl`.
fn lock_path(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        let message = format!("`{}` is no path of a file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let mut lock_name = std::ffi::OsString::from(".");
    lock_name.push(name);
    lock_name.push(".lock");
    Ok(path.with_file_name(lock_name))
}

/// An exclusive lock on a file, which is removed when the lock is dropped.
#[derive(Debug)]
struct Lock<'a> {
    file: File,
    path: &'a Path,
}

impl<'a> Lock<'a> {
    /// Waits for the lock on the file at `path`, which it creates.
    fn acquire(path: &'a Path) -> io::Result<Self> {
        loop {
            let mut options = File::options();
            let file = options
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)?;
            match FileExt::lock(&file) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            // Who held the lock has removed the file, and another may have created and locked the
            // next one since.
            if is_at(&file, path) {
                return Ok(Self { file, path });
            }
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // Elsewhere, an open file cannot be removed, or not told from the next one: it stays.
        if cfg!(unix) {
            let _removed = fs::remove_file(self.path);
        }
        // Unlock explicitly: closing the file would not unlock it if a process that was forked
        // meanwhile still has it open.
        let _unlocked = FileExt::unlock(&self.file);
    }
}

/// Returns `true` if `path` still leads to `file`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let number = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (Ok(file), Ok(at_path)) = (file.metadata(), fs::metadata(path)) else {
        return false;
    };
    number(file) == number(at_path)
}

/// Returns `true` if `path` still leads to `file`: it is not removed.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
