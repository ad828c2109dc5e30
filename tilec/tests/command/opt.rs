//! Tests of `tilec opt`.

use crate::support::{MODULE, Tilec, UNSOUND, faults, text_of};
use tile_core::pass::Pass;

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
    let expected = "unknown pass `inline`, known are: `assert-assumptions`, `canonicalize`";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn modules_of_a_split_file_are_taken_one_by_one() {
    let tilec = Tilec::new();
    let split = ["opt", "-", "--split-input-file"];
    let two = format!("{MODULE}// -----\n{MODULE}");
    assert_eq!(tilec.prints(&split, two.as_bytes()), two);
    // Without the option, they are two modules of one file.
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

#[test]
fn what_passes_do_is_said_on_standard_error() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let said = |options: &[&str]| {
        let arguments = [&["opt", "a.mlir"], options].concat();
        let output = tilec.run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let plain: Vec<&str> = arguments
            .iter()
            .copied()
            .filter(|argument| !argument.starts_with("--print-after"))
            .filter(|argument| !["--stats", "--trace"].contains(argument))
            .collect();
        assert_eq!(
            text_of(&output.stdout),
            tilec.prints(&plain, b""),
            "what is printed does not depend on what is said"
        );
        text_of(&output.stderr)
    };
    let stats = said(&["--passes=dce,cse", "--stats"]);
    assert_eq!(
        stats,
        "dce in `kernels`: 1 rewrites\n       1 dead_code\ncse in `kernels`: 0 rewrites\n"
    );
    let trace = said(&["--passes=dce", "--trace"]);
    assert_eq!(trace, "a.mlir:4:15: note: dce: dead_code\n");
    let after = said(&["--passes=cse,dce", "--print-after=cse"]);
    assert_eq!(after, format!("// after cse\n{MODULE}"));
    let output = said(&["--passes=cse,dce", "--print-after=all"]);
    let smaller = tilec.prints(&["opt", "a.mlir", "--passes=dce"], b"");
    assert_eq!(
        output,
        format!("// after cse\n{MODULE}// after dce\n{smaller}")
    );
    assert_eq!(said(&["--passes=", "--print-after=all", "--stats"]), "");
}

#[test]
fn pieces_of_a_split_file_are_said_to_be_where_they_are() {
    let tilec = Tilec::new();
    let two = format!("{MODULE}// -----\n{MODULE}");
    let arguments = ["opt", "-", "--split-input-file", "--passes=dce", "--trace"];
    let output = tilec.run_on(&arguments, two.as_bytes());
    let second = 4 + MODULE.lines().count() + 1;
    let expected =
        format!("<stdin>:4:15: note: dce: dead_code\n<stdin>:{second}:15: note: dce: dead_code\n");
    assert_eq!(text_of(&output.stderr), expected);
}

#[test]
fn faulty_options_of_passes_name_the_cure() {
    let tilec = Tilec::new();
    let fails = |option: &str| tilec.fails(&["opt", "-", option], MODULE.as_bytes());
    let cases = [
        (
            "--passes=loop-split{threshold=x}",
            "expected a number for `threshold`, found `x`",
        ),
        (
            "--passes=loop-split{limit=1}",
            "`loop-split` has no option `limit`",
        ),
        ("--passes=loop-split{threshold=1", "`{` is not closed"),
        (
            "--print-after=inline",
            "unknown pass `inline`; the help lists them",
        ),
    ];
    for (option, expected) in cases {
        let stderr = fails(option);
        assert!(stderr.contains(expected), "{option}: {stderr}");
    }
    let help = tilec.prints(&["opt", "--help"], b"");
    for (pass, about) in Pass::list() {
        assert!(
            help.contains(pass) && help.contains(about),
            "{pass}: {help}"
        );
    }
}

#[test]
fn structured_loops_are_flattened_or_refused_with_the_reason() {
    let tilec = Tilec::new();
    let flat = ["opt", "-", "--passes=flatten-loops"];
    let printed = tilec.prints(&flat, LOOP.as_bytes());
    assert!(
        printed.contains("for unsigned %") && !printed.contains("loop."),
        "{printed}"
    );
    let stderr = tilec.fails(&["as", "-", "-o", "a.tilebc"], LOOP.as_bytes());
    assert!(stderr.contains("--passes=flatten-loops"), "{stderr}");
    let stderr = tilec.fails(&flat, REFUSED_LOOP.as_bytes());
    assert_eq!(faults(&stderr).len(), 1, "{stderr}");
    assert!(stderr.starts_with("<stdin>:3:"), "{stderr}");
}

const LOOP: &str = "\
cuda_tile.module @m {
  entry @f(%n: tile<i32>) {
    loop.for %i = %n to %n step %n : tile<i32> {
      %t = print_tko \"%i\", %i : tile<i32> -> token
    }
    return
  }
}
";

/// A parallel loop after an effect, which would occur in every block.
const REFUSED_LOOP: &str = "\
cuda_tile.module @m {
  entry @f(%n: tile<i32>) {
    %t = print_tko \"once\" -> token
    loop.parallel (%i) = (%n) to (%n) step (%n) : tile<i32> {
      %u = print_tko \"%i\", %i : tile<i32> -> token
    }
    return
  }
}
";
