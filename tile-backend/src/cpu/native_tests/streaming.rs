//! Stores around the caches: they store what other stores do, and only whole lines of large tensors.

use tile_core::ir::Module;
use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::super::testing::Loaded;
use super::super::{Level, emit::ENTRY, llvm_text};
use super::{BEFORE, Code, Entry, canonical, levels};
use crate::timing::Times;

/// The rows and columns of a tile.
const TILE: [usize; 2] = [4, 64];

/// The bytes of a tensor that is large.
const LARGE: usize = 16 << 20;

/// The bytes of one that is not.
const SMALL: usize = 1 << 20;

/// The other accesses of a kernel that stores `x + 1` to `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Also {
    Nothing,
    /// It loads `y` before.
    Reads,
    /// It counts in one step.
    Counts,
    /// It loads a number that another block may have released.
    Acquires,
}

/// Returns a module that adds 1 to elements of a type. `y` begins at an element, and has rows at a distance of elements.
fn module(scalar: &str, also: Also) -> Module {
    let [rows, columns] = TILE;
    let tile = format!("tile<{rows}x{columns}x{scalar}>");
    let view = format!("tensor_view<?x?x{scalar}, strides=[?,1]>");
    let partition = format!("partition_view<tile=({rows}x{columns}), {view}>");
    let (add, rounding, one) = match scalar {
        "i8" => ("addi", "", "1"),
        _ => ("addf", " rounding<nearest_even>", "1.0"),
    };
    let (before, sum) = match also {
        Also::Nothing => (String::new(), "w"),
        Also::Reads => (
            format!(
                "%old, %t2 = load_view_tko weak %yp[%i, %j] : {partition}, tile<i32> -> {tile}, token
    %sum = {add} %w, %old{rounding} : {tile}\n"
            ),
            "sum",
        ),
        Also::Counts => (
            "%none = constant <i32: 1> : tile<i32>
    %old, %t2 = atomic_rmw_tko relaxed device %count, add, %none : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
                .to_owned(),
            "w",
        ),
        Also::Acquires => (
            "%old, %t2 = load_ptr_tko acquire device %count : tile<ptr<i32>> -> tile<i32>, token\n".to_owned(),
            "w",
        ),
    };
    let source = format!(
        "cuda_tile.module @m {{
  entry @add(%x: tile<ptr<{scalar}>>, %y: tile<ptr<{scalar}>>, %count: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>, %from: tile<i32>, %stride: tile<i32>, %times: tile<i32>) {{
    %i, %j, %k = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> {view}
    %xp = make_partition_view %xv : {partition}
    %first = offset %y, %from : tile<ptr<{scalar}>>, tile<i32> -> tile<ptr<{scalar}>>
    %yv = make_tensor_view %first, shape = [%rows, %columns], strides = [%stride, 1] : tile<i32> -> {view}
    %yp = make_partition_view %yv : {partition}
    %v, %t = load_view_tko weak %xp[%i, %j] : {partition}, tile<i32> -> {tile}, token
    %zero = constant <i32: 0> : tile<i32>
    %next = constant <i32: 1> : tile<i32>
    %one = constant <{scalar}: {one}> : {tile}
    for %n in (%zero to %times, step %next) : tile<i32> {{
    %w = {add} %v, %one{rounding} : {tile}
    {before}
    %u = store_view_tko weak %{sum}, %yp[%i, %j] : {tile}, {partition}, tile<i32> -> token
    continue
    }}
    return
  }}
}}"
    );
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "streaming", &mut diagnostics);
    canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
}

/// Returns the text of a level's LLVM module.
fn llvm(module: &Module, level: Level) -> (String, u64) {
    let entry = module.entries().next().expect("an entry");
    llvm_text(module, entry, level, &mut Times::new()).expect("native code")
}

/// Compiles the module with stores of zeros around the caches, which show where there are such stores.
fn with_zeros(module: &Module, level: Level) -> Code {
    let (text, scratch) = llvm(module, level);
    let zero = |line: &str| {
        if !line.contains("!nontemporal") {
            return format!("{line}\n");
        }
        let (ty, rest) = line.trim_start()["store ".len()..]
            .split_once("> %")
            .expect("a vector");
        let (_, rest) = rest.split_once(',').expect("an address");
        format!("  store {ty}> zeroinitializer,{rest}\n")
    };
    let text: String = text.lines().map(zero).collect();
    let loaded = Loaded::new(&text, level).expect("a module");
    // SAFETY: the function has this type.
    let function = unsafe { loaded.function::<Entry>(ENTRY) };
    let scratch = usize::try_from(scratch).expect("fits");
    Code::Loaded { function, scratch }
}

