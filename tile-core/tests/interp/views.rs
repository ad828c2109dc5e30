//! Tests every kind of view against a model of single elements.

#![allow(clippy::cast_possible_truncation, reason = "all numbers are small")]

use crate::{parsed, run_on};
use tile_core::interp::{Arg, IndexSpace, Program, RunOptions};
use tile_core::testing::Random;

/// An element type: its name, its size in memory in bits, and a padding value with its spelling.
struct Element {
    name: &'static str,
    bits: usize,
    paddings: &'static [(&'static str, u64)],
}

const fn element(
    name: &'static str,
    bits: usize,
    paddings: &'static [(&'static str, u64)],
) -> Element {
    Element {
        name,
        bits,
        paddings,
    }
}

const INTEGER: &[(&str, u64)] = &[("zero", 0)];

const ELEMENTS: [Element; 14] = [
    element("i1", 8, INTEGER),
    element("i8", 8, INTEGER),
    element("i16", 16, INTEGER),
    element("i32", 32, INTEGER),
    element("i64", 64, INTEGER),
    element(
        "f16",
        16,
        &[("neg_zero", 0x8000), ("nan", 0x7e00), ("pos_inf", 0x7c00)],
    ),
    element("bf16", 16, &[("neg_inf", 0xff80), ("nan", 0x7fc0)]),
    element(
        "f32",
        32,
        &[
            ("zero", 0),
            ("neg_zero", 0x8000_0000),
            ("nan", 0x7fc0_0000),
            ("pos_inf", 0x7f80_0000),
            ("neg_inf", 0xff80_0000),
        ],
    ),
    element(
        "f64",
        64,
        &[("neg_inf", 0xfff0 << 48), ("nan", 0x7ff8 << 48)],
    ),
    element("tf32", 32, &[("neg_inf", 0xff80_0000)]),
    element("f8E4M3FN", 8, &[("neg_zero", 0x80), ("nan", 0x7f)]),
    element("f8E5M2", 8, &[("pos_inf", 0x7c), ("neg_zero", 0x80)]),
    element("f8E8M0FNU", 8, &[("nan", 0xff)]),
    element("f4E2M1FN", 4, &[("zero", 0), ("neg_zero", 8)]),
];

impl Element {
    /// Returns element `index` of `memory`.
    fn read(&self, memory: &[u8], index: usize) -> u64 {
        if self.bits == 4 {
            return u64::from(memory[index / 2] >> (index % 2 * 4) & 0xf);
        }
        let bytes = self.bits / 8;
        let element = &memory[index * bytes..][..bytes];
        let bits = element
            .iter()
            .rev()
            .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        match self.name {
            "i1" => u64::from(bits != 0),
            "tf32" => bits & 0xffff_e000,
            _ => bits,
        }
    }

    fn write(&self, memory: &mut [u8], index: usize, bits: u64) {
        if self.bits == 4 {
            let shift = index % 2 * 4;
            let byte = &mut memory[index / 2];
            *byte = *byte & !(0xf << shift) | (bits as u8) << shift;
            return;
        }
        let bytes = self.bits / 8;
        memory[index * bytes..][..bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Partition,
    Strided,
    Gather,
}

/// The access of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Load,
    Store,
    Add,
}

/// A view of a tensor.
#[derive(Debug)]
struct View {
    kind: Kind,
    element: usize,
    tile: Vec<usize>,
    /// The extents of the tensor's axes.
    shape: Vec<usize>,
    strides: Vec<usize>,
    /// For each extent and then each stride, whether it is known only at run time.
    dynamic: Vec<bool>,
    steps: Vec<usize>,
    dim_map: Vec<usize>,
    sparse: usize,
    padding: Option<(&'static str, u64)>,
}

impl View {
    fn generate(random: &mut Random<'_>) -> Self {
        let rank = 1 + random.below(3);
        let element = random.below(ELEMENTS.len());
        let pick = |random: &mut Random<'_>, from: &[usize]| random.pick(from);
        let mut tile: Vec<usize> = (0..rank).map(|_| pick(random, &[1, 2, 4, 8])).collect();
        if ELEMENTS[element].bits == 4 && tile.iter().all(|&extent| extent == 1) {
            tile[rank - 1] = 2;
        }
        let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(11)).collect();
        // The axes are in any order, with gaps. Some overlap, as in a sliding window.
        let mut order: Vec<usize> = (0..rank).collect();
        if random.one_in(2) {
            random.shuffle(&mut order);
        } else {
            order.reverse();
        }
        let mut strides = vec![0; rank];
        let mut next = if random.one_in(4) { 2 } else { 1 };
        for &axis in &order {
            strides[axis] = next;
            next = if random.one_in(8) {
                1 + random.below(next * shape[axis])
            } else {
                next * shape[axis] + if random.one_in(4) { 3 } else { 0 }
            };
        }
        let mut dim_map: Vec<usize> = (0..rank).collect();
        let kind = random.pick(&[Kind::Partition, Kind::Strided, Kind::Gather]);
        if kind != Kind::Gather && random.one_in(2) {
            random.shuffle(&mut dim_map);
        }
        let steps = match kind {
            Kind::Partition => tile.clone(),
            Kind::Strided => (0..rank).map(|_| 1 + random.below(9)).collect(),
            Kind::Gather => vec![1; rank],
        };
        Self {
            kind,
            element,
            shape,
            strides,
            dynamic: (0..2 * rank).map(|_| random.one_in(2)).collect(),
            steps,
            dim_map,
            sparse: random.below(rank),
            padding: random
                .one_in(2)
                .then(|| random.pick(ELEMENTS[element].paddings)),
            tile,
        }
    }

