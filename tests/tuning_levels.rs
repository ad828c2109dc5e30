//! Tuning over levels of native code on the CPU device. The code is written in Rust here, and takes as long as a test wants;
//! `tests/tuning.rs` tunes what the compiler generates.

#![cfg(target_arch = "x86_64")]
#![expect(clippy::print_stdout, reason = "some tests read what others print")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tile_kernel::__private::{
    Candidate, Instance, KernelImage, KeyClass, KeyImage, NativeImage, NativeLaunch, NativeLevel,
    PartImage, Tuning, VariantImage, VariantKind, Work, exclusive, grid, grids, tuned,
};
use tile_kernel::tuning::{ChosenBy, Tuned, Tuner, add_records};
use tile_kernel::{Device, Error, Result, Tensor, TunedLaunch};

/// The instances and levels that ran since a test began, each as 10 times the instance plus the level.
static RAN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// By how many microseconds the code of the first instance takes longer with AVX2.
static SLOWED: AtomicU64 = AtomicU64::new(0);

/// Native code of one block: takes so many microseconds, notes what ran, and stores a number to the first element.
unsafe extern "sysv64" fn code<const MICROS: u64, const RAN_IT: u64, const VALUE: i32>(
    launch: &NativeLaunch,
    _: *mut u8,
    _: u64,
    _: u64,
) -> u64 {
    let start = Instant::now();
    RAN.lock().expect("no test panics here").insert(RAN_IT);
    // SAFETY: the first word is the address of the tensor.
    unsafe { (*launch.args as *mut i32).write(VALUE) };
    let slowed = if RAN_IT == 11 {
        SLOWED.load(Ordering::Relaxed)
    } else {
        0
    };
    while start.elapsed() < Duration::from_micros(MICROS + slowed) {
        std::hint::spin_loop();
    }
    u64::MAX
}

static VARIANTS: [VariantImage; 1] = [VariantImage::new(VariantKind::General, "k", &[], &[])];

/// The model takes it for work on elements, which a level with half of the lanes does in twice the time.
static PARTS: [PartImage; 1] = [PartImage {
    work: Work {
        elements: 1e5,
        products: 0.0,
        packed: 0.0,
        loaded: 0.0,
        stored: 0.0,
        scattered: 0.0,
        operations: 0.0,
    },
    trips: &[],
}];

static KEY: [KeyImage; 1] = [KeyImage {
    name: "y.dim(0)",
    param: 0,
    axis: Some(0),
    class: KeyClass::Exact,
}];

/// Defines a kernel with three instances, of which each has code of two levels with these times and values.
macro_rules! kernel {
    ($launch:ident, $name:literal, [$(($number:literal, $baseline:literal, $avx2:literal, $value:literal)),+]) => {
        fn $launch(y: &mut Tensor<i32, 1>) -> TunedLaunch<'_> {
            static CANDIDATES: [Candidate; 3] = [$(Candidate {
                name: concat!("N = ", $number),
                instance: || {
                    static NATIVE: [NativeImage; 2] = [
                        NativeImage {
                            level: NativeLevel::Baseline,
                            run: code::<$baseline, { 10 * $number }, $value>,
                            scratch_bytes: 64,
                            in_order: false,
                        },
                        NativeImage {
                            level: NativeLevel::Avx2,
                            run: code::<$avx2, { 10 * $number + 1 }, 1>,
                            scratch_bytes: 64,
                            in_order: false,
                        },
                    ];
                    static INSTANCE: Instance = Instance::new(KernelImage {
                        native: &NATIVE,
                        ..KernelImage::new($name, ("src/k.rs", 9), &["y"], &VARIANTS, b"")
                    });
                    &INSTANCE
                },
                parts: &PARTS,
            }),+];
            static TUNING: Tuning = Tuning::new($name, "0011223344556677", "", &CANDIDATES, &KEY);
            let grid = grid(y.tiles([1 << 20]));
            tuned(&TUNING, grids(&[grid; 3]), [exclusive(y)])
        }
    };
}

