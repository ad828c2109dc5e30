//! Boxes of tensors that are loaded through pointers, at any element, as the left operand of a product and as they are.

use std::fmt::Write as _;

use tile_core::ir::Module;
use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::super::{build, ir};
use super::{Code, Level, canonical, codes, levels};

/// The extents of the box.
const TILE: [usize; 3] = [2, 8, 16];

/// The elements of `x` in memory.
pub(super) const COUNT: u16 = 700;

/// A kernel that loads a box of `x` at an element, and stores it or multiplies it, as 16 rows, by a matrix of 16 x 32.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    /// The type of indices, extents and strides.
    integer: &'static str,
    /// `true` if the stride of the last axis is 1, not a number.
    is_unit: bool,
    is_multiplied: bool,
    /// `true` if the sums of the rows of the box are added to the product, for which it is needed in a buffer too.
    is_summed: bool,
}

/// The numbers of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) extents: [i64; 3],
    pub(super) strides: [i64; 3],
    pub(super) start: [i64; 3],
}

impl Kernel {
    fn module(self) -> Module {
        let int = self.integer;
        let all = "2x8x16";
        let (ints, truths) = (format!("tile<{all}x{int}>"), format!("tile<{all}xi1>"));
        let pointers = format!("tile<{all}xptr<f32>>");
        let mut source = format!(
            "cuda_tile.module @m {{
  entry @window(%x: tile<ptr<f32>>, %b: tile<ptr<f32>>, %y: tile<ptr<f32>>, {}) {{\n",
            ["d0", "d1", "d2", "s0", "s1", "s2", "a0", "a1", "a2"]
                .map(|name| format!("%{name}: tile<{int}>"))
                .join(", ")
        );
        let spread = |name: &str, ty: &str| {
            format!(
                "%{name}.r = reshape %{name} : tile<{ty}> -> tile<1x1x1x{ty}>
    %{name}.s = broadcast %{name}.r : tile<1x1x1x{ty}> -> tile<{all}x{ty}>\n"
            )
        };
        for (axis, (extent, shape)) in TILE
            .into_iter()
            .zip(["2x1x1", "1x8x1", "1x1x16"])
            .enumerate()
        {
            for name in ["d", "s", "a"] {
                source += &spread(&format!("{name}{axis}"), int);
            }
            let _ = write!(
                source,
                "%i{axis} = iota : tile<{extent}x{int}>
    %j{axis} = reshape %i{axis} : tile<{extent}x{int}> -> tile<{shape}x{int}>
    %k{axis} = broadcast %j{axis} : tile<{shape}x{int}> -> {ints}
    %at{axis} = addi %a{axis}.s, %k{axis} : {ints}
    %m{axis} = cmpi less_than %at{axis}, %d{axis}.s, unsigned : {ints} -> {truths}\n"
            );
            let _ = if axis == 2 && self.is_unit {
                Ok(())
            } else {
                writeln!(source, "%t{axis} = muli %at{axis}, %s{axis}.s : {ints}")
            };
        }
        let last = if self.is_unit { "at2" } else { "t2" };
        source += &spread("x", "ptr<f32>");
        let _ = write!(
            source,
            "%m01 = andi %m0, %m1 : {truths}
    %m = andi %m01, %m2 : {truths}
    %t01 = addi %t0, %t1 : {ints}
    %t = addi %t01, %{last} : {ints}
    %none = constant <{int}: 0> : {ints}
    %o = select %m, %t, %none : {truths}, {ints}
    %p = offset %x.s, %o : {pointers}, {ints} -> {pointers}
    %three = constant <f32: 3.0> : tile<{all}xf32>
    %v, %token = load_ptr_tko weak %p, %m, %three : {pointers}, {truths}, tile<{all}xf32> -> tile<{all}xf32>, token\n"
        );
        let stored = if self.is_multiplied {
            source += &flat("b", 512);
            source += "%n = reshape %v : tile<2x8x16xf32> -> tile<16x16xf32>
    %w, %u = load_ptr_tko weak %b.p : tile<512xptr<f32>> -> tile<512xf32>, token
    %q = reshape %w : tile<512xf32> -> tile<16x32xf32>
    %zeros = constant <f32: 0.0> : tile<16x32xf32>\n";
            let start = if self.is_summed {
                source += "%sum = reduce %n dim=1 identities=[0.0 : f32] : tile<16x16xf32> -> tile<16xf32> (%one: tile<f32>, %two: tile<f32>) {
      %both = addf %one, %two : tile<f32>
      yield %both : tile<f32>
    }
    %sum.r = reshape %sum : tile<16xf32> -> tile<16x1xf32>
    %sums = broadcast %sum.r : tile<16x1xf32> -> tile<16x32xf32>\n";
                "sums"
            } else {
                "zeros"
            };
            let _ = write!(
                source,
                "%c = mmaf %n, %q, %{start} : tile<16x16xf32>, tile<16x32xf32>, tile<16x32xf32>
    %r = reshape %c : tile<16x32xf32> -> tile<512xf32>\n"
            );
            512
        } else {
            source += "%r = reshape %v : tile<2x8x16xf32> -> tile<256xf32>\n";
            256
        };
        source += &flat("y", stored);
        let _ = write!(
            source,
            "%end = store_ptr_tko weak %y.p, %r : tile<{stored}xptr<f32>>, tile<{stored}xf32> -> token
    return
  }}
}}"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "window", &mut diagnostics);
        canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
    }

    /// Runs the kernel at all levels, and compares it with the interpreter, which says whether it is a fault.
    fn is_fault(self, module: &Module, codes: &[(Level, Code)], numbers: Numbers) -> bool {
        let floats = |count: u16, period: u16| {
            let numbers = (0..count).map(|i| f32::from(i % period) - 20.0);
            Argument::Buffer(numbers.flat_map(f32::to_le_bytes).collect())
        };
        let mut args = vec![
            floats(COUNT, 251),
            floats(512, 37),
            Argument::Buffer(vec![0; if self.is_multiplied { 2048 } else { 1024 }]),
        ];
        let Numbers {
            extents,
            strides,
            start,
        } = numbers;
        for number in [extents, strides, start].into_iter().flatten() {
            args.push(Argument::Number(number.cast_unsigned()));
        }
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args,
        };
        super::is_fault(&runnable, codes, &format!("{self:?}, {numbers:?}"))
    }
}

