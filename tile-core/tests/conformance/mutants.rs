//! Mutated modules that bytecode can hold.

use std::fs;
use std::path::Path;
use tile_core::bytecode::{self, Version};
use tile_core::testing::{DebugLocations, GenerateOptions, generate, mutate};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module, text};

/// A mutated module.
pub(crate) struct Mutant {
    pub(crate) bytes: Vec<u8>,
    pub(crate) name: String,
    /// The source of the module.
    pub(crate) source: String,
    /// The number of mutants that were drawn before and that bytecode cannot hold.
    pub(crate) unwritable: u64,
}

/// The valid modules of the file tests, by name.
pub(crate) struct Bases(Vec<(String, Module)>);

/// The version to write, by seed. The newest is the most frequent, since most rules are those of
/// the newest.
const VERSIONS: [Version; 6] = [
    Version::V13_4,
    Version::V13_3,
    Version::V13_4,
    Version::V13_1,
    Version::V13_4,
    Version::V13_2,
];

impl Bases {
    pub(crate) fn load() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
        let mut mutants = Vec::new();
        for folder in ["parse", "verify", "canonicalize"] {
            for file in fs::read_dir(root.join(folder)).expect("the folder is there") {
                let path = file.expect("it can be listed").path();
                let name = path.file_stem().expect("a file").to_string_lossy();
                let source = fs::read_to_string(&path).expect("it is text");
                if let Some(module) = valid(&source) {
                    mutants.push((format!("{folder}/{name}"), module));
                }
            }
        }
        mutants.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self(mutants)
    }

    /// Returns the mutant that `seed` names.
    pub(crate) fn draw(&self, seed: u64) -> Mutant {
        let version = VERSIONS[usize::try_from(seed % 6).expect("small")];
        let mut unwritable = 0;
        for attempt in 0.. {
            let choice = seed << 10 | attempt;
            let (source, mut module) = self.base(choice, version);
            // Modules of file tests may need a newer version.
            let Ok(original) = bytecode::write(&module, version) else {
                continue;
            };
            mutate(&mut module, choice);
            match bytecode::write(&module, version) {
                Ok(bytes) if bytes != original => {
                    return Mutant {
                        bytes,
                        name: format!("mutant {seed} in {version}"),
                        source,
                        unwritable,
                    };
                }
                Ok(_) => {}
                Err(_) => unwritable += 1,
            }
        }
        unreachable!("some mutant can be written")
    }

    /// Returns a valid module; three of five are generated.
    fn base(&self, choice: u64, version: Version) -> (String, Module) {
        let number = usize::try_from(choice >> 10).expect("seeds are small");
        let attempt = usize::try_from(choice % (1 << 10)).expect("small");
        if number % 5 >= 3 {
            let (name, module) = &self.0[(number * 7 + attempt) % self.0.len()];
            return (name.clone(), module.clone());
        }
        let options = GenerateOptions {
            version,
            ops: 8 + number % 24,
            entries: 1 + number % 2,
            debug: if number % 7 == 0 {
                DebugLocations::Bytecode
            } else {
                DebugLocations::None
            },
            ..GenerateOptions::default()
        };
        ("a generated module".to_owned(), generate(choice, &options))
    }
}

/// Returns the module of a file test, if it is valid and bytecode can hold it.
fn valid(source: &str) -> Option<Module> {
    // The expected output follows this line.
    let source = source.split("// output:\n").next()?;
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics)
        .and_then(|module| verify(module, &mut diagnostics));
    diagnostics.take();
    let module = module.ok()?.into_inner();
    bytecode::write(&module, Version::V13_4).ok()?;
    Some(module)
}
