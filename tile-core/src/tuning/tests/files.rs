//! Tests of updates of files, by threads and processes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{DATE, record};
use crate::tuning::file::update;
use crate::tuning::{Record, Records};

const FILE: &str = "TILE_TEST_TUNING_FILE";
const WRITER: &str = "TILE_TEST_TUNING_WRITER";

fn insert(path: &Path, record: Record) {
    let bad_lines = update(path, |records| {
        records.insert(record);
    });
    assert_eq!(bad_lines.expect("the file is updated"), []);
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_and_its_folder_are_created_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a/b/tuning.jsonl");
    assert_eq!(
        Records::read(&path).expect("no file is no error"),
        (Records::new(), Vec::new())
    );
    insert(&path, record("f", "n = 7", DATE));
    insert(&path, record("g", "n = 7", DATE));
    let (records, _) = Records::read(&path).expect("it was written");
    assert_eq!(records.len(), 2);
    assert_eq!(fs::read_to_string(&path).expect("text"), records.to_text());
    let stays: &[&str] = if cfg!(unix) {
        &["tuning.jsonl"]
    } else {
        &[".tuning.jsonl.lock", "tuning.jsonl"]
    };
    assert_eq!(names(path.parent().expect("a folder")), stays);
}

#[test]
fn lines_that_cannot_be_read_stay_and_conflict_markers_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tuning.jsonl");
    let line = |kernel: &str| record(kernel, "n = 7", DATE).to_line();
    let newer = line("z").replacen("\"v\":1", "\"v\":9", 1);
    let before = format!(
        "{newer}\r\n<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> side\n{{\"v\":",
        line("b"),
        line("a")
    );
    let mut before = before.into_bytes();
    before.push(0xff);
    fs::write(&path, &before).expect("writable");
    let bad_lines = update(&path, |records| {
        records.insert(record("c", "n = 7", DATE));
    });
    assert_eq!(bad_lines.expect("it is updated").len(), 5);
    let mut expected = format!(
        "{}\n{}\n{}\n{newer}\r\n{{\"v\":",
        line("a"),
        line("b"),
        line("c")
    );
    expected.push_str("\u{fffd}\n");
    let after = fs::read(&path).expect("it is there");
    assert_eq!(String::from_utf8_lossy(&after), expected);
    // Again, without a change.
    assert_eq!(update(&path, |_| {}).expect("it is updated").len(), 2);
    assert_eq!(fs::read(&path).expect("it is there"), after);
}

#[test]
fn a_path_of_no_file_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = update(folder.path(), |_| {}).expect_err("it is a folder");
    assert!(error.to_string().contains("cannot read"), "{error}");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writable");
    let error = update(&file.join("tuning.jsonl"), |_| {}).expect_err("a file is no folder");
    assert!(error.to_string().contains("file"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tuning.jsonl");
    let link = folder.path().join("link");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let plain = folder.path().join("plain");
    fs::write(&plain, "").expect("writable");
    insert(&path, record("f", "n = 7", DATE));
    assert_eq!(mode(&path), mode(&plain));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("our file");
    symlink("tuning.jsonl", &link).expect("a link");
    insert(&link, record("g", "n = 7", DATE));
    assert_eq!(mode(&path), 0o640);
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(Records::read(&path).expect("it is there").0.len(), 2);
}

/// Adds records of this writer, and reads meanwhile.
fn write(path: &Path, writer: &str, count: usize) {
    for number in 0..count {
        insert(path, record(writer, &format!("n = {number}"), DATE));
        let (records, bad_lines) = Records::read(path).expect("it is there");
        assert_eq!(bad_lines, [], "a reader sees whole files");
        let own = records.iter().filter(|it| it.kernel == writer).count();
        assert_eq!(own, number + 1);
    }
}

#[test]
fn threads_and_processes_that_write_at_once_lose_nothing() {
    const COUNT: usize = 20;
    if let (Some(path), Ok(writer)) = (std::env::var_os(FILE), std::env::var(WRITER)) {
        return write(Path::new(&path), &writer, COUNT);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tuning.jsonl");
    let name = std::thread::current()
        .name()
        .expect("a test has a name")
        .to_owned();
    let mut children: Vec<_> = (0..4)
        .map(|number| {
            Command::new(std::env::current_exe().expect("this test"))
                .args(["--exact", &name, "--quiet", "--test-threads=1"])
                .env(FILE, &path)
                .env(WRITER, format!("process_{number}"))
                .stdout(Stdio::null())
                .spawn()
                .expect("a child")
        })
        .collect();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let path = &path;
            scope.spawn(move || write(path, &format!("thread_{number}"), COUNT));
        }
    });
    for child in &mut children {
        assert!(child.wait().expect("an end").success());
    }
    let (records, bad_lines) = Records::read(&path).expect("it is there");
    assert_eq!(bad_lines, []);
    assert_eq!(records.len(), 8 * COUNT);
}

/// Kills a writer again and again: what is read afterwards is a whole file, and the next writer is
/// not kept waiting.
#[test]
fn a_writer_that_is_killed_leaves_a_whole_file() {
    const KILLED: &str = "TILE_TEST_TUNING_KILLED";
    if let Some(path) = std::env::var_os(KILLED) {
        let path = Path::new(&path);
        let first = Records::read(path).expect("readable").0.len();
        // A parent that fails does not kill it.
        let start = Instant::now();
        for number in (first..).take_while(|_| start.elapsed().as_secs() < 60) {
            insert(path, record("killed", &format!("n = {number}"), DATE));
        }
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tuning.jsonl");
    let name = std::thread::current()
        .name()
        .expect("a test has a name")
        .to_owned();
    let count = || {
        let (records, bad_lines) = Records::read(&path).expect("it can be read");
        assert_eq!(bad_lines, []);
        records.len()
    };
    for round in 0..8 {
        let before = count();
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", &name, "--quiet", "--test-threads=1"])
            .env(KILLED, &path)
            .stdout(Stdio::null())
            .spawn()
            .expect("a child");
        let start = Instant::now();
        while count() < before + 2 + round && start.elapsed().as_secs() < 60 {
            std::thread::yield_now();
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let after = count();
        assert!(
            after >= before + 2 + round,
            "round {round}: {before} {after}"
        );
        insert(&path, record("survivor", &format!("n = {round}"), DATE));
        assert_eq!(count(), after + 1);
    }
}
