//! Products of matrices: what they compute, for shapes that end within a block of registers, a panel and a tensor.

use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::super::{Level, compile};
use super::{canonical, levels, run};
use crate::timing::Times;

/// A kernel that multiplies matrices, tile by tile.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    /// The types of the operands and of the sums.
    types: [&'static str; 2],
    /// The signedness of both operands, as the operation is written.
    signs: &'static str,
    /// The extents of tiles: rows, columns, and terms.
    tile: [usize; 3],
    /// The extents of the tensors.
    whole: [usize; 3],
    /// `true` for an operand whose tile is loaded with its axes exchanged.
    permuted: [bool; 2],
    /// `true` for an operand whose columns, not rows, are neighbours in memory.
    by_columns: [bool; 2],
}

const BYTES: Kernel = Kernel {
    types: ["i8", "i32"],
    signs: " signed signed",
    tile: [16, 32, 16],
    whole: [16, 32, 16],
    permuted: [false; 2],
    by_columns: [false; 2],
};

const FLOATS: Kernel = Kernel {
    types: ["f32", "f32"],
    signs: "",
    ..BYTES
};

const HALVES: Kernel = Kernel {
    types: ["bf16", "f32"],
    ..FLOATS
};

/// The extents and strides of a tensor.
struct Layout {
    extents: [usize; 2],
    strides: [usize; 2],
}

impl Kernel {
    /// Returns how an operand lies in memory, before its axes are exchanged.
    fn layout(&self, number: usize) -> Layout {
        let [m, n, k] = self.whole;
        let [rows, columns] = [[m, k], [k, n]][number];
        let extents = if self.permuted[number] {
            [columns, rows]
        } else {
            [rows, columns]
        };
        let strides = if self.by_columns[number] {
            [1, extents[0]]
        } else {
            [extents[1], 1]
        };
        Layout { extents, strides }
    }

    /// Returns the operations that load a tile of an operand.
    fn load(&self, number: usize) -> String {
        let [m, n, k] = self.tile;
        let ([rows, columns], [row, column]) = [([m, k], ["x", "i"]), ([k, n], ["i", "y"])][number];
        let (name, ty) = (["a", "b"][number], self.types[0]);
        let (shape, at) = if self.permuted[number] {
            ([columns, rows], [column, row])
        } else {
            ([rows, columns], [row, column])
        };
        let view = format!(
            "partition_view<tile=({}x{}), padding_value = zero, tensor_view<?x?x{ty}, strides=[?,?]>>",
            shape[0], shape[1]
        );
        let tile = format!("tile<{}x{}x{ty}>", shape[0], shape[1]);
        let result = format!("tile<{rows}x{columns}x{ty}>");
        let permuted = if self.permuted[number] {
            format!("%{name}r = permute %{name}l [1, 0] : {tile} -> {result}")
        } else {
            format!("%{name}r = reshape %{name}l : {tile} -> {result}")
        };
        format!(
            "%{name}l, %{name}t = load_view_tko weak %{name}v[%{}, %{}] : {view}, tile<i32> -> {tile}, token
      {permuted}",
            at[0], at[1]
        )
    }

    fn view(&self, number: usize) -> String {
        let [m, n, k] = self.tile;
        let (name, ty) = (["a", "b"][number], self.types[0]);
        let shape = match (number, self.permuted[number]) {
            (0, false) => [m, k],
            (0, true) => [k, m],
            (_, false) => [k, n],
            (_, true) => [n, k],
        };
        let tensor = format!("tensor_view<?x?x{ty}, strides=[?,?]>");
        format!(
            "%{name}w = make_tensor_view %{name}, shape = [%{name}0, %{name}1], strides = [%{name}2, %{name}3] : tile<i32> -> {tensor}
    %{name}v = make_partition_view %{name}w : partition_view<tile=({}x{}), padding_value = zero, {tensor}>",
            shape[0], shape[1]
        )
    }

