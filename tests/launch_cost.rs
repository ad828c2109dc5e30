//! Counts the calls of the driver that a launch makes, and its instructions, with a driver that does nothing
//! (`launch-cost/libcuda.c`).

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use libtest_mimic::{Arguments, Trial};
use tile_kernel::__private::{
    ArchImage, Instance, KernelImage, VariantImage, VariantKind, exclusive, launch, scalar, shared,
};
use tile_kernel::{Device, Launch, Result, Stream, Tensor};

mod c_library;

/// The environment variable that tells this program what to do with the driver.
const WITH_DRIVER: &str = "LAUNCH_COST";
/// The environment variable with the number of launches.
const COUNT: &str = "LAUNCH_COST_COUNT";
/// Measured with valgrind 3.19 on x86-64: 3,900 optimized, 27,000 not optimized.
const MOST_INSTRUCTIONS: u64 = if cfg!(debug_assertions) {
    40_000
} else {
    5_000
};

static VARIANTS: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "axpy__general",
    &[0; 8],
    &[ArchImage {
        threads: 128,
        ..ArchImage::PLAIN
    }],
)];
static AXPY: Instance = Instance::new(KernelImage::new(
    "axpy",
    (file!(), line!()),
    &["x", "y", "factor"],
    &VARIANTS,
    &[],
));

fn axpy<'a>(x: &'a mut Tensor<f32, 1>, y: &'a Tensor<f32, 1>) -> Launch<'a> {
    let grid = Some(x.tiles([128]));
    launch(&AXPY, grid, [exclusive(x), shared(y), scalar(2.0f32)])
}

/// Compiles the driver, and returns its folder.
fn driver() -> &'static Path {
    static DRIVER: OnceLock<PathBuf> = OnceLock::new();
    DRIVER.get_or_init(|| c_library::compile("tests/launch-cost/libcuda.c", "libcuda.so.1"))
}

/// Runs this program with the driver, and returns what it printed.
fn run(part: &str, count: u64, wrapper: &[&str]) -> String {
    let program = env::current_exe().expect("this test has a path");
    let mut command = match wrapper {
        [] => Command::new(program),
        [tool, arguments @ ..] => {
            let mut command = Command::new(tool);
            command.args(arguments).arg(program);
            command
        }
    };
    let output = command
        .env(WITH_DRIVER, part)
        .env(COUNT, count.to_string())
        .env("LD_LIBRARY_PATH", driver())
        .output()
        .expect("it runs once already");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    text
}

/// Reads a counter of the driver.
fn counter(name: &str) -> u64 {
    // SAFETY: the library is loaded already, and has no initializers.
    let library = unsafe { libloading::Library::new("libcuda.so.1") }.expect("the driver");
    // SAFETY: the counter is an `unsigned long`.
    unsafe {
        **library
            .get::<*const u64>(name.as_bytes())
            .expect("a counter")
    }
}

/// The counters of the driver.
struct Counters {
    calls: u64,
    launches: u64,
    waits: u64,
    events: u64,
}

impl Counters {
    fn now() -> Counters {
        Counters {
            calls: counter("calls\0"),
            launches: counter("launches\0"),
            waits: counter("waits\0"),
            events: counter("events\0"),
        }
    }

    fn since(&self, before: &Counters) -> Counters {
        Counters {
            calls: self.calls - before.calls,
            launches: self.launches - before.launches,
            waits: self.waits - before.waits,
            events: self.events - before.events,
        }
    }
}

/// Leaves this thread without a context, as another library might.
fn leave_context() {
    type SetCurrent = unsafe extern "C" fn(*mut std::ffi::c_void) -> i32;
    // SAFETY: the library is loaded already, and has no initializers.
    let library = unsafe { libloading::Library::new("libcuda.so.1") }.expect("the driver");
    // SAFETY: the function has this type, and takes any context.
    unsafe {
        let set = library
            .get::<SetCurrent>(b"cuCtxSetCurrent\0")
            .expect("a function");
        set(std::ptr::null_mut());
    }
}

fn a_warm_launch_is_one_call_of_the_driver() {
    run("calls", 100, &[]);
}

/// What [`a_warm_launch_is_one_call_of_the_driver`] runs with the driver.
fn count_calls(count: u64) -> Result<()> {
    let device = Device::cuda(0)?;
    let (mut x, y) = tensors(device)?;
    let mut launches = |stream: Option<&Stream>| {
        let mut launch = || match stream {
            Some(stream) => axpy(&mut x, &y).on(stream).launch(),
            None => axpy(&mut x, &y).launch(),
        };
        launch()?;
        let before = Counters::now();
        (0..count).try_for_each(|_| launch())?;
        let counted = Counters::now().since(&before);
        Ok::<_, tile_kernel::Error>((counted.calls, counted.launches))
    };
    assert_eq!(launches(None)?, (count, count));
    // Another library takes the context of the thread away: one launch fails without effect and is repeated.
    leave_context();
    launches(None)?;
    assert_eq!(launches(None)?, (count, count));
    let stream = Stream::new(&device)?;
    // With a second stream, an event is recorded after each launch.
    assert_eq!(launches(Some(&stream))?, (2 * count, count));
    leave_context();
    launches(Some(&stream))?;
    assert_eq!(launches(Some(&stream))?, (2 * count, count));
    drop(stream);
    Ok(())
}