// For each instance its number, the microseconds of its code at the baseline and with AVX2, and what the former computes.
kernel!(
    faster,
    "faster",
    [(1, 50, 230, 1), (2, 120, 200, 1), (3, 600, 400, 1)]
);
kernel!(
    slower,
    "slower",
    [(1, 1900, 300, 1), (2, 1800, 200, 1), (3, 1700, 400, 1)]
);
kernel!(
    wrong,
    "wrong",
    [(1, 100, 300, 2), (2, 100, 200, 2), (3, 100, 400, 1)]
);

kernel!(
    changing,
    "changing",
    [(1, 1900, 200, 1), (2, 1900, 220, 1), (3, 1900, 1500, 1)]
);

kernel!(
    large,
    "large",
    [(1, 100, 100, 1), (2, 100, 100, 1), (3, 100, 100, 1)]
);

/// Returns `false` on a machine that has one level only.
fn has_two_levels() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi2")
}

fn tuner() -> Tuner {
    Tuner::new().time(Duration::from_millis(50))
}

fn tensor(n: usize) -> Result<Tensor<i32, 1>> {
    Tensor::zeros(&Device::cpu(), [n])
}

/// Tunes a launch until it finds what is expected: on a machine that does something else at the same time, one measurement in some
/// is wrong.
fn tune_until(
    launch: fn(&mut Tensor<i32, 1>) -> TunedLaunch<'_>,
    y: &mut Tensor<i32, 1>,
    is_expected: impl Fn(&Tuned) -> bool,
) -> Result<Tuned> {
    for _ in 0..20 {
        let tuned = tuner().again().tune(&launch(y))?;
        if is_expected(&tuned) {
            return Ok(tuned);
        }
        println!("{tuned}");
    }
    panic!("20 measurements found something else")
}

