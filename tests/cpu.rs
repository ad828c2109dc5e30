//! Tests of launches on the CPU device, with kernels made by the IR's builder or parsed from text.

#![expect(clippy::float_cmp, reason = "sums of small integers are exact")]

#[allow(
    unreachable_pub,
    clippy::pedantic,
    reason = "written for the tests of another crate"
)]
#[path = "../tile-core/tests/common/mod.rs"]
mod common;

use std::process::Command;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use tile_core::Diagnostics;
use tile_core::bytecode::{Version, write};
use tile_core::text::{parse, print};
use tile_core::types::Scalar;
use tile_kernel::__private::{
    Instance, KernelImage, VariantImage, VariantKind, exclusive, grid, launch, shared,
};
use tile_kernel::{Cancel, Device, Error, Launch, Result, Tensor};

static VARIANTS: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "vector_add",
    &[],
    &[],
)];

/// Computes `c = a + b`, 128 elements per block.
static IMAGE: LazyLock<Instance> = LazyLock::new(|| {
    // Puts source locations into the bytecode, as the macro does.
    let text = print(&common::vector_add(Scalar::F32, 128));
    let mut module = parse(&text, "src/kernels.rs", &mut Diagnostics::new()).expect("it is IR");
    module.state_locations();
    let bytecode = write(&module, Version::V13_1).expect("every op is in 13.1");
    Instance::new(KernelImage::new(
        "vector_add",
        ("src/kernels.rs", 7),
        &["a", "b", "c"],
        &VARIANTS,
        bytecode.leak(),
    ))
});

fn vector_add<'a>(
    a: &'a Tensor<f32, 1>,
    b: &'a Tensor<f32, 1>,
    c: &'a mut Tensor<f32, 1>,
) -> Launch<'a> {
    let grid = grid(c.tiles([128]));
    launch(&IMAGE, grid, [shared(a), shared(b), exclusive(c)])
}

/// Returns the instance of a kernel in text form that takes two tensors.
fn instance(name: &'static str, variants: &'static [VariantImage], text: &str) -> Instance {
    let mut module = parse(text, "src/other.rs", &mut Diagnostics::new()).expect("it is IR");
    module.state_locations();
    let bytecode = write(&module, Version::V13_1).expect("every op is in 13.1");
    Instance::new(KernelImage::new(
        name,
        ("src/other.rs", 1),
        &["a", "c"],
        variants,
        bytecode.leak(),
    ))
}

static RACE_VARIANTS: [VariantImage; 1] =
    [VariantImage::new(VariantKind::General, "race", &[], &[])];

/// A kernel in which every block stores to the first element.
static RACE: LazyLock<Instance> = LazyLock::new(|| {
    instance(
        "race",
        &RACE_VARIANTS,
        "entry @race(%a: tile<ptr<f32>>, %n: tile<i64>, %s: tile<i64>, %c: tile<ptr<f32>>, %m: tile<i64>, %t: tile<i64>) {
  %v, %u = load_ptr_tko weak %a : tile<ptr<f32>> -> tile<f32>, token
  %w = store_ptr_tko weak %c, %v : tile<ptr<f32>>, tile<f32> -> token
  return
}
",
    )
});

static ENDLESS_VARIANTS: [VariantImage; 1] =
    [VariantImage::new(VariantKind::General, "endless", &[], &[])];

static ENDLESS: LazyLock<Instance> = LazyLock::new(|| {
    instance(
        "endless",
        &ENDLESS_VARIANTS,
        "entry @endless(%a: tile<ptr<f32>>, %n: tile<i64>, %s: tile<i64>, %c: tile<ptr<f32>>, %m: tile<i64>, %t: tile<i64>) {
  loop {
    continue
  }
  return
}
",
    )
});

fn args_of_two_tensors<'a>(
    instance: &'static Instance,
    a: &'a Tensor<f32, 1>,
    c: &'a mut Tensor<f32, 1>,
) -> Launch<'a> {
    launch(instance, grid([2]), [shared(a), exclusive(c)])
}

