//! Writes the output of a command.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::failure::{Failure, display_name, is_stream};

/// Writes to the file at `path`, or to standard output if it is `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let outcome = if is_stream(path) {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    } else {
        fs::write(path, bytes)
    };
    outcome.map_err(|error| Failure::host(display_name(path, "<stdout>"), "write it", &error))
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(Path::new("-"), text.as_bytes())
}
