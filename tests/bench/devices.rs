//! What `docs/measuring.md` promises of every device.

use std::cell::RefCell;
use std::time::Duration;

use tile_kernel::bench::{Bench, Cache, Clocks, Measurement, Source, Warning, do_bench};
use tile_kernel::prelude::*;
use tile_kernel::{Error, Graph, Result};

use crate::kernels::{Operands, iterate};

/// A case.
pub(crate) type Case = fn(Device) -> Result<()>;

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    (
        "a_measurement_describes_itself",
        a_measurement_describes_itself,
    ),
    (
        "samples_are_as_many_as_asked_for",
        samples_are_as_many_as_asked_for,
    ),
    ("options_are_kept", options_are_kept),
    ("more_work_takes_longer", more_work_takes_longer),
    (
        "simulated_times_are_the_same_in_every_run",
        simulated_times_are_the_same_in_every_run,
    ),
    (
        "the_error_of_a_closure_ends_the_measurement",
        the_error_of_a_closure_ends_the_measurement,
    ),
    (
        "nothing_is_measured_in_a_capture",
        nothing_is_measured_in_a_capture,
    ),
    (
        "a_stream_is_measured_like_a_device",
        a_stream_is_measured_like_a_device,
    ),
    (
        "a_kernel_is_as_fast_as_itself",
        a_kernel_is_as_fast_as_itself,
    ),
    ("a_ratio_is_that_of_the_times", a_ratio_is_that_of_the_times),
    ("sides_alternate", sides_alternate),
];

/// Returns options for a short measurement.
fn short(device: Device) -> Bench {
    // A millisecond of simulated time is much work.
    let time = Duration::from_micros(if is_simulated(device) { 3 } else { 1000 });
    Bench::new().warm_up(time).duration(time)
}

/// Measures [`iterate`] on a new tensor.
fn time_of(bench: &Bench, device: Device, n: usize, steps: i32) -> Result<Measurement> {
    let mut x = Tensor::full(&device, [n], 0.5)?;
    // Other cases use the default stream.
    let stream = Stream::new(&device)?;
    bench.run(&stream, |stream| iterate(&mut x, steps).on(stream).launch())
}

pub(crate) fn is_simulated(device: Device) -> bool {
    device != Device::cpu() && (!device.is_cuda() || device.name().starts_with("tile-sim"))
}

fn a_measurement_describes_itself(device: Device) -> Result<()> {
    let time = time_of(&short(device), device, 1000, 10)?;
    assert_eq!(time.device(), device.name());
    assert!(time.min() > 0.0 && time.min() <= time.median() && time.median() <= time.max());
    assert!(time.quantile(0.1) <= time.quantile(0.9));
    assert!(time.mean() >= time.min() * 0.999_999 && time.mean() <= time.max() * 1.000_001);
    assert_eq!(time.samples().len() * time.runs_per_sample(), time.runs());
    let line = time.to_string();
    match time.source() {
        Source::Simulated => {
            assert!(is_simulated(device));
            assert_eq!((time.noise(), time.is_steady()), (Some(0.0), true));
            assert!(line.ends_with("s (simulated)"), "{line}");
        }
        Source::Host => {
            assert_eq!(device, Device::cpu());
            let Clocks::Cpu(clocks) = time.clocks() else {
                panic!("{:?}", time.clocks());
            };
            assert!(clocks.checks >= 2);
            assert!(line.contains(" ± ") && line.contains("samples"), "{line}");
            let changed = |warning: &Warning| matches!(warning, Warning::ClockChanged(_));
            assert_eq!(time.warnings().iter().any(changed), clocks.spread > 0.03);
        }
        Source::Gpu => assert!(device.is_cuda() && !is_simulated(device)),
    }
    Ok(())
}

fn samples_are_as_many_as_asked_for(device: Device) -> Result<()> {
    let mut calls = 0;
    let none = Bench::new()
        .warm_up(Duration::ZERO)
        .duration(Duration::ZERO);
    let mut operands = Operands::new(device, 100)?;
    let time = none.min_samples(5).run(&device, |stream| {
        calls += 1;
        operands.add(stream)
    })?;
    assert_eq!((time.samples().len(), time.runs(), calls), (5, 5, 5));
    let time = time_of(&short(device).max_samples(9), device, 1000, 1)?;
    assert!(time.samples().len() <= 9);
    let one = Bench::new().max_samples(1);
    assert_eq!(time_of(&one, device, 1000, 1)?.samples().len(), 1);
    Ok(())
}

fn options_are_kept(device: Device) -> Result<()> {
    for cache in [Cache::Cold, Cache::Warm] {
        let bench = short(device).cache(cache).max_samples(8);
        let time = time_of(&bench, device, 1000, 1)?;
        assert_eq!(time.cache(), cache);
        assert_eq!(
            time.to_string().contains("cold cache"),
            cache == Cache::Cold
        );
        if cache == Cache::Cold {
            assert_eq!(time.runs_per_sample(), 1);
        }
    }
    // A microsecond of work is too short for the clock of the host.
    let time = time_of(&short(device), device, 1000, 1)?;
    assert!(device != Device::cpu() || time.runs_per_sample() > 1);
    let error = time_of(&Bench::new().min_samples(0), device, 1000, 1);
    assert!(matches!(
        error,
        Err(Error::BenchOption {
            option: "min_samples",
            ..
        })
    ));
    Ok(())
}

