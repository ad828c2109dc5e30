//! These cases hold the tuner to the promises of `docs/tuning.md`, on every device.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tile_kernel::prelude::*;
use tile_kernel::tuning::{ChosenBy, Tuner, add_records};
use tile_kernel::{Cancel, Error, Result};

use crate::devices::{Case, is_simulated};

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    (
        "what_the_tuner_finds_is_chosen_from_then_on",
        what_the_tuner_finds_is_chosen_from_then_on,
    ),
    (
        "failing_and_wrong_candidates_are_never_chosen",
        failing_and_wrong_candidates_are_never_chosen,
    ),
    (
        "more_work_is_never_the_winner",
        more_work_is_never_the_winner,
    ),
    (
        "a_cancelled_tuner_leaves_the_arguments",
        a_cancelled_tuner_leaves_the_arguments,
    ),
    (
        "records_of_other_extents_order_the_candidates",
        records_of_other_extents_order_the_candidates,
    ),
];

fn tuner() -> Tuner {
    Tuner::new().time(Duration::from_millis(2))
}

/// Doubles the elements, in place.
#[tile_kernel(
    grid = x.tiles([N]),
    instances(N = [64, 256, 1024]),
    tune(N, key(exact(x.dim(0)))),
    arch("sm_80")
)]
pub fn double<const N: usize>(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [N]) * 2.0);
}

fn what_the_tuner_finds_is_chosen_from_then_on(device: Device) -> Result<()> {
    let elements: Vec<f32> = (0..3000_u16).map(f32::from).collect();
    let mut x = Tensor::from_slice(&device, &elements, [3000])?;
    let choice = double_tuned(&mut x).choice()?;
    assert_ne!(choice.by, ChosenBy::Record);
    let stream = Stream::new(&device)?;
    let tuned = tuner().tune(&double_tuned(&mut x).on(&stream))?;
    // However often it ran, in place, nobody sees it.
    assert_eq!(x.to_vec()?, elements);
    assert_eq!(tuned.times().count(), 3, "{tuned}");
    let line = tuned.to_line();
    assert!(line.contains("x.dim(0) = 3000"), "{line}");
    if device.is_cuda() {
        assert!(line.contains(device.name()), "{line}");
    }
    assert_eq!(line.contains("\"simulated\""), is_simulated(device));
    let launch = double_tuned(&mut x);
    let choice = launch.choice()?;
    assert_eq!((choice.name, choice.by), (tuned.winner(), ChosenBy::Record));
    launch.launch()?;
    assert_eq!(x.to_vec()?[2999..], [5998.0]);
    if is_simulated(device) {
        let again = tuner().again().tune(&double_tuned(&mut x))?;
        assert!(tuned.times().eq(again.times()), "{tuned}{again}");
    }
    Ok(())
}

/// Is right, fails, or computes something else.
#[tile_kernel(grid = x.tiles([64]), instances(KIND = [0, 1, 2]), tune(KIND), arch("sm_80"))]
pub fn peculiar<const KIND: i32>(x: &mut Tensor<i32, 1>) {
    let i = block_id(0);
    assert!(KIND != 1 || x.dim(0) < 100, "too long");
    x.store([i], x.load([i], [64]) + (if KIND == 2 { 2 } else { 1 }));
}

fn failing_and_wrong_candidates_are_never_chosen(device: Device) -> Result<()> {
    if device.is_cuda() {
        return breaks_only_once(device);
    }
    let mut x = Tensor::full(&device, [640], 1)?;
    let tuned = tuner().tune(&peculiar_tuned(&mut x))?;
    let failures: Vec<(&str, &str)> = tuned.failures().collect();
    let [(failed, why), (wrong, difference)] = failures[..] else {
        panic!("{tuned}")
    };
    assert_eq!((failed, wrong), ("KIND = 1", "KIND = 2"), "{tuned}");
    assert!(why.contains("too long"), "{why}");
    assert_eq!(
        difference,
        "element 0 differs from that of the first candidate"
    );
    assert_eq!(tuned.winner(), "KIND = 0");
    assert_eq!(x.to_vec()?, [1; 640]);
    peculiar_tuned(&mut x).launch()?;
    assert_eq!(x.to_vec()?, [2; 640]);
    Ok(())
}