#[test]
fn a_launch_is_cancelled_from_another_thread() -> Result<()> {
    let device = Device::cpu();
    let a = Tensor::zeros(&device, [4])?;
    let mut c = Tensor::zeros(&device, [4])?;
    let cancel = Cancel::new();
    let stopped = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        args_of_two_tensors(&ENDLESS, &a, &mut c)
            .cancelled_by(&cancel)
            .launch()
    });
    assert_eq!(stopped, Err(Error::Cancelled { kernel: "endless" }));
    // A launch that is already cancelled does not start.
    let mut c = Tensor::full(&device, [4], 7.0f32)?;
    let stopped = args_of_two_tensors(&RACE, &a, &mut c)
        .cancelled_by(&cancel)
        .launch();
    assert_eq!(stopped, Err(Error::Cancelled { kernel: "race" }));
    assert_eq!(c.to_vec()?, [7.0; 4]);
    args_of_two_tensors(&RACE, &a, &mut c)
        .cancelled_by(&Cancel::new())
        .launch()?;
    assert_eq!(c.to_vec()?, [0.0, 7.0, 7.0, 7.0]);
    Ok(())
}

/// Runs an ignored test of this file with other environment variables. Returns its output if it failed.
fn run_with(test: &str, variables: &[(&str, &str)]) -> Option<String> {
    let program = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--include-ignored", "--nocapture"]);
    command.env_remove("TILE_CHECK").env_remove("TILE_SEED");
    command.envs(variables.iter().copied());
    let output = command.output().expect("it runs once more");
    let text = [output.stdout, output.stderr].concat();
    (!output.status.success()).then(|| String::from_utf8_lossy(&text).into_owned())
}

#[test]
#[ignore = "started by another test, with `TILE_CHECK` set"]
fn launch_of_the_kernel_with_a_race() {
    let device = Device::cpu();
    let a = Tensor::zeros(&device, [4]).expect("a small tensor");
    let mut c = Tensor::zeros(&device, [4]).expect("a small tensor");
    if let Err(error) = args_of_two_tensors(&RACE, &a, &mut c).launch() {
        panic!("{error}");
    }
}

#[test]
fn the_environment_turns_checks_on() {
    let test = "launch_of_the_kernel_with_a_race";
    for variables in [
        &[][..],
        &[("TILE_CHECK", "0")],
        &[("TILE_CHECK", ""), ("TILE_SEED", "3")],
    ] {
        assert_eq!(run_with(test, variables), None);
    }
    for variables in [
        &[("TILE_CHECK", "1")][..],
        &[("TILE_CHECK", "1"), ("TILE_SEED", "3")],
    ] {
        let printed = run_with(test, variables).expect("it has a race");
        let expected = "kernel `race` (src/other.rs:1) failed in block [1, 0, 0] at `store_ptr_tko (operation 1)`: race with \
            store_ptr_tko (operation 1) of block (0, 0, 0) at src/other.rs:3:8: writes bytes 0..4 of `c` at src/other.rs:3:8; \
            it takes both blocks, so launch the whole grid to repeat it";
        assert!(printed.contains(expected), "{printed}");
    }
    for (name, value) in [("TILE_CHECK", "yes"), ("TILE_SEED", "x")] {
        let printed = run_with(test, &[(name, value)]).expect("it is no value");
        assert!(
            printed.contains(&format!("`{name}` is `{value}`: set it to")),
            "{printed}"
        );
    }
}

fn numbers(count: u16) -> Vec<f32> {
    (0..count).map(f32::from).collect()
}

