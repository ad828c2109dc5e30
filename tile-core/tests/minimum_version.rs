//! The version that a module needs is the one that its bytecode needs.

use std::fs;
use std::path::Path;
use tile_core::bytecode::write;
use tile_core::ops::Version;
use tile_core::verify::{minimum_version, verify};
use tile_core::{Diagnostics, Module, text};

/// The modules of the file tests that verify.
fn modules() -> Vec<(String, Module)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut found = Vec::new();
    for folder in ["parse", "verify", "canonicalize"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder of tests exists") {
            let path = entry.expect("a readable folder").path();
            let content = fs::read_to_string(&path).expect("a readable file");
            let input = content.split("// output:\n").next().unwrap_or_default();
            let mut diagnostics = Diagnostics::new();
            let module = text::parse(input, "input", &mut diagnostics)
                .and_then(|module| verify(module, &mut diagnostics));
            diagnostics.take();
            if let Ok(module) = module {
                found.push((path.display().to_string(), module.into_inner()));
            }
        }
    }
    found
}

#[test]
fn bytecode_holds_a_module_from_its_minimum_version_on() {
    let modules = modules();
    assert!(modules.len() > 50, "{}", modules.len());
    let mut held = 0;
    for (name, module) in modules {
        // What no version holds, such as functions of tests.
        if write(&module, Version::V13_4).is_err() {
            continue;
        }
        held += 1;
        let minimum = minimum_version(&module);
        assert_eq!(minimum.reason.is_none(), minimum.version == Version::V13_1);
        for version in Version::ALL {
            assert_eq!(
                write(&module, version)
                    .map(|_| ())
                    .map_err(|error| error.to_string())
                    .is_ok(),
                version >= minimum.version,
                "{name} {version} {minimum:?}"
            );
        }
    }
    assert!(held > 40, "{held}");
}
