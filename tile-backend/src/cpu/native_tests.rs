//! Native code against the interpreter.

mod atomics;
mod calls;
mod chosen;
mod demanded;
mod inside;
mod loops;
mod neighbours;
mod products;
mod qemu;
mod registers;
mod scans;
mod streaming;
mod sums;
mod views;
mod windows;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tile_core::canonicalize::canonicalize;
use tile_core::ir::Module;
use tile_core::testing::{
    Argument, Executor, Inexact, Outcome, Runnable, RunnableOptions, execute, runnable_with,
};
use tile_core::types::{Element, Scalar};
use tile_core::verify::verify;
use tile_core::{Diagnostics, text};

use super::testing::Loaded;
use super::{
    Level, Native, NotNative, body, build, compile, distinct_levels, emit, ir, library, llvm_text,
};
use crate::timing::Times;

/// What a launch passes to native code.
#[repr(C)]
struct Launch {
    grid: [u32; 3],
    reserved: u32,
    args: *const u64,
    cancel: *const AtomicBool,
}

type Entry = unsafe extern "C" fn(&Launch, *mut u8, u64, u64) -> u64;

pub(super) fn canonical(module: &Module) -> Module {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module.clone(), &mut diagnostics);
    let verified =
        verified.unwrap_or_else(|_| panic!("{:#?}\n{}", diagnostics.take(), text::print(module)));
    canonicalize(verified).module().clone()
}

/// The result of a native run: the number that it returned, the bytes of every buffer, and the time.
struct Ran {
    stopped: u64,
    seconds: f64,
    buffers: Vec<Vec<u8>>,
}

/// The native code of a module.
enum Code {
    Loaded {
        function: Entry,
        scratch: usize,
    },
    /// Assembly for QEMU.
    Foreign {
        file: String,
        scratch: usize,
    },
}

impl Code {
    /// Compiles a module.
    fn new(module: &Module, level: Level) -> Result<Self, NotNative> {
        let entry = module.entries().next().expect("an entry");
        let native = compile(module, entry, level, &mut Times::new())
            .unwrap_or_else(|error| panic!("{error}\n{}", text::print(module)))?;
        let scratch = native.scratch_bytes;
        // As in a crate: the symbol is another's, and all labels are numbers.
        let assembly = body::of_file(&native.assembly)
            .unwrap_or_else(|message| panic!("{message}\n{}", native.assembly));
        let file = library::file(&Native { assembly, ..native });
        if level == Level::Neon && !level.is_available() {
            return Ok(Self::Foreign { file, scratch });
        }
        // SAFETY: the function has this type.
        let function = unsafe { Loaded::of_assembly(&file).function(library::SYMBOL) };
        Ok(Self::Loaded { function, scratch })
    }

    fn run(&self, runnable: &Runnable) -> Ran {
        match self {
            Self::Loaded { function, scratch } => run_function(*function, *scratch, runnable),
            Self::Foreign { file, scratch } => qemu::run(file, *scratch, runnable),
        }
    }
}

/// Compiles and runs a module.
fn run(module: &Module, runnable: &Runnable, level: Level) -> Result<Ran, NotNative> {
    Ok(Code::new(module, level)?.run(runnable))
}

/// The bytes from a line of a cache to the start of each buffer, so that no more than elements is aligned.
const BEFORE: usize = 8;

/// A line of a cache.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// Returns the code of a module for each level that this machine runs.
fn codes(module: &Module) -> Vec<(Level, Code)> {
    let code = |level| (level, Code::new(module, level).expect("native code"));
    levels(module).into_iter().map(code).collect()
}

/// Compares a launch of native code of all levels with the interpreter, which says whether it is a fault.
fn is_fault(runnable: &Runnable, codes: &[(Level, Code)], what: &str) -> bool {
    let Outcome { buffers, fault, .. } = execute(runnable);
    for (level, code) in codes {
        let ran = code.run(runnable);
        assert_eq!(ran.stopped != u64::MAX, fault.is_some(), "{what}, {level}");
        if fault.is_none() {
            assert!(ran.buffers == buffers, "{what}, {level}");
        }
    }
    fault.is_some()
}