    fn element(&self) -> &'static Element {
        &ELEMENTS[self.element]
    }

    fn rank(&self) -> usize {
        self.tile.len()
    }

    /// Returns the number of elements that the tensor spans.
    fn span(&self) -> usize {
        let last = self.shape.iter().zip(&self.strides);
        last.map(|(&extent, &stride)| (extent - 1) * stride)
            .sum::<usize>()
            + 1
    }

    /// Returns the extents of the index space.
    fn space(&self) -> Vec<usize> {
        (0..self.rank())
            .map(|axis| self.shape[self.dim_map[axis]].div_ceil(self.steps[axis]))
            .collect()
    }

    /// Returns the position in memory, in elements, of each element of the tile that is inside the
    /// tensor.
    fn places(&self, index: &[usize], picks: &[usize]) -> Vec<Option<usize>> {
        let count: usize = self.tile.iter().product();
        let place = |number: usize| {
            let (mut rest, mut place) = (number, 0);
            for axis in (0..self.rank()).rev() {
                let axis_coordinate = rest % self.tile[axis];
                rest /= self.tile[axis];
                let dim = self.dim_map[axis];
                let coordinate = if self.kind == Kind::Gather && axis == self.sparse {
                    picks[axis_coordinate]
                } else {
                    index[axis] * self.steps[axis] + axis_coordinate
                };
                if coordinate >= self.shape[dim] {
                    return None;
                }
                place += coordinate * self.strides[dim];
            }
            Some(place)
        };
        (0..count).map(place).collect()
    }

