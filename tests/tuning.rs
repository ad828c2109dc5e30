//! Tests of kernels with `tune(..)`: which instance is chosen, what is measured, and what is kept.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tile_kernel::prelude::*;
use tile_kernel::tuning::{ChosenBy, Tuned, Tuner, add_records};
use tile_kernel::{Cancel, Error, Result, TunedLaunch};

/// Squares, by blocks of several sizes.
#[tile_kernel(
    grid = y.tiles([N]),
    types(T = f32 | f64),
    instances(N = [256, 1024, 4096]),
    tune(N, key(x.dim(0))),
    arch("cpu"),
)]
fn square<T: Element, const N: usize>(x: &Tensor<T, 1>, y: &mut Tensor<T, 1>) {
    let x = x.load([block_id(0)], [N]);
    y.store([block_id(0)], x * x);
}

/// As `square`, and never measured.
#[tile_kernel(
    grid = y.tiles([N]),
    instances(N = [256, 1024, 4096], NEGATE = [false, true]),
    constraints(!NEGATE || N >= 1024),
    tune(N),
    arch("cpu"),
)]
fn unmeasured<const N: usize, const NEGATE: bool>(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let x = x.load([block_id(0)], [N]);
    let square = if NEGATE { -x * x } else { x * x };
    y.store([block_id(0)], square);
}

/// Adds to what is there.
#[tile_kernel(
    grid = y.tiles([N]),
    instances(N = [64, 128, 512]),
    tune(N, key(bucket(y.dim(0)), exact(n))),
    arch("cpu"),
)]
fn add<const N: usize>(y: &mut Tensor<i32, 1>, n: i32) {
    y.store([block_id(0)], y.load([block_id(0)], [N]) + n);
}

/// Is right, wrong, or fails, as the constant says.
#[tile_kernel(grid = y.tiles([64]), instances(KIND = 0..4), tune(KIND), arch("cpu"))]
fn peculiar<const KIND: i32>(y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    assert!(KIND != 1 || y.dim(0) < 100, "too long");
    let mut sum = zeros::<f32>([64]);
    for _ in 0..(if KIND == 3 { 400 } else { 20 }) {
        sum += y.load([i], [64]);
    }
    y.store(
        [i],
        if KIND == 2 {
            sum
        } else {
            sum * (if KIND == 3 { 0.05 } else { 1.0 })
        },
    );
}

fn tuner() -> Tuner {
    Tuner::new().time(Duration::from_millis(2))
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tuning");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn file(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _absent = fs::remove_file(&path);
    path
}

fn squares(n: usize) -> Result<(Tensor<f32, 1>, Tensor<f32, 1>)> {
    let device = Device::cpu();
    let elements: Vec<f32> = (0_u16..).take(n).map(f32::from).collect();
    Ok((
        Tensor::from_slice(&device, &elements, [n])?,
        Tensor::zeros(&device, [n])?,
    ))
}

/// Returns the names without those of lower levels, of which an optimized build has code.
fn at_the_highest_level<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let names = names.into_iter();
    names.filter(|name| !name.contains(" at ")).collect()
}