fn order_between_streams_costs_one_call_where_it_is_not_known() {
    run("streams", 100, &[]);
}

/// What [`order_between_streams_costs_one_call_where_it_is_not_known`] runs with the driver.
fn count_waits(count: u64) -> Result<()> {
    let device = Device::cuda(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let ((mut x, y), (mut z, _)) = (tensors(device)?, tensors(device)?);
    let mut turns = |count| {
        (0..count).try_for_each(|_| {
            axpy(&mut x, &y).on(&first).launch()?;
            axpy(&mut x, &y).on(&second).launch()
        })
    };
    turns(2)?;
    let before = Counters::now();
    turns(count)?;
    let counted = Counters::now().since(&before);
    // The streams take turns with one tensor: a launch waits for the event of the one before. No event is created.
    assert_eq!(counted.launches, 2 * count);
    assert_eq!(counted.waits, 2 * count);
    assert_eq!(counted.calls, 6 * count);
    assert_eq!(counted.events, 0);

    // Of two tensors that the first stream wrote, the second waits for the last one written.
    axpy(&mut x, &y).on(&first).launch()?;
    axpy(&mut z, &y).on(&first).launch()?;
    let before = Counters::now();
    axpy(&mut x, &z).on(&second).launch()?;
    assert_eq!(Counters::now().since(&before).waits, 1);

    // What the host waited for, no stream waits for.
    axpy(&mut x, &y).on(&first).launch()?;
    first.synchronize()?;
    let before = Counters::now();
    axpy(&mut x, &y).on(&second).launch()?;
    assert_eq!(Counters::now().since(&before).waits, 0);
    Ok(())
}

fn events_are_used_again_and_destroyed_with_what_is_too_many() {
    run("events", 2000, &[]);
}

/// What [`events_are_used_again_and_destroyed_with_what_is_too_many`] runs with the driver.
fn count_events(count: u64) -> Result<()> {
    let device = Device::cuda(0)?;
    let (_other, stream) = (Stream::new(&device)?, Stream::new(&device)?);
    let live = || counter("events\0");
    let use_once = |count| {
        let mut tensors = (0..count)
            .map(|_| tensors(device))
            .collect::<Result<Vec<_>>>()?;
        let mut pairs = tensors.iter_mut();
        pairs.try_for_each(|(x, y)| axpy(x, y).on(&stream).launch())
    };
    use_once(count)?;
    // Two tensors each had an event.
    let kept = live();
    assert!((1..count).contains(&kept), "{kept} events are kept");
    (0..count).try_for_each(|_| use_once(1))?;
    assert_eq!(live(), kept);
    Ok(())
}

/// Returns the instructions of a run with so many launches.
fn instructions(count: u64) -> u64 {
    let text = run(
        "launches",
        count,
        &[
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
        ],
    );
    let total = text
        .lines()
        .find_map(|line| line.split("Collected :").nth(1))
        .expect("callgrind prints it");
    total.trim().parse().expect("a number")
}

#[expect(clippy::print_stdout, reason = "the figure")]
fn a_warm_launch_has_few_instructions() {
    let each = (instructions(3000) - instructions(1000)) / 2000;
    println!("{each} instructions for each launch");
    assert!(
        each < MOST_INSTRUCTIONS,
        "{each} instructions for each launch"
    );
}

/// What [`a_warm_launch_has_few_instructions`] runs with the driver.
fn launch_often(count: u64) -> Result<()> {
    let (mut x, y) = tensors(Device::cuda(0)?)?;
    (0..count).try_for_each(|_| axpy(&mut x, &y).launch())
}

fn tensors(device: Device) -> Result<(Tensor<f32, 1>, Tensor<f32, 1>)> {
    Ok((
        Tensor::zeros(&device, [1000])?,
        Tensor::zeros(&device, [1000])?,
    ))
}

#[expect(clippy::print_stdout, reason = "the reason why a test is ignored")]
fn main() -> ExitCode {
    if let Ok(part) = env::var(WITH_DRIVER) {
        let count = env::var(COUNT).ok().and_then(|count| count.parse().ok());
        let count = count.expect("`run` sets it");
        match part.as_str() {
            "calls" => count_calls(count),
            "streams" => count_waits(count),
            "events" => count_events(count),
            _ => launch_often(count),
        }
        .expect("a launch that the driver takes");
        return ExitCode::SUCCESS;
    }
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !has_valgrind {
        println!("instructions are not counted without `valgrind`");
    }
    let trials = vec![
        Trial::test("a_warm_launch_is_one_call_of_the_driver", || {
            a_warm_launch_is_one_call_of_the_driver();
            Ok(())
        }),
        Trial::test(
            "order_between_streams_costs_one_call_where_it_is_not_known",
            || {
                order_between_streams_costs_one_call_where_it_is_not_known();
                Ok(())
            },
        ),
        Trial::test(
            "events_are_used_again_and_destroyed_with_what_is_too_many",
            || {
                events_are_used_again_and_destroyed_with_what_is_too_many();
                Ok(())
            },
        ),
        Trial::test("a_warm_launch_has_few_instructions", || {
            a_warm_launch_has_few_instructions();
            Ok(())
        })
        .with_ignored_flag(!has_valgrind),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