    fn source(&self) -> String {
        let [m, n, k] = self.tile;
        let [rows, columns, terms] = self.whole;
        let ([operand, sum], signs) = (self.types, self.signs);
        let (zero, mnemonic) = if sum.starts_with('f') {
            ("0.0", "mmaf")
        } else {
            ("0", "mmai")
        };
        let numbers = |name| {
            let numbers = (0..4).map(|index| format!("%{name}{index}: tile<i32>"));
            numbers.collect::<Vec<_>>().join(", ")
        };
        let tensor = format!("tensor_view<{rows}x{columns}x{sum}, strides=[{columns}, 1]>");
        format!(
            "cuda_tile.module @m {{
  entry @product(%a: tile<ptr<{operand}>>, {}, %b: tile<ptr<{operand}>>, {}, %c: tile<ptr<{sum}>>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    {}
    {}
    %none = constant <{sum}: {zero}> : tile<{m}x{n}x{sum}>
    %first = constant <i32: 0> : tile<i32>
    %end = constant <i32: {}> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%first to %end, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<{m}x{n}x{sum}>) {{
      {}
      {}
      %s = {mnemonic} %ar, %br, %acc{signs} : tile<{m}x{k}x{operand}>, tile<{k}x{n}x{operand}>, tile<{m}x{n}x{sum}>
      continue %s : tile<{m}x{n}x{sum}>
    }}
    %cw = make_tensor_view %c, shape = [{rows}, {columns}], strides = [{columns}, 1] : {tensor}
    %cv = make_partition_view %cw : partition_view<tile=({m}x{n}), {tensor}>
    %t = store_view_tko weak %r, %cv[%x, %y] : tile<{m}x{n}x{sum}>, partition_view<tile=({m}x{n}), {tensor}>, tile<i32> -> token
    return
  }}
}}",
            numbers("a"),
            numbers("b"),
            self.view(0),
            self.view(1),
            terms.div_ceil(k),
            self.load(0),
            self.load(1),
        )
    }

    /// Returns the kernel with arguments: every byte, or floats whose sums are exact.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn runnable(&self) -> Runnable {
        let source = self.source();
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "product", &mut diagnostics);
        let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
        let [m, n, _] = self.whole;
        let mut args = Vec::new();
        for number in 0..2 {
            let Layout { extents, strides } = self.layout(number);
            let count = extents[0] * extents[1];
            let first = [1, 1000][number];
            let numbers = (first..).map(|i: u32| i.wrapping_mul(0x9e37_79b9) >> 19);
            let numbers = numbers.take(count);
            let bytes = match self.types[0] {
                "f32" => numbers
                    .flat_map(|number| ((number % 31) as f32 - 15.0).to_le_bytes())
                    .collect(),
                // Their lower halves are zeros.
                "bf16" => numbers
                    .flat_map(|number| {
                        let [_, _, low, high] = ((number % 31) as f32 - 15.0).to_le_bytes();
                        [low, high]
                    })
                    .collect(),
                // The products of extremes are the largest.
                _ => numbers
                    .map(|number| {
                        if number % 5 == 0 {
                            0x80
                        } else {
                            number.to_le_bytes()[0]
                        }
                    })
                    .collect(),
            };
            args.push(Argument::Buffer(bytes));
            let words = extents.into_iter().chain(strides);
            args.extend(words.map(|word| Argument::Number(word as u64)));
        }
        args.push(Argument::Buffer(vec![0; m * n * 4]));
        let blocks = |whole: usize, tile: usize| u32::try_from(whole.div_ceil(tile)).expect("few");
        Runnable {
            module,
            grid: [blocks(m, self.tile[0]), blocks(n, self.tile[1]), 1],
            args,
        }
    }

    fn check(&self) {
        check(&self.runnable(), &format!("{self:?}"));
    }
}

/// Compares native code of every level with the interpreter.
fn check(runnable: &Runnable, what: &str) {
    let module = canonical(&runnable.module);
    let Outcome { buffers, fault, .. } = execute(runnable);
    assert_eq!(fault, None, "{what}");
    for level in levels(&module) {
        let ran = run(&module, runnable, level).expect("native code");
        assert_eq!(ran.stopped, u64::MAX, "{what}, {level}");
        assert!(ran.buffers == buffers, "{what}, {level}");
    }
}