/// Returns the candidates of a launch at the highest level, in the order in which they are tried.
fn instances(launch: &TunedLaunch<'_>) -> Result<Vec<&'static str>> {
    let candidates = launch.choice()?.candidates;
    Ok(at_the_highest_level(candidates.iter().map(|it| it.name)))
}

/// Returns the measured candidates at the highest level.
fn measured(tuned: &Tuned) -> Vec<&str> {
    at_the_highest_level(tuned.times().map(|(name, _)| name))
}

#[test]
fn every_level_computes_the_same() -> Result<()> {
    let (x, mut y) = squares(3000)?;
    square_tuned(&x, &mut y).launch()?;
    let expected = y.to_vec()?;
    let candidates = square_tuned(&x, &mut y).choice()?.candidates;
    let levels = candidates.len() / 3;
    assert_eq!(candidates.len(), 3 * levels);
    #[cfg(target_arch = "x86_64")]
    if !cfg!(debug_assertions) && is_x86_feature_detected!("avx2") {
        assert!(levels >= 2, "{candidates:?}");
    }
    // The lower levels are expected to take longer.
    assert_eq!(instances(&square_tuned(&x, &mut y))?[0], candidates[0].name);
    for candidate in candidates {
        y.fill(0.0)?;
        square_tuned(&x, &mut y)
            .candidate(candidate.name)?
            .launch()?;
        assert_eq!(y.to_vec()?, expected, "{}", candidate.name);
    }
    Ok(())
}

#[test]
fn without_records_the_model_chooses() -> Result<()> {
    let (x, mut y) = squares(65_000)?;
    let launch = unmeasured_tuned(false, &x, &mut y);
    let choice = launch.choice()?;
    assert_eq!(choice.by, ChosenBy::Model);
    assert_eq!(instances(&launch)?.len(), 3);
    assert!(choice.candidates.iter().all(|it| it.modelled > 0.0));
    launch.launch()?;
    assert_eq!(y.to_vec()?[60_000..60_001], [60_000.0 * 60_000.0]);
    // A constraint excludes one instance, and the other constant has its own.
    let mut names = instances(&unmeasured_tuned(true, &x, &mut y))?;
    names.sort_unstable();
    assert_eq!(names, ["N = 1024", "N = 4096"]);
    // Any candidate can be launched by name.
    unmeasured_tuned(true, &x, &mut y)
        .candidate("N = 1024")?
        .launch()?;
    assert_eq!(y.to_vec()?[3..4], [-9.0]);
    let error = unmeasured_tuned(true, &x, &mut y)
        .candidate("N = 256")
        .err();
    assert!(
        matches!(error, Some(Error::NotCompiled { .. })),
        "{error:?}"
    );
    Ok(())
}

#[test]
fn a_type_without_instances_is_an_error_of_the_launch() -> Result<()> {
    let x = Tensor::zeros(&Device::cpu(), [10])?;
    let mut y = Tensor::<i32, 1>::zeros(&Device::cpu(), [10])?;
    let error = square_tuned(&x, &mut y).launch();
    let Err(Error::NotCompiled { instance, .. }) = error else {
        panic!("{error:?}")
    };
    assert_eq!(instance, "T = i32");
    Ok(())
}

#[test]
fn what_was_measured_is_chosen_for_launches_alike() -> Result<()> {
    let (x, mut y) = squares(3000)?;
    let tuned = tuner().tune(&square_tuned(&x, &mut y))?;
    assert_eq!(tuned.key(), "x.dim(0) = 2^11/8");
    assert_eq!(measured(&tuned).len(), 3);
    assert!(tuned.times().map(|(_, time)| time).is_sorted());
    let choice = square_tuned(&x, &mut y).choice()?;
    assert_eq!((choice.name, choice.by), (tuned.winner(), ChosenBy::Record));
    // Another extent of the same class, other extents, another type.
    let by = |n: usize| -> Result<ChosenBy> {
        let (x, mut y) = squares(n)?;
        Ok(square_tuned(&x, &mut y).choice()?.by)
    };
    assert_eq!(by(3016)?, ChosenBy::Record);
    assert_eq!(by(3001)?, ChosenBy::Records);
    assert_eq!(by(5000)?, ChosenBy::Records);
    let x = Tensor::zeros(&Device::cpu(), [3000])?;
    let mut y = Tensor::<f64, 1>::zeros(&Device::cpu(), [3000])?;
    assert_eq!(square_tuned(&x, &mut y).choice()?.by, ChosenBy::Model);
    // It is not measured again.
    let (x, mut y) = squares(3000)?;
    let again = tuner().tune(&square_tuned(&x, &mut y))?;
    assert_eq!(again.spent(), Duration::ZERO);
    Ok(())
}

#[test]
fn tensors_that_are_not_aligned_have_a_key_of_their_own() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [601], 2.0_f32)?;
    let mut y = Tensor::zeros(&device, [600])?;
    let tuned = tuner().tune(&square_tuned(&x.narrow(0, 0..600)?, &mut y))?;
    assert_eq!(tuned.key(), "x.dim(0) = 2^9/8");
    let unaligned = x.narrow(0, 1..601)?;
    let choice = square_tuned(&unaligned, &mut y).choice()?;
    assert_eq!(choice.by, ChosenBy::Records);
    let tuned = tuner().tune(&square_tuned(&unaligned, &mut y))?;
    assert_eq!(tuned.key(), "x.dim(0) = 2^9/8, unaligned");
    Ok(())
}

