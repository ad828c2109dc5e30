//! Tests of the benchmarks of `cargo xtask gpu-bundle`, as far as they run without a GPU:
//! `benches/gpu/run.py --dry-run` on the kernels that `tilec` compiles.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::build::tools_are_there;
use crate::python;
use crate::support::{Tilec, text_of};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the bytecode that is timed, as pairs of an entry's name and a path.
fn kernels() -> Vec<(String, PathBuf)> {
    let in_folder = |folder: &str, ending: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of kernels");
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        let named = paths.filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned();
            Some((name, path))
        });
        named.collect::<Vec<_>>()
    };
    let mut kernels = in_folder("benches/gpu", ".tilebc");
    let corpus = in_folder("tile-core/tests/corpus", ".13.3.tilebc").into_iter();
    kernels.extend(
        corpus.filter(|(name, _)| name.starts_with("matmul_") || name.starts_with("softmax_")),
    );
    kernels
}

/// Makes a bundle with this project's code for all kernels, without the code of `tileiras`.
fn bundle() -> Tilec {
    let tilec = Tilec::new();
    for entry in fs::read_dir(root().join("benches/gpu")).expect("the benchmarks are there") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let name = path.file_name().expect("a file");
            fs::copy(&path, tilec.folder.path().join(name)).expect("a writable folder");
        }
    }
    fs::create_dir_all(tilec.path("kernels/ours")).expect("a writable folder");
    let kernels = kernels();
    let build = |name: &str, path: &Path, options: &[&str]| {
        let path = path.to_str().expect("a path in UTF-8");
        let launches = format!("--launches=kernels/ours/{name}.json");
        let cubin = format!("--output-file=kernels/ours/{name}.cubin");
        let build = ["build", path, "--arch=sm_90a"];
        tilec.prints(&[&build[..], options, &[&launches, &cubin]].concat(), b"");
    };
    let whole = [
        "--tensor-maps=host",
        "--persistent=auto",
        "--cluster-split=auto",
    ];
    for (name, path) in &kernels {
        build(name, path, &whole);
    }
    let mut steps = Vec::new();
    for (ablation, name, file, options) in [
        (
            "matmul",
            "step_1",
            "matmul_128x128x64",
            &["--disable=grouped-raster"][..],
        ),
        ("matmul", "step_2", "matmul_128x256x64", &whole),
        (
            "attention causal",
            "step_3",
            "attention_causal_128x128x128",
            &whole[..1],
        ),
    ] {
        let path = kernels.iter().find(|(kernel, _)| kernel == file);
        build(name, &path.expect("it is timed").1, options);
        steps.push(json!({ "ablation": ablation, "name": name, "what": name, "file": file }));
    }
    let steps = serde_json::to_vec(&steps).expect("JSON");
    fs::write(tilec.path("kernels/ablation.json"), steps).expect("a writable folder");
    tilec
}

/// Returns the output of a dry run, its status and its results.
fn dry_run(tilec: &Tilec, arguments: &[&str]) -> (String, bool, Value) {
    let output = Command::new("python3")
        .arg(tilec.path("run.py"))
        .args(["--dry-run", "--rounds=3"])
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let said = text_of(&output.stdout) + &text_of(&output.stderr);
    let results = fs::read(tilec.path("results/results.json")).expect("results are kept");
    let results = serde_json::from_slice(&results).expect("JSON");
    (said, output.status.success(), results)
}

/// Returns this project's contestants of a benchmark.
fn ours(benchmark: &Value) -> Vec<&Value> {
    let contestants = benchmark["contestants"].as_array().expect("contestants");
    contestants
        .iter()
        .filter(|one| one["maker"] == "ours")
        .collect()
}