/// Returns the operations for pointers to the first elements of a parameter.
fn flat(name: &str, count: usize) -> String {
    format!(
        "%{name}.r = reshape %{name} : tile<ptr<f32>> -> tile<1xptr<f32>>
    %{name}.s = broadcast %{name}.r : tile<1xptr<f32>> -> tile<{count}xptr<f32>>
    %{name}.i = iota : tile<{count}xi32>
    %{name}.p = offset %{name}.s, %{name}.i : tile<{count}xptr<f32>>, tile<{count}xi32> -> tile<{count}xptr<f32>>\n"
    )
}

fn kernels() -> impl Iterator<Item = Kernel> {
    ["i32", "i64"].into_iter().flat_map(|integer| {
        [true, false].into_iter().flat_map(move |is_unit| {
            [[false; 2], [true, false], [true; 2]].map(|[is_multiplied, is_summed]| Kernel {
                integer,
                is_unit,
                is_multiplied,
                is_summed,
            })
        })
    })
}

/// Numbers for a tensor of [`COUNT`] elements: boxes within it, at its sides and beyond, strides of any kind, and what wraps.
pub(super) fn numbers() -> Vec<Numbers> {
    const PLAIN: Numbers = Numbers {
        extents: [3, 11, 19],
        strides: [209, 19, 1],
        start: [0; 3],
    };
    let starts = [
        // Within the tensor, at each of its sides, and beyond.
        [0, 0, 0],
        [1, 3, 3],
        [-1, 2, 1],
        [2, 2, 1],
        [0, -3, 2],
        [0, 9, 2],
        [1, 1, -5],
        [1, 1, 18],
        [-1, -7, -15],
        [2, 10, 18],
        [3, 0, 0],
        [0, -8, 0],
        // What wraps is outside.
        [0, 0, i64::from(i32::MAX)],
        [0, i64::from(i32::MAX) - 3, 0],
        [i64::from(i32::MIN), 0, 0],
        [0, 0, i64::MAX - 7],
        [i64::MIN, 0, 0],
    ];
    let mut cases: Vec<Numbers> = starts.map(|start| Numbers { start, ..PLAIN }).into();
    let strided = [
        // Axes that share elements, that are exchanged, and that are far apart.
        ([3, 11, 19], [0, 19, 1]),
        ([2, 8, 16], [1, 2, 16]),
        ([2, 5, 10], [350, 70, 7]),
        ([1, 1, 1], [1 << 40, 1 << 40, 1]),
    ];
    for (extents, strides) in strided {
        for start in [[0; 3], [-1, 1, 2]] {
            cases.push(Numbers {
                extents,
                strides,
                start,
            });
        }
    }
    let beyond = [
        // One row too many, and a stride that goes back.
        ([4, 11, 19], [209, 19, 1], [2, 0, 0]),
        ([3, 11, 19], [209, -19, 1], [0, 0, 0]),
        ([3, 11, 19], [209, -19, 1], [0, -7, 0]),
        // Distances that wrap in 32 bits: back to the first element, and to one before it.
        ([5, 11, 19], [1 << 30, 19, 1], [4, 0, 0]),
        ([3, 11, 19], [1 << 30, 19, 1], [2, 0, 0]),
        ([3, 11, 19], [1 << 60, 19, 1], [1, 0, 0]),
        // Extents that are greater than all numbers with a sign: the index is one without.
        ([-1, 11, 19], [209, 19, 1], [0, 0, 0]),
        ([-1, 11, 19], [209, 19, 1], [-2, 0, 0]),
        ([i64::from(i32::MIN), 11, 19], [0, 19, 1], [-2, 0, 0]),
        ([-1, 11, 19], [0, 19, 1], [-2, 0, 0]),
    ];
    cases.extend(beyond.map(|(extents, strides, start)| Numbers {
        extents,
        strides,
        start,
    }));
    cases
}

