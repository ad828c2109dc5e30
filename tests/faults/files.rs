//! Folders and files of the compiler cannot be used: temporary files, the cache, artifacts of a crate.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::Case;
use crate::harness::Expected::{Code, Error, Warning};
use crate::harness::Need::{Nothing, Ptxas};
use crate::place::{Place, ptxas, text};

/// The files of entries in the cache.
fn entries(cache: &Path) -> Vec<PathBuf> {
    let mut files = Place::files(&cache.join("artifacts"));
    files.retain(|file| file.file_name().is_some_and(|name| name.len() == 62));
    files
}

/// Returns the number of variants that were taken from the cache, and of those that were compiled.
fn counted(output: &std::process::Output) -> [usize; 2] {
    let said = text(output);
    ["cache hit", "compiled;"].map(|sign| said.matches(sign).count())
}

/// Changes each entry of the cache between two builds. Returns the output of a third build.
fn with_changed_entries(place: &mut Place, change: fn(&mut Vec<u8>)) -> std::process::Output {
    let cache = place.with_cache();
    place.set("TILE_TIME", "1");
    // Two kernels in two variants each.
    assert_eq!(counted(&place.build()), [0, 4]);
    for file in entries(&cache) {
        let mut bytes = fs::read(&file).expect("an entry");
        change(&mut bytes);
        fs::write(file, bytes).expect("our file");
    }
    assert_eq!(counted(&place.build()), [0, 4]);
    let output = place.build();
    assert_eq!(counted(&output), [4, 0]);
    output
}

/// Writes the artifacts that the crate ships, and returns their files.
fn shipped(place: &mut Place) -> Vec<PathBuf> {
    place.set("TILE_ARTIFACTS", "write");
    place.built();
    place.unset("TILE_ARTIFACTS");
    let files = Place::files(&place.path("tile-artifacts"));
    // Two kernels: `fast`, `general`, and native code.
    assert_eq!(files.len(), 6, "{files:?}");
    files
}

fn check(place: &mut Place) -> std::process::Output {
    place.set("TILE_ARTIFACTS", "check");
    place.build()
}

fn truncate(file: &Path) {
    let bytes = fs::read(file).expect("our file");
    fs::write(file, &bytes[..bytes.len() / 2]).expect("our file");
}

