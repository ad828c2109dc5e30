//! Tests of `tilec as` and `tilec dis`.

use crate::support::{MODULE, Tilec};

#[test]
fn assembling_and_printing_gives_the_printed_text() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    // Bytecode does not contain the names of values.
    tilec.stdout(&["as", "a.mlir", "-o", "a.tilebc"], b"");
    let printed = tilec.prints(&["dis", "a.tilebc"], b"");
    assert!(printed.contains("store_view_tko weak"), "{printed}");
    for version in ["13.1", "13.2", "13.3", "13.4"] {
        let option = format!("--bytecode-version={version}");
        let bytes = tilec.stdout(&["as", "-", "-o", "-", &option], printed.as_bytes());
        assert_eq!(bytes[9].to_string(), version[3..], "{version}");
        assert_eq!(tilec.prints(&["dis", "-"], &bytes), printed, "{version}");
        let again = tilec.stdout(&["as", "-", "-o", "-", &option], &bytes);
        assert_eq!(again, bytes, "{version}");
    }
    // The default is the newest version.
    let default = tilec.read("a.tilebc");
    assert_eq!(default[8..10], [13, 3]);
    assert_eq!(
        tilec.stdout(&["as", "-", "-o", "-"], printed.as_bytes()),
        default
    );
}

#[test]
fn text_keeps_the_names_of_values() {
    let tilec = Tilec::new();
    assert_eq!(tilec.prints(&["dis", "-"], MODULE.as_bytes()), MODULE);
}

#[test]
fn what_a_version_lacks_is_refused_at_the_operation() {
    let source =
        "entry @f(%a: tile<f32>) {\n  %0 = tanh %a rounding<approx> : tile<f32>\n  return\n}\n";
    let tilec = Tilec::new().with("a.mlir", source);
    let as_13_1 = ["as", "a.mlir", "-o", "out", "--bytecode-version=13.1"];
    let stderr = tilec.fails(&as_13_1, b"");
    assert!(stderr.starts_with("a.mlir:2:8: error: "), "{stderr}");
    assert!(stderr.contains("`rounding_mode` of `tanh`"), "{stderr}");
    assert!(stderr.contains("use `--bytecode-version=13.2`"), "{stderr}");
    assert!(!tilec.path("out").exists());
    tilec.stdout(
        &["as", "a.mlir", "-o", "out", "--bytecode-version=13.2"],
        b"",
    );
    let unknown = tilec.fails(&["as", "a.mlir", "-o", "out", "--bytecode-version=14"], b"");
    assert!(
        unknown.contains("`13.1`, `13.2`, `13.3`, `13.4`"),
        "{unknown}"
    );
}

#[test]
fn one_module_is_assembled_or_printed_or_built() {
    let tilec = Tilec::new().with("a.mlir", format!("{MODULE}\n{MODULE}"));
    for arguments in [
        &["as", "a.mlir", "-o", "out"][..],
        &["dis", "a.mlir"],
        &["build", "a.mlir", "--arch=sm_80", "-o", "out"],
    ] {
        let stderr = tilec.fails(arguments, b"");
        let second = MODULE.lines().count() + 2;
        let expected = format!("a.mlir:{second}:1: error: expected one module, found 2\n");
        assert!(stderr.starts_with(&expected), "{stderr}");
        assert!(stderr.contains("this is the first"), "{stderr}");
    }
    assert!(!tilec.path("out").exists());
}

#[test]
fn stated_locations_are_kept_in_bytecode() {
    let source = "\
#file = #cuda_tile.di_file<\"k.py\" in \"/d\">
#unit = #cuda_tile.di_compile_unit<file = #file>
#f = #cuda_tile.di_subprogram<file = #file, line = 1, name = \"f\", linkageName = \"f\", compileUnit = #unit>
cuda_tile.module @kernels {
  entry @f() {
    return loc(#cuda_tile.di_loc<loc(\"k.py\":3:7) in #f>)
  } loc(#cuda_tile.di_loc<loc(\"k.py\":1:1) in #f>)
}
";
    let tilec = Tilec::new();
    let bytes = tilec.stdout(&["as", "-", "-o", "-"], source.as_bytes());
    let printed = tilec.prints(&["dis", "-", "--print-debuginfo"], &bytes);
    assert!(printed.contains("loc(\"k.py\":3:7)"), "{printed}");
    assert!(!tilec.prints(&["dis", "-"], &bytes).contains("loc("));
    // Locations survive from text and from bytecode, and also a change of version.
    assert_eq!(
        tilec.stdout(&["as", "-", "-o", "-"], printed.as_bytes()),
        bytes
    );
    let older = tilec.stdout(&["as", "-", "-o", "-", "--bytecode-version=13.1"], &bytes);
    assert_eq!(
        tilec.prints(&["dis", "-", "--print-debuginfo"], &older),
        printed
    );
}
