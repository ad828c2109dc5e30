//! Products that begin with zeros in registers, and that store their sums to the tensor.

use tile_core::ir::Module;
use tile_core::testing::{Argument, Runnable};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::super::{build, ir};
use super::{Level, canonical, codes, is_fault};

/// The types of operands and of sums.
const TYPES: [[Scalar; 2]; 3] = [
    [Scalar::F32, Scalar::F32],
    [Scalar::BF16, Scalar::F32],
    [Scalar::I8, Scalar::I32],
];

/// The store of the sums `%r`.
const STORED: &str = "%t = store_view_tko weak %r, %cv[%i, %j] : SUMS, CTILES, tile<i32> -> token";

/// A loop of `%steps` steps.
const LOOP: &str =
    "%r = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (SUMS) {
      %l, %lt = load_view_tko weak %av[%zero, %k] : ATILES, tile<i32> -> tile<32x64xTERM>, token
      %m, %mt = load_view_tko weak %bv[%k, %zero] : BTILES, tile<i32> -> tile<64x32xTERM>, token
      %s = MMA %l, %m, %acc SIGNS: tile<32x64xTERM>, tile<64x32xTERM>, SUMS
      WITHIN
      continue %s : SUMS
    }";

/// One product.
const ONCE: &str =
    "%l, %lt = load_view_tko weak %av[%zero, %zero] : ATILES, tile<i32> -> tile<32x64xTERM>, token
    %m, %mt = load_view_tko weak %bv[%zero, %zero] : BTILES, tile<i32> -> tile<64x32xTERM>, token
    %r = MMA %l, %m, %none SIGNS: tile<32x64xTERM>, tile<64x32xTERM>, SUMS";

/// A kernel that adds products of 32 x 64 x 32, and stores the sums to tile (`%i`, `%j`) of a tensor.
fn module([term, sum]: [Scalar; 2], body: &str, within: &str, after: &str) -> Module {
    let (mma, signs) = match term {
        Scalar::I8 => ("mmai", "signed signed "),
        _ => ("mmaf", ""),
    };
    let source = "cuda_tile.module @m {
  entry @sums(%a: tile<ptr<TERM>>, %b: tile<ptr<TERM>>, %c: tile<ptr<SUM>>, %d: tile<ptr<SUM>>, %rows: tile<i64>, %columns: tile<i64>, %above: tile<i64>, %beside: tile<i64>, %i: tile<i32>, %j: tile<i32>, %steps: tile<i32>) {
    %aw = make_tensor_view %a, shape = [32, 192], strides = [192, 1] : tensor_view<32x192xTERM, strides=[192,1]>
    %av = make_partition_view %aw : ATILES
    %bw = make_tensor_view %b, shape = [192, 32], strides = [32, 1] : tensor_view<192x32xTERM, strides=[32,1]>
    %bv = make_partition_view %bw : BTILES
    %cw = make_tensor_view %c, shape = [%rows, %columns], strides = [%above, %beside] : tile<i64> -> tensor_view<?x?xSUM, strides=[?,?]>
    %cv = make_partition_view %cw : CTILES
    %dw = make_tensor_view %d, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xSUM, strides=[32,1]>
    %dv = make_partition_view %dw : DTILES
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %none = constant <SUM: 0> : SUMS
    BODY
    AFTER
    return
  }
}"
    .replace("BODY", body)
    .replace("WITHIN", within)
    .replace("AFTER", after)
    .replace("SUMS", "tile<32x32xSUM>")
    .replace("ATILES", "partition_view<tile=(32x64), tensor_view<32x192xTERM, strides=[192,1]>>")
    .replace("BTILES", "partition_view<tile=(64x32), tensor_view<192x32xTERM, strides=[32,1]>>")
    .replace("CTILES", "partition_view<tile=(32x32), tensor_view<?x?xSUM, strides=[?,?]>>")
    .replace("DTILES", "partition_view<tile=(32x32), tensor_view<32x32xSUM, strides=[32,1]>>")
    .replace("<SUM: 0>", if sum.is_float() { "<f32: 0.0>" } else { "<i32: 0>" })
    .replace("TERM", &term.to_string())
    .replace("SUM", &sum.to_string())
    .replace("MMA", mma)
    .replace("SIGNS", signs);
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "sums", &mut diagnostics);
    canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
}

/// Returns the bytes of small integers.
fn numbers(scalar: Scalar, count: usize, period: i8) -> Argument {
    let numbers = (0..period).cycle().take(count).map(|number| number - 5);
    Argument::Buffer(match scalar {
        Scalar::I8 => numbers.flat_map(i8::to_le_bytes).collect(),
        Scalar::I32 => numbers.flat_map(|it| i32::from(it).to_le_bytes()).collect(),
        Scalar::BF16 => {
            // The upper half of an `f32`.
            let upper = |number: i8| f32::from(number).to_le_bytes()[2..].to_vec();
            numbers.flat_map(upper).collect()
        }
        _ => numbers.flat_map(|it| f32::from(it).to_le_bytes()).collect(),
    })
}