/// Excludes other tests, which would take the cores.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the names of the candidates that were measured, sorted.
fn measured(tuned: &Tuned) -> Vec<&str> {
    let mut names: Vec<&str> = tuned.times().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// Returns what runs while `work` does.
fn ran(work: impl FnOnce() -> Result<()>) -> Result<Vec<u64>> {
    RAN.lock().expect("no test panics here").clear();
    work()?;
    Ok(RAN
        .lock()
        .expect("no test panics here")
        .iter()
        .copied()
        .collect())
}

#[test]
fn levels_are_measured_chosen_and_predicted() -> Result<()> {
    let _alone = alone();
    if !has_two_levels() {
        return Ok(());
    }
    let mut y = tensor(10)?;
    // Without a record, the highest level runs.
    let choice = faster_tuned_by(&mut y, ChosenBy::Model)?;
    assert_eq!(choice, "N = 1");
    assert_eq!(ran(|| faster(&mut y).launch())?, [11]);

    // The fastest instance is measured at a lower level. It is faster, so that others are too, if they are not far behind.
    y.fill(7)?;
    let all = [
        "N = 1",
        "N = 1 at baseline",
        "N = 2",
        "N = 2 at baseline",
        "N = 3",
    ];
    let is_expected =
        |tuned: &Tuned| measured(tuned) == all && tuned.winner() == "N = 1 at baseline";
    let tuned = tune_until(faster, &mut y, is_expected)?;
    assert_eq!(y.to_vec()?, [7; 10]);
    assert_eq!(
        faster_tuned_by(&mut y, ChosenBy::Record)?,
        "N = 1 at baseline"
    );
    assert_eq!(ran(|| faster(&mut y).launch())?, [10]);
    assert_eq!(y.to_vec()?[..2], [1, 7]);

    // Any candidate can be launched by name, and a record has the names.
    assert_eq!(
        ran(|| faster(&mut y).candidate("N = 3 at baseline")?.launch())?,
        [30]
    );
    assert_eq!(ran(|| faster(&mut y).candidate("N = 3")?.launch())?, [31]);
    let error = faster(&mut y).candidate("N = 3 at avx2").err();
    let Some(Error::NotCompiled { listed, .. }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(listed.len(), 6, "{listed:?}");
    assert!(
        tuned
            .to_line()
            .contains(r#"{"name":"N = 1 at baseline","seconds":"#)
    );

    // Where nothing was measured, the records of other extents say that the lower level is faster.
    let mut other = tensor(11)?;
    assert_eq!(
        faster_tuned_by(&mut other, ChosenBy::Records)?,
        "N = 1 at baseline"
    );
    assert_eq!(ran(|| faster(&mut other).launch())?, [10]);

    // All of them are measured if that is asked for.
    let exhaustive = tuner().exhaustive().again();
    assert_eq!(measured(&exhaustive.tune(&faster(&mut y))?).len(), 6);
    Ok(())
}

/// Returns the choice for a launch of `faster`, which must be made in this way.
fn faster_tuned_by(y: &mut Tensor<i32, 1>, by: ChosenBy) -> Result<&'static str> {
    let choice = faster(y).choice()?;
    assert_eq!(choice.by, by);
    assert_eq!(choice.candidates.len(), 6);
    Ok(choice.name)
}

/// All measurements count, and later ones are of those candidates that may be the fastest, until one is known.
#[test]
#[ignore = "a process of its own"]
fn a_refined_record_has_both_measurements() -> Result<()> {
    let mut y = tensor(10)?;
    let refine = || tuner().refine().tune(&changing(&mut tensor(10)?));
    // There is no record, so all candidates are measured.
    assert!(refine()?.times().count() >= 3);
    let seconds = |tuned: &Tuned, name: &str| {
        let mut times = tuned.times();
        times.find(|(it, _)| *it == name).expect("it is measured").1
    };
    // As often as the machine does something else meanwhile.
    let mut attempts = 0..20;
    loop {
        SLOWED.store(0, Ordering::Relaxed);
        let tuned = tune_until(changing, &mut y, |tuned| {
            let times = |name| seconds(tuned, name) / seconds(tuned, "N = 1");
            (1.0..1.4).contains(&times("N = 2")) && times("N = 3") > 5.0
        })?;
        SLOWED.store(200, Ordering::Relaxed);
        let mut refined = tuned.clone();
        let ran = ran(|| {
            refined = refine()?;
            Ok(())
        })?;
        assert_eq!(ran, [11, 21], "the others are too slow");
        let ratio = |tuned: &Tuned| seconds(tuned, "N = 3") / seconds(tuned, "N = 2");
        if refined.winner() == "N = 2"
            && seconds(&refined, "N = 1") < 3.9e-4
            && ratio(&refined) > ratio(&tuned)
        {
            break;
        }
        assert!(attempts.next().is_some(), "{tuned}{refined}");
    }
    let choice = changing(&mut y).choice()?;
    assert_eq!((choice.name, choice.by), ("N = 2", ChosenBy::Record));
    // The first instance is faster again, and in the end it is known.
    SLOWED.store(0, Ordering::Relaxed);
    let mut last = refine()?;
    for _ in 0..60 {
        if last.spent() == Duration::ZERO {
            break;
        }
        last = refine()?;
    }
    assert_eq!(last.spent(), Duration::ZERO, "{last}");
    assert!(ran(|| refine().map(drop))?.is_empty());
    assert!(last.to_line().contains("\"repeats\":"));
    // Another measurement forgets them.
    SLOWED.store(200, Ordering::Relaxed);
    tune_until(changing, &mut y, |tuned| seconds(tuned, "N = 1") > 3.9e-4)?;
    Ok(())
}

/// What a kernel writes may take longer to copy and to compare than the tuner may measure. A candidate is measured in several
/// launches all the same, not in the one that follows the copy.
#[test]
#[ignore = "a process of its own"]
fn large_results_leave_time_for_measuring() -> Result<()> {
    let mut y = tensor(4 << 20)?;
    let runs = |tuned: &Tuned| {
        let line = tuned.to_line();
        ["N = 1", "N = 2"].map(|name| {
            let (_, rest) = line
                .split_once(&format!("{{\"name\":\"{name}\","))
                .expect("a candidate");
            let (_, rest) = rest.split_once("\"runs\":").expect("its launches");
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            digits
                .and_then(|it| it.parse::<u64>().ok())
                .expect("a number")
        })
    };
    for _ in 0..20 {
        let tuner = Tuner::new().time(Duration::from_millis(40));
        let tuned = tuner.again().tune(&large(&mut y))?;
        let tuner = Tuner::new().time(Duration::from_millis(20));
        let refined = tuner.refine().tune(&large(&mut y))?;
        let (before, after) = (runs(&tuned), runs(&refined));
        let more = [after[0] - before[0], after[1] - before[1]];
        println!("{before:?}, then {more:?}");
        if before.iter().chain(&more).all(|&runs| runs >= 4) {
            return Ok(());
        }
    }
    panic!("a candidate is measured in few launches");
}

/// A lower level that is slower is launched at most a ninth as often as the fastest candidate.
#[test]
#[ignore = "a process of its own"]
fn a_level_that_is_slower_is_given_up_at_once() -> Result<()> {
    let mut y = tensor(10)?;
    let is_expected = |tuned: &Tuned| {
        let line = tuned.to_line();
        let runs = |name: &str| -> u32 {
            let start = line.find(&format!("\"{name}\"")).expect("it was measured");
            let runs = line[start..].split("\"runs\":").nth(1).expect("a number");
            let runs = runs.split(',').next().expect("a number");
            runs.parse().expect("a number")
        };
        measured(tuned) == ["N = 1", "N = 2", "N = 2 at baseline", "N = 3"]
            && tuned.winner() == "N = 2"
            && 9 * runs("N = 2 at baseline") < runs("N = 2")
    };
    tune_until(slower, &mut y, is_expected)?;
    // Nor is it chosen elsewhere.
    let mut other = tensor(11)?;
    let choice = slower(&mut other).choice()?;
    assert_eq!((choice.name, choice.by), ("N = 2", ChosenBy::Records));
    Ok(())
}

#[test]
#[ignore = "a process of its own"]
fn a_level_with_other_results_is_wrong_and_never_chosen() -> Result<()> {
    let mut y = tensor(10)?;
    let tuned = tune_until(wrong, &mut y, |tuned| tuned.winner() == "N = 2")?;
    let failures: Vec<(&str, &str)> = tuned.failures().collect();
    let reason = "element 0 differs from that of the first candidate";
    assert_eq!(failures, [("N = 2 at baseline", reason)]);
    for n in [10, 11] {
        let mut y = tensor(n)?;
        let choice = wrong(&mut y).choice()?;
        assert_eq!(choice.name, "N = 2");
        assert_eq!(choice.candidates[5].name, "N = 2 at baseline");
    }
    Ok(())
}

fn part(test: &str, level: &str, records: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test"));
    command.args([test, "--exact", "--ignored", "--nocapture"]);
    command.env("TILE_CPU", level).env("TILE_TUNING", records);
    command
}

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    let _absent = fs::remove_file(&path);
    path
}

/// Runs a part, and returns what it prints.
fn output(mut command: Command) -> String {
    let output = command.output().expect("a process");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{out}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    out
}

#[test]
fn records_in_a_process_of_their_own() {
    let _alone = alone();
    if has_two_levels() {
        let none = file("none.jsonl");
        output(part(
            "a_level_that_is_slower_is_given_up_at_once",
            "",
            &none,
        ));
        output(part("a_refined_record_has_both_measurements", "", &none));
        output(part("large_results_leave_time_for_measuring", "", &none));
        output(part(
            "a_level_with_other_results_is_wrong_and_never_chosen",
            "",
            &none,
        ));
    }
}

/// Tunes a launch with `TILE_TUNE=1`, and prints what is chosen for it.
#[test]
#[ignore = "a part of another test"]
fn tunes_and_prints() -> Result<()> {
    let mut y = tensor(12)?;
    faster(&mut y).launch()?;
    let choice = faster(&mut y).choice()?;
    println!(
        "{} by {}, one of {}",
        choice.name,
        choice.by,
        choice.candidates.len()
    );
    Ok(())
}

/// A machine with one level does not use what another one measured, and both keep their records in one file.
#[test]
fn each_highest_level_has_its_own_records() {
    let _alone = alone();
    if !has_two_levels() {
        return;
    }
    let path = file("levels.jsonl");
    let run = |level: &str, tune: &str| {
        let mut command = part("tunes_and_prints", level, &path);
        command.env("TILE_TUNE", tune);
        let out = output(command);
        let line = out.lines().find(|line| line.contains(" by "));
        line.expect("it prints a choice").to_owned()
    };
    let of_baseline = run("baseline", "1");
    assert!(
        of_baseline.contains(" by a record, one of 3"),
        "{of_baseline}"
    );
    assert!(!of_baseline.contains(" at baseline"), "{of_baseline}");
    assert!(run("avx2", "").contains("by the model, one of 6"));
    let of_avx2 = run("avx2", "1");
    assert!(
        of_avx2.contains(" at baseline by a record, one of 6"),
        "{of_avx2}"
    );
    assert_eq!(run("baseline", ""), of_baseline);
    assert_eq!(run("avx2", ""), of_avx2);
    let text = fs::read_to_string(&path).expect("a file");
    let records: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("\"kernel\""))
        .collect();
    assert_eq!(records.len(), 2, "{text}");
    for level in ["baseline", "avx2"] {
        let device = format!(", {level}, ");
        let arch = format!("\"arch\":\"{level}\"");
        let is_its = |line: &&&str| line.contains(&device) && line.contains(&arch);
        assert_eq!(records.iter().filter(is_its).count(), 1, "{text}");
    }
}