#[test]
fn every_benchmark_is_launched_as_its_description_says_and_a_broken_one_stops_no_other() {
    if !tools_are_there() {
        return;
    }
    if python::python().is_none() {
        python::skip("Python");
        return;
    }
    let tilec = bundle();
    let parts = ["matmul", "fp8", "attention", "memory-bound", "ablation"];
    let (said, is_good, results) = dry_run(&tilec, &parts);
    assert!(is_good, "{said}");
    let benchmarks = results["benchmarks"].as_object().expect("benchmarks");
    assert_eq!(benchmarks.len(), 17, "{said}");
    for (name, benchmark) in benchmarks {
        let ours = ours(benchmark);
        assert!(!ours.is_empty());
        for one in ours {
            assert_eq!(
                one["milliseconds"].as_array().map(Vec::len),
                Some(3),
                "{name}: {one}"
            );
            assert!(one["score"].as_f64().is_some_and(|score| score > 0.0));
        }
        let contestants = benchmark["contestants"].as_array().expect("contestants");
        let peers = contestants.iter().filter(|one| one["maker"] == "PyTorch");
        assert!(peers.clone().count() > 0, "{name}");
        for peer in peers {
            assert_eq!(peer["skipped"], "a dry run has no PyTorch");
        }
        if benchmark["part"] == "ablation" {
            continue;
        }
        let theirs = contestants.iter().find(|one| one["maker"] == "tileiras");
        let error = theirs.expect("a peer")["error"].as_str().expect("an error");
        assert!(error.contains("tileiras has no code for"), "{error}");
    }
    let report = text_of(&tilec.read("results/report.md"));
    for part in [
        "**A dry run: nothing ran on a GPU",
        "Nothing of ours went wrong.",
        "| matmul bf16 8192 | TFLOP/s |",
        "### Ablation of matmul bf16 8192",
        "| 2: step_2 | ",
        "](matmul.",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }

    assert!(
        !report.contains(": reached") && report.contains(": a dry run"),
        "{report}"
    );

    // These edits leave out a parameter, and make a map that the driver would refuse.
    let edit = |name: &str, from: &str, to: &str| {
        let path = tilec.path(&format!("kernels/ours/{name}.json"));
        let text = fs::read_to_string(&path).expect("it was written");
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).expect("a writable folder");
    };
    edit("copy_8192", "\"tile<i32>\",", "");
    edit("product_f8_128x128x128", "\"box\": 128", "\"box\": 512");
    let (said, is_good, results) = dry_run(&tilec, &["fp8", "memory-bound"]);
    assert!(!is_good, "{said}");
    let benchmarks = &results["benchmarks"];
    let result_of = |name: &str| ours(&benchmarks[name])[0].clone();
    let error = result_of("copy 1 GiB")["error"].to_string();
    assert!(error.contains("takes 5 parameters, 6 are given"), "{error}");
    assert!(
        result_of("matmul fp8 8192")["error"]
            .to_string()
            .contains("512")
    );
    assert!(ours(&benchmarks["matmul fp8 8192"])[1]["score"].is_f64());
    assert!(result_of("softmax 65536x4096")["score"].is_f64());
    let report = text_of(&tilec.read("results/report.md"));
    assert!(
        report.contains("- copy 1 GiB: ours copy_8192: "),
        "{report}"
    );
}

/// Prints the grid and the cluster of each launch on devices of higher and lower occupancy, one
/// line per launch.
const LAUNCHES: &str = r#"
import json
from driver import DriverError, DryDriver, Kernel

def launched(name, **occupancy):
    driver = DryDriver(**occupancy)
    try:
        Kernel(driver, "kernels", name, "ours").prepare((64, 33), [], lambda: None)()
    except DriverError as error:
        return str(error)
    ((_, grid, _, _, values, cluster),) = driver.launches
    return f"{grid[0]} {grid[1]} in {cluster}, {values} values"

for name in "plain", "pairs", "turns", "shared":
    print(launched(name))
    print(launched(name, blocks=1, clusters=65))
    print(launched(name, clusters=0))
"#;

