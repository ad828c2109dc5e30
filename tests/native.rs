//! Launches of native code: faults, variables, and what a launch costs. The code is written in Rust here;
//! `tests/native_kernels.rs` runs what the compiler generates.

#![cfg(target_arch = "x86_64")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use tile_core::Diagnostics;
use tile_core::bytecode::{Version, write};
use tile_core::text::parse;
use tile_kernel::__private::{
    Instance, KernelImage, NativeImage, NativeLaunch, NativeLevel, VariantImage, VariantKind,
    exclusive, grid, launch, scalar,
};
use tile_kernel::{Cancel, Device, Error, Launch, Result, Tensor};

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often native code was called.
static CALLS: AtomicU32 = AtomicU32::new(0);

/// Stores the number of each block and the argument to its four elements, as the bytecode does. The block 2 of a grid with more
/// than three stops.
unsafe extern "sysv64" fn store(launch: &NativeLaunch, _: *mut u8, first: u64, end: u64) -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the words are those of `@store`.
    let words = unsafe { std::slice::from_raw_parts(launch.args, 5) };
    assert_eq!(words[1] / 4, words[2]);
    for number in first..end {
        // SAFETY: it is never null.
        if unsafe { (*launch.cancel).load(Ordering::Relaxed) }
            || (number == 2 && launch.grid[0] > 3)
        {
            return number;
        }
        for element in 0..4 {
            let index = number * 4 + element;
            if index < words[2] {
                let place = usize::try_from(index).expect("a small tensor");
                let value = u32::try_from(number + words[4]).expect("small numbers");
                // SAFETY: the index is below the extent.
                unsafe { (words[0] as *mut u32).add(place).write(value) };
            }
        }
    }
    u64::MAX
}

static NATIVE: [NativeImage; 1] = [NativeImage {
    level: NativeLevel::Baseline,
    run: store,
    scratch_bytes: 256,
    in_order: false,
}];

static VARIANTS: [VariantImage; 1] = [VariantImage::new(VariantKind::General, "store", &[], &[])];

/// Returns an instance whose bytecode has this assertion about `%x`, the number of the block.
fn instance(condition: &str) -> Instance {
    let text = format!(
        "entry @store(%c: tile<ptr<i32>>, %n: tile<i64>, %s: tile<i64>, %a: tile<i32>) {{
  %x, %y, %z = get_tile_block_id : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %ok = {condition}
  assert %ok, \"not two\" : tile<i1>
  %v = make_tensor_view %c, shape = [%n], strides = [1] : tile<i64> -> tensor_view<?xi32, strides=[1]>
  %p = make_partition_view %v : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>
  %sum = addi %x, %a : tile<i32>
  %one = reshape %sum : tile<i32> -> tile<1xi32>
  %all = broadcast %one : tile<1xi32> -> tile<4xi32>
  %t = store_view_tko weak %all, %p[%x] : tile<4xi32>, partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
  return
}}
"
    );
    let mut diagnostics = Diagnostics::new();
    let module = parse(&text, "src/store.rs", &mut diagnostics);
    let mut module = module.unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
    module.state_locations();
    let bytecode = write(&module, Version::V13_1).expect("every op is in 13.1");
    Instance::new(KernelImage {
        native: &NATIVE,
        ..KernelImage::new(
            "store",
            ("src/store.rs", 9),
            &["c", "a"],
            &VARIANTS,
            bytecode.leak(),
        )
    })
}

/// Native code and bytecode stop in block 2.
static FAULTY: LazyLock<Instance> =
    LazyLock::new(|| instance("cmpi not_equal %x, %two, signed : tile<i32> -> tile<i1>"));
/// Only native code does.
static SOUND: LazyLock<Instance> =
    LazyLock::new(|| instance("cmpi equal %two, %two, signed : tile<i32> -> tile<i1>"));

fn store_to<'a>(instance: &'static Instance, c: &'a mut Tensor<i32, 1>, a: i32) -> Launch<'a> {
    let grid = grid(c.tiles([4]));
    launch(instance, grid, [exclusive(c), scalar(a)])
}