/// A line of a file, as another version or a person may have written it.
#[test]
#[ignore = "a process of its own"]
fn a_record_of_a_level_that_is_not_there_leaves_the_others() -> Result<()> {
    let mut y = tensor(13)?;
    let is_expected = |tuned: &Tuned| {
        let mut times = tuned.times();
        times
            .next()
            .is_some_and(|(name, _)| name == "N = 1 at baseline")
            && times
                .next()
                .is_some_and(|(name, _)| name == "N = 2 at baseline")
    };
    let line = tune_until(faster, &mut y, is_expected)?.to_line();
    let line = line.replace("N = 1 at baseline", "N = 1 at avx1024");
    let line = line.replace("\"date\":\"20", "\"date\":\"21");
    add_records(&line)?;
    let choice = faster(&mut y).choice()?;
    assert_eq!(
        (choice.name, choice.by),
        ("N = 2 at baseline", ChosenBy::Record)
    );
    faster(&mut y).launch()
}

#[test]
fn unknown_levels_of_records_and_variables() {
    let _alone = alone();
    if !has_two_levels() {
        return;
    }
    let none = file("none-either.jsonl");
    output(part(
        "a_record_of_a_level_that_is_not_there_leaves_the_others",
        "",
        &none,
    ));
    let interpreted = output({
        let mut command = part("prints_the_number", "interpreted", &none);
        command.env_remove("TILE_TUNE");
        command
    });
    assert!(interpreted.contains("3 candidates"), "{interpreted}");
}

#[test]
#[ignore = "a part of another test"]
fn prints_the_number() -> Result<()> {
    let mut y = tensor(14)?;
    println!("{} candidates", faster(&mut y).choice()?.candidates.len());
    Ok(())
}
