//! Tests of `tilec tune`. `UPDATE_EXPECT=1` writes the expected output.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::fs;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use tile_core::tuning::{Candidate, Outcome, Record, Records};

use crate::support::{Tilec, text_of};

const OLD: &str = "2026-01-31T12:00:00Z";
const NEW: &str = "2026-02-01T08:30:00Z";

fn record(kernel: &str, extent: u64, date: &str) -> Record {
    let candidate = |name: &str, seconds: f64, outcome| Candidate {
        name: name.to_owned(),
        seconds,
        noise: 0.0123,
        runs: 40,
        repeats: 0,
        model: 1e-5,
        outcome,
    };
    Record {
        kernel: kernel.to_owned(),
        hash: "00112233aabbccdd".to_owned(),
        fixed: "T = f32".to_owned(),
        key: format!("n = {extent}"),
        extents: vec![extent],
        device: "NVIDIA H100 80GB HBM3".to_owned(),
        arch: "sm_90a".to_owned(),
        driver: "12.8".to_owned(),
        version: "0.1.0".to_owned(),
        date: date.to_owned(),
        clock: "device".to_owned(),
        candidates: vec![
            candidate("BM = 64", 1.25e-5, Outcome::Measured),
            candidate("BM = 128", 2.5e-5, Outcome::Measured),
            candidate("BM = 32", 0.1, Outcome::Measured),
            Candidate {
                name: "BM = 256".to_owned(),
                outcome: Outcome::Failed("needs 400 KiB of shared memory".to_owned()),
                ..Candidate::default()
            },
            candidate(
                "BM = 16",
                1e-6,
                Outcome::Wrong("element 3 differs".to_owned()),
            ),
        ],
    }
}

fn on_cpu(kernel: &str) -> Record {
    Record {
        device: "AMD EPYC, avx512, 2 threads".to_owned(),
        arch: "avx512".to_owned(),
        driver: String::new(),
        clock: "host".to_owned(),
        candidates: Vec::new(),
        ..record(kernel, 1024, OLD)
    }
}

fn text(records: impl IntoIterator<Item = Record>) -> String {
    records.into_iter().collect::<Records>().to_text()
}

/// Three records of two kernels on two devices.
fn three() -> String {
    text([
        record("a::f", 1024, OLD),
        record("a::g", 2048, NEW),
        on_cpu("a::f"),
    ])
}

fn prints(tilec: &Tilec, arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&tilec.prints(arguments, b""));
}

/// Checks standard error of a command that succeeds with warnings.
fn warns(tilec: &Tilec, arguments: &[&str], expected: &Expect) -> String {
    let output = tilec.run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    expected.assert_eq(&text_of(&output.stderr));
    text_of(&output.stdout)
}

fn fails(tilec: &Tilec, arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&tilec.fails(arguments, b""));
}