#[test]
fn products_of_bytes_are_those_of_the_interpreter() {
    for signs in [
        " signed signed",
        " signed unsigned",
        " unsigned signed",
        " unsigned unsigned",
    ] {
        Kernel { signs, ..BYTES }.check();
    }
    // Few lanes, several panels, one term, and tensors that end within a tile.
    for (tile, whole) in [
        ([4, 1, 8], [4, 1, 8]),
        ([8, 2, 8], [8, 2, 11]),
        ([1, 4, 2], [1, 4, 7]),
        ([2, 8, 1], [2, 8, 3]),
        ([32, 64, 32], [32, 64, 64]),
        ([128, 128, 16], [135, 141, 23]),
        // Tile registers: one with few rows, several, and parts of panels.
        ([8, 16, 64], [8, 16, 64]),
        ([64, 32, 128], [70, 45, 141]),
        ([128, 64, 1024], [135, 77, 1100]),
    ] {
        for signs in [
            " signed signed",
            " signed unsigned",
            " unsigned signed",
            " unsigned unsigned",
        ] {
            Kernel {
                signs,
                tile,
                whole,
                ..BYTES
            }
            .check();
        }
    }
}

/// `docs/numerics.md` states by how much a sum may differ where an instruction for dot products of bf16 takes subnormal numbers
/// for zeros. Other levels compute these as the interpreter does.
#[test]
fn only_dot_products_of_bf16_lose_subnormal_numbers() {
    check_subnormal_numbers(HALVES);
    // Enough terms for tile registers.
    let whole = [16, 32, 64];
    check_subnormal_numbers(Kernel {
        tile: whole,
        whole,
        ..HALVES
    });
}

fn check_subnormal_numbers(kernel: Kernel) {
    let [m, n, k] = kernel.whole;
    let of_bits = |bits: u16| f64::from(f32::from_bits(u32::from(bits) << 16));
    let power = |exponent: i32| u16::try_from((exponent + 127) << 7).expect("a normal number");
    for (name, pattern, right) in [
        ("elements", [1, 0, 1, 0], power(126)),
        ("products", [power(-70); 4], power(-70)),
        // 1.5 and -1, which tile registers add to one sum: terms at even positions have one, and those at odd ones.
        ("sums", [0x3fc0, 0, 0xbf80, 0], power(-126)),
    ] {
        let mut runnable = kernel.runnable();
        let left = (0..m * k).map(|i| pattern[i % 4]);
        let bytes = |bits: &mut dyn Iterator<Item = u16>| bits.flat_map(u16::to_le_bytes).collect();
        for (arg, bytes) in [
            (0, bytes(&mut left.clone())),
            (5, bytes(&mut std::iter::repeat_n(right, k * n))),
        ] {
            runnable.args[arg] = Argument::Buffer(bytes);
        }
        let terms = left
            .take(k)
            .map(|left| (left, of_bits(left) * of_bits(right)));
        let exact: f64 = terms.clone().map(|(_, term)| term).sum();
        let of_subnormal: f64 = terms
            .filter(|(left, _)| left & 0x7f80 == 0)
            .map(|(_, term)| term.abs())
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let bound = of_subnormal + (2 * k + 1) as f64 * 2_f64.powi(-126);
        let module = canonical(&runnable.module);
        let Outcome { buffers, fault, .. } = execute(&runnable);
        assert_eq!(fault, None);
        let sums = |buffers: &[Vec<u8>]| -> Vec<f64> {
            let sums = buffers.last().expect("the sums are the last argument");
            let (sums, _) = sums.as_chunks();
            sums.iter()
                .map(|&sum| f64::from(f32::from_le_bytes(sum)))
                .collect()
        };
        assert_eq!(sums(&buffers), vec![exact; m * n], "{name}");
        for level in levels(&module) {
            let ran = run(&module, &runnable, level).expect("native code");
            let found = sums(&ran.buffers);
            if level.has_dot_products() {
                assert!((found[0] - exact).abs() > 0.0, "{name}: nothing is lost");
                let differs = found.iter().map(|sum| (sum - exact).abs());
                assert!(differs.fold(0.0, f64::max) <= bound, "{name}: {found:?}");
            } else {
                assert_eq!(found, vec![exact; m * n], "{name}, {level}");
            }
        }
    }
}