#[test]
fn windows_are_those_of_the_interpreter() {
    let mut faults = 0;
    for kernel in kernels() {
        let module = kernel.module();
        let codes = codes(&module);
        for numbers in numbers() {
            faults += usize::from(kernel.is_fault(&module, &codes, numbers));
        }
    }
    assert!(faults > 20, "{faults} accesses are outside of memory");
}

/// Masks that no coordinates make: the operations that compute them have one operand, or none.
#[test]
fn other_masks_are_those_of_the_interpreter() {
    let truths: Vec<&str> = (0..128)
        .map(|number| if number % 3 == 1 { "false" } else { "true" })
        .collect();
    let constant = format!("%m = constant <i1: [{}]> : tile<128xi1>", truths.join(", "));
    let masks = [
        "%m = trunci %i : tile<128xi32> -> tile<128xi1>",
        "%m = cmpi less_than %i, %n.s, signed : tile<128xi32> -> tile<128xi1>",
        &constant,
    ];
    for mask in masks {
        let source = format!(
            "cuda_tile.module @m {{
  entry @masked(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {{
    %i = iota : tile<128xi32>
    %n.r = reshape %n : tile<i32> -> tile<1xi32>
    %n.s = broadcast %n.r : tile<1xi32> -> tile<128xi32>
    {mask}
    %zero = constant <i32: 0> : tile<128xi32>
    %o = select %m, %i, %zero : tile<128xi1>, tile<128xi32>
    %x.r = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x.s = broadcast %x.r : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %x.p = offset %x.s, %o : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %seven = constant <f32: 7.0> : tile<128xf32>
    %v, %t = load_ptr_tko weak %x.p, %m, %seven : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    {}%end = store_ptr_tko weak %y.p, %v : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }}
}}",
            flat("y", 128)
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "masked", &mut diagnostics);
        let module =
            canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())));
        let numbers = (1..=128_u8).flat_map(|number| f32::from(number).to_le_bytes());
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args: vec![
                Argument::Buffer(numbers.collect()),
                Argument::Buffer(vec![0; 512]),
                Argument::Number(90),
            ],
        };
        let Outcome { buffers, fault, .. } = execute(&runnable);
        assert!(fault.is_none(), "{mask}");
        for level in levels(&module) {
            let code = Code::new(&module, level).expect("native code");
            let ran = code.run(&runnable);
            assert_eq!(ran.stopped, u64::MAX, "{mask}, {level}");
            assert!(ran.buffers == buffers, "{mask}, {level}");
        }
    }
}

/// Each kernel of these tests has a window, which a product reads in place.
#[test]
fn a_product_reads_a_window_in_place() {
    for kernel in kernels() {
        let module = kernel.module();
        let entry = module.entries().next().expect("an entry");
        let loops = build::build(&module, entry, Level::Avx2).expect("loops");
        let text = ir::to_text(&loops, &module);
        assert!(text.contains(", if %v"), "{text}");
        assert_eq!(loops.buffers[0].count, 256, "{text}");
        let is_stored = text.contains(" to %b0 ");
        assert_eq!(
            is_stored,
            !kernel.is_multiplied || kernel.is_summed,
            "{text}"
        );
    }
}