    /// Writes a kernel that loads a tile of `%x` into `%y`, or that stores `%y` to a tile of `%x`
    /// or adds it there.
    fn kernel(&self, access: Access) -> String {
        let name = self.element().name;
        let rank = self.rank();
        let entry = |axis_index: usize, value: usize| {
            if self.dynamic[axis_index] {
                ("?".to_owned(), format!("%d{axis_index}"))
            } else {
                (value.to_string(), value.to_string())
            }
        };
        let list = |from: usize, values: &[usize]| -> (Vec<String>, Vec<String>) {
            let entries = values.iter().zip(from..);
            entries
                .map(|(&value, axis_index)| entry(axis_index, value))
                .unzip()
        };
        let (shape_type, shape) = list(0, &self.shape);
        let (stride_type, strides) = list(rank, &self.strides);
        let tensor = format!(
            "tensor_view<{}x{name}, strides=[{}]>",
            shape_type.join("x"),
            stride_type.join(",")
        );
        let join = |list: &[usize], by| {
            let list: Vec<String> = list.iter().map(ToString::to_string).collect();
            list.join(by)
        };
        let tile = join(&self.tile, "x");
        let padding = self.padding.map_or_else(String::new, |(padding, _)| {
            format!("padding_value = {padding}, ")
        });
        let (kind, steps, end) = match self.kind {
            Kind::Partition => ("partition", String::new(), None),
            Kind::Strided => {
                let steps = join(&self.steps, ",");
                ("strided", format!("traversal_strides=[{steps}], "), None)
            }
            Kind::Gather => ("gather_scatter", String::new(), Some(self.sparse)),
        };
        let end = end.map_or_else(
            || format!("dim_map=[{}]", join(&self.dim_map, ", ")),
            |sparse| format!("sparse_dim={sparse}"),
        );
        let view = format!("{kind}_view<tile=({tile}), {steps}{padding}{tensor}, {end}>");
        // The other operand is a whole tensor with the shape of the tile.
        let mut row_major = vec![1; rank];
        for axis in (1..rank).rev() {
            row_major[axis - 1] = row_major[axis] * self.tile[axis];
        }
        let plain_tensor = format!(
            "tensor_view<{tile}x{name}, strides=[{}]>",
            join(&row_major, ",")
        );
        let plain = format!("partition_view<tile=({tile}), {plain_tensor}>");
        let params: Vec<String> = (0..2 * rank)
            .map(|axis_index| format!("%d{axis_index}: tile<i64>"))
            .chain((0..rank).map(|axis| format!("%i{axis}: tile<i32>")))
            .collect();
        let picks = self.tile[self.sparse];
        let index: Vec<(String, String)> = (0..rank)
            .map(|axis| {
                if self.kind == Kind::Gather && axis == self.sparse {
                    ("%picks".to_owned(), format!("tile<{picks}xi16>"))
                } else {
                    (format!("%i{axis}"), "tile<i32>".to_owned())
                }
            })
            .collect();
        let (index, types): (Vec<String>, Vec<String>) = index.into_iter().unzip();
        let types = if types.iter().all(|ty| *ty == types[0]) {
            types[0].clone()
        } else {
            types.join(", ")
        };
        let zeros = vec!["%zero"; rank].join(", ");
        let space: Vec<String> = (0..rank).map(|axis| format!("%s{axis}")).collect();
        let store_space: Vec<String> = (0..rank)
            .map(|axis| {
                format!(
                    "%n{axis} = constant <i32: {axis}> : tile<i32>
                     %q{axis} = offset %space, %n{axis} : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
                     %w{axis} = store_ptr_tko weak %q{axis}, %s{axis} : tile<ptr<i64>>, tile<i64> -> token"
                )
            })
            .collect();
        let dynamic = if self.dynamic.contains(&true) {
            "tile<i64> -> "
        } else {
            ""
        };
        let index = index.join(", ");
        let body = match access {
            Access::Load => format!(
                "%t, %a = load_view_tko weak %v[{index}] : {view}, {types} -> tile<{tile}x{name}>, token
                 %b = store_view_tko weak %t, %yv[{zeros}] : tile<{tile}x{name}>, {plain}, tile<i32> -> token"
            ),
            Access::Store => format!(
                "%t, %a = load_view_tko weak %yv[{zeros}] : {plain}, tile<i32> -> tile<{tile}x{name}>, token
                 %b = store_view_tko weak %t, %v[{index}] : tile<{tile}x{name}>, {view}, {types} -> token"
            ),
            Access::Add => format!(
                "%t, %a = load_view_tko weak %yv[{zeros}] : {plain}, tile<i32> -> tile<{tile}x{name}>, token
                 %b = atomic_red_view_tko relaxed device %v[{index}], add, %t : tile<{tile}x{name}>, {view}, {types} -> token"
            ),
        };
        format!(
            "entry @k(%x: tile<ptr<{name}>>, %y: tile<ptr<{name}>>, %p: tile<ptr<i16>>, %space: tile<ptr<i64>>, {params}) {{
  %zero = constant <i32: 0> : tile<i32>
  %pt = make_tensor_view %p, shape = [{picks}], strides = [1] : tensor_view<{picks}xi16, strides=[1]>
  %pv = make_partition_view %pt : partition_view<tile=({picks}), tensor_view<{picks}xi16, strides=[1]>>
  %picks, %pd = load_view_tko weak %pv[%zero] : partition_view<tile=({picks}), tensor_view<{picks}xi16, strides=[1]>>, tile<i32> -> tile<{picks}xi16>, token
  %xt = make_tensor_view %x, shape = [{shape}], strides = [{strides}] : {dynamic}{tensor}
  %v = make_{kind}_view %xt : {view}
  %yt = make_tensor_view %y, shape = [{shape_y}], strides = [{strides_y}] : {plain_tensor}
  %yv = make_partition_view %yt : {plain}
  {space} = get_index_space_shape %v : {view} -> tile<i64>
  {store_space}
  {body}
}}",
            params = params.join(", "),
            shape = shape.join(", "),
            strides = strides.join(", "),
            shape_y = join(&self.tile, ", "),
            strides_y = join(&row_major, ", "),
            space = space.join(", "),
            store_space = store_space.join("\n"),
        )
    }

    /// Runs a kernel; returns the extents of the index space that the kernel queried.
    fn run<T>(
        &self,
        program: &Program,
        x: &mut [T],
        y: &mut [u8],
        index: &[usize],
        picks: &[usize],
    ) -> Result<Vec<usize>, String> {
        let mut picks: Vec<u16> = picks.iter().map(|&pick| pick as u16).collect();
        let mut space = vec![0_u64; self.rank()];
        let mut args = vec![
            pointer(x),
            pointer(y),
            pointer(&mut picks),
            pointer(&mut space),
        ];
        let numbers = self.shape.iter().chain(&self.strides).chain(index);
        args.extend(numbers.map(|&number| Arg::Scalar {
            bits: number as u64,
        }));
        // SAFETY: the buffers live until the end of the call.
        let done = unsafe { program.run("k", [1; 3], &args) };
        done.map_err(|fault| fault.to_string())?;
        Ok(space.into_iter().map(|extent| extent as usize).collect())
    }
}