/// Checks products with tiles and tensors of these extents.
fn check_extents(kernel: Kernel, extents: &[([usize; 3], [usize; 3])]) {
    for &(tile, whole) in extents {
        Kernel {
            tile,
            whole,
            ..kernel
        }
        .check();
    }
}

/// Products of one row, of one panel, of several parts of panels, and of tensors that end within a tile.
const EXTENTS: [([usize; 3], [usize; 3]); 6] = [
    ([1, 256, 4], [1, 256, 4]),
    ([4, 128, 16], [4, 128, 16]),
    ([8, 16, 2], [8, 16, 3]),
    ([16, 2, 8], [16, 2, 8]),
    ([32, 64, 512], [32, 64, 512]),
    ([256, 128, 16], [270, 150, 41]),
];

#[test]
fn products_of_bf16_are_those_of_the_interpreter() {
    check_extents(HALVES, &EXTENTS);
    // The fewest columns of a vector, and a single term.
    check_extents(HALVES, &[([8, 4, 2], [8, 4, 3]), ([4, 16, 1], [4, 16, 5])]);
    // Tile registers: one with few rows, several, and parts of panels.
    check_extents(
        HALVES,
        &[
            ([8, 16, 32], [8, 16, 32]),
            ([16, 64, 64], [19, 77, 75]),
            ([128, 64, 512], [135, 77, 600]),
        ],
    );
}

#[test]
fn products_of_floats_are_those_of_the_interpreter() {
    check_extents(FLOATS, &EXTENTS);
}

/// The rows of each product of a batch are computed in groups.
#[test]
fn products_of_a_batch_have_operands_of_their_own() {
    check_batch("f32", 8);
    check_batch("bf16", 32);
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn check_batch(operand: &str, terms: usize) {
    let tensor = |shape: [usize; 3], ty: &str| {
        let [batch, rows, columns] = shape;
        format!(
            "tensor_view<{batch}x{rows}x{columns}x{ty}, strides=[{}, {columns}, 1]>",
            rows * columns
        )
    };
    let types = [operand, operand, "f32"];
    let shapes = [[2, 128, terms], [2, terms, 16], [2, 128, 16]];
    let views = ["a", "b", "c"].iter().zip(shapes).zip(types);
    let views = views.map(|((name, shape), ty)| {
        let [batch, rows, columns] = shape;
        let ty = tensor(shape, ty);
        format!(
            "%{name}w = make_tensor_view %{name}, shape = [{batch}, {rows}, {columns}], strides = [{}, {columns}, 1] : {ty}
    %{name}v = make_partition_view %{name}w : partition_view<tile=({batch}x{rows}x{columns}), {ty}>",
            rows * columns
        )
    });
    let view = |index: usize| {
        let [batch, rows, columns] = shapes[index];
        let ty = tensor(shapes[index], types[index]);
        format!("partition_view<tile=({batch}x{rows}x{columns}), {ty}>")
    };
    let source = format!(
        "cuda_tile.module @m {{
  entry @product(%a: tile<ptr<{operand}>>, %b: tile<ptr<{operand}>>, %c: tile<ptr<f32>>) {{
    %z = constant <i32: 0> : tile<i32>
    {}
    %none = constant <f32: 0.0> : tile<2x128x16xf32>
    %l, %t = load_view_tko weak %av[%z, %z, %z] : {}, tile<i32> -> tile<2x128x{terms}x{operand}>, token
    %r, %u = load_view_tko weak %bv[%z, %z, %z] : {}, tile<i32> -> tile<2x{terms}x16x{operand}>, token
    %s = mmaf %l, %r, %none : tile<2x128x{terms}x{operand}>, tile<2x{terms}x16x{operand}>, tile<2x128x16xf32>
    %v = store_view_tko weak %s, %cv[%z, %z, %z] : tile<2x128x16xf32>, {}, tile<i32> -> token
    return
  }}
}}",
        views.collect::<Vec<_>>().join("\n    "),
        view(0),
        view(1),
        view(2),
    );
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "product", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
    let firsts = [1_u32, 1000, 0];
    let args = shapes
        .iter()
        .zip(firsts)
        .zip(types)
        .map(|((shape, first), ty)| {
            let numbers = (first..).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 19) % 31);
            let numbers = numbers.take(shape.iter().product());
            Argument::Buffer(
                numbers
                    .flat_map(|it| {
                        // The upper half of such an `f32` is the `bf16`.
                        let bytes = (it as f32 - 15.0).to_le_bytes();
                        bytes[if ty == "bf16" { 2 } else { 0 }..].to_vec()
                    })
                    .collect(),
            )
        });
    let runnable = Runnable {
        module: module.clone(),
        grid: [1; 3],
        args: args.collect(),
    };
    check(&runnable, &format!("a batch of {operand}"));
}