#[test]
fn ragged_sizes_are_computed_to_the_last_element() -> Result<()> {
    let device = Device::cpu();
    for len in [1, 31, 1000, 4097] {
        let host = numbers(len);
        let a = Tensor::from_slice(&device, &host, [host.len()])?;
        let mut c = Tensor::full(&device, [host.len()], f32::NAN)?;
        vector_add(&a, &a, &mut c).launch()?;
        let doubled: Vec<f32> = host.iter().map(|x| x + x).collect();
        assert_eq!(c.to_vec()?, doubled);
    }
    Ok(())
}

#[test]
fn views_are_read_and_written_with_their_strides() -> Result<()> {
    let device = Device::cpu();
    let matrix = Tensor::from_slice(&device, &numbers(12), [3, 4])?;
    let row = matrix.reshape([12])?.narrow(0, 4..7)?;
    let mut target = Tensor::zeros(&device, [6])?.narrow(0, 3..6)?;
    vector_add(&row, &row, &mut target).launch()?;
    assert_eq!(target.to_vec()?, [8.0, 10.0, 12.0]);

    let whole = matrix.reshape([12])?;
    let (low, mut high) = (whole.narrow(0, 0..6)?, whole.narrow(0, 6..12)?);
    vector_add(&low, &low, &mut high).launch()?;
    assert_eq!(
        matrix.to_vec()?,
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    );
    Ok(())
}

static FAULTY_VARIANTS: [VariantImage; 1] =
    [VariantImage::new(VariantKind::General, "faulty", &[], &[])];

/// A kernel in which all blocks but the first fail.
static FAULTY: LazyLock<Instance> = LazyLock::new(|| {
    instance(
        "faulty",
        &FAULTY_VARIANTS,
        "entry @faulty(%a: tile<ptr<f32>>, %n: tile<i64>, %s: tile<i64>, %c: tile<ptr<f32>>, %m: tile<i64>, %t: tile<i64>) {
  %x, %y, %z = get_tile_block_id : tile<i32>
  %0 = constant <i32: 0> : tile<i32>
  %b = cmpi equal %x, %0, signed : tile<i32> -> tile<i1>
  assert %b, \"one block\" : tile<i1>
  return
}
",
    )
});

#[test]
fn a_fault_names_kernel_place_block_and_operation() -> Result<()> {
    let device = Device::cpu();
    let a = Tensor::zeros(&device, [1])?;
    let mut c = Tensor::zeros(&device, [1])?;
    let start = |grid: [usize; 1], a: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>| {
        launch(
            &FAULTY,
            tile_kernel::__private::grid(grid),
            [shared(a), exclusive(c)],
        )
        .launch()
    };
    start([1], &a, &mut c)?;
    let error = start([3], &a, &mut c).expect_err("blocks 1 and 2 are refused");
    let Error::Fault {
        kernel,
        file,
        line,
        block,
        op,
        reason,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*kernel, *file, *line), ("faulty", "src/other.rs", 1));
    assert_eq!(*block, [1, 0, 0]);
    assert!(op.contains("assert"), "{error}");
    assert!(reason.contains("`one block`"), "{error}");
    assert!(reason.contains(" at src/other.rs:5:3"), "{error}");
    Ok(())
}

#[test]
fn launches_from_many_threads_over_shared_tensors_all_finish() -> Result<()> {
    let device = Device::cpu();
    let both = Tensor::full(&device, [2000], 1.0f32)?;
    thread::scope(|scope| {
        for turn in 0..4 {
            let both = &both;
            scope.spawn(move || -> Result<()> {
                let (low, high) = (both.narrow(0, 0..1000)?, both.narrow(0, 1000..2000)?);
                let (read, mut written) = if turn % 2 == 0 {
                    (low, high)
                } else {
                    (high, low)
                };
                for _ in 0..5 {
                    vector_add(&read, &read, &mut written).launch()?;
                }
                Ok(())
            });
        }
    });
    let elements = both.to_vec()?;
    // No launch reads a partial result of another, so each half stays uniform.
    assert!(elements[..1000].iter().all(|x| *x == elements[0]));
    assert!(elements[1000..].iter().all(|x| *x == elements[1000]));
    Ok(())
}