fn pointer<T>(data: &mut [T]) -> Arg {
    Arg::Pointer {
        ptr: data.as_mut_ptr().cast(),
        bytes: size_of_val(data),
    }
}

fn bytes(random: &mut Random<'_>, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.below(256) as u8).collect()
}

#[test]
fn every_view_loads_and_stores_what_a_model_does() {
    let mut random = Random::new(7);
    let (mut partial, mut outside) = (0, 0);
    for _ in 0..400 {
        let view = View::generate(&mut random);
        let element = view.element();
        let [load, store] =
            [Access::Load, Access::Store].map(|access| parsed(&view.kernel(access)));
        let space = view.space();
        let count: usize = view.tile.iter().product();
        for _ in 0..3 {
            let index: Vec<usize> = space.iter().map(|&extent| random.below(extent)).collect();
            let extent = view.shape[view.sparse];
            let picks: Vec<usize> = (0..view.tile[view.sparse])
                .map(|_| random.below(extent + 2))
                .collect();
            let places = view.places(&index, &picks);
            // The buffer is exactly as long as the tensor, so that an access beyond it is a fault.
            let mut x = bytes(&mut random, (view.span() * element.bits).div_ceil(8));
            let mut y = bytes(&mut random, (count * element.bits).div_ceil(8));
            let actual = view
                .run(&load, &mut x, &mut y, &index, &picks)
                .unwrap_or_else(|fault| panic!("{fault}: {view:?} {index:?} {picks:?}"));
            assert_eq!(actual, space, "{view:?}");
            let padding = view.padding.map_or(0, |(_, bits)| bits);
            for (number, place) in places.iter().enumerate() {
                let expected = place.map_or(padding, |place| element.read(&x, place));
                let actual = element.read(&y, number);
                assert_eq!(
                    actual, expected,
                    "element {number} of {view:?} {index:?} {picks:?}"
                );
            }
            let inside = places.iter().flatten().count();
            partial += usize::from(inside < count);
            outside += usize::from(inside == 0);
            // Where two elements share a position, the dialect does not specify which one is
            // stored.
            let mut touched: Vec<usize> = places.iter().flatten().copied().collect();
            touched.sort_unstable();
            touched.dedup();
            if touched.len() < inside {
                continue;
            }
            let mut expected = x.clone();
            for (number, place) in places.iter().enumerate() {
                if let Some(place) = *place {
                    element.write(&mut expected, place, element.read(&y, number));
                }
            }
            view.run(&store, &mut x, &mut y, &index, &picks)
                .unwrap_or_else(|fault| panic!("{fault}: {view:?} {index:?} {picks:?}"));
            assert_eq!(x, expected, "{view:?} {index:?} {picks:?}");
        }
    }
    // Enough tiles must be partly or entirely outside the tensor.
    assert!(partial > 300 && outside > 5, "{partial} {outside}");
}

