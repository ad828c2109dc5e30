//! Tests that every example succeeds and prints its closing line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Returns the folder of the examples, in the profile of the tests. They are built like the tests
/// of the whole workspace, so that nothing is compiled a second time with other features.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--workspace", "--examples"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output();
        let Output { status, stderr, .. } = built.expect("cargo starts");
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "the examples are not built: {stderr}");
        let executable = std::env::current_exe().expect("a test knows where it is");
        let profile = executable.ancestors().nth(2).expect("tests are in `deps`");
        profile.join("examples")
    })
}

/// Runs an example.
fn run(example: &str, arguments: &[&str]) -> String {
    run_on("", example, arguments)
}

/// Runs an example on the device that `TILE_DEVICE` names.
fn run_on(device: &str, example: &str, arguments: &[&str]) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(folder().join(example))
        .env("TILE_DEVICE", device)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the example starts");
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{example} failed: {stderr}");
    String::from_utf8(stdout).expect("examples print text")
}

/// The examples with a single kernel.
const FIRST: [&str; 3] = ["01_vector_add", "02_softmax", "03_matmul"];

#[test]
fn the_first_examples_name_the_device_and_the_error() {
    for example in FIRST {
        let text = run(example, &[]);
        let [line] = *text.lines().collect::<Vec<_>>() else {
            panic!("{example} prints one line, found:\n{text}");
        };
        assert!(line.contains(" on "), "{line}");
        assert!(line.contains("max error "), "{line}");
    }
}

#[test]
fn the_first_examples_run_on_the_simulated_gpu() {
    for example in FIRST {
        let text = run_on("sim", example, &[]);
        assert!(text.contains(" on sim, max error "), "{text}");
    }
}

/// The examples that compare each of their kernels with exact results, on shapes that no tile divides.
const OTHERS: [(&str, &[&str]); 7] = [
    (
        "04_normalization",
        &[
            "layer norm",
            "layer norm, dx",
            "layer norm, f16",
            "RMS norm",
        ],
    ),
    (
        "05_layers",
        &["rotary embedding", "SwiGLU", "cross entropy", "dropout"],
    ),
    ("06_attention", &["attention"]),
    ("07_search", &["argmax", "top-k", "Collatz", "Mandelbrot"]),
    (
        "08_scans",
        &["prefix sums", "suffix sums", "segment sums", "histogram"],
    ),
    (
        "09_matmul_variants",
        &["batched matmul", "split-k matmul", "sparse matmul"],
    ),
    (
        "10_grids",
        &["heat conduction", "transposition", "eight bits"],
    ),
];

/// Runs these examples on one device. Checks that each kernel ran with at least three sizes.
fn others_on(device: &str, named: &str) {
    for (example, kernels) in OTHERS {
        let text = run_on(device, example, &[]);
        for kernel in kernels {
            let start = format!("{kernel} on {named}");
            let sizes = text.lines().filter(|line| line.starts_with(&start)).count();
            assert!(sizes >= 3, "{example}: {kernel} ran {sizes} times:\n{text}");
        }
    }
}

#[test]
fn the_other_examples_say_how_close_each_kernel_is() {
    others_on("", "");
}

#[test]
fn the_other_examples_are_as_close_on_the_simulated_gpu() {
    others_on("sim", "sim: ");
}

/// The example that measures.
const TUNING: &str = "11_tuning";

#[test]
fn the_example_of_tuning_names_a_candidate_for_each_length() {
    for device in ["cpu", "sim"] {
        let text = run_on(device, TUNING, &["--small"]);
        let tuned = text.lines().filter(|line| line.contains("tokens: `BQ = "));
        assert_eq!(tuned.count(), 2, "{text}");
    }
}

/// Tests that the lists above contain every example.
#[test]
fn no_example_is_left_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut examples: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of examples")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            Some(name.strip_suffix(".rs")?.to_owned())
        })
        .collect();
    examples.sort();
    let others = OTHERS.iter().map(|(example, _)| *example);
    let all = FIRST.into_iter().chain(others).chain([TUNING]);
    let run: Vec<&str> = all.collect();
    assert_eq!(examples, run);
}

#[test]
fn the_digits_are_learned_on_the_cpu() {
    digits_are_learned(&["--cpu"]);
}

#[test]
fn the_digits_are_learned_by_members_of_a_group() {
    digits_are_learned(&["--cpu", "--devices=2"]);
}

fn digits_are_learned(arguments: &[&str]) {
    let text = run("digits", arguments);
    let line = text.lines().last().expect("it prints lines");
    let accuracy = line
        .strip_prefix("demo: ok device=cpu accuracy=")
        .unwrap_or_else(|| panic!("{line}"));
    let accuracy: f64 = accuracy.parse().expect("a fraction");
    assert!((0.95..=1.0).contains(&accuracy), "{line}");
}