/// The sums of a product may be an operand of the next one, which adds to them: in their own shape or in another one.
#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn an_operand_may_be_the_accumulator() {
    let tile = "tile<16x16xf32>";
    let tensor = "tensor_view<16x16xf32, strides=[16, 1]>";
    let view = format!("partition_view<tile=(16x16), {tensor}>");
    let reshaped = "%f = reshape %s : tile<16x16xf32> -> tile<256xf32>
    %o = reshape %f : tile<256xf32> -> tile<16x16xf32>";
    for (name, operands) in [
        ("", "%s, %r"),
        ("", "%r, %s"),
        ("", "%s, %s"),
        (reshaped, "%o, %r"),
        (reshaped, "%r, %o"),
    ] {
        let views = ["a", "b", "c"].map(|it| {
            format!(
                "%{it}w = make_tensor_view %{it}, shape = [16, 16], strides = [16, 1] : {tensor}
    %{it}v = make_partition_view %{it}w : {view}"
            )
        });
        let source = format!(
            "cuda_tile.module @m {{
  entry @product(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {{
    %z = constant <i32: 0> : tile<i32>
    {}
    %none = constant <f32: 0.0> : {tile}
    %l, %t = load_view_tko weak %av[%z, %z] : {view}, tile<i32> -> {tile}, token
    %r, %u = load_view_tko weak %bv[%z, %z] : {view}, tile<i32> -> {tile}, token
    %s = mmaf %l, %r, %none : {tile}, {tile}, {tile}
    {name}
    %p = mmaf {operands}, %s : {tile}, {tile}, {tile}
    %v = store_view_tko weak %p, %cv[%z, %z] : {tile}, {view}, tile<i32> -> token
    return
  }}
}}",
            views.join("\n    ")
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "product", &mut diagnostics);
        let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
        let numbers = |first: u32| {
            let numbers = (first..).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 19) % 7);
            let numbers = numbers.take(256);
            Argument::Buffer(
                numbers
                    .flat_map(|it| (it as f32 - 3.0).to_le_bytes())
                    .collect(),
            )
        };
        let runnable = Runnable {
            module,
            grid: [1; 3],
            args: vec![numbers(1), numbers(1000), numbers(0)],
        };
        check(&runnable, operands);
    }
}

/// Elements beyond the columns of a tensor are no operands, even where they are in memory: here, the rows of the left operand have
/// numbers that are not in the tensor, which would make every sum a NaN.
#[test]
fn only_elements_of_the_tensor_are_multiplied() {
    for (kernel, bytes) in [
        (FLOATS, f32::NAN.to_le_bytes().to_vec()),
        (HALVES, vec![0xc0, 0x7f]),
    ] {
        let kernel = Kernel {
            tile: [16, 32, 64],
            whole: [16, 32, 41],
            ..kernel
        };
        let mut runnable = kernel.runnable();
        let Argument::Buffer(rows) = &runnable.args[0] else {
            unreachable!("the first argument is the left operand");
        };
        let rows = rows.chunks(41 * bytes.len());
        let apart = rows.flat_map(|row| [row.to_vec(), bytes.repeat(23)].concat());
        runnable.args[0] = Argument::Buffer(apart.collect());
        runnable.args[3] = Argument::Number(64);
        check(&runnable, &format!("{kernel:?}"));
    }
}