pub(crate) const CASES: &[Case] = &[
    Case {
        fault: "the folder of `TMPDIR` is missing",
        need: Nothing,
        build: |place| {
            let absent = place.path("tmp");
            place.set("TMPDIR", absent);
            place.build()
        },
        expected: Error("the compiler's worker could not be run: No such file or directory"),
    },
    Case {
        fault: "the disk of `TMPDIR` is full",
        need: Nothing,
        build: |place| {
            let file = place.write("tmp/other", "");
            let folder = file.parent().expect("it is in a folder").to_owned();
            let ptxas = place.script("ptxas", "exec cat kernel.ptx");
            place.rule("full", &folder);
            place.set("TMPDIR", folder);
            place.set("TILE_FATBINARY", &ptxas);
            place.set("TILE_PTXAS", ptxas);
            place.build()
        },
        expected: Error("cannot write the PTX for `ptxas`: No space left on device"),
    },
    Case {
        fault: "the target folder cannot be written",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            let output = place.build();
            // Two kernels: `fast`, `general`, and native code.
            assert_eq!(entries(&cache).len(), 6);
            output
        },
        expected: Code("artifacts are kept in `<cache>`"),
    },
    Case {
        fault: "the cache is read-only",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            place.rule("read-only", &cache);
            let output = place.build();
            assert!(entries(&cache).is_empty());
            output
        },
        expected: Code("kernels are compiled in every build"),
    },
    Case {
        fault: "the disk of the cache is full",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            place.rule("full", &cache);
            let output = place.build();
            assert!(Place::files(&cache.join("artifacts")).is_empty());
            output
        },
        expected: Code("kernels are compiled in every build"),
    },
    Case {
        fault: "entries of the cache may not be read",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            place.built();
            place.rule("unreadable", &cache);
            place.build()
        },
        expected: Code("kernels are compiled in every build"),
    },
    Case {
        fault: "an entry of the cache is truncated",
        need: Nothing,
        build: |place| with_changed_entries(place, |bytes| bytes.truncate(bytes.len() / 2)),
        expected: Code("the kernel is compiled, and the entry written anew"),
    },
    Case {
        fault: "an entry is of another version",
        need: Nothing,
        build: |place| with_changed_entries(place, |bytes| bytes[7] = b'9'),
        expected: Code("the kernel is compiled, and the entry written anew"),
    },
    Case {
        fault: "a process that died has left the lock of the cache and a half-written entry",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            place.write("cache/artifacts/.lock", "");
            place.write("cache/artifacts/00/.new-AbCdEf", "TILE");
            // Every entry exceeds this size, so each build wants the lock.
            place.set("TILE_CACHE_SIZE", "1");
            let output = place.build();
            assert!(entries(&cache).is_empty());
            output
        },
        expected: Code("both are passed over"),
    },
    Case {
        fault: "two builds run at once with an empty cache",
        need: Nothing,
        build: |place| {
            let cache = place.with_cache();
            let builds = ["one", "other"].map(|program| place.start(program));
            for build in builds {
                let output = build.wait_with_output().expect("it ends");
                assert!(output.status.success(), "{}", text(&output));
            }
            for program in ["one", "other"] {
                let status = std::process::Command::new(place.path(program)).status();
                assert!(status.expect("it starts").success());
            }
            // Two kernels: `fast`, `general`, and native code.
            assert_eq!(entries(&cache).len(), 6);
            place.set("TILE_TIME", "1");
            let output = place.build();
            assert_eq!(counted(&output), [4, 0]);
            output
        },
        expected: Code("each compiles, and either's entries are whole"),
    },
    Case {
        fault: "an artifact of the crate is damaged, and LLVM is there",
        need: Nothing,
        build: |place| {
            truncate(&shipped(place)[0]);
            place.build()
        },
        expected: Code("the kernel is compiled"),
    },
    Case {
        fault: "an artifact of the crate is damaged, and there is no LLVM",
        need: Nothing,
        build: |place| {
            for file in shipped(place) {
                truncate(&file);
            }
            place.without_llvm(&[]);
            let output = place.build();
            let said = text(&output);
            let note = ".artifact` is damaged, or of a version with another format; `TILE_ARTIFACTS=write cargo build`";
            assert!(said.contains(note), "{said}");
            output
        },
        expected: Warning("`rustc` has no shared library of LLVM"),
    },
    Case {
        fault: "the artifacts are whole, and there is no LLVM",
        need: Nothing,
        build: |place| {
            shipped(place);
            place.without_llvm(&[]);
            place.build()
        },
        expected: Code("they are taken"),
    },
    Case {
        fault: "`TILE_ARTIFACTS=check`: an artifact is missing",
        need: Nothing,
        build: |place| {
            fs::remove_file(&shipped(place)[0]).expect("our file");
            check(place)
        },
        expected: Error(".artifact` is missing"),
    },
    Case {
        fault: "it is truncated",
        need: Nothing,
        build: |place| {
            truncate(&shipped(place)[0]);
            check(place)
        },
        expected: Error(".artifact` is damaged, or of a version with another format"),
    },
    Case {
        fault: "it is of a newer version",
        need: Nothing,
        build: |place| {
            let file = &shipped(place)[0];
            let mut bytes = fs::read(file).expect("our file");
            bytes[7] = b'9';
            fs::write(file, bytes).expect("our file");
            check(place)
        },
        expected: Error(".artifact` is damaged, or of a version with another format"),
    },
    Case {
        fault: "it may not be read",
        need: Nothing,
        build: |place| {
            let file = shipped(place).remove(0);
            place.rule("unreadable", &file);
            check(place)
        },
        expected: Error(".artifact` cannot be read: Permission denied"),
    },
    Case {
        fault: "it is that of another kernel",
        need: Nothing,
        build: |place| {
            let files = shipped(place);
            fs::copy(&files[2], &files[0]).expect("our files");
            check(place)
        },
        expected: Error(".artifact` holds the code of another kernel"),
    },
    Case {
        fault: "it was made with another tool chain",
        need: Ptxas,
        build: |place| {
            shipped(place);
            let ptxas = ptxas().expect("the case needs it");
            place.set("TILE_FATBINARY", ptxas.with_file_name("fatbinary"));
            place.set("TILE_PTXAS", ptxas);
            check(place)
        },
        expected: Error(".artifact` differs from what this compiler generates"),
    },
    Case {
        fault: "`TILE_ARTIFACTS=write`: the folder is read-only",
        need: Nothing,
        build: |place| {
            let folder = place.path("tile-artifacts");
            place.rule("read-only", &folder);
            place.set("TILE_ARTIFACTS", "write");
            place.build()
        },
        expected: Error("Read-only file system"),
    },
    Case {
        fault: "`TILE_ARTIFACTS` has another value",
        need: Nothing,
        build: |place| {
            place.set("TILE_ARTIFACTS", "sometimes");
            place.build()
        },
        expected: Error("`TILE_ARTIFACTS` is `sometimes`"),
    },
];
