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
    tilec.fails(&["opt", "-"], two.as_bytes());

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
