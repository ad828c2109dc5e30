//! The inputs: mutated test files and generated modules.

use std::path::Path;
use tile_core::bytecode::{Version, write};
use tile_core::testing::{
    DebugLocations, GenerateOptions, Survival, generate, mutate, mutate_bytes, mutate_text,
    survive_bytes, survive_text,
};
use tile_core::text::{PrintOptions, print_with};
use tile_core::{Diagnostics, text};

/// The number of generated modules from which inputs are made.
const GENERATED: u64 = 2000;

/// The originals that are mutated to make inputs.
pub(crate) struct Inputs {
    texts: Vec<String>,
    files: Vec<Vec<u8>>,
}

/// One input.
pub(crate) enum Input {
    Text(String),
    Bytes(Vec<u8>),
}

impl Input {
    /// Checks the properties that every input must have.
    pub(crate) fn survive(&self) -> Result<Survival, String> {
        match self {
            Input::Text(text) => survive_text(text),
            Input::Bytes(bytes) => survive_bytes(bytes),
        }
    }

    /// Describes the outcome of an input.
    pub(crate) fn outcome(&self, survival: Survival) -> &'static str {
        match (self, survival) {
            (Input::Text(_), Survival::Unread) => "texts that do not parse",
            (Input::Text(_), Survival::Invalid) => "texts that parse and do not verify",
            (Input::Text(_), Survival::Valid) => "texts that parse and verify",
            (Input::Bytes(_), Survival::Unread) => "files that do not read",
            (Input::Bytes(_), Survival::Invalid) => "files that read and do not verify",
            (Input::Bytes(_), Survival::Valid) => "files that read and verify",
        }
    }
}

impl Inputs {
    /// Loads the originals, which are the same on every machine.
    pub(crate) fn load() -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let mut inputs = Self {
            texts: Vec::new(),
            files: Vec::new(),
        };
        for folder in ["parse", "verify", "canonicalize"] {
            for bytes in contents(&tests.join("filetests").join(folder)) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                inputs.add_bytecode(&text);
                inputs.texts.push(text);
            }
        }
        inputs.files.extend(contents(&tests.join("corpus")));
        for seed in 0..GENERATED {
            inputs.add_generated(seed);
        }
        inputs
    }

    /// Writes the originals into `folder`, as `text/*.mlir` and `bytecode/*.tilebc`; returns their
    /// number.
    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<usize> {
        for (name, ending, files) in [
            (
                "text",
                "mlir",
                self.texts.iter().map(String::as_bytes).collect::<Vec<_>>(),
            ),
            (
                "bytecode",
                "tilebc",
                self.files.iter().map(Vec::as_slice).collect(),
            ),
        ] {
            let folder = folder.join(name);
            std::fs::create_dir_all(&folder)?;
            for (number, bytes) in files.into_iter().enumerate() {
                std::fs::write(folder.join(format!("{number}.{ending}")), bytes)?;
            }
        }
        Ok(self.texts.len() + self.files.len())
    }

    /// Adds the bytecode of `source`, if `source` is a valid module.
    fn add_bytecode(&mut self, source: &str) {
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(source, "", &mut diagnostics);
        diagnostics.take();
        let bytes = module
            .ok()
            .and_then(|module| write(&module, Version::V13_4).ok());
        self.files.extend(bytes);
    }

    /// Adds a generated module, and mutations of its arena.
    fn add_generated(&mut self, seed: u64) {
        let version = Version::ALL[usize::try_from(seed % 4).expect("small")];
        let options = GenerateOptions {
            version,
            ops: 5 + usize::try_from(seed % 20).expect("small"),
            debug: [DebugLocations::None, DebugLocations::Bytecode]
                [usize::from(seed.is_multiple_of(3))],
            discardable: seed.is_multiple_of(5),
            ..GenerateOptions::default()
        };
        let mut module = generate(seed, &options);
        if seed.is_multiple_of(2) {
            mutate(&mut module, seed);
        }
        let form = PrintOptions {
            generic: seed % 4 < 2,
            debug_info: seed.is_multiple_of(3),
        };
        self.texts.push(print_with(&module, form));
        self.files.extend(write(&module, version).ok());
    }

    /// Returns input `number`, which is the same on every machine.
    pub(crate) fn get(&self, number: u64) -> Input {
        let pick = |count: usize| usize::try_from(number / 2 % count as u64).expect("an index");
        match number % 2 {
            0 => Input::Text(mutate_text(&self.texts[pick(self.texts.len())], number)),
            _ => Input::Bytes(mutate_bytes(&self.files[pick(self.files.len())], number)),
        }
    }
}

/// Returns the contents of the files of a folder, sorted by name.
fn contents(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder of tests is there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    paths.sort();
    let files = paths.iter().filter(|path| path.is_file());
    files
        .map(|path| std::fs::read(path).expect("it is readable"))
        .collect()
}
