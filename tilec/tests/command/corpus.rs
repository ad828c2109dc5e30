//! Kernels of an independent producer, run with `tilec run` and compared with `NumPy`.
//!
//! `corpus/model.py` makes the inputs, the exact results and the tolerances, which its
//! head lists. Every kernel runs from every version of the bytecode.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::tools_are_there;
use crate::python;
use crate::support::{Tilec, text_of};

/// The numbers in a file.
fn numbers(bytes: &[u8], ty: &str) -> Vec<f64> {
    match ty {
        "float64" => lanes(bytes).map(f64::from_le_bytes).collect(),
        "float32" => lanes(bytes)
            .map(|lane| f64::from(f32::from_le_bytes(lane)))
            .collect(),
        "int32" => lanes(bytes)
            .map(|lane| f64::from(i32::from_le_bytes(lane)))
            .collect(),
        "bfloat16" => {
            let wide = |lane| f32::from_bits(u32::from(u16::from_le_bytes(lane)) << 16);
            lanes(bytes).map(|lane| f64::from(wide(lane))).collect()
        }
        other => panic!("the model makes no `{other}`"),
    }
}

fn lanes<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (lanes, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    lanes.iter().copied()
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-core/tests/corpus")
}

/// A folder with the inputs and the results; none without Python.
fn modelled() -> Option<Tilec> {
    let Some(mut python) = python::python() else {
        python::skip("numpy and ml_dtypes for Python");
        return None;
    };
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/model.py");
    let tilec = Tilec::new();
    let made = python
        .arg(model)
        .arg(tilec.folder.path())
        .output()
        .expect("Python starts");
    assert!(made.status.success(), "{}", text_of(&made.stderr));
    Some(tilec)
}

#[test]
fn the_corpus_gives_what_numpy_gives() {
    let Some(tilec) = modelled() else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(corpus())
        .expect("the corpus is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "tilebc")
        })
        .collect();
    files.sort();
    assert_eq!(files.len(), 28);
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy();
        let (kernel, _version) = name.split_once('.').expect("a kernel and a version");
        for options in [&[][..], &["--check"]] {
            run(&tilec, &file, kernel, options);
        }
    }
}

/// Every kernel.
const KERNELS: [&str; 7] = [
    "attention_128x64x128",
    "collatz",
    "histogram",
    "matmul_128x128x64",
    "matmul_128x256x64",
    "softmax_4096",
    "vector_add",
];

/// What the project is for, from the oldest to the newest.
const ARCHS: [&str; 6] = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"];

#[test]
fn the_corpus_gives_in_the_simulator_what_numpy_gives() {
    if !tools_are_there() {
        return;
    }
    let Some(tilec) = modelled() else { return };
    for kernel in KERNELS {
        let file = corpus().join(format!("{kernel}.13.4.tilebc"));
        for arch in ARCHS {
            let arch = format!("--arch={arch}");
            run(&tilec, &file, kernel, &["--device=sim", &arch]);
        }
    }
}

/// Runs the kernel in `file`, and compares.
fn run(tilec: &Tilec, file: &Path, kernel: &str, options: &[&str]) {
    let read = |name: &str| tilec.read(&format!("{kernel}/{name}"));
    let text = |name: &str| text_of(&read(name));
    let before = read("out");
    let place = |argument: &str| format!("--arg={}", argument.replace(':', &format!(":{kernel}/")));
    let args = text("args");
    let args = args
        .lines()
        .map(|argument| match argument.strip_prefix("buffer:") {
            Some(_) => place(argument),
            None => format!("--arg={argument}"),
        });
    let args: Vec<String> = args.collect();
    let grid = format!("--grid={}", text("grid"));
    let entry = format!("--entry={kernel}");
    let file = file.to_str().expect("a path in UTF-8");
    let mut run = vec!["run", file, &entry, &grid];
    run.extend(
        args.iter()
            .map(String::as_str)
            .chain(options.iter().copied()),
    );
    assert_eq!(tilec.prints(&run, b""), "", "{file}");

    let results = numbers(&read("out"), &text("type"));
    let expected = numbers(&read("expected"), "float64");
    let allowed = numbers(&read("allowed"), "float64");
    assert_eq!(results.len(), expected.len(), "{file}");
    for (index, (result, (expected, allowed))) in results
        .iter()
        .zip(expected.iter().zip(&allowed))
        .enumerate()
    {
        let error = (result - expected).abs();
        assert!(
            error <= *allowed,
            "{file}: element {index} is {result}, expected {expected} ± {allowed}"
        );
    }
    fs::write(tilec.path(&format!("{kernel}/out")), before).expect("a writable folder");
}