#[test]
fn no_more_is_started_than_the_device_runs_at_once() {
    let Some(mut python) = python::python() else {
        python::skip("Python");
        return;
    };
    let driver = fs::read(root().join("benches/gpu/driver.py")).expect("it is there");
    let tilec = Tilec::new()
        .with("driver.py", driver)
        .with("launches.py", LAUNCHES);
    fs::create_dir_all(tilec.path("kernels/ours")).expect("a writable folder");
    for (name, cluster, parts, persistent_blocks_per_sm) in [
        ("plain", 1, 1, None),
        ("pairs", 2, 1, None),
        ("turns", 2, 1, Some(2)),
        ("shared", 8, 8, None),
    ] {
        let launch = json!({
            "entry": "k", "threads": 256, "shared_bytes": 65536, "cluster": cluster, "blocks_per_tile": parts,
            "parameters": [], "buffers": [], "maps": [], "persistent_blocks_per_sm": persistent_blocks_per_sm,
        });
        let described = json!({ "launches": [launch] }).to_string();
        fs::write(tilec.path(&format!("kernels/ours/{name}.json")), described).expect("ours");
        let code = tilec.path(&format!("kernels/ours/{name}.cubin"));
        fs::write(code, b"\x7fELF k\0").expect("ours");
    }
    let output = python
        .arg("launches.py")
        .current_dir(tilec.folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    assert_eq!(text_of(&output.stderr), "");
    let refused = "shared has clusters of 8 blocks, which this GPU does not start: build it with --cluster-split=off";
    let expected = [
        "64 33 in 1, 0 values",
        "64 33 in 1, 0 values",
        "64 33 in 1, 0 values",
        "64 33 in 2, 0 values",
        "64 33 in 2, 0 values",
        "64 33 in 1, 0 values",
        "264 1 in 2, 3 values",
        // With an odd number of multiprocessors, one is unused.
        "130 1 in 2, 3 values",
        "264 1 in 1, 3 values",
        "512 33 in 8, 0 values",
        "512 33 in 8, 0 values",
        refused,
    ];
    let said = text_of(&output.stdout);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

/// Replaces the program of the cases. Case 0 passes, 1 breaks the driver, 2 differs, 3 hangs while
/// the file `hang` exists, 4 ends the program, and 5 passes.
const CASES: &str = r#"#!/usr/bin/env python3
import json, os, sys, time
print(json.dumps({"of": 6}), flush=True)
for number in range(int(os.environ["TILE_CASES_FROM"]), 6):
    print(json.dumps({"number": number, "case": f"case{number}"}), flush=True)
    if number == 3 and os.path.exists("hang"):
        time.sleep(60)
    if number == 4:
        os.abort()
    outcome = {1: "broken", 2: "other"}.get(number, "same")
    print(json.dumps({"number": number, "outcome": outcome, "message": outcome}), flush=True)
    if number == 1:
        sys.exit(3)
"#;

/// Makes a bundle with [`CASES`] and two tests, one of which fails.
#[cfg(unix)]
fn bundle_of_scripts() -> Tilec {
    use std::os::unix::fs::PermissionsExt as _;
    let tilec = Tilec::new();
    for name in ["run.py", "report.py", "suite.py", "driver.py"] {
        let path = root().join("benches/gpu").join(name);
        fs::copy(path, tilec.path(name)).expect("a writable folder");
    }
    fs::create_dir_all(tilec.path("bin/tests")).expect("a writable folder");
    for (name, text) in [
        ("bin/cases", CASES),
        ("bin/tests/good", "#!/bin/sh\nexit 0\n"),
        ("bin/tests/wrong", "#!/bin/sh\necho it is wrong\nexit 4\n"),
    ] {
        let path = tilec.path(name);
        fs::write(&path, text).expect("a writable folder");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    fs::write(tilec.path("hang"), "").expect("a writable folder");
    tilec
}

#[cfg(unix)]
#[test]
fn cases_go_on_behind_those_that_break_the_driver_hang_or_end_the_program() {
    if python::python().is_none() {
        python::skip("Python");
        return;
    }
    let tilec = bundle_of_scripts();
    let (said, is_good, results) = dry_run(&tilec, &["tests", "cases", "--case-seconds=2"]);
    assert!(!is_good, "{said}");
    let expected = serde_json::json!({
        "same": 2,
        "others": [
            "case1: broken",
            "case2: other",
            "case3: no end within 2 s",
            "case4: the program ends with -6",
        ],
    });
    assert_eq!(results["cases"], expected, "{said}");
    assert_eq!(results["ended"], json!(["tests", "cases"]), "{said}");
    let report = text_of(&tilec.read("results/report.md"));
    for part in [
        "- case case3: no end within 2 s",
        "- tests: `wrong` ends with 4: it is wrong",
        "1 of 2 programs",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_part_has_no_time_for_is_named() {
    if python::python().is_none() {
        python::skip("Python");
        return;
    }
    let tilec = bundle_of_scripts();
    let arguments = [
        "features",
        "tests",
        "--budget=features=2",
        "--budget=tests=0",
    ];
    let (said, _, results) = dry_run(&tilec, &arguments);
    let not_run = json!({ "features": ["3 of 6 cases"], "tests": ["good", "wrong"] });
    assert_eq!(results["not_run"], not_run, "{said}");
    assert_eq!(results["features"]["same"], 1, "{said}");
    let report = text_of(&tilec.read("results/report.md"));
    for part in [
        "Not run, for want of time:",
        "- features: 3 of 6 cases",
        "- tests: good, wrong",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // A run without any time does not start these parts either, so they remain to be done.
    let (said, _, results) = dry_run(&tilec, &["features", "tests", "--seconds=0"]);
    assert_eq!(results["ended"], json!([]), "{said}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_a_report_and_goes_on_where_it_was() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    if python::python().is_none() {
        python::skip("Python");
        return;
    }
    let tilec = bundle_of_scripts();
    let mut run = Command::new("python3")
        .arg(tilec.path("run.py"))
        .args(["--dry-run", "tests", "cases"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("Python starts");
    let results = || -> Option<Value> {
        let text = fs::read(tilec.path("results/results.json")).ok()?;
        Some(serde_json::from_slice(&text).expect("what is written is complete at any time"))
    };
    // Case 3 hangs for longer than this loop takes.
    let begin = Instant::now();
    let is_there = |results: &Value| results["cases"]["others"][1] == "case2: other";
    // The report is written after the results.
    let is_reported = || {
        let report = fs::read(tilec.path("results/report.md")).unwrap_or_default();
        String::from_utf8_lossy(&report).contains("- case case2: other")
    };
    while !(results().is_some_and(|results| is_there(&results)) && is_reported()) {
        assert!(begin.elapsed() < Duration::from_secs(25), "{:?}", results());
        std::thread::sleep(Duration::from_millis(50));
    }
    run.kill().expect("it runs");
    run.wait().expect("it ends");

    let left = results().expect("it was there before");
    assert_eq!(left["running"], "cases");
    assert_eq!(left["ended"], json!(["tests"]));
    let report = text_of(&tilec.read("results/report.md"));
    for part in [
        "**Not complete: the run is in the part `cases`, or was cut short there.**",
        "1 as the interpreter, 2 otherwise",
        "- tests: 1 of 2 programs succeed",
        "- case case2: other",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }

    fs::remove_file(tilec.path("hang")).expect("it is there");
    fs::remove_file(tilec.path("bin/tests/wrong")).expect("it is there");
    let (said, _, results) = dry_run(&tilec, &["tests", "cases", "--resume"]);
    assert_eq!(results["cases"]["same"], 3, "{said}");
    assert_eq!(results["running"], Value::Null);
    // The test `wrong`, which had finished, was not run again.
    assert_eq!(results["tests"]["wrong"]["status"], 4, "{said}");
    let report = text_of(&tilec.read("results/report.md"));
    assert!(!report.contains("Not complete"), "{report}");
}
