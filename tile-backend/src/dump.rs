//! Prints the output of a stage, for `TILE_DUMP`.

use crate::error::BackendError;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write as _};

/// A stage whose output can be printed with `TILE_DUMP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Canonical tile IR.
    Ir,
    /// GPU IR, after its passes.
    Gpu,
    /// LLVM IR, before LLVM optimizes it.
    Llvm,
    /// PTX.
    Ptx,
}

impl Stage {
    /// Returns the stage with the given name: `ir`, `gpu`, `llvm` or `ptx`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "ir" => Some(Self::Ir),
            "gpu" => Some(Self::Gpu),
            "llvm" => Some(Self::Llvm),
            "ptx" => Some(Self::Ptx),
            _ => None,
        }
    }
}

/// A collection of the output of one stage, in a file that both the caller and the worker have open. The text
/// therefore survives a failure of a later stage and a crash of the worker.
#[derive(Debug)]
pub struct Dump {
    stage: Stage,
    file: File,
}

impl Dump {
    /// Creates an empty collection for the output of `stage`.
    pub fn new(stage: Stage) -> Result<Self, BackendError> {
        let file = tempfile::tempfile()
            .map_err(|error| BackendError::io("make a file for `TILE_DUMP`", error))?;
        Ok(Self { stage, file })
    }

    /// Discards the output, unless the requested stage is that of the module.
    pub(crate) fn clear(&self) {
        if self.stage != Stage::Ir {
            let mut file = &self.file;
            let _cleared = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
        }
    }

    /// Returns the text written so far.
    pub fn text(&self) -> Result<String, BackendError> {
        let mut text = String::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.read_to_string(&mut text))
            .map_err(|error| BackendError::io("read the file of `TILE_DUMP`", error))?;
        Ok(text)
    }
}

/// Appends the output of `stage`, if that stage was requested.
pub(crate) fn write(dump: Option<&Dump>, stage: Stage, text: impl FnOnce() -> String) {
    if let Some(dump) = dump.filter(|dump| dump.stage == stage) {
        let mut file = &dump.file;
        // A dump that cannot be written must not fail the build.
        let _written = file.write_all(text().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::{Dump, Stage, write};
    use crate::isolate;
    use std::time::Duration;

    #[test]
    fn a_dump_outlives_the_worker_that_wrote_it() {
        let dump = Dump::new(Stage::Llvm).expect("a temporary file");
        write(Some(&dump), Stage::Gpu, || "another stage".to_owned());
        let died = isolate::run(Duration::from_secs(20), |_| {
            write(Some(&dump), Stage::Llvm, || "module".to_owned());
            std::process::abort()
        });
        assert!(died.is_err());
        assert_eq!(dump.text().expect("a readable file"), "module");
    }
}