#[test]
fn atomics_change_every_element_of_a_tile_that_is_inside() {
    let mut random = Random::new(8);
    let (mut partial, mut runs) = (0, 0);
    while runs < 100 {
        let mut view = View::generate(&mut random);
        view.element = 3;
        view.padding = None;
        if view.kind == Kind::Gather {
            continue;
        }
        runs += 1;
        let element = view.element();
        assert_eq!(element.name, "i32");
        let program = parsed(&view.kernel(Access::Add));
        let count: usize = view.tile.iter().product();
        let space = view.space();
        let index: Vec<usize> = space.iter().map(|&extent| random.below(extent)).collect();
        let picks = vec![0; view.tile[view.sparse]];
        let mut x = bytes(&mut random, view.span() * 4);
        // Use words, so that every element is aligned.
        let mut words: Vec<u32> = x
            .chunks_exact(4)
            .map(|word| u32::from_ne_bytes(word.try_into().expect("four bytes")))
            .collect();
        let mut y = bytes(&mut random, count * 4);
        for (number, place) in view.places(&index, &picks).into_iter().enumerate() {
            // An element is added several times where elements share a position.
            if let Some(place) = place {
                let sum = element.read(&x, place) + element.read(&y, number);
                element.write(&mut x, place, sum);
            }
        }
        let inside = view.places(&index, &picks).into_iter().flatten().count();
        partial += usize::from(inside < count);
        view.run(&program, &mut words, &mut y, &index, &picks)
            .unwrap_or_else(|fault| panic!("{fault}: {view:?} {index:?}"));
        let actual: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(actual, x, "{view:?} {index:?}");
    }
    assert!(partial > 20, "{partial}");
}

#[test]
fn an_element_outside_of_the_buffer_is_named() {
    let tensor = "tensor_view<3x8xi32, strides=[8,1]>";
    let cases = [
        (
            format!("partition_view<tile=(2x4), {tensor}>"),
            "%one, %one",
            "tile<i32>",
            "element [0, 2]: access to bytes 88..92 of a buffer of 88 bytes",
        ),
        (
            format!("gather_scatter_view<tile=(4x4), {tensor}, sparse_dim=0>"),
            "%picks, %one",
            "tile<4xi32>, tile<i32>",
            "element [3, 3]: access to bytes 80..84 of a buffer of 80 bytes",
        ),
    ];
    for (view, index, types, expected) in cases {
        let kind = view.split_once('<').expect("a type").0;
        let shape = if kind == "partition_view" {
            "2x4"
        } else {
            "4x4"
        };
        let program = parsed(&format!(
            "entry @k(%x: tile<ptr<i32>>) {{
  %one = constant <i32: 1> : tile<i32>
  %picks = constant <i32: [0, 7, 1, 2]> : tile<4xi32>
  %t = make_tensor_view %x, shape = [3, 8], strides = [8, 1] : {tensor}
  %v = make_{kind} %t : {view}
  %y, %u = load_view_tko weak %v[{index}] : {view}, {types} -> tile<{shape}xi32>, token
}}"
        ));
        let count = if kind == "partition_view" { 22 } else { 20 };
        let mut data = vec![0_i32; count];
        let fault = run_on(&program, 1, &mut data, RunOptions::default()).expect_err("too short");
        assert!(fault.contains(expected), "{fault}");
    }
}

/// Makes a kernel that loads from a view of 6 elements at an index.
fn load_of_six(view: &str, index: &str, flags: &str, index_type: &str) -> Program {
    parsed(&format!(
        "entry @k(%x: tile<ptr<i32>>) {{
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %minus = constant <i32: -1> : tile<i32>
  %picks = constant <i32: [0, 5, 6, 1]> : tile<4xi32>
  %t = make_tensor_view %x, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
  %v = make_{view} %t : {kind}
  %y, %u = load_view_tko weak %v[{index}] {flags} : {kind}, {index_type} -> tile<4xi32>, token
}}",
        view = view.split_once('<').expect("a type").0,
        kind = format_args!("{view}"),
    ))
}

