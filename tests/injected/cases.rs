//! The failures of one scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tile_kernel::{Device, Result, Stream, Tensor};

use crate::driver::{self, Counts, KINDS, Outcome};
use crate::expect;
use crate::scenarios::{Devices, Scenario};

/// What became of the failures.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The calls of the driver that the scenario makes.
    pub(crate) calls: usize,
    pub(crate) failures: usize,
    pub(crate) harmless: usize,
    /// The failures of calls that the scenario did not make again.
    pub(crate) not_reached: usize,
    pub(crate) problems: Vec<String>,
}

/// The longest time that a run may take.
const LONGEST: Duration = Duration::from_secs(60);

/// What runs now, and since when.
static RUNNING: Mutex<Option<(String, Instant)>> = Mutex::new(None);

fn set_running(running: Option<(String, Instant)>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = running;
}

/// Ends the program when a run takes too long.
#[expect(clippy::print_stdout, reason = "the parent shows it")]
pub(crate) fn watch() {
    thread::spawn(|| {
        loop {
            thread::sleep(Duration::from_secs(1));
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((what, since)) = &*running
                && since.elapsed() > LONGEST
            {
                println!("it does not end: {what}");
                std::process::abort();
            }
        }
    });
}

/// Returns the ordinals of two devices that were not used.
fn new_devices() -> [usize; 2] {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let first = NEXT.fetch_add(2, Ordering::Relaxed);
    [first, first + 1]
}

/// What a run of a scenario came to: its result, or the text of its panic.
type Ran = Result<Result<()>, String>;

/// Runs a scenario on a thread of its own, so that no context is current.
fn run(scenario: &Scenario, ordinals: [usize; 2], what: &str) -> Ran {
    set_running(Some((what.to_owned(), Instant::now())));
    let work = || catch_unwind(AssertUnwindSafe(|| (scenario.run)(ordinals)));
    let ran = thread::scope(|scope| scope.spawn(work).join().expect("panics are caught"));
    set_running(None);
    ran.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic").to_owned()
    })
}

/// Runs a scenario once, on new devices.
pub(crate) fn run_once(scenario: &Scenario) -> Result<()> {
    match run(scenario, new_devices(), "one run") {
        Ok(result) => result,
        Err(panic) => panic!("{panic}"),
    }
}

/// Returns the functions that a scenario calls.
pub(crate) fn functions(scenario: &Scenario) -> BTreeSet<String> {
    let (result, calls) = driver::calls_of(|| run_once(scenario));
    result.expect("it works without failures");
    calls.into_iter().collect()
}

