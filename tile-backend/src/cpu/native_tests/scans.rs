//! Scans along rows, whose lanes are across rows, against the interpreter.

use tile_core::ir::Module;
use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::super::Level;
use super::super::llvm_text;
use super::{canonical, compare, levels, run};
use crate::timing::Times;

/// A scan of a tile of `x`, which is partly outside, and whose results go to `y`.
#[derive(Clone, Copy, Debug)]
struct Scan {
    scalar: &'static str,
    rows: usize,
    columns: usize,
    dim: usize,
    is_reverse: bool,
    body: Body,
}

/// The body, of an element `%e` and an accumulator `%a`.
#[derive(Clone, Copy, Debug)]
enum Body {
    /// The sum.
    Sum,
    /// Their difference, which has no neutral element: the first element is the first accumulator.
    Difference,
    /// The larger one and its column: two values.
    Largest,
}

impl Scan {
    fn module(self) -> Module {
        let Scan {
            scalar,
            rows,
            columns,
            dim,
            is_reverse,
            body,
        } = self;
        let (is_float, tile, one) = (
            scalar.contains('f'),
            format!("tile<{rows}x{columns}x{scalar}>"),
            format!("tile<{scalar}>"),
        );
        let columns_of = format!("tile<{rows}x{columns}xi32>");
        let view = |scalar: &str| format!("tensor_view<?x?x{scalar}, strides=[?,1]>");
        let partition =
            |scalar: &str| format!("partition_view<tile=({rows}x{columns}), {}>", view(scalar));
        let (zero, suffix, rounding) = if is_float {
            ("0.0", "f", " rounding<nearest_even>")
        } else {
            ("0", "i", "")
        };
        let scan = match body {
            Body::Sum | Body::Difference => {
                let op = if matches!(body, Body::Sum) {
                    "add"
                } else {
                    "sub"
                };
                format!(
                    "%r = scan %v dim={dim} reverse={is_reverse} identities=[{zero} : {scalar}] : {tile} -> {tile} (%e: {one}, %a: {one}) {{
      %s = {op}{suffix} %e, %a{rounding} : {one}
      yield %s : {one}
    }}
    %p = constant <i32: 1> : {columns_of}"
                )
            }
            Body::Largest => {
                let compare = if is_float {
                    "cmpf greater_than ordered %e, %a"
                } else {
                    "cmpi greater_than %e, %a, signed"
                };
                let compare = format!("%c = {compare} : {one} -> tile<i1>");
                format!(
                    "%i = iota : tile<{columns}xi32>
    %i1 = reshape %i : tile<{columns}xi32> -> tile<1x{columns}xi32>
    %i2 = broadcast %i1 : tile<1x{columns}xi32> -> {columns_of}
    %r, %p = scan %v, %i2 dim={dim} reverse={is_reverse} identities=[{zero} : {scalar}, 0 : i32] : {tile}, {columns_of} -> {tile}, {columns_of} (%e: {one}, %a: {one}, %f: tile<i32>, %g: tile<i32>) {{
      {compare}
      %s = select %c, %e, %a : tile<i1>, {one}
      %t = select %c, %f, %g : tile<i1>, tile<i32>
      yield %s, %t : {one}, tile<i32>
    }}"
                )
            }
        };
        let source = format!(
            "cuda_tile.module @m {{
  entry @scan(%x: tile<ptr<{scalar}>>, %y: tile<ptr<{scalar}>>, %z: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>) {{
    %b, %d, %h = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> {of}
    %xp = make_partition_view %xv : {partition}
    %yv = make_tensor_view %y, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> {of}
    %yp = make_partition_view %yv : {partition}
    %zv = make_tensor_view %z, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> {of_places}
    %zp = make_partition_view %zv : {places}
    %v, %t1 = load_view_tko weak %xp[%b, %d] : {partition}, tile<i32> -> {tile}, token
    {scan}
    %u = store_view_tko weak %r, %yp[%b, %d] : {tile}, {partition}, tile<i32> -> token
    %w = store_view_tko weak %p, %zp[%b, %d] : {columns_of}, {places}, tile<i32> -> token
    return
  }}
}}",
            of = view(scalar),
            of_places = view("i32"),
            partition = partition(scalar),
            places = partition("i32"),
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "scan", &mut diagnostics);
        canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
    }

    fn runnable(self, module: &Module) -> Runnable {
        // The last tiles are partly outside.
        let (rows, columns) = (self.rows * 2 - 1, self.columns * 2 - 3);
        let x = (0..61u16)
            .map(|i| u8::try_from(i * 37 % 61).expect("below 61"))
            .cycle()
            .take(rows * columns);
        let x: Vec<u8> = match self.scalar {
            "f32" => x
                .flat_map(|i| (f32::from(i) / 7.0 - 3.0).to_le_bytes())
                .collect(),
            "f64" => x
                .flat_map(|i| (f64::from(i) / 7.0 - 3.0).to_le_bytes())
                .collect(),
            // The upper half of the bits of f32.
            "bf16" => x
                .flat_map(|i| (((f32::from(i) / 7.0 - 3.0).to_bits() >> 16) as u16).to_le_bytes())
                .collect(),
            _ => x.collect(),
        };
        let places = vec![0; rows * columns * 4];
        Runnable {
            module: module.clone(),
            grid: [2, 2, 1],
            args: vec![
                Argument::Buffer(x.clone()),
                Argument::Buffer(vec![0; x.len()]),
                Argument::Buffer(places),
                Argument::Number(rows as u64),
                Argument::Number(columns as u64),
            ],
        }
    }
}

#[test]
fn scans_along_rows_are_those_of_the_interpreter() {
    for scalar in ["f32", "f64", "bf16", "i8"] {
        for (rows, columns, dim) in [(16, 64, 1), (32, 16, 1), (2, 128, 1), (8, 4, 1), (8, 32, 0)] {
            for is_reverse in [false, true] {
                for body in [Body::Sum, Body::Difference, Body::Largest] {
                    let scan = Scan {
                        scalar,
                        rows,
                        columns,
                        dim,
                        is_reverse,
                        body,
                    };
                    let module = scan.module();
                    let runnable = scan.runnable(&module);
                    let Outcome { buffers, fault, .. } = execute(&runnable);
                    assert_eq!(fault, None, "{scan:?}");
                    for level in levels(&module) {
                        let ran = run(&module, &runnable, level).expect("native code");
                        assert_eq!(ran.stopped, u64::MAX, "{scan:?}, {level}");
                        let compared = compare(&module, &buffers, &ran.buffers, &[]);
                        assert_eq!(compared, Ok(()), "{scan:?}, {level}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_scan_of_rows_stores_vectors() {
    let scan = Scan {
        scalar: "f32",
        rows: 16,
        columns: 64,
        dim: 1,
        is_reverse: false,
        body: Body::Sum,
    };
    let module = scan.module();
    let entry = module.entries().next().expect("an entry");
    let text = llvm_text(&module, entry, Level::Avx512, &mut Times::new());
    let (text, _) = text.expect("native code");
    // Into the buffer of the results: a row of each block.
    let stores = text
        .lines()
        .filter(|line| line.contains("store <16 x float> %"));
    assert!(stores.count() >= 16);
    assert!(!text.contains("extractelement <16 x float>"));
}