#[test]
fn records_are_listed_in_a_table() {
    let tilec = Tilec::new().with("a.jsonl", three());
    prints(
        &tilec,
        &["tune", "list", "a.jsonl"],
        &expect![[r#"
        kernel  fixed    key       device                                   winner   time             second  slowest  date                  hash
        a::f    T = f32  n = 1024  AMD EPYC, avx512, 2 threads, clock host  none     -                -       -        2026-01-31T12:00:00Z  00112233aabbccdd
        a::f    T = f32  n = 1024  NVIDIA H100 80GB HBM3, driver 12.8       BM = 64  12.5 µs ± 1.2 %  2.00x   8000x    2026-01-31T12:00:00Z  00112233aabbccdd
        a::g    T = f32  n = 2048  NVIDIA H100 80GB HBM3, driver 12.8       BM = 64  12.5 µs ± 1.2 %  2.00x   8000x    2026-02-01T08:30:00Z  00112233aabbccdd
    "#]],
    );
    prints(
        &tilec,
        &["tune", "list", "a.jsonl", "--kernel", "::g"],
        &expect![[r#"
            kernel  fixed    key       device                              winner   time             second  slowest  date                  hash
            a::g    T = f32  n = 2048  NVIDIA H100 80GB HBM3, driver 12.8  BM = 64  12.5 µs ± 1.2 %  2.00x   8000x    2026-02-01T08:30:00Z  00112233aabbccdd
        "#]],
    );
    prints(
        &tilec,
        &["tune", "list", "a.jsonl", "--kernel", "none"],
        &expect![[""]],
    );
    let twice = tilec.prints(&["tune", "list", "a.jsonl", "-"], three().as_bytes());
    assert_eq!(twice, tilec.prints(&["tune", "list", "a.jsonl"], b""));
    prints(
        &tilec,
        &["tune", "list", "a.jsonl", "--kernel=g", "--json"],
        &expect![[r#"
            {"arch":"sm_90a","candidates":5,"clock":"device","date":"2026-02-01T08:30:00Z","device":"NVIDIA H100 80GB HBM3","driver":"12.8","extents":[2048],"fixed":"T = f32","hash":"00112233aabbccdd","kernel":"a::g","key":"n = 2048","noise":0.0123,"over_second":2.0,"over_slowest":8000.0,"seconds":0.0000125,"version":"0.1.0","winner":"BM = 64"}
        "#]],
    );
    let json = tilec.prints(&["tune", "list", "a.jsonl", "--json"], b"");
    for line in json.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(object["kernel"].is_string());
    }
    assert_eq!(json.lines().count(), 3);
}

#[test]
fn candidates_are_shown_with_what_the_other_records_predict() {
    let mut slower = record("a::f", 2048, OLD);
    for candidate in &mut slower.candidates {
        candidate.seconds *= 2.0;
        candidate.model *= 2.0;
    }
    slower.candidates[1].repeats = 2;
    let records = text([record("a::f", 1024, OLD), slower, on_cpu("a::f")]);
    let tilec = Tilec::new().with("a.jsonl", records);
    prints(
        &tilec,
        &["tune", "show", "a.jsonl", "--kernel", "a::f"],
        &expect![[r#"
            a::f; T = f32; n = 1024
            AMD EPYC, avx512, 2 threads, clock host, avx512; 2026-01-31T12:00:00Z, version 0.1.0, hash 00112233aabbccdd
            no candidates

            a::f; T = f32; n = 1024
            NVIDIA H100 80GB HBM3, driver 12.8, sm_90a; 2026-01-31T12:00:00Z, version 0.1.0, hash 00112233aabbccdd
            candidate  time             runs  model    corrected  outcome
            BM = 64    12.5 µs ± 1.2 %  40    10.0 µs  18.2 µs    measured
            BM = 128   25.0 µs ± 1.2 %  40    10.0 µs  33.6 µs    measured
            BM = 32    100 ms ± 1.2 %   40    10.0 µs  51.0 ms    measured
            BM = 256   -                0     -        -          failed: needs 400 KiB of shared memory
            BM = 16    1.00 µs ± 1.2 %  40    10.0 µs  315 µs     wrong: element 3 differs

            a::f; T = f32; n = 2048
            NVIDIA H100 80GB HBM3, driver 12.8, sm_90a; 2026-01-31T12:00:00Z, version 0.1.0, hash 00112233aabbccdd
            candidate  time             runs  model    corrected  outcome
            BM = 64    25.0 µs ± 1.2 %  40    20.0 µs  36.5 µs    measured
            BM = 128   50.0 µs ± 1.2 %  40    20.0 µs  67.3 µs    measured 3 times
            BM = 32    200 ms ± 1.2 %   40    20.0 µs  102 ms     measured
            BM = 256   -                0     -        -          failed: needs 400 KiB of shared memory
            BM = 16    2.00 µs ± 1.2 %  40    20.0 µs  630 µs     wrong: element 3 differs
        "#]],
    );
}

#[test]
fn the_default_file_is_that_of_the_variable() {
    let tilec = Tilec::new().with("a.jsonl", three());
    let run = |value: &str| {
        Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["tune", "list"])
            .env("TILE_TUNING", value)
            .current_dir(tilec.folder.path())
            .output()
            .expect("the command starts")
    };
    let expected = tilec.prints(&["tune", "list", "a.jsonl"], b"");
    assert_eq!(text_of(&run("a.jsonl").stdout), expected);
    assert_eq!(run("").status.code(), Some(1));
    for command in ["list", "show", "check"] {
        let stderr = tilec.fails(&["tune", command], b"");
        expect![[r#"
            error: no file of records is given; name one, or set `TILE_TUNING`
        "#]]
        .assert_eq(&stderr);
    }
    fails(
        &tilec,
        &["tune", "list", "absent.jsonl"],
        &expect![[r#"
        absent.jsonl:0:0: error: cannot read it: No such file or directory (os error 2)
    "#]],
    );
    fails(
        &tilec,
        &["tune", "prune", "absent.jsonl", "--kernel=f"],
        &expect![[r#"
            absent.jsonl:0:0: error: cannot read it: No such file or directory (os error 2)
        "#]],
    );
    fails(
        &tilec,
        &["tune", "merge", "absent.jsonl"],
        &expect![[r#"
        absent.jsonl:0:0: error: cannot read it: No such file or directory (os error 2)
    "#]],
    );
    assert!(!tilec.path("absent.jsonl").exists());
}

#[test]
fn files_are_merged_and_the_newer_record_is_kept() {
    let b = text([
        record("a::f", 1024, NEW),
        record("a::g", 2048, OLD),
        record("a::h", 1, OLD),
    ]);
    let tilec = Tilec::new().with("a.jsonl", three()).with("b.jsonl", &b);
    prints(
        &tilec,
        &["tune", "merge", "all.jsonl", "a.jsonl", "b.jsonl"],
        &expect![[r#"
            all.jsonl: 4 added, 1 replaced, 1 kept; 4 in all
        "#]],
    );
    prints(
        &tilec,
        &["tune", "merge", "other.jsonl", "b.jsonl", "a.jsonl"],
        &expect![[r#"
            other.jsonl: 4 added, 1 replaced, 1 kept; 4 in all
        "#]],
    );
    assert_eq!(tilec.read("all.jsonl"), tilec.read("other.jsonl"));
    prints(
        &tilec,
        &["tune", "merge", "all.jsonl", "a.jsonl"],
        &expect![[r#"
            all.jsonl: 0 added, 0 replaced, 3 kept; 4 in all
        "#]],
    );
    assert_eq!(tilec.prints(&["tune", "check", "b.jsonl"], b""), "");
    let all = [
        record("a::f", 1024, NEW),
        on_cpu("a::f"),
        record("a::g", 2048, NEW),
        record("a::h", 1, OLD),
    ];
    assert_eq!(text_of(&tilec.read("all.jsonl")), text(all));
    let listed = tilec.prints(&["tune", "list", "all.jsonl"], b"");
    assert_eq!(listed.matches(NEW).count(), 2, "{listed}");
}

/// Tests the two ways in which git leaves a file with records: a conflict, and the lines of both
/// sides one after another.
#[test]
fn what_git_leaves_is_merged_in_place() {
    let line = |kernel, date| record(kernel, 1, date).to_line();
    let conflict = format!(
        "{}\n<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> side\n",
        line("b", OLD),
        line("c", OLD),
        line("a", OLD)
    );
    let union = format!(
        "{}\n{}\n{}\n",
        line("b", OLD),
        line("a", OLD),
        line("b", NEW)
    );
    let tilec = Tilec::new()
        .with("conflict.jsonl", conflict)
        .with("union.jsonl", union);
    fails(
        &tilec,
        &["tune", "check", "conflict.jsonl", "union.jsonl"],
        &expect![[r#"
            conflict.jsonl:2:1: error: a conflict marker of git; the records of both sides are used, and `tilec tune merge FILE` writes them without it
            conflict.jsonl:4:1: error: a conflict marker of git; the records of both sides are used, and `tilec tune merge FILE` writes them without it
            conflict.jsonl:5:1: error: it belongs before line 3; `tilec tune merge conflict.jsonl` sorts the records
            conflict.jsonl:6:1: error: a conflict marker of git; the records of both sides are used, and `tilec tune merge FILE` writes them without it
            union.jsonl:2:1: error: it belongs before line 1; `tilec tune merge union.jsonl` sorts the records
            union.jsonl:3:1: error: line 1 is a record for the same case; `tilec tune merge union.jsonl` keeps the newer
        "#]],
    );
    prints(
        &tilec,
        &["tune", "merge", "conflict.jsonl"],
        &expect![[r#"
        conflict.jsonl: 0 added, 0 replaced, 0 kept; 3 in all
    "#]],
    );
    prints(
        &tilec,
        &["tune", "merge", "union.jsonl"],
        &expect![[r#"
        union.jsonl: 0 added, 0 replaced, 0 kept; 2 in all
    "#]],
    );
    assert_eq!(
        tilec.prints(&["tune", "check", "conflict.jsonl", "union.jsonl"], b""),
        ""
    );
    let merged = format!("{}\n{}\n", line("a", OLD), line("b", NEW));
    assert_eq!(text_of(&tilec.read("union.jsonl")), merged);
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_others_are_used() {
    let newer = record("z", 1, OLD)
        .to_line()
        .replacen("\"v\":1", "\"v\":2", 1);
    let bad = format!("{}{{\"v\":1,\"kernel\":\"a\x1b\n\n{newer}\n", three());
    let tilec = Tilec::new().with("a.jsonl", &bad);
    let list = ["tune", "list", "a.jsonl"];
    let listed = warns(
        &tilec,
        &list,
        &expect![[r#"
        a.jsonl:4:19: warning: expected `"`, found `\u{1b}`
        a.jsonl:6:7: warning: its format has version 2, and this version of tile-kernel reads up to 1; update tile-kernel, or tune again
    "#]],
    );
    let good = Tilec::new().with("a.jsonl", three());
    assert_eq!(listed, good.prints(&["tune", "list", "a.jsonl"], b""));
    let check = tilec.fails(&["tune", "check", "a.jsonl"], b"");
    let errors = check.replace(": error: ", ": warning: ");
    let mut lines = errors.lines();
    for expected in text_of(&tilec.run(&list).stderr).lines() {
        assert!(lines.any(|line| line == expected), "{check}");
    }
    // What cannot be read stays.
    warns(
        &tilec,
        &["tune", "prune", "a.jsonl", "--kernel=a::g"],
        &expect![[r#"
            a.jsonl:4:19: warning: expected `"`, found `\u{1b}`
            a.jsonl:6:7: warning: its format has version 2, and this version of tile-kernel reads up to 1; update tile-kernel, or tune again
        "#]],
    );
    let after = text_of(&tilec.read("a.jsonl"));
    assert_eq!(after.lines().count(), 4);
    assert!(after.ends_with(&format!("\u{1b}\n{newer}\n")), "{after}");
}

#[test]
fn a_check_says_which_records_are_of_no_use() {
    let odd = Record {
        hash: "12".to_owned(),
        date: "yesterday".to_owned(),
        ..record("a::h", 1, OLD)
    };
    let tilec = Tilec::new()
        .with("a.jsonl", three())
        .with("b.jsonl", text([odd]));
    fails(
        &tilec,
        &["tune", "check", "a.jsonl", "b.jsonl"],
        &expect![[r#"
            a.jsonl:1:1: error: no candidate was measured; tune it again, or remove the line
            b.jsonl:1:1: error: hash `12` is not 16 hexadecimal digits
            b.jsonl:1:1: error: date `yesterday` is not of the form `2026-01-31T12:00:00Z`
        "#]],
    );
    let stale = [
        "tune",
        "check",
        "a.jsonl",
        "--hash-of",
        "a::g=ffffffffffffffff",
    ];
    fails(
        &tilec,
        &stale,
        &expect![[r#"
        a.jsonl:1:1: error: no candidate was measured; tune it again, or remove the line
        a.jsonl:3:1: error: it is stale: `a::g` was edited since; tune it again, or remove it with `tilec tune prune`
    "#]],
    );
    let current = tilec.fails(
        &[
            "tune",
            "check",
            "a.jsonl",
            "--hash-of",
            "a::g=00112233aabbccdd",
        ],
        b"",
    );
    assert!(!current.contains("stale"), "{current}");
    let stderr = tilec.fails(&["tune", "check", "a.jsonl", "--hash-of", "a::g=12"], b"");
    assert!(stderr.contains("16 hexadecimal digits"), "{stderr}");
}

#[test]
fn records_are_pruned_by_conditions() {
    let case = |arguments: &[&str], expected: &Expect| {
        let tilec = Tilec::new().with("a.jsonl", three());
        let dry = [&["tune", "prune", "a.jsonl", "--dry-run"], arguments].concat();
        let said = tilec
            .prints(&dry, b"")
            .replace("would be removed", "removed");
        assert_eq!(text_of(&tilec.read("a.jsonl")), three());
        let real = [&["tune", "prune", "a.jsonl"], arguments].concat();
        let printed = tilec.prints(&real, b"");
        assert_eq!(printed, said);
        expected.assert_eq(&printed);
        let left = Records::parse(&text_of(&tilec.read("a.jsonl"))).0.len();
        assert!(printed.ends_with(&format!(" {left} left\n")), "{printed}");
    };
    case(
        &["--kernel", "a::f"],
        &expect![[r#"
        a::f; T = f32; n = 1024; AMD EPYC, avx512, 2 threads, clock host; 2026-01-31T12:00:00Z; hash 00112233aabbccdd
        a::f; T = f32; n = 1024; NVIDIA H100 80GB HBM3, driver 12.8; 2026-01-31T12:00:00Z; hash 00112233aabbccdd
        a.jsonl: 2 removed, 1 left
    "#]],
    );
    case(
        &["--kernel", "a::f", "--device", "EPYC"],
        &expect![[r#"
        a::f; T = f32; n = 1024; AMD EPYC, avx512, 2 threads, clock host; 2026-01-31T12:00:00Z; hash 00112233aabbccdd
        a.jsonl: 1 removed, 2 left
    "#]],
    );
    case(
        &["--not-device", "H100"],
        &expect![[r#"
        a::f; T = f32; n = 1024; AMD EPYC, avx512, 2 threads, clock host; 2026-01-31T12:00:00Z; hash 00112233aabbccdd
        a.jsonl: 1 removed, 2 left
    "#]],
    );
    case(
        &["--hash-of", "a::g=ffffffffffffffff"],
        &expect![[r#"
        a::g; T = f32; n = 2048; NVIDIA H100 80GB HBM3, driver 12.8; 2026-02-01T08:30:00Z; hash 00112233aabbccdd
        a.jsonl: 1 removed, 2 left
    "#]],
    );
    case(
        &["--hash-of", "a::g=00112233AABBCCDD"],
        &expect![[r#"
        a.jsonl: 0 removed, 3 left
    "#]],
    );
    case(
        &["--older-than", "4000000000"],
        &expect![[r#"
        a.jsonl: 0 removed, 3 left
    "#]],
    );
    let recent = Record {
        date: tile_core::tuning::date::now(),
        ..record("a::f", 1, OLD)
    };
    let undated = Record {
        date: "never".to_owned(),
        ..record("a::g", 1, OLD)
    };
    let old = record("a::h", 1, "2020-01-01T00:00:00Z");
    let tilec = Tilec::new().with("a.jsonl", text([recent, undated, old]));
    prints(
        &tilec,
        &["tune", "prune", "a.jsonl", "--older-than=30"],
        &expect![[r#"
            a::g; T = f32; n = 1; NVIDIA H100 80GB HBM3, driver 12.8; never; hash 00112233aabbccdd
            a::h; T = f32; n = 1; NVIDIA H100 80GB HBM3, driver 12.8; 2020-01-01T00:00:00Z; hash 00112233aabbccdd
            a.jsonl: 2 removed, 1 left
        "#]],
    );
    let no_condition = ["tune", "prune", "a.jsonl", "--dry-run"];
    fails(
        &tilec,
        &no_condition,
        &expect![[r#"
        error: no condition is given, and every record would be removed; give `--kernel`, `--older-than`, `--device`, `--not-device` or `--hash-of`
    "#]],
    );
}

#[test]
fn processes_that_merge_into_one_file_lose_nothing() {
    const WRITERS: u64 = 6;
    const COUNT: u64 = 8;
    let mut tilec = Tilec::new();
    for writer in 0..WRITERS {
        for number in 0..COUNT {
            let kernel = format!("writer_{writer}");
            let own = text([record(&kernel, number, OLD)]);
            tilec = tilec.with(&format!("{writer}_{number}.jsonl"), own);
        }
    }
    let spawn = |writer: u64, number: u64| {
        Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args([
                "tune",
                "merge",
                "all.jsonl",
                &format!("{writer}_{number}.jsonl"),
            ])
            .current_dir(tilec.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the command starts")
    };
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let spawn = &spawn;
            scope.spawn(move || {
                for number in 0..COUNT {
                    let status = spawn(writer, number).wait().expect("it ends");
                    assert!(status.success());
                }
            });
        }
    });
    assert_eq!(tilec.prints(&["tune", "check", "all.jsonl"], b""), "");
    let listed = tilec.prints(&["tune", "list", "all.jsonl", "--json"], b"");
    assert_eq!(
        listed.lines().count(),
        usize::try_from(WRITERS * COUNT).expect("few")
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_an_error_with_its_cure() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let tilec = Tilec::new().with("b.jsonl", three());
    let folder = tilec.path("folder");
    fs::create_dir(&folder).expect("a writable folder");
    fs::write(folder.join("a.jsonl"), three()).expect("writable");
    let set_mode = |path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("our folder");
    };
    set_mode(tilec.folder.path(), 0o755);
    set_mode(&folder, 0o555);
    let is_root = fs::write(folder.join("probe"), "").is_ok();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilec"));
        command.args(arguments).current_dir(tilec.folder.path());
        if is_root {
            // For root every folder is writable; for `nobody` it is not.
            command.uid(65534);
        }
        command.output()
    };
    let Ok(output) = run(&["tune", "merge", "folder/a.jsonl", "b.jsonl"]) else {
        // `nobody` cannot run the command.
        return;
    };
    set_mode(&folder, 0o755);
    let stderr = text_of(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.starts_with("folder/a.jsonl:0:0: error: cannot lock `"),
        "{stderr}"
    );
    assert!(stderr.contains("Permission denied"), "{stderr}");
    assert!(
        stderr.ends_with("; a new file replaces it, so its folder must be writable\n"),
        "{stderr}"
    );
    assert_eq!(text_of(&tilec.read("folder/a.jsonl")), three());
}

#[test]
fn streams_cannot_be_changed() {
    let tilec = Tilec::new();
    for arguments in [
        &["tune", "merge", "-"][..],
        &["tune", "prune", "-", "--kernel=f"],
    ] {
        let stderr = tilec.fails(arguments, b"");
        assert_eq!(
            stderr,
            "error: standard input cannot be changed; name a file\n"
        );
    }
}

/// A kernel that does nothing, under the name that the attribute gives to the variant of `matmul` for any tensors.
const MODULE: &str =
    "cuda_tile.module @m { cuda_tile.entry @matmul__general() { cuda_tile.return } }";

#[test]
fn the_explanation_of_a_schedule_has_the_records_of_the_kernel() {
    let mut other_gpu = record("a::matmul", 1024, OLD);
    other_gpu.arch = "sm_80".to_owned();
    let mut simulated = record("a::matmul", 64, OLD);
    simulated.arch = "sim".to_owned();
    simulated.candidates.truncate(1);
    let records = [
        record("a::matmul", 1024, OLD),
        record("a::matmul_transposed", 1024, OLD),
        other_gpu,
        simulated,
    ];
    let tilec = Tilec::new()
        .with("a.jsonl", text(records))
        .with("m.mlir", MODULE);
    let build = |arch, more: &[&'static str]| {
        let build = ["build", "m.mlir", "--emit=gpu", "-o", "m.gpu", arch];
        [&build[..], more].concat()
    };
    let explained = |arch, more: &[&'static str]| {
        let output = tilec.run(&build(arch, more));
        let text = text_of(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{text}");
        let start = text.find("records of");
        start.map_or_else(String::new, |start| text[start..].to_owned())
    };
    let both = ["--explain-schedule", "--records=a.jsonl"];
    assert_eq!(explained("--arch=sm_90a", &["--explain-schedule"]), "");
    expect![[r#"
        records of `matmul__general` in a.jsonl:
          a::matmul; T = f32; n = 1024
          NVIDIA H100 80GB HBM3, driver 12.8, sm_90a; 2026-01-31T12:00:00Z, version 0.1.0, hash 00112233aabbccdd
          candidate  time             runs  model    corrected  outcome
          BM = 64    12.5 µs ± 1.2 %  40    10.0 µs  12.5 µs    measured
          BM = 128   25.0 µs ± 1.2 %  40    10.0 µs  12.5 µs    measured
          BM = 32    100 ms ± 1.2 %   40    10.0 µs  12.5 µs    measured
          BM = 256   -                0     -        -          failed: needs 400 KiB of shared memory
          BM = 16    1.00 µs ± 1.2 %  40    10.0 µs  12.5 µs    wrong: element 3 differs

          a::matmul; T = f32; n = 64
          NVIDIA H100 80GB HBM3, driver 12.8, sim; 2026-01-31T12:00:00Z, version 0.1.0, hash 00112233aabbccdd
          candidate  time             runs  model    corrected  outcome
          BM = 64    12.5 µs ± 1.2 %  40    10.0 µs  12.5 µs    measured
    "#]].assert_eq(&explained("--arch=sm_90a", &both));
    let of_others = explained("--arch=sm_120", &both);
    assert!(of_others.contains("driver 12.8, sim;") && !of_others.contains("sm_90"));
    let without = Tilec::new().with("b.jsonl", text([record("b::g", 1, OLD)]));
    let without = without.with("m.mlir", MODULE);
    let output = without.run(&build(
        "--arch=sm_90",
        &["--explain-schedule", "--records=b.jsonl"],
    ));
    assert!(text_of(&output.stderr).ends_with(
        "records of `matmul__general` in b.jsonl: none of this kernel and these architectures\n"
    ));
    fails(
        &tilec,
        &build("--arch=sm_90a", &["--records=a.jsonl"]),
        &expect![[r#"
            error: the following required arguments were not provided:
              --explain-schedule

            Usage: tilec build --explain-schedule --emit <EMIT> --output-file <OUTPUT> --gpu-name <ARCHS> --records <FILE> <FILE>

            For more information, try '--help'.
        "#]],
    );
    fails(
        &tilec,
        &build(
            "--arch=sm_90a",
            &["--explain-schedule", "--records=none.jsonl"],
        ),
        &expect![[r#"
            sm_90a: schedule of `matmul__general`
              warps          1 warp                       24 registers <= 128  chosen: the first number that fits
              raster order   in groups                                         refused: no matmul whose operands each depend on one grid axis
              cluster split  1 block per work tile                             chosen: the target or the launch has no clusters
              masks          block-skipping                                    refused: no loop consists of a branch on its induction variable
              masks          mask-elision                                      refused: no loop has a mask whose elements have known bounds
              masks          lazy-rescaling                                    refused: no loop multiplies a sum by the growth of a maximum
              raster order   longest first                                     refused: no axis of the grid along which loops have more or fewer iterations
              roles          producer warps, persistence                       refused: the launch passes no tensor maps
              chosen: 1 warp; one work tile per block, loads where they are used
            none.jsonl:0:0: error: cannot read it: No such file or directory (os error 2)
        "#]],
    );
}