fn more_work_takes_longer(device: Device) -> Result<()> {
    let time = |n, steps| Ok::<_, Error>(time_of(&short(device), device, n, steps)?.median());
    let base = time(2048, 10)?;
    assert!(time(2048, 1000)? > base);
    assert!(time(400_000, 10)? > base);
    if is_simulated(device) {
        // The smallest differences are seen.
        assert!(time(2048, 11)? > base);
        assert!(time(4096, 10)? > base);
    }
    Ok(())
}

fn simulated_times_are_the_same_in_every_run(device: Device) -> Result<()> {
    if !is_simulated(device) {
        return Ok(());
    }
    let stream = Stream::new(&device)?;
    let once = |n, steps| {
        let mut x = Tensor::full(&device, [n], 0.5)?;
        do_bench(&stream, |stream| iterate(&mut x, steps).on(stream).launch())
    };
    let mut other = Operands::new(device, 5000)?;
    let first = once(3000, 7)?;
    for _ in 0..3 {
        other.add(&stream)?; // work before it does not matter
        assert_eq!(once(3000, 7)?.samples(), first.samples());
    }
    assert_eq!((first.samples().len(), first.cache()), (1, Cache::Warm));
    Ok(())
}

fn the_error_of_a_closure_ends_the_measurement(device: Device) -> Result<()> {
    let mut calls = 0;
    let mut operands = Operands::new(device, 100)?;
    let result = Bench::new().min_samples(10).run(&device, |stream| {
        calls += 1;
        if calls == 4 {
            return Err(Error::EventNotRecorded);
        }
        operands.add(stream)
    });
    assert_eq!(result, Err(Error::EventNotRecorded));
    assert_eq!(calls, 4);
    // The device still works.
    operands.add(&Stream::of_device(&device)?)?;
    device.synchronize()
}

fn nothing_is_measured_in_a_capture(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let graph = Graph::capture(&stream, || do_bench(&stream, |_| Ok(())).map(drop));
    let error = graph.map(drop).expect_err("it cannot be captured");
    assert!(matches!(
        error,
        Error::Capturing {
            what: "a measurement"
        }
    ));
    Ok(())
}

fn a_stream_is_measured_like_a_device(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let mut operands = Operands::new(device, 5000)?;
    let mut x = Tensor::full(&device, [2000], 0.5)?;
    let time = short(device).run(&stream, |stream| {
        operands.add(stream)?;
        iterate(&mut x, 3).on(stream).launch()
    })?;
    assert!(time.median() > 0.0);
    Ok(())
}

fn a_kernel_is_as_fast_as_itself(device: Device) -> Result<()> {
    let operands = RefCell::new(Operands::new(device, 20_000)?);
    let run = |stream: &Stream| operands.borrow_mut().add(stream);
    let stream = Stream::new(&device)?;
    let paired = short(device).run_paired(&stream, run, run)?;
    let (low, high) = paired.ratio_interval();
    assert!(low <= paired.ratio() && paired.ratio() <= high);
    if is_simulated(device) {
        assert_eq!((low, high, paired.differs()), (1.0, 1.0, false));
        assert_eq!(paired.to_string(), "1.0000 (simulated)");
    } else {
        assert!(paired.ratios().len() >= 8);
        // Whatever else the machine does.
        assert!(paired.ratio() > 0.2 && paired.ratio() < 5.0, "{paired}");
    }
    Ok(())
}

fn a_ratio_is_that_of_the_times(device: Device) -> Result<()> {
    let x = RefCell::new(Tensor::full(&device, [20_000], 0.5)?);
    let run = |steps| {
        let x = &x;
        move |stream: &Stream| iterate(&mut x.borrow_mut(), steps).on(stream).launch()
    };
    let stream = Stream::new(&device)?;
    let paired = short(device).run_paired(&stream, run(2000), run(20))?;
    assert!(paired.differs() && paired.ratio() > 2.0, "{paired}");
    assert!(paired.a().median() > paired.b().median());
    if is_simulated(device) {
        let times = paired.a().median() / paired.b().median();
        assert!((paired.ratio() / times - 1.0).abs() < 1e-9);
    }
    Ok(())
}

fn sides_alternate(device: Device) -> Result<()> {
    let calls = RefCell::new(String::new());
    let operands = RefCell::new(Operands::new(device, 100)?);
    let run = |name| {
        let (calls, operands) = (&calls, &operands);
        move |stream: &Stream| {
            calls.borrow_mut().push(name);
            operands.borrow_mut().add(stream)
        }
    };
    let none = Bench::new()
        .warm_up(Duration::ZERO)
        .duration(Duration::ZERO);
    let paired = none
        .min_samples(20)
        .run_paired(&device, run('a'), run('b'))?;
    let calls = calls.into_inner();
    let first: Vec<&str> = (0..10)
        .map(|group| &calls[4 * group..4 * group + 4])
        .collect();
    assert!(
        first.iter().all(|group| ["abba", "baab"].contains(group)),
        "{calls}"
    );
    assert!(
        first.contains(&"abba") && first.contains(&"baab"),
        "{calls}"
    );
    assert_eq!(paired.ratios().len(), 10);
    assert_eq!(paired.a().samples().len(), 20);
    Ok(())
}