fn run_function(function: Entry, scratch: usize, runnable: &Runnable) -> Ran {
    let mut memory: Vec<Vec<Line>> = Vec::new();
    let mut lengths = Vec::new();
    let mut words: Vec<u64> = Vec::new();
    for arg in &runnable.args {
        match arg {
            Argument::Number(bits) => words.push(*bits),
            Argument::Buffer(bytes) => {
                let shifted = [&[0; BEFORE], &bytes[..]].concat();
                let lines = shifted.chunks(64).map(|chunk| {
                    let mut line = [0; 64];
                    line[..chunk.len()].copy_from_slice(chunk);
                    Line(line)
                });
                let mut lines: Vec<Line> = lines.collect();
                let start = match bytes.len() {
                    // An access to a buffer without elements ends the program.
                    0 => BEFORE,
                    _ => lines.as_mut_ptr() as usize + BEFORE,
                };
                words.extend([start as u64, bytes.len() as u64]);
                memory.push(lines);
                lengths.push(bytes.len());
            }
        }
    }
    let cancel = AtomicBool::new(false);
    let launch = Launch {
        grid: runnable.grid,
        reserved: 0,
        args: words.as_ptr(),
        cancel: &raw const cancel,
    };
    let mut scratch = vec![0xa5_u8; scratch + 64];
    let offset = scratch.as_ptr().align_offset(64);
    let blocks: u32 = runnable.grid.iter().product();
    let start = Instant::now();
    // SAFETY: the arguments are those of the entry, and the scratch memory is as large as it needs.
    let stopped = unsafe {
        function(
            &launch,
            scratch.as_mut_ptr().add(offset),
            0,
            u64::from(blocks),
        )
    };
    let seconds = start.elapsed().as_secs_f64();
    let bytes = memory.iter().zip(lengths).map(|(lines, length)| {
        let bytes: Vec<[u8; 64]> = lines.iter().map(|line| line.0).collect();
        bytes.as_flattened()[BEFORE..BEFORE + length].to_vec()
    });
    Ran {
        stopped,
        seconds,
        buffers: bytes.collect(),
    }
}

/// Returns the levels to test: those that this machine has, and for which a module has different code. With
/// `TILE_NATIVE_QEMU=1`, Neon alone, which QEMU runs elsewhere.
fn levels(module: &Module) -> Vec<Level> {
    if from_environment("TILE_NATIVE_QEMU", 0) > 0 {
        return vec![Level::Neon];
    }
    let available: Vec<Level> = Level::available().collect();
    let entry = module.entries().next().expect("an entry");
    distinct_levels(module, entry, &available)
}

/// Returns the types of the elements of the buffers.
fn pointees(module: &Module) -> Vec<Scalar> {
    let entry = module.entries().next().expect("an entry");
    let body = module.region_block(entry, 0).expect("a body");
    let args = module.block(body).args.iter();
    let elements = args.filter_map(|&arg| match module.ty(arg).as_tile()?.element {
        Element::Ptr(pointee) => Some(pointee),
        Element::Scalar(_) => None,
    });
    elements.collect()
}

fn is_nan(scalar: Scalar, bytes: &[u8]) -> bool {
    let mut bits = [0; 8];
    bits[..bytes.len()].copy_from_slice(bytes);
    let value = tile_core::interp::decode_float(scalar, u64::from_le_bytes(bits));
    scalar.is_float() && value.is_nan()
}