/// The numbers of a launch.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    rows: usize,
    columns: usize,
    /// The number of elements from the second line of a cache to the start of `y`.
    from: usize,
    stride: usize,
    /// The bytes of `y`.
    bytes: usize,
    /// How many blocks store each tile, and how often each does.
    blocks: usize,
    times: usize,
}

impl Numbers {
    fn runnable(self, module: &Module, scalar: &str) -> Runnable {
        let [rows, columns] = TILE;
        let grid = [
            self.rows.div_ceil(rows),
            self.columns.div_ceil(columns),
            self.blocks,
        ];
        let x = (1..62u8).cycle().take(self.rows * self.columns * 8);
        let bytes = Scalar::parse(scalar).expect("a type").bytes();
        let from = (64 - BEFORE) / bytes + self.from;
        let numbers = [self.rows, self.columns, from, self.stride, self.times];
        let mut args = vec![
            Argument::Buffer(x.collect()),
            Argument::Buffer(vec![0x40; self.bytes]),
            Argument::Buffer(vec![0; 4]),
        ];
        args.extend(numbers.map(|number| Argument::Number(number as u64)));
        Runnable {
            module: module.clone(),
            grid: grid.map(|extent| u32::try_from(extent).expect("small")),
            args,
        }
    }
}

#[test]
fn whole_lines_of_large_tensors_go_around_the_caches() {
    let plain = Numbers {
        rows: 8,
        columns: 128,
        from: 0,
        stride: 128,
        bytes: LARGE,
        blocks: 16384,
        times: 1,
    };
    let cases = [
        (true, plain),
        (true, Numbers { from: 192, ..plain }),
        (
            true,
            Numbers {
                stride: 1024,
                ..plain
            },
        ),
        // Tiles that are partly outside are stored with masks, beside those that are not.
        (
            true,
            Numbers {
                rows: 10,
                columns: 150,
                stride: 192,
                ..plain
            },
        ),
        // No row begins with a line.
        (false, Numbers { from: 4, ..plain }),
        (false, Numbers { from: 1, ..plain }),
        (
            false,
            Numbers {
                stride: 132,
                ..plain
            },
        ),
        (
            false,
            Numbers {
                stride: 131,
                from: 64,
                ..plain
            },
        ),
        (
            false,
            Numbers {
                bytes: LARGE - 1,
                ..plain
            },
        ),
        (
            false,
            Numbers {
                bytes: SMALL,
                ..plain
            },
        ),
        // What is written in a loop counts as often, and what is little stays in the caches.
        (
            true,
            Numbers {
                blocks: 1,
                times: 16384,
                ..plain
            },
        ),
        (
            false,
            Numbers {
                blocks: 2,
                times: 16,
                ..plain
            },
        ),
        // Rows that are all one.
        (
            true,
            Numbers {
                stride: 0,
                rows: 4,
                columns: 64,
                blocks: 65536,
                ..plain
            },
        ),
    ];
    for scalar in ["f32", "f64", "bf16", "i8"] {
        let module = module(scalar, Also::Nothing);
        let compiled = levels(&module)
            .into_iter()
            .filter(|&level| level != Level::Neon)
            .map(|level| {
                let code = Code::new(&module, level).expect("native code");
                (level, code, with_zeros(&module, level))
            })
            .collect::<Vec<_>>();
        for (is_streamed, numbers) in cases {
            let runnable = numbers.runnable(&module, scalar);
            // All runs store the same.
            let once = Numbers {
                blocks: 1,
                times: 1,
                ..numbers
            };
            let Outcome { buffers, fault, .. } = execute(&once.runnable(&module, scalar));
            assert_eq!(fault, None, "{scalar}, {numbers:?}");
            for (level, code, zeros) in &compiled {
                let what = format!("{scalar}, {level}, {numbers:?}");
                let ran = code.run(&runnable);
                assert_eq!(ran.stopped, u64::MAX, "{what}");
                assert!(ran.buffers == buffers, "{what}");
                let differs = zeros.run(&runnable).buffers != buffers;
                assert_eq!(differs, is_streamed, "{what}");
            }
        }
    }
}

#[test]
fn what_is_read_or_ordered_goes_through_the_caches() {
    for (also, is_streamed) in [
        (Also::Nothing, true),
        (Also::Reads, false),
        (Also::Counts, false),
        (Also::Acquires, false),
    ] {
        let module = module("f32", also);
        for level in levels(&module) {
            let (text, _) = llvm(&module, level);
            let is_expected = is_streamed && level != Level::Neon;
            for part in ["!nontemporal", "@llvm.x86.sse.sfence()"] {
                assert_eq!(
                    text.contains(part),
                    is_expected,
                    "{also:?}, {level}, {part}"
                );
            }
        }
    }
}
