//! Tests that the minimum version of a module is the first version in which its bytecode can be
//! written.

use std::fs;
use std::path::Path;
use tile_core::bytecode::write;
use tile_core::ops::Version;
use tile_core::testing::{GenerateOptions, generate};
use tile_core::verify::{minimum_version, verify};
use tile_core::{Diagnostics, Module, text};

/// Returns the modules of the file tests that verify.
fn modules() -> Vec<(String, Module)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut modules = Vec::new();
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
                modules.push((path.display().to_string(), module.into_inner()));
            }
        }
    }
    modules
}

/// Returns the minimum version of a module, and the reason.
fn minimum(body: &str) -> (Version, Option<String>) {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(body, "input", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{body} {:?}", diagnostics.take()));
    let minimum_found = minimum_version(&module);
    (
        minimum_found.version,
        minimum_found.reason.map(|(what, _)| what),
    )
}

#[test]
fn what_needs_the_newest_version_is_the_reason() {
    use Version::{V13_1, V13_2, V13_3, V13_4};
    let gather = "gather_scatter_view<tile=(4), tensor_view<16xi32, strides=[1]>, sparse_dim=0>";
    for (body, version, reason) in [
        ("%i = iota : tile<4xi32>", V13_1, ""),
        ("%r = atan2 %f, %f : tile<f32>", V13_2, "operation `atan2`"),
        ("%r = exp %f : tile<f32>", V13_1, ""),
        ("%r = exp %f rounding<full> : tile<f32>", V13_1, ""),
        (
            "%r = exp %f rounding<approx> : tile<f32>",
            V13_3,
            "attribute `rounding_mode` of `exp`",
        ),
        ("for %x in (%i to %i, step %i) : tile<i32> { }", V13_1, ""),
        (
            "for unsigned %x in (%i to %i, step %i) : tile<i32> { }",
            V13_2,
            "attribute `unsignedCmp` of `for`",
        ),
        ("%t = print_tko \"\" -> token", V13_1, ""),
        (
            "%t = print_tko \"\" -> token\n%u = join_tokens %t, %t : token",
            V13_2,
            "result `result_token` of `print_tko`",
        ),
        (
            "%t = make_token : token\n%u = print_tko \"\" token=%t -> token",
            V13_2,
            "operand `token` of `print_tko`",
        ),
        (
            "%c = constant <f8E8M0FNU: 1.0> : tile<2xf8E8M0FNU>",
            V13_2,
            "type `tile<2xf8E8M0FNU>`",
        ),
        (
            "loop iter_values(%x = %i) : tile<i32> -> tile<i4> {\n break %x : tile<i32>\n}",
            V13_3,
            "type `tile<i4>`",
        ),
        (
            "%r = insert %f, %f[] : tile<f32>, tile<f32>",
            V13_4,
            "operation `insert`",
        ),
    ] {
        let module = format!("entry @k(%i: tile<i32>, %f: tile<f32>) {{\n{body}\nreturn\n}}");
        let expected = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
        let module = module.replace("%i = iota", "%j = iota");
        assert_eq!(minimum(&module), (version, expected), "{body}");
    }
    for (module, version, reason) in [
        ("global @g <i32: 1> : tile<1xi32>".to_owned(), V13_1, ""),
        (
            "global public @g <i32: 1> : tile<1xi32>".to_owned(),
            V13_1,
            "",
        ),
        (
            "global private @g <i32: 1> : tile<1xi32>".to_owned(),
            V13_3,
            "attribute `symbol_visibility` of `global`",
        ),
        (
            "global constant @g <i32: 1> : tile<1xi32>".to_owned(),
            V13_3,
            "attribute `constant` of `global`",
        ),
        (
            "global @g <f8E8M0FNU: 1.0> : tile<1xf8E8M0FNU>".to_owned(),
            V13_2,
            "type `tile<1xf8E8M0FNU>`",
        ),
        (
            format!("entry @k(%v: {gather}) {{\n}}"),
            V13_3,
            "type `(gather_scatter_view<tile=(4), tensor_view<16xi32, strides=[1]>, sparse_dim=0>) -> ()`",
        ),
    ] {
        let expected = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
        assert_eq!(minimum(&module), (version, expected), "{module}");
    }
}

#[test]
fn bytecode_holds_a_module_from_its_minimum_version_on() {
    let mut modules = modules();
    assert!(modules.len() > 50, "{}", modules.len());
    for seed in 0..200 {
        let options = GenerateOptions {
            version: Version::ALL[usize::try_from(seed % 4).expect("small")],
            ..GenerateOptions::default()
        };
        modules.push((format!("seed {seed}"), generate(seed, &options)));
    }
    let mut held = 0;
    for (name, module) in modules {
        // No version can hold this module, for example since it has test functions.
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
    assert!(held > 240, "{held}");
}