/// The options of `tilec run --check`.
fn checked() -> RunOptions<'static> {
    RunOptions {
        index_space: IndexSpace::Checked,
        ..RunOptions::default()
    }
}

#[test]
fn an_index_outside_of_the_index_space_selects_nothing() {
    let tensor = "tensor_view<6xi32, strides=[1]>";
    let partition = format!("partition_view<tile=(4), {tensor}>");
    let gather = format!("gather_scatter_view<tile=(4), {tensor}, sparse_dim=0>");
    for (kind, index) in [(&partition, "%i"), (&gather, "%picks")] {
        // Copies the tile at an index to a partition with the same number of elements.
        let program = parsed(&format!(
            "entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %i: tile<i64>, %j: tile<i64>) {{
  %zero = constant <i64: 0> : tile<i64>
  %picks = constant <i32: [0, -1, 6, 5]> : tile<4xi32>
  %xt = make_tensor_view %x, shape = [6], strides = [1] : {tensor}
  %yt = make_tensor_view %y, shape = [6], strides = [1] : {tensor}
  %xv = make_{view} %xt : {kind}
  %yv = make_partition_view %yt : {partition}
  %t, %u = load_view_tko weak %xv[{index}] : {kind}, {ty} -> tile<4xi32>, token
  %w = store_view_tko weak %t, %yv[%j] : tile<4xi32>, {partition}, tile<i64> -> token
}}",
            view = kind.split_once('<').expect("a type").0,
            ty = if index == "%i" {
                "tile<i64>"
            } else {
                "tile<4xi32>"
            },
        ));
        // The product of an element offset and one of the last four indices wraps to 0 or 4.
        let indices = [
            0,
            1,
            2,
            u64::MAX,
            1 << 63,
            1 << 62,
            (1 << 62) + 1,
            (3 << 62) + 1,
        ];
        for i in indices {
            for j in indices {
                let x = [1, 2, 3, 4, 5, 6];
                let (mut from, mut to) = (x, [-1; 6]);
                let buffers = [&mut from, &mut to].map(|data| Arg::Pointer {
                    ptr: data.as_mut_ptr().cast(),
                    bytes: 24,
                });
                let numbers = [i, j].map(|bits| Arg::Scalar { bits });
                let args = [buffers, numbers].concat();
                crate::run(&program, "k", [1, 1, 1], &args).expect("nothing is undefined");
                let tile = match (index, i) {
                    ("%picks", _) => [1, 0, 0, 6],
                    (_, 0) => [1, 2, 3, 4],
                    (_, 1) => [5, 6, 0, 0],
                    _ => [0; 4],
                };
                let mut expected = [-1; 6];
                match j {
                    0 => expected[..4].copy_from_slice(&tile),
                    1 => expected[4..].copy_from_slice(&tile[..2]),
                    _ => {}
                }
                assert_eq!((from, to), (x, expected), "{kind}, from {i} to {j}");
            }
        }
    }
}

#[test]
fn an_assumption_of_a_stride_counts_along_several_elements() {
    let view = "tensor_view<?x4xi32, strides=[?,1]>";
    let parts = format!("partition_view<tile=(2x4), {view}>");
    let program = parsed(&format!(
        "entry @k(%x: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {{
  %zero = constant <i32: 0> : tile<i32>
  %t = constant <i32: 7> : tile<2x4xi32>
  %positive = assume bounded<0, ?>, %s : tile<i32>
  %stride = assume div_by<4>, %positive : tile<i32>
  %xt = make_tensor_view %x, shape = [%n, 4], strides = [%stride, 1] : tile<i32> -> {view}
  %xv = make_partition_view %xt : {parts}
  %w = store_view_tko weak %t, %xv[%zero, %zero] : tile<2x4xi32>, {parts}, tile<i32> -> token
}}"
    ));
    let run = |rows: u64, stride: i32| {
        let mut data = [0_i32; 8];
        let buffer = Arg::Pointer {
            ptr: data.as_mut_ptr().cast(),
            bytes: 32,
        };
        let numbers = [rows, u64::from(stride.cast_unsigned())].map(|bits| Arg::Scalar { bits });
        let args = [&[buffer][..], &numbers].concat();
        crate::run(&program, "k", [1, 1, 1], &args).map(|()| data)
    };
    for stride in [4, 1, 0, 3, -1] {
        assert_eq!(run(1, stride), Ok([7, 7, 7, 7, 0, 0, 0, 0]), "{stride}");
        assert_eq!(run(0, stride), Ok([0; 8]), "{stride}");
    }
    assert_eq!(run(2, 4), Ok([7; 8]));
    for (stride, expected) in [
        (1, "assumed divisible by 4, found 1"),
        (-4, "assumed between 0 and ?, found -4"),
    ] {
        let fault = run(2, stride).expect_err("the promise is broken");
        assert!(fault.contains(expected), "{fault}");
    }
}