/// Returns the objects that exist, after threads that still end have dropped theirs, or after a while if there are others
/// than expected and those of the kind `left`, of which there may be one more.
fn settled(expected: Counts, left: Option<&str>) -> Counts {
    let start = Instant::now();
    loop {
        let mut counts = driver::counts();
        if let Some(index) = KINDS.iter().position(|&kind| left == Some(kind)) {
            counts[index] = counts[index].saturating_sub(1).max(expected[index]);
        }
        if counts == expected || start.elapsed() > Duration::from_secs(2) {
            return counts;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn describe(counts: Counts) -> String {
    let pairs = KINDS.iter().zip(counts);
    let pairs: Vec<String> = pairs
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    pairs.join(", ")
}

fn sum(one: Counts, two: Counts) -> Counts {
    std::array::from_fn(|index| one[index] + two[index])
}

/// Lets each call of a scenario fail with each result.
pub(crate) fn fail_each_call(scenario: &Scenario) -> Report {
    let mut test = Test {
        scenario,
        used: new_devices(),
        growth: [0; KINDS.len()],
        report: Report::default(),
    };
    // What a program calls once, until it succeeds.
    for function in ["cuDriverGetVersion", "cuInit", "cuDeviceGetCount"] {
        for outcome in expect::results(function) {
            test.fail_the_start(function, outcome);
        }
    }
    for _ in 0..2 {
        assert_eq!(run(scenario, test.used, "the first run"), Ok(Ok(())));
    }
    let before = driver::counts();
    let devices = test.devices();
    let (ran, calls) = driver::calls_of(|| run(scenario, devices, "the run that is listed"));
    assert_eq!(ran, Ok(Ok(())));
    let after = match scenario.devices {
        Devices::Used => settled(before, None),
        Devices::New => driver::counts(),
    };
    test.growth = std::array::from_fn(|index| after[index] - before[index]);
    if scenario.devices == Devices::Used {
        assert_eq!(test.growth, [0; KINDS.len()], "nothing stays of a run");
    }
    test.report.calls = calls.len();

    let mut numbers = BTreeMap::new();
    let mut numbered = Vec::new();
    for call in &calls {
        let number: &mut u32 = numbers.entry(call.as_str()).or_default();
        *number += 1;
        numbered.push((call.as_str(), *number));
    }
    let is_exhaustive = env::var_os("TILE_EXHAUSTIVE").is_some();
    for &(function, number) in &numbered {
        let results = expect::results(function);
        let first = number as usize % results.len();
        let count = if is_exhaustive { results.len() } else { 1 };
        for outcome in results.into_iter().cycle().skip(first).take(count) {
            test.fail(function, number, outcome);
        }
    }
    for (place, &(function, number)) in numbered.iter().enumerate() {
        if expect::is_of_a_context(function) && (is_exhaustive || place % 3 == 0) {
            // Both results take the same way, so each call returns one of them.
            let outcome = expect::BREAKING[number as usize % 2];
            test.break_context(function, number, outcome);
        }
    }
    test.report
}

struct Test<'a> {
    scenario: &'a Scenario,
    used: [usize; 2],
    /// The objects that a run leaves: of new devices their streams and modules.
    growth: Counts,
    report: Report,
}

impl Test<'_> {
    fn devices(&self) -> [usize; 2] {
        match self.scenario.devices {
            Devices::Used => self.used,
            Devices::New => new_devices(),
        }
    }

    fn problem(&mut self, what: &str, problem: &str) {
        let Scenario { name, .. } = self.scenario;
        self.report
            .problems
            .push(format!("{name}: {what}: {problem}"));
    }

    /// Compares what a run came to with what is expected of a failure.
    fn check(&mut self, what: &str, ran: Ran, function: &str, outcome: Outcome) {
        match ran {
            Err(panic) => self.problem(what, &format!("it panicked: {panic}")),
            Ok(Ok(())) => match expect::harmless(function, outcome.name) {
                Some(_reason) => self.report.harmless += 1,
                None => self.problem(what, "it succeeded"),
            },
            Ok(Err(error)) if expect::is_right(&error, function, outcome) => {}
            Ok(Err(error)) => self.problem(what, &format!("its error is: {error}")),
        }
    }

    /// Lets a call fail before any device was opened.
    fn fail_the_start(&mut self, function: &str, outcome: Outcome) {
        let what = format!("at the start, `{function}` returns {}", outcome.name);
        driver::fail(function, outcome.result, 1);
        let ran = run(self.scenario, self.used, &what);
        assert_eq!(driver::forget(), 0, "{what}: it is not called");
        self.report.failures += 1;
        self.check(&what, ran, function, outcome);
    }

    fn fail(&mut self, function: &str, number: u32, outcome: Outcome) {
        let what = format!("call {number} of `{function}` returns {}", outcome.name);
        let devices = self.devices();
        let before = driver::counts();
        driver::fail(function, outcome.result, number);
        let ran = run(self.scenario, devices, &what);
        if driver::forget() > 0 {
            self.report.not_reached += 1;
            if ran != Ok(Ok(())) {
                self.problem(&what, &format!("not reached: {ran:?}"));
            }
        } else {
            self.report.failures += 1;
            self.check(&what, ran, function, outcome);
        }
        let again = run(self.scenario, devices, &format!("after {what}"));
        if again != Ok(Ok(())) {
            self.problem(&what, &format!("the next run is not right: {again:?}"));
        }
        let expected = sum(before, self.growth);
        let after = settled(expected, expect::leaves(function));
        if after != expected {
            let (after, expected) = (describe(after), describe(expected));
            self.problem(&what, &format!("there are {after}, not {expected}"));
        }
    }

    fn break_context(&mut self, function: &str, number: u32, outcome: Outcome) {
        let what = format!(
            "call {number} of `{function}` breaks the context with {}",
            outcome.name
        );
        let ordinals = new_devices();
        if self.scenario.devices == Devices::Used {
            let first = run(self.scenario, ordinals, "the first run");
            if first != Ok(Ok(())) {
                self.problem(&what, &format!("the run before is not right: {first:?}"));
            }
        }
        driver::break_context(function, outcome.result, number);
        let ran = run(self.scenario, ordinals, &what);
        if driver::forget() > 0 {
            self.report.not_reached += 1;
            return;
        }
        self.report.failures += 1;
        let is_lost = matches!(&ran, Ok(Err(error)) if expect::says_lost(error));
        // The call may have been one whose result nobody sees; a later one then has the error.
        match &ran {
            Ok(Err(_)) if is_lost => {}
            _ => self.check(&what, ran, function, outcome),
        }
        set_running(Some((format!("after {what}"), Instant::now())));
        let later = thread::scope(|scope| scope.spawn(|| later(ordinals)).join());
        set_running(None);
        match later {
            // While a device was opened, it was closed again, and its context ended.
            Ok(results) if results.is_empty() => {
                let again = run(self.scenario, ordinals, &format!("after {what}"));
                if again != Ok(Ok(())) {
                    self.problem(
                        &what,
                        &format!("no device is lost, and the next run: {again:?}"),
                    );
                }
            }
            Ok(results) => {
                for (call, result) in results {
                    match result {
                        Err(error) if expect::says_lost(&error) => {}
                        result => self.problem(&what, &format!("later, {call}: {result:?}")),
                    }
                }
            }
            Err(_) => self.problem(&what, "it panicked later"),
        }
    }
}

/// Uses the devices that are lost, and returns what came of it.
fn later(ordinals: [usize; 2]) -> Vec<(&'static str, Result<()>)> {
    let mut results = Vec::new();
    for ordinal in ordinals {
        let device = Device::cuda(ordinal).expect("it was opened, or can be");
        if device.synchronize().is_ok() {
            continue;
        }
        let stream = Stream::new(&device);
        results.extend([
            ("a wait", device.synchronize()),
            (
                "an allocation",
                Tensor::<f32, 1>::zeros(&device, [100]).map(drop),
            ),
            (
                "an upload",
                Tensor::from_slice(&device, &[1.0], [1]).map(drop),
            ),
            ("the giving back of memory", device.trim_memory()),
            ("a stream", stream.map(drop)),
        ]);
    }
    results
}
