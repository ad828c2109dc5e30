//! `tilec opt`.

use crate::support::{MODULE, Tilec, UNSOUND, faults};

#[test]
fn no_pass_leaves_the_module_as_it_is() {
    let tilec = Tilec::new();
    for arguments in [&["opt", "-"][..], &["opt", "-", "--passes="]] {
        assert_eq!(tilec.prints(arguments, MODULE.as_bytes()), MODULE);
    }
}

#[test]
fn passes_run_and_unknown_ones_are_refused() {
    let tilec = Tilec::new();
    let canonicalize = ["opt", "-", "--passes=canonicalize,canonicalize"];
    let smaller = tilec.prints(&canonicalize, MODULE.as_bytes());
    assert!(
        !smaller.contains("addi") && smaller.contains("addf"),
        "{smaller}"
    );
    let unknown = ["opt", "-", "--passes=canonicalize,inline"];
    let stderr = tilec.fails(&unknown, MODULE.as_bytes());
    let expected = "unknown pass `inline`, known are: `canonicalize`";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn modules_of_a_split_file_are_taken_one_by_one() {
    let tilec = Tilec::new();
    let split = ["opt", "-", "--split-input-file"];
    let two = format!("{MODULE}// -----\n{MODULE}");
    assert_eq!(tilec.prints(&split, two.as_bytes()), two);
    // Without the option they are two modules of one file.
    let whole = tilec.prints(&["opt", "-"], two.as_bytes());
    assert_eq!(whole, format!("{MODULE}{MODULE}"));

    let faulty = format!("{UNSOUND}// -----\n{MODULE}// -----\n{UNSOUND}");
    let stderr = tilec.fails(&split, faulty.as_bytes());
    let lines: Vec<_> = faults(&stderr)
        .iter()
        .map(|line| line.split(':').nth(1).expect("a line").to_owned())
        .collect();
    let before = UNSOUND.lines().count() + 1 + MODULE.lines().count() + 1;
    let expected = [3, 4, before + 3, before + 4].map(|line: usize| line.to_string());
    assert_eq!(lines, expected, "{stderr}");
    assert_eq!(
        stderr.matches("= iota : tile<3xi32>").count(),
        2,
        "{stderr}"
    );
}

#[test]
fn the_generic_form_is_read_and_printed() {
    let tilec = Tilec::new();
    let generic = tilec.prints(&["opt", "-", "--print-generic"], MODULE.as_bytes());
    assert!(generic.contains("= \"cuda_tile.addf\"("), "{generic}");
    assert_eq!(tilec.prints(&["opt", "-"], generic.as_bytes()), MODULE);
    assert_eq!(
        tilec.prints(&["dis", "-", "--print-generic"], MODULE.as_bytes()),
        generic
    );
    let alias = ["opt", "-", "--mlir-print-op-generic"];
    assert_eq!(tilec.prints(&alias, MODULE.as_bytes()), generic);
}

/// Two modules with locations of their own.
const LOCATED: &str = "\
cuda_tile.module @a {
  entry @f() {
    return loc(#loc2)
  } loc(#loc)
}
cuda_tile.module @b {
  entry @f() {
    return loc(#loc2)
  } loc(#loc1)
}
#loc = loc(\"a.py\":1:2)
#loc1 = loc(\"b.py\":1:2)
#loc2 = loc(\"c.py\":3:4)
";

#[test]
fn several_modules_are_printed_with_one_set_of_aliases() {
    let tilec = Tilec::new();
    let options = ["--print-debuginfo", "--mlir-print-debuginfo"];
    for option in options {
        let printed = tilec.prints(&["opt", "-", option], LOCATED.as_bytes());
        let again = tilec.prints(&["opt", "-", option], printed.as_bytes());
        assert_eq!(again, printed);
        for place in ["\"a.py\":1:2", "\"b.py\":1:2", "\"c.py\":3:4"] {
            assert_eq!(printed.matches(place).count(), 1, "{printed}");
        }
    }
    let plain = tilec.prints(&["opt", "-"], LOCATED.as_bytes());
    assert!(!plain.contains("loc("), "{plain}");
    assert_eq!(plain.matches("entry @f()").count(), 2, "{plain}");
}

#[test]
fn hidden_names_of_options_are_not_in_the_help() {
    let help = Tilec::new().prints(&["opt", "--help"], b"");
    assert!(
        help.contains("--print-debuginfo") && !help.contains("mlir"),
        "{help}"
    );
}