#[test]
fn a_kernel_that_changes_its_arguments_finds_them_unchanged() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [1000], 5)?;
    let tuned = tuner().tune(&add_tuned(&mut y, 3))?;
    assert_eq!(measured(&tuned).len(), 3);
    assert_eq!(tuned.key(), "y.dim(0) = 2^9, n = 3");
    assert_eq!(y.to_vec()?, [5; 1000]);
    add_tuned(&mut y, 3).launch()?;
    assert_eq!(y.to_vec()?, [8; 1000]);
    Ok(())
}

/// Counts its launches, each of which takes some milliseconds.
#[tile_kernel(grid = 1, instances(N = [1, 2]), tune(N), arch("cpu"))]
fn count<const N: i32>(y: &mut Tensor<i32, 1>, limit: i32) {
    let count = y.at([0]) + 1;
    assert!(count <= limit, "launches so far are not undone");
    let mut x = count;
    for _ in 0..5_000_000 {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    y.store([0], full([1], if x == 0 { -N } else { count }));
}

/// Each of eight laps or more measures one launch, or some.
#[test]
fn a_kernel_that_changes_its_arguments_finds_them_unchanged_in_each_measurement() -> Result<()> {
    let mut y = Tensor::from_slice(&Device::cpu(), &[0], [1])?;
    let tuner = Tuner::new().time(Duration::from_millis(50)).exhaustive();
    let tuned = tuner.tune(&count_tuned(&mut y, 8))?;
    assert_eq!(tuned.failures().collect::<Vec<_>>(), []);
    assert_eq!(y.to_vec()?, [0]);
    Ok(())
}

#[test]
fn wrong_and_failing_candidates_are_recorded_and_never_chosen() -> Result<()> {
    let device = Device::cpu();
    let mut y = Tensor::full(&device, [640], 1.0)?;
    let tuned = tuner().tune(&peculiar_tuned(&mut y))?;
    let failures: Vec<(&str, &str)> = tuned.failures().collect();
    assert_eq!(failures.len(), 1, "{tuned}");
    assert_eq!(failures[0].0, "KIND = 1");
    assert!(failures[0].1.contains("too long"), "{tuned}");
    assert_eq!(y.to_vec()?, [1.0; 640]);
    assert_eq!(instances(&peculiar_tuned(&mut y))?[3], "KIND = 1");
    assert_ne!(tuned.winner(), "KIND = 3");
    Ok(())
}

/// Computes something else in the second instance. Its names are those of variables in the expansion.
#[tile_kernel(grid = grids.tiles([64]), instances(EXTRA = [0, 1, 2]), tune(EXTRA), arch("cpu"))]
fn increment<const EXTRA: i32>(grids: &mut Tensor<i32, 1>, tuning: i32) {
    grids.store(
        [block_id(0)],
        grids.load([block_id(0)], [64]) + (if EXTRA == 1 { 2 } else { 1 }) + tuning,
    );
}

#[test]
fn a_candidate_with_other_results_is_wrong() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [100], 1)?;
    let tuned = tuner().tune(&increment_tuned(&mut y, 0))?;
    let failures: Vec<(&str, &str)> = tuned.failures().collect();
    assert_eq!(
        failures,
        [(
            "EXTRA = 1",
            "element 0 differs from that of the first candidate"
        )]
    );
    assert_eq!(measured(&tuned).len(), 2);
    Ok(())
}

