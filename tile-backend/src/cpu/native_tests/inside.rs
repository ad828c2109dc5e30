//! Few elements of a tensor, or a single one, that are loaded and stored through pointers.

use std::fmt::Write as _;

use tile_core::ir::Module;
use tile_core::testing::{Argument, Runnable};
use tile_core::{Diagnostics, text};

use super::windows::{COUNT, Numbers, numbers};
use super::{Code, Level, Times, canonical, codes, llvm_text};

/// A kernel that loads elements of `x`, or 3 where there are none, stores them to `z`, and one more than them to `y`, where
/// they are in `x`.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    /// The extents of the tile; none for a single element.
    tile: Option<[usize; 3]>,
    /// The type of indices, extents and strides.
    integer: &'static str,
    /// `true` if the stride of the last axis is 1, not a number.
    is_unit: bool,
}

impl Kernel {
    fn count(self) -> usize {
        self.tile.map_or(1, |tile| tile.iter().product())
    }

    fn module(self) -> Module {
        let int = self.integer;
        let dims: String = match self.tile {
            Some([a, b, c]) => format!("{a}x{b}x{c}x"),
            None => String::new(),
        };
        let tile = |element: &str| format!("tile<{dims}{element}>");
        let (ints, truths) = (tile(int), tile("i1"));
        let (pointers, floats) = (tile("ptr<f32>"), tile("f32"));
        let mut source = format!(
            "cuda_tile.module @m {{
  entry @inside(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, {}) {{\n",
            ["d0", "d1", "d2", "s0", "s1", "s2", "a0", "a1", "a2"]
                .map(|name| format!("%{name}: tile<{int}>"))
                .join(", ")
        );
        // Names what each element of a tile has, which is a scalar by itself if there is one element.
        let spread = |name: &str, ty: &str| match self.tile {
            None => (format!("%{name}"), String::new()),
            Some(_) => (
                format!("%{name}.s"),
                format!(
                    "    %{name}.r = reshape %{name} : tile<{ty}> -> tile<1x1x1x{ty}>
    %{name}.s = broadcast %{name}.r : tile<1x1x1x{ty}> -> tile<{dims}{ty}>\n"
                ),
            ),
        };
        for axis in 0..3 {
            let [extent, stride, start] = ["d", "s", "a"].map(|name| {
                let (spread, lines) = spread(&format!("{name}{axis}"), int);
                source += &lines;
                spread
            });
            let at = if let Some(tile) = self.tile {
                let length = tile[axis];
                let mut shape = ["1"; 3].map(str::to_owned);
                shape[axis] = length.to_string();
                let shape = shape.join("x");
                let _ = write!(
                    source,
                    "    %i{axis} = iota : tile<{length}x{int}>
    %j{axis} = reshape %i{axis} : tile<{length}x{int}> -> tile<{shape}x{int}>
    %k{axis} = broadcast %j{axis} : tile<{shape}x{int}> -> {ints}
    %at{axis} = addi {start}, %k{axis} : {ints}\n"
                );
                format!("%at{axis}")
            } else {
                start
            };
            let _ = writeln!(
                source,
                "    %m{axis} = cmpi less_than {at}, {extent}, unsigned : {ints} -> {truths}"
            );
            let factor = if axis == 2 && self.is_unit {
                let _ = writeln!(source, "    %one = constant <{int}: 1> : {ints}");
                "%one"
            } else {
                &stride
            };
            let _ = writeln!(source, "    %t{axis} = muli {at}, {factor} : {ints}");
        }
        let (x, lines) = spread("x", "ptr<f32>");
        source += &lines;
        let (y, lines) = spread("y", "ptr<f32>");
        source += &lines;
        let count = self.count();
        let _ = write!(
            source,
            "    %m01 = andi %m0, %m1 : {truths}
    %m = andi %m01, %m2 : {truths}
    %t01 = addi %t0, %t1 : {ints}
    %t = addi %t01, %t2 : {ints}
    %none = constant <{int}: 0> : {ints}
    %o = select %m, %t, %none : {truths}, {ints}
    %p = offset {x}, %o : {pointers}, {ints} -> {pointers}
    %q = offset {y}, %o : {pointers}, {ints} -> {pointers}
    %three = constant <f32: 3.0> : {floats}
    %v, %token = load_ptr_tko weak %p, %m, %three : {pointers}, {truths}, {floats} -> {floats}, token
    %more = constant <f32: 1.0> : {floats}
    %w = addf %v, %more : {floats}
    %done = store_ptr_tko weak %q, %w, %m : {pointers}, {floats}, {truths} -> token
    %z.r = reshape %z : tile<ptr<f32>> -> tile<1xptr<f32>>
    %z.s = broadcast %z.r : tile<1xptr<f32>> -> tile<{count}xptr<f32>>
    %z.i = iota : tile<{count}xi32>
    %z.p = offset %z.s, %z.i : tile<{count}xptr<f32>>, tile<{count}xi32> -> tile<{count}xptr<f32>>
    %r = reshape %v : {floats} -> tile<{count}xf32>
    %end = store_ptr_tko weak %z.p, %r : tile<{count}xptr<f32>>, tile<{count}xf32> -> token
    return
  }}
}}"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "inside", &mut diagnostics);
        canonical(&module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take())))
    }

    /// Runs the kernel at all levels, and compares it with the interpreter, which says whether it is a fault.
    fn is_fault(self, module: &Module, codes: &[(Level, Code)], numbers: Numbers) -> bool {
        let x = (0..COUNT).flat_map(|i| f32::from(i % 251).to_le_bytes());
        let mut args = vec![
            Argument::Buffer(x.collect()),
            Argument::Buffer(vec![0; usize::from(COUNT) * 4]),
            Argument::Buffer(vec![0; self.count() * 4]),
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

fn kernels() -> impl Iterator<Item = Kernel> {
    [None, Some([1, 1, 16]), Some([1, 2, 32]), Some([2, 2, 16])]
        .into_iter()
        .flat_map(|tile| {
            ["i32", "i64"].into_iter().flat_map(move |integer| {
                [true, false].map(|is_unit| Kernel {
                    tile,
                    integer,
                    is_unit,
                })
            })
        })
}

/// Places along the last axis: before the tensor, at both of its ends, and beyond.
const PLACES: [i64; 12] = [-33, -32, -31, -16, -15, -1, 0, 3, 4, 18, 19, 20];

#[test]
fn few_elements_are_those_of_the_interpreter() {
    let mut faults = 0;
    for kernel in kernels() {
        let module = kernel.module();
        let codes = codes(&module);
        for numbers in numbers() {
            let places = match numbers.start {
                [one, two, 0] => PLACES.map(|last| [one, two, last]).to_vec(),
                other => vec![other],
            };
            for start in places {
                let numbers = Numbers { start, ..numbers };
                faults += usize::from(kernel.is_fault(&module, &codes, numbers));
            }
        }
    }
    assert!(faults > 100, "{faults} accesses are outside of memory");
}

/// Where all elements are in the tensor, as one comparison shows, no mask is computed.
#[test]
fn neighbours_within_a_tensor_are_accessed_as_vectors() {
    let kernel = |tile| Kernel {
        tile: Some(tile),
        integer: "i64",
        is_unit: false,
    };
    // Two registers of few elements are one vector, with one check.
    for (tile, level, vector) in [
        ([1, 2, 32], Level::Avx512, "<16 x float>"),
        ([1, 2, 32], Level::Avx2, "<8 x float>"),
        ([1, 1, 16], Level::Avx2, "<16 x float>"),
    ] {
        let module = kernel(tile).module();
        let entry = module.entries().next().expect("an entry");
        let (text, _) = llvm_text(&module, entry, level, &mut Times::new()).expect("a kernel");
        assert!(text.contains("@llvm.usub.sat.i64("), "{text}");
        assert!(text.contains(&format!("load {vector}, ptr")), "{text}");
        assert!(text.contains(&format!("store {vector} ")), "{text}");
    }
}