/// Compares buffers bit for bit, except that any two NaNs are equal. Elements of `inexact` may differ by a few units.
fn compare(
    module: &Module,
    expected: &[Vec<u8>],
    found: &[Vec<u8>],
    inexact: &[Inexact],
) -> Result<(), String> {
    for (number, scalar) in pointees(module).into_iter().enumerate() {
        let size = scalar.bytes();
        let pairs = expected[number]
            .chunks(size)
            .zip(found[number].chunks(size));
        for (index, (expected, found)) in pairs.enumerate() {
            let is_same = expected == found
                || scalar.is_float() && is_nan(scalar, expected) && is_nan(scalar, found);
            let is_inexact = inexact
                .iter()
                .any(|place| place.buffer == number && place.elements.contains(&index));
            if !is_same && !is_inexact {
                return Err(format!(
                    "buffer {number}, element {index} of `{scalar}`: {expected:x?} expected, {found:x?} found"
                ));
            }
        }
    }
    Ok(())
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

fn options(seed: u64) -> RunnableOptions {
    RunnableOptions {
        executor: Executor::Device,
        ops: 4 + usize::try_from(seed % 16).expect("small"),
        ..RunnableOptions::default()
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures")]
fn generated_modules_have_the_results_of_the_interpreter() {
    let first = from_environment("TILE_NATIVE_FROM", 0);
    let seeds = from_environment("TILE_NATIVE_SEEDS", 60);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut ran = 0;
    for seed in first..first + seeds {
        let (runnable, inexact) = runnable_with(seed, &options(seed));
        let module = canonical(&runnable.module);
        let Ok(Outcome { buffers, fault, .. }) = std::panic::catch_unwind(|| execute(&runnable))
        else {
            failures.push(format!("seed {seed}: the interpreter panicked"));
            continue;
        };
        assert_eq!(fault, None, "seed {seed}");
        for level in levels(&module) {
            let outcome = std::panic::catch_unwind(|| run(&module, &runnable, level));
            let Ok(outcome) = outcome else {
                failures.push(format!("seed {seed}, {level}: the compiler panicked"));
                continue;
            };
            match outcome {
                Err(NotNative { reason, .. }) => *refused.entry(reason).or_default() += 1,
                Ok(Ran { stopped, .. }) if stopped != u64::MAX => {
                    failures.push(format!("seed {seed}, {level}: block {stopped} has a fault"));
                }
                Ok(Ran { buffers: found, .. }) => {
                    ran += 1;
                    if let Err(what) = compare(&module, &buffers, &found, &inexact) {
                        failures.push(format!("seed {seed}, {level}: {what}"));
                    }
                }
            }
        }
    }
    println!("{ran} ran, refused: {refused:#?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Sums have the order of the interpreter, along rows, down columns, along rows that are shorter than its partial
/// results, and where subnormal numbers are flushed. Generated modules do not show it: what they store does not depend on the order of sums.
#[test]
fn sums_have_the_order_of_the_interpreter() {
    const ELEMENTS: u32 = 8 * 256;
    let shapes = [
        (8, 256, 1, 8),
        (8, 256, 0, 256),
        (64, 32, 1, 64),
        (128, 16, 1, 128),
        (128, 16, 0, 16),
        (256, 8, 1, 256),
        (512, 4, 1, 512),
        (1024, 2, 1, 1024),
    ];
    let flags = ["", " flush_to_zero"];
    let cases = shapes
        .iter()
        .flat_map(|&shape| flags.map(|flag| (shape, flag)));
    for ((rows, columns, dim, kept), flag) in cases {
        let tile = format!("tile<{rows}x{columns}xptr<f32>>");
        let source = format!(
            "cuda_tile.module @m {{
  entry @sum(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %i = iota : tile<{ELEMENTS}xi32>
    %j = reshape %i : tile<{ELEMENTS}xi32> -> tile<{rows}x{columns}xi32>
    %p = reshape %x : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %q = broadcast %p : tile<1x1xptr<f32>> -> {tile}
    %r = offset %q, %j : {tile}, tile<{rows}x{columns}xi32> -> {tile}
    %v, %t = load_ptr_tko weak %r : {tile} -> tile<{rows}x{columns}xf32>, token
    %s = reduce %v dim={dim} identities=[0.0 : f32] : tile<{rows}x{columns}xf32> -> tile<{kept}xf32> (%a: tile<f32>, %b: tile<f32>) {{
      %c = addf %a, %b{flag} : tile<f32>
      yield %c : tile<f32>
    }}
    %k = iota : tile<{kept}xi32>
    %o = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %d = broadcast %o : tile<1xptr<f32>> -> tile<{kept}xptr<f32>>
    %e = offset %d, %k : tile<{kept}xptr<f32>>, tile<{kept}xi32> -> tile<{kept}xptr<f32>>
    %u = store_ptr_tko weak %e, %s : tile<{kept}xptr<f32>>, tile<{kept}xf32> -> token
    return
  }}
}}"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "sum", &mut diagnostics);
        let module = module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
        // Numbers of many magnitudes, so that every order has another sum.
        #[expect(clippy::cast_precision_loss, reason = "24 bits")]
        let numbers = (1..=ELEMENTS).map(|i| {
            let scale = 2_f32.powi(i32::try_from(i % 13).expect("small") - 6);
            (i.wrapping_mul(0x9e37_79b9) >> 8) as f32 / 65536.0 * scale
        });
        let bytes = numbers.flat_map(f32::to_le_bytes).collect();
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args: vec![Argument::Buffer(bytes), Argument::Buffer(vec![0; kept * 4])],
        };
        let Outcome { buffers, fault, .. } = execute(&runnable);
        assert_eq!(fault, None);
        for level in levels(&module) {
            let ran = run(&canonical(&module), &runnable, level).expect("native code");
            assert_eq!(
                ran.buffers[1], buffers[1],
                "{rows} x {columns} along {dim}, {level}"
            );
        }
    }
}

/// A stride whose product with an index wraps is that of a row that does not exist.
#[test]
fn a_constant_stride_may_be_huge() {
    for stride in [1_u64 << 32, 1 << 33, 1 << 62, (1 << 63) - 1] {
        let view = format!("tensor_view<1x64xf32, strides=[{stride},1]>");
        let partition = format!("partition_view<tile=(4x64), {view}>");
        let source = format!(
            "cuda_tile.module @m {{
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %i, %j, %k = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [1, 64], strides = [{stride}, 1] : {view}
    %xp = make_partition_view %xv : {partition}
    %yv = make_tensor_view %y, shape = [1, 64], strides = [{stride}, 1] : {view}
    %yp = make_partition_view %yv : {partition}
    %v, %t = load_view_tko weak %xp[%i, %j] : {partition}, tile<i32> -> tile<4x64xf32>, token
    %w = addf %v, %v rounding<nearest_even> : tile<4x64xf32>
    %u = store_view_tko weak %w, %yp[%i, %j] : tile<4x64xf32>, {partition}, tile<i32> -> token
    return
  }}
}}"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "stride", &mut diagnostics);
        let module = canonical(&module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take())));
        let x = (0..64_u8)
            .flat_map(|i| f32::from(i).to_le_bytes())
            .collect();
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args: vec![Argument::Buffer(x), Argument::Buffer(vec![0; 256])],
        };
        let Outcome { buffers, fault, .. } = execute(&runnable);
        assert_eq!(fault, None, "{stride}");
        for level in levels(&module) {
            let ran = run(&module, &runnable, level).expect("native code");
            assert_eq!(ran.stopped, u64::MAX, "{stride}, {level}");
            assert_eq!(ran.buffers, buffers, "{stride}, {level}");
        }
    }
}

/// Prints the stages of a file or of a seed:
/// `TILE_NATIVE_FILE=x.mlir cargo test -p tile-backend prints_a_module -- --ignored --nocapture`.
#[test]
#[ignore = "prints, on request"]
#[expect(clippy::print_stdout, reason = "what it is for")]
fn prints_a_module() {
    let module = match std::env::var("TILE_NATIVE_FILE") {
        Ok(file) => {
            let source = std::fs::read_to_string(&file).expect("a file");
            text::parse(&source, &file, &mut Diagnostics::new()).expect("a module")
        }
        Err(_) => {
            runnable_with(
                from_environment("TILE_NATIVE_FROM", 0),
                &options(from_environment("TILE_NATIVE_FROM", 0)),
            )
            .0
            .module
        }
    };
    let module = canonical(&module);
    println!("{}", text::print(&module));
    let module = tile_core::interp::with_wide_sums(&module);
    let entry = module.entries().next().expect("an entry");
    let level = Level::Avx512;
    let kernel = build::build(&module, entry, level).unwrap_or_else(|reason| panic!("{reason:?}"));
    println!("{}", ir::to_text(&kernel, &module));
    println!("{}", emit::emit(&kernel, &module, level));
}