#[test]
fn native_code_runs_and_decodes_no_bytecode() -> Result<()> {
    static INSTANCE: Instance = Instance::new(KernelImage {
        native: &NATIVE,
        ..KernelImage::new(
            "store",
            ("src/store.rs", 9),
            &["c", "a"],
            &VARIANTS,
            b"no bytecode",
        )
    });
    let mut c = Tensor::zeros(&Device::cpu(), [10])?;
    store_to(&INSTANCE, &mut c, 7).launch()?;
    assert_eq!(c.to_vec()?, [7, 7, 7, 7, 8, 8, 8, 8, 9, 9]);
    // One block, with the number that it has in the whole grid.
    store_to(&INSTANCE, &mut c, 20)
        .only_block([1, 0, 0])
        .launch()?;
    assert_eq!(c.to_vec()?, [7, 7, 7, 7, 21, 21, 21, 21, 9, 9]);
    Ok(())
}

#[test]
fn the_interpreter_says_what_failed_in_native_code() -> Result<()> {
    let mut c = Tensor::zeros(&Device::cpu(), [40])?;
    let error = store_to(&FAULTY, &mut c, 0)
        .launch()
        .expect_err("block 2 fails");
    let Error::Fault {
        kernel,
        block,
        reason,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*kernel, *block), ("store", [2, 0, 0]));
    assert!(
        reason.ends_with("failed at [] at src/store.rs:5:3") && reason.contains("`not two`"),
        "{reason}"
    );
    // The blocks before it have run.
    assert_eq!(c.to_vec()?[..8], [0, 0, 0, 0, 1, 1, 1, 1]);
    let error = store_to(&SOUND, &mut c, 0)
        .launch()
        .expect_err("block 2 stops");
    let expected = Error::NativeFault {
        kernel: "store",
        file: "src/store.rs",
        line: 9,
        block: [2, 0, 0],
    };
    assert_eq!(error, expected);
    assert!(
        error.to_string().contains("`TILE_CPU=interpreted`"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_cancelled_launch_of_native_code_is_an_error() -> Result<()> {
    let mut c = Tensor::zeros(&Device::cpu(), [8])?;
    let cancel = Cancel::new();
    store_to(&SOUND, &mut c, 1).cancelled_by(&cancel).launch()?;
    cancel.cancel();
    let stopped = store_to(&SOUND, &mut c, 5).cancelled_by(&cancel).launch();
    assert_eq!(stopped, Err(Error::Cancelled { kernel: "store" }));
    assert_eq!(c.to_vec()?, [1, 1, 1, 1, 2, 2, 2, 2]);
    Ok(())
}

/// Runs an ignored test of this file with a variable. Returns its output if it failed.
fn run_with(test: &str, variable: (&str, &str)) -> Option<String> {
    let program = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--include-ignored", "--nocapture"]);
    for name in ["TILE_CPU", "TILE_THREADS", "TILE_CHECK", "TILE_SEED"] {
        command.env_remove(name);
    }
    let output = command
        .env(variable.0, variable.1)
        .output()
        .expect("it runs once already");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (!output.status.success()).then_some(text)
}

#[test]
fn variables_choose_the_code() {
    for variable in [
        ("TILE_CPU", "interpreted"),
        ("TILE_CHECK", "1"),
        ("TILE_SEED", "3"),
    ] {
        let failed = run_with("the_launch_is_interpreted", variable);
        assert!(failed.is_none(), "{variable:?} {failed:?}");
    }
    for variable in [
        ("TILE_CPU", "native"),
        ("TILE_CPU", "baseline"),
        ("TILE_CPU", ""),
        ("TILE_THREADS", "2"),
    ] {
        let failed = run_with("the_launch_is_interpreted", variable);
        assert!(
            failed.is_some_and(|text| text.contains("native code ran")),
            "{variable:?}"
        );
    }
    let failed = run_with(
        "a_kernel_without_native_code_is_refused",
        ("TILE_CPU", "native"),
    );
    assert!(failed.is_none(), "{failed:?}");
}

#[test]
#[ignore = "another test runs it, with a variable"]
fn the_launch_is_interpreted() -> Result<()> {
    let mut c = Tensor::zeros(&Device::cpu(), [8])?;
    store_to(&SOUND, &mut c, 1).launch()?;
    assert_eq!(c.to_vec()?, [1, 1, 1, 1, 2, 2, 2, 2]);
    assert_eq!(CALLS.load(Ordering::Relaxed), 0, "native code ran");
    Ok(())
}

#[test]
#[ignore = "another test runs it, with a variable"]
fn a_kernel_without_native_code_is_refused() -> Result<()> {
    static PLAIN: Instance = Instance::new(KernelImage {
        not_native: Some(("it prints", 12)),
        ..KernelImage::new("prints", ("src/p.rs", 9), &["c", "a"], &VARIANTS, b"")
    });
    let mut c = Tensor::zeros(&Device::cpu(), [8])?;
    let error = store_to(&PLAIN, &mut c, 1)
        .launch()
        .expect_err("it has none");
    assert_eq!(
        error.to_string(),
        "kernel `prints` has no native code for this processor: it prints (src/p.rs:12); unset `TILE_CPU` to interpret it"
    );
    Ok(())
}

#[test]
fn a_level_for_which_a_kernel_has_no_code_is_refused() {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        let failed = run_with("the_baseline_is_refused", ("TILE_CPU", "baseline"));
        assert!(failed.is_none(), "{failed:?}");
    }
}

#[test]
#[ignore = "another test runs it, with a variable"]
fn the_baseline_is_refused() -> Result<()> {
    static IMAGES: [NativeImage; 1] = [NativeImage {
        level: NativeLevel::Avx2,
        run: store,
        scratch_bytes: 256,
        in_order: false,
    }];
    static HIGH: Instance = Instance::new(KernelImage {
        native: &IMAGES,
        ..KernelImage::new("high", ("src/p.rs", 9), &["c", "a"], &VARIANTS, b"")
    });
    let mut c = Tensor::zeros(&Device::cpu(), [8])?;
    let refused = store_to(&HIGH, &mut c, 1).launch();
    let expected = Error::NoNativeLevel {
        kernel: "high",
        level: "baseline",
        lowest: "avx2",
    };
    assert_eq!(refused, Err(expected));
    Ok(())
}

#[test]
fn a_kernel_without_code_for_the_cpu_is_refused() -> Result<()> {
    static NONE: Instance = Instance::new(KernelImage {
        no_cpu: true,
        ..KernelImage::new("gpu", ("src/p.rs", 9), &["c", "a"], &VARIANTS, b"")
    });
    let mut c = Tensor::zeros(&Device::cpu(), [8])?;
    let error = store_to(&NONE, &mut c, 1)
        .launch()
        .expect_err("it has none");
    assert_eq!(error, Error::NoCpuCode { kernel: "gpu" });
    assert!(
        error.to_string().contains("remove `cpu = \"none\"`"),
        "{error}"
    );
    Ok(())
}

/// Launches `store` as often, and returns the allocations and the nanoseconds of one launch.
fn cost(blocks: usize, count: u32) -> Result<(usize, f64)> {
    let mut c = Tensor::zeros(&Device::cpu(), [4 * blocks])?;
    // The first launches allocate what the thread keeps.
    for _ in 0..10 {
        store_to(&SOUND, &mut c, 1).launch()?;
    }
    let before = ALLOCATIONS.get();
    let start = Instant::now();
    for _ in 0..count {
        store_to(&SOUND, &mut c, 1).launch()?;
    }
    let spent = start.elapsed().as_secs_f64() * 1e9 / f64::from(count);
    Ok(((ALLOCATIONS.get() - before) / count as usize, spent))
}

#[test]
fn a_warm_launch_allocates_nothing() -> Result<()> {
    for blocks in [1, 3] {
        assert_eq!(cost(blocks, 100)?.0, 0, "{blocks} blocks");
    }
    Ok(())
}

#[test]
#[ignore = "it measures: `cargo test --release --test native -- --ignored --nocapture launch_cost`"]
#[expect(clippy::print_stdout, reason = "what it is for")]
fn launch_cost() -> Result<()> {
    for blocks in [1, 2, 3] {
        let (allocations, nanoseconds) = cost(blocks, 100_000)?;
        println!("{blocks} blocks: {nanoseconds:.0} ns, {allocations} allocations");
    }
    Ok(())
}