/// The variable with the file of records of a process whose GPU is lost.
pub(crate) const RECORDS: &str = "TILE_TEST_RECORDS";

/// After a failed assertion, a GPU does nothing more for a process, so that each of these is one of its own.
fn breaks_only_once(device: Device) -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tuning.jsonl");
    let run = || {
        let program = env::current_exe().expect("this program");
        let mut command = Command::new(program);
        let output = command.env(RECORDS, &path).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let first = run();
    let says = [
        "candidate `KIND = 1` of kernel `peculiar` failed, and the GPU is lost to this program: ",
        "CUDA_ERROR_ASSERT",
        "start it again, and the tuner leaves the candidate out",
    ];
    assert!(says.iter().all(|part| first.contains(part)), "{first}");
    // A launch without the tuner takes another one.
    let records = fs::read_to_string(&path).expect("a record");
    assert!(records.contains("it breaks the GPU: "), "{records}");
    let second = run();
    let [winner, failures, result] = second.lines().collect::<Vec<_>>()[..] else {
        panic!("{second}")
    };
    assert_eq!((winner, result), ("KIND = 0", "2"), "{second}");
    assert!(
        failures.starts_with("KIND = 1: it breaks the GPU: ") && failures.contains("; KIND = 2: "),
        "{second}"
    );
    // Nor is it run where all are measured again.
    assert_eq!(run(), second);
    assert!(Tensor::full(&device, [1], 1)?.to_vec()? == [1]);
    Ok(())
}

/// Tunes a kernel with a candidate that breaks the GPU.
pub(crate) fn tune_peculiar(records: &OsStr) -> Result<String> {
    let mut x = Tensor::full(&Device::cuda(0)?, [640], 1)?;
    let records = Path::new(records);
    if let Ok(text) = fs::read_to_string(records) {
        add_records(&text)?;
    }
    let tuner = tuner().file(records).again();
    let tuned = tuner.tune(&peculiar_tuned(&mut x))?;
    peculiar_tuned(&mut x).launch()?;
    let failures = tuned
        .failures()
        .map(|(name, reason)| format!("{name}: {reason}"));
    Ok(format!(
        "{}\n{}\n{}",
        tuned.winner(),
        failures.collect::<Vec<_>>().join("; "),
        x.to_vec()?[639]
    ))
}

/// Does the same in 4 or in 400 steps.
#[tile_kernel(grid = x.tiles([256]), instances(STEPS = [400, 4]), tune(STEPS), arch("sm_80"))]
pub fn steps<const STEPS: i32>(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let mut y = x.load([i], [256]);
    for _ in 0..STEPS {
        y = (y * y).sqrt();
    }
    x.store([i], y);
}

fn more_work_is_never_the_winner(device: Device) -> Result<()> {
    let mut x = Tensor::full(&device, [2000], 0.5)?;
    let tuned = tuner().tune(&steps_tuned(&mut x))?;
    assert_eq!(tuned.winner(), "STEPS = 4", "{tuned}");
    Ok(())
}

fn a_cancelled_tuner_leaves_the_arguments(device: Device) -> Result<()> {
    let mut x = Tensor::full(&device, [777], 0.5)?;
    let cancel = Cancel::new();
    cancel.cancel();
    let error = tuner().cancelled_by(&cancel).tune(&steps_tuned(&mut x));
    assert!(matches!(error, Err(Error::Cancelled { .. })), "{error:?}");
    assert_eq!(x.to_vec()?, [0.5; 777]);
    Ok(())
}

fn records_of_other_extents_order_the_candidates(device: Device) -> Result<()> {
    let mut x = Tensor::full(&device, [1000], 0.5)?;
    tuner().tune(&steps_tuned(&mut x))?;
    let mut y = Tensor::full(&device, [3000], 0.5)?;
    let choice = steps_tuned(&mut y).choice()?;
    assert_eq!((choice.name, choice.by), ("STEPS = 4", ChosenBy::Records));
    assert!(choice.candidates.iter().all(|it| it.modelled > 0.0));
    Ok(())
}
