//! Runs kernels that were compiled elsewhere, with their arguments, and compares the results with those of
//! the interpreter. The tests of `tile-backend` write the files with these cases (`TILE_RUN_EXPORT`).
//!
//! `TILE_CASES=FOLDER` runs all files of a folder on the first GPU, or on `TILE_CASES_DEVICE=sim`, and prints
//! lines of JSON for each; `TILE_CASES_FROM=N` skips the first N. After an error of the driver, no further
//! call works in the process. The program then exits with status 3, and must be started again for the next
//! case. Without `TILE_CASES`, the files in `sample/` run on the simulated GPU.
//!
//! Every buffer is surrounded by guard bytes that must be unchanged afterwards.

mod case;
mod checks;
mod close;
mod compare;
mod input;
mod launch;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use tile_kernel::Device;

use self::case::Case;
use self::launch::Outcome;

/// The exit status that requests a restart for the next case.
const AGAIN: u8 = 3;

pub(crate) fn main() -> ExitCode {
    match env::var_os("TILE_CASES") {
        Some(folder) => stream(Path::new(&folder)),
        None => sample(),
    }
}

/// Returns the files of a folder, ordered by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of cases is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "case")
        })
        .collect();
    files.sort();
    files
}

fn sample() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/sample");
    let trials = files(&folder).into_iter().map(|path| {
        let name = name(&path);
        Trial::test(name, move || match run(&path, &Device::sim()) {
            Outcome::Same => Ok(()),
            Outcome::Other(what) | Outcome::Broken(what) => Err(Failed::from(what)),
        })
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(Trial::test("what_differs_is_found", what_differs_is_found));
    trials.extend([
        Trial::test("inputs_are_made_again", checks::inputs_are_made_again),
        Trial::test(
            "fingerprints_tell_buffers_apart",
            checks::fingerprints_tell_buffers_apart,
        ),
    ]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Tests that every case fails if its expected results are changed.
fn what_differs_is_found() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/sample");
    for path in files(&folder) {
        let mut case = Case::read(&path)?;
        let ends = case.fault.take().is_none();
        let mut expected = if ends {
            case.interpreted()?
        } else {
            vec![vec![0; 4]]
        };
        *expected
            .last_mut()
            .and_then(|bytes| bytes.last_mut())
            .ok_or("a byte")? ^= 0x40;
        let result = launch::against(&case, &expected, &Device::sim());
        case.fingerprint ^= 1;
        let of_others = launch::run(&case, &Device::sim());
        if matches!(result, Outcome::Same) || matches!(of_others, Outcome::Same) {
            return Err(format!("{}: nothing differs", name(&path)).into());
        }
    }
    Ok(())
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn run(path: &Path, device: &Device) -> Outcome {
    match Case::read(path) {
        Ok(case) => launch::run(&case, device),
        Err(what) => Outcome::Other(what),
    }
}

#[expect(clippy::print_stdout, reason = "what the program is for")]
fn stream(folder: &Path) -> ExitCode {
    let from = env::var("TILE_CASES_FROM").ok();
    let from = from.and_then(|text| text.parse().ok()).unwrap_or(0);
    let is_simulated = env::var("TILE_CASES_DEVICE").is_ok_and(|device| device == "sim");
    let device = if is_simulated {
        Ok(Device::sim())
    } else {
        Device::cuda(0)
    };
    let device = match device {
        Ok(device) => device,
        Err(error) => {
            println!("{}", serde_json::json!({ "error": error.to_string() }));
            return ExitCode::FAILURE;
        }
    };
    let files = files(folder);
    println!("{}", serde_json::json!({ "of": files.len() }));
    for (number, path) in files.iter().enumerate().skip(from) {
        let begun = serde_json::json!({ "number": number, "case": name(path) });
        println!("{begun}");
        // If a case hangs, the output must already name it.
        let _flushed = std::io::stdout().flush();
        let outcome = run(path, &device);
        let (what, message) = match &outcome {
            Outcome::Same => ("same", ""),
            Outcome::Other(message) => ("other", message.as_str()),
            Outcome::Broken(message) => ("broken", message.as_str()),
        };
        let ended = serde_json::json!({ "number": number, "outcome": what, "message": message });
        println!("{ended}");
        if matches!(outcome, Outcome::Broken(_)) || launch::is_exhausted(path) && !is_simulated {
            return ExitCode::from(AGAIN);
        }
    }
    ExitCode::SUCCESS
}