/// Fails in every instance.
#[tile_kernel(grid = 1, instances(N = [64, 128]), tune(N), arch("cpu"))]
fn failing<const N: usize>(y: &mut Tensor<i32, 1>) {
    assert!(y.dim(0) < 10, "never");
    y.store([0], zeros([N]));
}

#[test]
fn where_nothing_runs_the_reasons_are_said() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [100], 1)?;
    let error = tuner().tune(&failing_tuned(&mut y)).err();
    let Some(Error::NothingTuned { kernel, reasons }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!((*kernel, reasons.len()), ("failing", 2));
    assert!(reasons[0].starts_with("`N = 64`: "), "{reasons:?}");
    Ok(())
}

#[test]
fn a_cancelled_tuner_keeps_what_it_has() -> Result<()> {
    let path = file("cancelled.jsonl");
    let cancel = Cancel::new();
    let tuner = tuner().file(&path).cancelled_by(&cancel);
    let mut y = Tensor::full(&Device::cpu(), [2000], 5)?;
    tuner.tune(&add_tuned(&mut y, 100))?;
    cancel.cancel();
    let error = tuner.tune(&add_tuned(&mut y, 101)).err();
    assert!(matches!(error, Some(Error::Cancelled { .. })), "{error:?}");
    assert_eq!(y.to_vec()?, [5; 2000]);
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(
        text.matches("\"n = 100").count() + text.matches(", n = 100").count(),
        1,
        "{text}"
    );
    assert!(!text.contains("n = 101"), "{text}");
    Ok(())
}

#[test]
fn records_that_a_crate_ships_are_used_and_bad_lines_named() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [4000], 5)?;
    let tuned: Tuned = tuner().tune(&add_tuned(&mut y, 200))?;
    // Of another launch, with the slowest candidate as the winner.
    let slowest = tuned.times().last().expect("candidates").0.to_owned();
    let line = tuned.to_line().replace("n = 200", "n = 201");
    let line = line.replace(&format!("\"{}\"", tuned.winner()), "\"the other\"");
    let line = line.replace(
        &format!("\"{slowest}\""),
        &format!("\"{}\"", tuned.winner()),
    );
    let line = line.replace("\"the other\"", &format!("\"{slowest}\""));
    let text = format!("{line}\nnonsense\n");
    let error = add_records(&text);
    let Err(Error::TuningRecords { place, .. }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(place, "line 2");
    let choice = add_tuned(&mut y, 201).choice()?;
    assert_eq!(
        (choice.name, choice.by),
        (slowest.as_str(), ChosenBy::Record)
    );
    // Records of another driver count, of other code do not.
    let other = line
        .replace("n = 201", "n = 202")
        .replace("\"driver\":\"\"", "\"driver\":\"99.1\"");
    add_records(&other)?;
    assert_eq!(add_tuned(&mut y, 202).choice()?.by, ChosenBy::OtherDriver);
    let start = line.find("\"hash\":\"").expect("a hash") + 8;
    let hash = &line[start..start + 16];
    let stale = line
        .replace("n = 201", "n = 203")
        .replace(hash, "0123456789abcdef");
    add_records(&stale)?;
    assert_eq!(add_tuned(&mut y, 203).choice()?.by, ChosenBy::Records);
    // Nor do those of another device.
    let other = line.replace("n = 201", "n = 204");
    add_records(&other.replace("\"device\":\"", "\"device\":\"another "))?;
    assert_eq!(add_tuned(&mut y, 204).choice()?.by, ChosenBy::Records);
    add_records(&other)?;
    assert_eq!(add_tuned(&mut y, 204).choice()?.by, ChosenBy::Record);
    Ok(())
}

