//! Products of which only the rows and columns are computed that are inside of the tensor they are stored to.

use tile_core::ir::Module;
use tile_core::testing::{Argument, Runnable};
use tile_core::{Diagnostics, text};

use super::super::{build, ir};
use super::{Level, canonical, codes, is_fault};

const ROWS: usize = 128;
const COLUMNS: usize = 64;

/// The store of the sums `%r` of a product of 128 x 32 x 64, which is computed in two steps.
const STORED: &str =
    "%t = store_view_tko weak %r, %cv[%zero, %zero] : SUMS, CTILES, tile<i32> -> token";

/// Returns a kernel. `within` follows the sums `%s` of each step.
fn module(within: &str, after: &str) -> Module {
    let source = "cuda_tile.module @m {
  entry @product(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %d: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
    %aw = make_tensor_view %a, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %av = make_partition_view %aw : ATILES
    %bw = make_tensor_view %b, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %bv = make_partition_view %bw : BTILES
    %cw = make_tensor_view %c, shape = [%rows, %columns], strides = [64, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[64,1]>
    %cv = make_partition_view %cw : CTILES
    %dw = make_tensor_view %d, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %dv = make_partition_view %dw : DTILES
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %none = constant <f32: 0.25> : SUMS
    %r = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %none) -> (SUMS) {
      %l, %lt = load_view_tko weak %av[%zero, %i] : ATILES, tile<i32> -> tile<128x16xf32>, token
      %m, %mt = load_view_tko weak %bv[%i, %zero] : BTILES, tile<i32> -> tile<16x64xf32>, token
      %s = mmaf %l, %m, %acc : tile<128x16xf32>, tile<16x64xf32>, SUMS
      WITHIN
      continue %s : SUMS
    }
    AFTER
    return
  }
}"
    .replace("WITHIN", within)
    .replace("AFTER", after)
    .replace("SUMS", "tile<128x64xf32>")
    .replace("ATILES", "partition_view<tile=(128x16), tensor_view<128x32xf32, strides=[32,1]>>")
    .replace("BTILES", "partition_view<tile=(16x64), tensor_view<32x64xf32, strides=[64,1]>>")
    .replace("CTILES", "partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[64,1]>>")
    .replace("DTILES", "partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>");
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "demanded", &mut diagnostics);
    canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
}

/// Compares native code of all levels with the interpreter, for tensors that end within a tile.
fn check(module: &Module, what: &str) {
    let floats = |count: usize, period: u16| {
        let numbers = (0..period).cycle().take(count).map(|i| f32::from(i) - 20.0);
        Argument::Buffer(numbers.flat_map(f32::to_le_bytes).collect())
    };
    let codes = codes(module);
    for (rows, columns) in [
        (0, 0),
        (0, 5),
        (1, 1),
        (8, 64),
        (9, 33),
        (63, 32),
        (100, 17),
        (128, 64),
        (200, 100),
    ] {
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args: vec![
                floats(ROWS * 32, 41),
                floats(32 * COLUMNS, 37),
                floats(2 * ROWS * COLUMNS, 11),
                floats(ROWS, 13),
                Argument::Number(rows),
                Argument::Number(columns),
            ],
        };
        let what = format!("{what}, {rows} x {columns}");
        assert!(!is_fault(&runnable, &codes, &what), "{what}");
    }
}

fn demands_a_part(module: &Module) -> bool {
    let entry = module.entries().next().expect("an entry");
    let loops = build::build(module, entry, Level::Avx2).expect("loops");
    ir::to_text(&loops, module).contains("columns are demanded")
}

#[test]
fn only_what_is_stored_is_computed() {
    let changed = "%e = maxf %r, %none : SUMS
    %f = addf %e, %r : SUMS
    %t = store_view_tko weak %f, %cv[%zero, %zero] : SUMS, CTILES, tile<i32> -> token";
    for after in [STORED, changed] {
        let module = module("", after);
        assert!(demands_a_part(&module), "{after}");
        check(&module, after);
    }
}

#[test]
fn what_others_see_is_computed() {
    let reduced = "%sum = reduce %r dim=1 identities=[0.0 : f32] : SUMS -> tile<128xf32> (%x: tile<f32>, %y: tile<f32>) {
      %both = addf %x, %y : tile<f32>
      yield %both : tile<f32>
    }
    %u = store_view_tko weak %sum, %dv[%zero] : tile<128xf32>, DTILES, tile<i32> -> token";
    // The sums of the first step are stored at one place, and added to those that are stored at another one.
    let moving = "%w = store_view_tko weak %s, %cv[%i, %zero] : SUMS, CTILES, tile<i32> -> token";
    // The first step sees the rows that another product multiplies.
    let multiplied = "%first, %ft = load_view_tko weak %bv[%zero, %zero] : BTILES, tile<i32> -> tile<16x64xf32>, token
    %q = extract %r[%zero, %zero] : SUMS -> tile<128x16xf32>
    %v = constant <f32: 0.0> : SUMS
    %p = mmaf %q, %first, %v : tile<128x16xf32>, tile<16x64xf32>, SUMS
    %sum = reduce %p dim=1 identities=[0.0 : f32] : SUMS -> tile<128xf32> (%x: tile<f32>, %y: tile<f32>) {
      %both = addf %x, %y : tile<f32>
      yield %both : tile<f32>
    }
    %u = store_view_tko weak %sum, %dv[%zero] : tile<128xf32>, DTILES, tile<i32> -> token";
    for (within, after) in [
        ("", format!("{reduced}\n    {STORED}")),
        (moving, String::new()),
        ("", format!("{multiplied}\n    {STORED}")),
    ] {
        let module = module(within, &after);
        assert!(!demands_a_part(&module), "{within}{after}");
        check(&module, &format!("{within}{after}"));
    }
}