/// Assembly of a processor that this machine may not have.
#[test]
fn each_pair_of_signs_has_its_instruction_for_tile_registers() {
    let tile = [32, 32, 64];
    let halves = Kernel { tile, ..HALVES };
    let bytes = |signs| Kernel {
        signs,
        tile,
        ..BYTES
    };
    for (kernel, name) in [
        (halves, "tdpbf16ps"),
        (bytes(" signed signed"), "tdpbssd"),
        (bytes(" signed unsigned"), "tdpbsud"),
        (bytes(" unsigned signed"), "tdpbusd"),
        (bytes(" unsigned unsigned"), "tdpbuud"),
    ] {
        let module = canonical(&kernel.runnable().module);
        let entry = module.entries().next().expect("an entry");
        let native = compile(&module, entry, Level::Amx, &mut Times::new());
        let assembly = native.expect("LLVM").expect("native code").assembly;
        // Two registers of rows by two of columns, one step of 64 bytes.
        assert_eq!(assembly.matches(name).count(), 4, "{assembly}");
        let others = assembly.matches("\ttdp").count();
        assert_eq!(others, 4, "{assembly}");
        for around in ["ldtilecfg", "tilerelease"] {
            assert_eq!(assembly.matches(around).count(), 1, "{assembly}");
        }
    }
}

/// The panels share the rows of the next group: four have eight of the 32 of a block each. Two would have as many as they multiply.
#[test]
fn panels_prefetch_the_rows_of_the_next_group() {
    let kernel = Kernel {
        tile: [128, 128, 64],
        whole: [300, 200, 150],
        ..HALVES
    };
    let few = Kernel {
        tile: [128, 64, 64],
        ..kernel
    };
    for (kernel, expected) in [(kernel, 8), (few, 0)] {
        let module = canonical(&kernel.runnable().module);
        let entry = module.entries().next().expect("an entry");
        let native = compile(&module, entry, Level::Amx, &mut Times::new());
        let assembly = native.expect("LLVM").expect("native code").assembly;
        // The loop over the columns of a register is written once.
        let count = assembly.matches("\tprefetch").count();
        assert_eq!(count, expected, "{kernel:?}\n{assembly}");
        kernel.check();
    }
}

/// Operands with their axes exchanged are transposed in blocks, of which some are partly outside of the tensor.
#[test]
fn operands_may_be_transposed() {
    Kernel {
        tile: [128, 32, 16],
        whole: [150, 32, 20],
        permuted: [true, false],
        ..FLOATS
    }
    .check();
    for permuted in [[false, true], [true, false], [true, true]] {
        for by_columns in [[false; 2], [true; 2]] {
            for (tile, whole) in [([16, 64, 32], [16, 64, 32]), ([16, 64, 32], [19, 77, 45])] {
                let kernel = Kernel {
                    tile,
                    whole,
                    permuted,
                    by_columns,
                    ..FLOATS
                };
                kernel.check();
                Kernel {
                    types: BYTES.types,
                    signs: BYTES.signs,
                    ..kernel
                }
                .check();
            }
        }
    }
}

/// Prints the least time of a product, and its terms per second: `cargo test -p tile-backend times_of_products -- --ignored
/// --nocapture`.
#[test]
#[ignore = "prints, on request"]
#[expect(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "figures for people to read"
)]
fn times_of_products() {
    let tile = [256, 512, 128];
    for kernel in [
        FLOATS,
        Kernel {
            permuted: [false, true],
            ..FLOATS
        },
        HALVES,
        BYTES,
    ] {
        let kernel = Kernel {
            tile,
            whole: [1024; 3],
            ..kernel
        };
        let runnable = kernel.runnable();
        let module = canonical(&runnable.module);
        for level in levels(&module) {
            let mut least = f64::INFINITY;
            for _ in 0..5 {
                let ran = run(&module, &runnable, level).expect("native code");
                least = least.min(ran.seconds);
            }
            let terms = kernel.whole.iter().product::<usize>() as f64;
            println!(
                "{} of {:?}, {level}: {:.2} ms, {:.1} G terms per second",
                kernel.types[0],
                kernel.permuted,
                least * 1e3,
                terms / least / 1e9
            );
        }
    }
}