/// Kernels of one name: the second differs in an option for the schedule, the third in a constant, the last in nothing.
macro_rules! kernels {
    ($($module:ident: $warps:literal, $number:literal;)+) => { $(
        mod $module {
            use tile_kernel::prelude::*;

            #[tile_kernel(
                grid = y.tiles([N]),
                instances(N = [64, 128]),
                num_warps = $warps,
                tune(N),
                arch("cpu"),
            )]
            pub(super) fn kernel<const N: usize>(y: &mut Tensor<i32, 1>) {
                y.store([block_id(0)], y.load([block_id(0)], [N]) + $number);
            }
        }
    )+ };
}

kernels! {
    original: 4, 1;
    with_other_warps: 8, 1;
    with_another_constant: 4, 2;
    moved: 4, 1;
}

#[test]
fn the_hash_is_that_of_the_code_and_its_options() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [100], 1)?;
    let hash = |tuned: Tuned| {
        let line = tuned.to_line();
        let start = line.find("\"hash\":\"").expect("a hash") + 8;
        line[start..start + 16].to_owned()
    };
    let original = hash(tuner().tune(&original::kernel_tuned(&mut y))?);
    let moved = hash(tuner().tune(&moved::kernel_tuned(&mut y))?);
    let warps = hash(tuner().tune(&with_other_warps::kernel_tuned(&mut y))?);
    let constant = hash(tuner().tune(&with_another_constant::kernel_tuned(&mut y))?);
    assert_eq!(original, moved);
    assert_ne!(original, warps);
    assert_ne!(original, constant);
    Ok(())
}

/// Wants whole tiles.
#[tile_kernel(
    grid = y.tiles([N]),
    instances(N = [64, 128, 512]),
    tune(N, key(bucket(y.dim(0)))),
    arch("cpu"),
)]
fn whole<const N: i32>(y: &mut Tensor<i32, 1>) {
    assume(y.dim(0) % N == 0);
    y.store([block_id(0)], y.load([block_id(0)], [N]) + 1);
}

/// Compiles two of its instances.
#[tile_kernel(
    grid = y.tiles([N]),
    instances(N = [64, 128, 256, 2048]),
    tune(N, candidates = 2),
    arch("cpu"),
)]
fn limited<const N: usize>(y: &mut Tensor<i32, 1>) {
    y.store([block_id(0)], y.load([block_id(0)], [N]) + 1);
}

#[test]
fn the_model_limits_what_is_compiled() -> Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [1000], 5)?;
    let names = instances(&limited_tuned(&mut y))?;
    // What is not compiled is tried last, and is interpreted.
    let last = names[2..].to_vec();
    assert!(last.contains(&"N = 64"), "{names:?}");
    for name in &names {
        limited_tuned(&mut y).candidate(name)?.launch()?;
    }
    assert_eq!(y.to_vec()?, [9; 1000]);
    let output = child("limited").env("TILE_CPU", "native").output();
    let out = String::from_utf8(output.expect("a process").stdout).expect("text");
    assert_eq!(out.matches("native\n").count(), 2, "{out}");
    let reason = "`tune` has enough other candidates that are expected to be faster";
    assert_eq!(out.matches(reason).count(), 2, "{out}");
    Ok(())
}

#[test]
fn a_winner_that_does_not_start_makes_place_for_the_next() {
    let output = child("whole").output().expect("a process");
    let (out, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}{said}");
    let message =
        "kernel `whole` does not start with `N = 512`, and the next candidate takes its place: ";
    assert_eq!(said.matches(message).count(), 1, "{said}");
}