#[test]
fn an_index_outside_of_the_index_space_is_a_fault_where_it_is_checked() {
    let tensor = "tensor_view<6xi32, strides=[1]>";
    let partition = format!("partition_view<tile=(4), {tensor}>");
    let strided = format!("strided_view<tile=(4), traversal_strides=[3], {tensor}>");
    let gather = format!("gather_scatter_view<tile=(4), {tensor}, sparse_dim=0>");
    let cases = [
        (&partition, "%one", "", None),
        (
            &partition,
            "%two",
            "",
            Some("index [2] is outside of the index space [2]"),
        ),
        (
            &partition,
            "%minus",
            "",
            Some("index [-1] is outside of the index space [2]"),
        ),
        (&partition, "%zero", "inbounds = [true]", None),
        (
            &partition,
            "%one",
            "inbounds = [true]",
            Some("index 1 along axis 0 was promised to be in bounds: 4 elements from 4 on, of 6"),
        ),
        (&strided, "%one", "", None),
        (
            &strided,
            "%two",
            "",
            Some("index [2] is outside of the index space [2]"),
        ),
        (
            &strided,
            "%one",
            "inbounds = [true]",
            Some("index 1 along axis 0 was promised to be in bounds: 4 elements from 3 on, of 6"),
        ),
        (&gather, "%picks", "", None),
        (
            &gather,
            "%picks",
            "inbounds = [true]",
            Some("index 6, the number 2 along axis 0, was promised to be in bounds of 6 elements"),
        ),
    ];
    for (view, index, flags, expected) in cases {
        let ty = if index == "%picks" {
            "tile<4xi32>"
        } else {
            "tile<i32>"
        };
        let program = load_of_six(view, index, flags, ty);
        let result = run_on(&program, 1, &mut [0_i32; 6], checked());
        let is_promise = !flags.is_empty();
        let unchecked = run_on(&program, 1, &mut [0_i32; 6], RunOptions::default());
        assert_eq!(unchecked.is_err(), is_promise && expected.is_some());
        match expected {
            None => result.unwrap_or_else(|fault| panic!("{view} {index}: {fault}")),
            Some(expected) => {
                let fault = result.expect_err("it is undefined");
                assert!(fault.contains(expected), "{fault}");
                assert!(fault.contains("load_view_tko"), "{fault}");
            }
        }
    }
}

#[test]
fn halves_of_a_byte_are_stored_by_blocks_that_run_at_the_same_time() {
    // Every block stores the number of its parity to one half of each byte.
    let program = parsed(
        "entry @k(%x: tile<ptr<f4E2M1FN>>) {
  %bx, %by, %bz = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %two = constant <f4E2M1FN: 2.0> : tile<1x2x512xf4E2M1FN>
  %t = make_tensor_view %x, shape = [2, 2, 512], strides = [1, 1024, 2] : tensor_view<2x2x512xf4E2M1FN, strides=[1,1024,2]>
  %v = make_partition_view %t : partition_view<tile=(1x2x512), tensor_view<2x2x512xf4E2M1FN, strides=[1,1024,2]>>
  %u = store_view_tko weak %two, %v[%bx, %zero, %zero] : tile<1x2x512xf4E2M1FN>, partition_view<tile=(1x2x512), tensor_view<2x2x512xf4E2M1FN, strides=[1,1024,2]>>, tile<i32> -> token
}",
    );
    for _ in 0..50 {
        let mut data = [0_u8; 1024];
        run_on(&program, 2, &mut data, RunOptions::default()).expect("it runs");
        assert_eq!(data, [0x44; 1024]);
    }
}