/// Compares native code of all levels with the interpreter: for tiles inside of the tensor, at its sides and beyond, in rows and in
/// columns, after no step and several. Returns the number of launches that are a fault.
fn check(module: &Module, [term, sum]: [Scalar; 2], what: &str) -> usize {
    let codes = codes(module);
    let tensors: [([u64; 2], [u64; 2]); 6] = [
        ([64, 64], [64, 1]),
        ([64, 40], [64, 1]),
        ([33, 64], [70, 1]),
        // Columns that are neighbours, every second element, and rows beyond memory.
        ([64, 64], [1, 64]),
        ([32, 32], [128, 2]),
        ([64, 64], [100, 1]),
    ];
    let mut faults = 0;
    for (extents, strides) in tensors {
        for [i, j] in [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]] {
            for steps in 0..4 {
                let mut args = vec![
                    numbers(term, 32 * 192, 11),
                    numbers(term, 192 * 32, 13),
                    numbers(sum, 64 * 70, 7),
                    numbers(sum, 32 * 32, 7),
                ];
                let scalars = [extents, strides, [i, j]].into_iter().flatten();
                args.extend(scalars.chain([steps]).map(Argument::Number));
                let runnable = Runnable {
                    module: module.clone(),
                    grid: [1; 3],
                    args,
                };
                let what = format!("{what}, {extents:?}, {strides:?}, {i}, {j}, {steps}");
                faults += usize::from(is_fault(&runnable, &codes, &what));
            }
        }
    }
    faults
}

/// Returns whether the product of a kernel begins with zeros, and whether it stores to the tensor.
fn is_shortened(module: &Module, level: Level) -> [bool; 2] {
    let entry = module.entries().next().expect("an entry");
    let loops = build::build(module, entry, level).expect("loops");
    let text = ir::to_text(&loops, module);
    ["from zeros on", "  to %v"].map(|line| text.contains(line))
}

#[test]
fn sums_begin_and_end_in_registers() {
    for types in TYPES {
        for body in [LOOP, ONCE] {
            let module = module(types, body, "", STORED);
            for level in [Level::Baseline, Level::Avx512, Level::Amx] {
                assert_eq!(
                    is_shortened(&module, level),
                    [true; 2],
                    "{types:?}, {level}, {body}"
                );
            }
            let faults = check(&module, types, &format!("{types:?}, {body}"));
            assert!(faults > 0, "no tile is beyond memory");
        }
    }
}

/// Something else sees the sums, or may see the tensor before the last one.
#[test]
fn sums_that_others_see_are_in_memory() {
    let twice = format!(
        "{STORED}
    %u = store_view_tko weak %r, %dv[%zero, %zero] : SUMS, DTILES, tile<i32> -> token"
    );
    let step = "%w = store_view_tko weak %s, %dv[%zero, %zero] : SUMS, DTILES, tile<i32> -> token";
    let read = "%old, %ot = load_view_tko weak %cv[%i, %j] : CTILES, tile<i32> -> SUMS, token
      %w = store_view_tko weak %old, %dv[%zero, %zero] : SUMS, DTILES, tile<i32> -> token";
    // The sums of the outer loop, which the inner one goes on with.
    let nested = format!(
        "%r = for %o in (%zero to %two, step %one) : tile<i32> iter_values(%outer = %none) -> (SUMS) {{
    {}
    %x = store_view_tko weak %q, %cv[%i, %j] : SUMS, CTILES, tile<i32> -> token
    continue %q : SUMS
    }}",
        LOOP.replace("%r =", "%q =").replace("%acc = %none", "%acc = %outer")
    );
    for (body, within, after, wanted) in [
        (LOOP, "", twice.as_str(), [true, false]),
        (LOOP, step, STORED, [false, false]),
        (LOOP, read, STORED, [true, false]),
        (&nested, "", STORED, [false, false]),
    ] {
        for types in TYPES {
            let module = module(types, body, within, after);
            let what = format!("{types:?}, {body}, {within}, {after}");
            assert_eq!(is_shortened(&module, Level::Avx512), wanted, "{what}");
            check(&module, types, &what);
        }
    }
}

/// The sums are stored, and half of them are stored again.
#[test]
fn sums_that_are_stored_twice_are_in_memory() {
    const HALVES: &str = "partition_view<tile=(16x32), tensor_view<32x32xf32, strides=[32,1]>>";
    let types = [Scalar::F32; 2];
    let halved = format!(
        "{STORED}
    %half = extract %r[%one, %zero] : SUMS -> tile<16x32xf32>
    %halves = make_partition_view %dw : {HALVES}
    %u = store_view_tko weak %half, %halves[%zero, %zero] : tile<16x32xf32>, {HALVES}, tile<i32> -> token"
    );
    for body in [LOOP, ONCE] {
        let module = module(types, body, "", &halved);
        assert_eq!(is_shortened(&module, Level::Avx512), [true, false]);
        check(&module, types, body);
    }
}

/// The rows of the left operand, which are read as they are multiplied, are in the tensor that the sums are stored to.
#[test]
fn operands_in_the_tensor_of_the_sums_are_read_before() {
    let types = [Scalar::F32; 2];
    let in_place = ONCE.replace(
        "%l, %lt = load_view_tko weak %av[%zero, %zero] : ATILES, tile<i32> -> tile<32x64xTERM>, token",
        "%ew = make_tensor_view %c, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %ev = make_partition_view %ew : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %l, %lt = load_view_tko weak %ev[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token",
    );
    let module = module(types, &in_place, "", STORED);
    assert_eq!(is_shortened(&module, Level::Avx512), [true, false]);
    check(&module, types, "in place");
}