/// Does the part of a process that another test starts.
#[test]
#[ignore = "a part of other tests"]
#[expect(clippy::print_stdout, reason = "the other tests read it")]
fn part() -> Result<()> {
    match std::env::var("TILE_TEST_PART").as_deref() {
        Ok("limited") => {
            let mut y = Tensor::full(&Device::cpu(), [1000], 5)?;
            for name in ["N = 64", "N = 128", "N = 256", "N = 2048"] {
                match limited_tuned(&mut y).candidate(name)?.launch() {
                    Ok(()) => println!("native"),
                    Err(error) => println!("{error}"),
                }
            }
        }
        Ok("whole") => {
            let mut y = Tensor::full(&Device::cpu(), [512], 5)?;
            let line = tuner().tune(&whole_tuned(&mut y))?.to_line();
            // The slowest of them all, as a record says.
            let seconds = |name: &str| {
                let start = line.find(name).expect("a candidate") + name.len();
                let number = &line[start..];
                let start = number.find("\"seconds\":").expect("a time") + 10;
                number[start..]
                    .split(',')
                    .next()
                    .expect("a number")
                    .to_owned()
            };
            let time = seconds("\"N = 512\"");
            let line = line.replace(
                &format!("\"N = 512\",\"seconds\":{time}"),
                "\"N = 512\",\"seconds\":1e-9",
            );
            add_records(&line.replace("\"date\":\"20", "\"date\":\"21"))?;
            assert_eq!(whole_tuned(&mut y).choice()?.name, "N = 512");
            whole_tuned(&mut y).launch()?;
            let mut y = Tensor::full(&Device::cpu(), [640], 5)?;
            for _ in 0..3 {
                whole_tuned(&mut y).launch()?;
            }
            assert_eq!(y.to_vec()?, [8; 640]);
            // Where it starts, it is still the first.
            let mut y = Tensor::full(&Device::cpu(), [512], 5)?;
            assert_eq!(whole_tuned(&mut y).choice()?.name, "N = 512");
        }
        Ok("tune") => {
            let first = std::env::var("TILE_TEST_FIRST").expect("a number");
            let first: i32 = first.parse().expect("a number");
            let mut y = Tensor::full(&Device::cpu(), [300], 5)?;
            for n in first..first + 10 {
                // Measures because of `TILE_TUNE`, and writes to `TILE_TUNING`.
                add_tuned(&mut y, n).launch()?;
                println!("{:?}", add_tuned(&mut y, n).choice()?.by);
            }
            // Without blocks there is nothing to measure, and no record.
            let mut empty = Tensor::zeros(&Device::cpu(), [0])?;
            add_tuned(&mut empty, first).launch()?;
        }
        _ => {}
    }
    Ok(())
}

/// Returns the process that does a part.
fn child(part: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test"));
    command
        .args(["part", "--exact", "--ignored", "--nocapture"])
        .env("TILE_TEST_PART", part);
    command
}

fn tuning_child(path: &std::path::Path, first: i32, tune: &str) -> Command {
    let mut command = child("tune");
    command
        .env("TILE_TEST_FIRST", first.to_string())
        .env("TILE_TUNE", tune)
        .env("TILE_TUNING", path);
    command
}

#[test]
fn two_processes_lose_no_record_and_later_ones_use_them() {
    let path = file("two.jsonl");
    let children = [0, 10].map(|first| {
        let mut command = tuning_child(&path, first, "1");
        command
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a process")
    });
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("\"kernel\""))
            .count(),
        20,
        "{text}"
    );
    // A line that is no record is named, and the others are used.
    fs::write(&path, format!("{{broken\n{text}")).expect("a file");
    let output = tuning_child(&path, 5, "").output().expect("a process");
    let (out, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}");
    assert_eq!(out.matches("Record\n").count(), 10, "{out}");
    assert!(said.contains("two.jsonl: line 1 is not used: "), "{said}");
    let output = tuning_child(&path, 50, "yes").output().expect("a process");
    let out = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(out.contains("TILE_TUNE"), "{out}");
}
