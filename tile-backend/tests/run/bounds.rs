//! Tiles anywhere: inside of tensors, across their ends and far outside, by indices that are negative, extreme
//! or wrap when they are multiplied.
//!
//! A seed is a kernel: it loads a tile of one tensor and stores it in another, or adds it to that, once or in a loop, through partitions,
//! strided views and views that gather, with the facts of the `fast` variant or of `general`. Each kernel is compiled once
//! and launched with many extents and indices. The interpreter, the simulator for each target, and a few lines of
//! arithmetic without a wrap have to agree on every byte, those behind the ends of the tensors among them; what is in
//! front of them the simulator refuses to touch.
//!
//! `TILE_BOUNDS_LAUNCHES=100000` makes that many launches, each on all targets.

use std::fmt::Write as _;

use libtest_mimic::{Failed, Trial};
use tile_backend::resources::{HostMaps, Wishes};
use tile_backend::target::Arch;
use tile_core::interp::{Arg, Program, RunOptions, encode_float};
use tile_core::ir::Module;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::generated::from_environment;
use super::machine::{compile_wished, parsed, simulate};

const TARGETS: [(Arch, HostMaps); 3] = [
    (Arch::SM_80, HostMaps::None),
    (Arch::SM_90A, HostMaps::None),
    (Arch::SM_90A, HostMaps::Encoded),
];

/// Kernels of a plain run, each on one target, and launches of each.
const FEW: (u64, u64) = (24, 20);

/// Launches of each kernel where the environment says how many there are.
const LAUNCHES: u64 = 250;

/// Kernels of a test.
const TOGETHER: u64 = 4;

/// Elements behind a tensor that nothing may change.
const GUARD: u64 = 40;

pub(crate) fn trials() -> Vec<Trial> {
    let many = from_environment("TILE_BOUNDS_LAUNCHES");
    let first = from_environment("TILE_RUN_FROM").unwrap_or(0);
    let (kernels, launches) = many.map_or(FEW, |many| (many.div_ceil(LAUNCHES), LAUNCHES));
    let groups = kernels.div_ceil(TOGETHER);
    let groups = (0..groups).map(|group| {
        let seeds = first + group * TOGETHER..first + kernels.min((group + 1) * TOGETHER);
        let name = format!("bounds/{}", seeds.start);
        Trial::test(name, move || {
            for seed in seeds {
                let turn = usize::try_from(seed).expect("small") % TARGETS.len();
                let targets = if many.is_some() {
                    &TARGETS[..]
                } else {
                    &TARGETS[turn..=turn]
                };
                run(seed, launches, targets).map_err(Failed::from)?;
            }
            Ok(())
        })
    });
    groups.collect()
}

/// What is done with a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Loaded and stored.
    Copy,
    /// Loaded, and added to another by atomic operations.
    Add,
    /// Copied in a loop, from the tile at an index plus the counter on.
    Loop,
    /// Copied in a loop over the tiles of the tensor that is loaded.
    Counted,
}

#[derive(Clone, Debug)]
enum Kind {
    Partition,
    Strided(Vec<u64>),
    /// Along an axis every so many elements.
    Gather(usize, u64),
}

/// How a tensor is cut into tiles.
#[derive(Clone, Debug)]
struct View {
    kind: Kind,
    /// Per axis of the tile that of the tensor.
    order: Vec<usize>,
    padding: Option<&'static str>,
    /// Extents, if they are part of the type.
    shape: Option<Vec<u64>>,
}

#[derive(Clone, Debug)]
struct Case {
    action: Action,
    scalar: Scalar,
    index: Scalar,
    /// Whether it has no facts, and numbers of 64 bits, as `general`.
    is_general: bool,
    tile: Vec<u64>,
    from: View,
    to: View,
}

/// A tensor of a launch.
struct Tensor {
    shape: Vec<u64>,
    strides: Vec<u64>,
    bytes: Vec<u8>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed.wrapping_mul(0x9e37) ^ 0xb0d5);
        let action = random.pick(&[
            Action::Copy,
            Action::Copy,
            Action::Add,
            Action::Loop,
            Action::Loop,
            Action::Counted,
        ]);
        let scalar = match action {
            Action::Add => random.pick(&[Scalar::I32, Scalar::I64]),
            _ => random.pick(&[
                Scalar::I8,
                Scalar::I16,
                Scalar::I32,
                Scalar::I64,
                Scalar::F16,
                Scalar::BF16,
                Scalar::F32,
                Scalar::F64,
                Scalar::F8E5M2,
            ]),
        };
        let is_loop = matches!(action, Action::Loop | Action::Counted);
        let index = if is_loop {
            random.pick(&[Scalar::I32, Scalar::I32, Scalar::I64])
        } else {
            random.pick(&[
                Scalar::I32,
                Scalar::I32,
                Scalar::I64,
                Scalar::I16,
                Scalar::I8,
            ])
        };
        let rank = 1 + random.below(3);
        let mut tile: Vec<u64> = (0..rank)
            .map(|_| random.pick(&[1, 1, 2, 4, 8, 16]))
            .collect();
        // Some are long enough to be copied ahead in boxes or rows.
        tile[rank - 1] = random.pick(&[1, 2, 4, 8, 16, 32, 64]);
        if is_loop && rank == 2 && random.one_in(2) {
            tile = vec![
                random.pick(&[1, 32]),
                1024 / scalar.bits().next_power_of_two() as u64,
            ];
        }
        let is_general = random.one_in(3);
        // What gathers has no tiles to count.
        let from = View::new(random, &tile, action != Action::Counted, scalar);
        let mut to = View::new(random, &tile, action == Action::Copy, scalar);
        to.padding = None;
        if is_loop {
            to.kind = Kind::Partition;
        }
        Self {
            action,
            scalar,
            index,
            is_general,
            tile,
            from,
            to,
        }
    }

    fn rank(&self) -> usize {
        self.tile.len()
    }

    fn shape_text(&self) -> String {
        let sizes: Vec<String> = self.tile.iter().map(u64::to_string).collect();
        sizes.join("x")
    }

    /// Of a tensor, which is the operand `name`.
    fn view_type(&self, view: &View) -> (String, String) {
        let (rank, scalar) = (self.rank(), self.scalar);
        let extents: Vec<String> = match &view.shape {
            Some(shape) => shape.iter().map(u64::to_string).collect(),
            None => vec!["?".to_owned(); rank],
        };
        let strides: Vec<&str> = (0..rank)
            .map(|axis| {
                let is_unit = axis + 1 == rank && !self.is_general;
                if is_unit { "1" } else { "?" }
            })
            .collect();
        let tensor = format!(
            "tensor_view<{}x{scalar}, strides=[{}]>",
            extents.join("x"),
            strides.join(",")
        );
        let padding = view.padding.map_or(String::new(), |padding| {
            format!("padding_value = {padding}, ")
        });
        let order: Vec<String> = view.order.iter().map(usize::to_string).collect();
        let order = format!(", dim_map=[{}]", order.join(", "));
        let tile = self.shape_text();
        let ty = match &view.kind {
            Kind::Partition => format!("partition_view<tile=({tile}), {padding}{tensor}{order}>"),
            Kind::Strided(steps) => {
                let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
                let steps = steps.join(",");
                format!(
                    "strided_view<tile=({tile}), traversal_strides=[{steps}], {padding}{tensor}{order}>"
                )
            }
            Kind::Gather(axis, _) => {
                format!("gather_scatter_view<tile=({tile}), {padding}{tensor}, sparse_dim={axis}>")
            }
        };
        (tensor, ty)
    }

    /// Parameters of a tensor, and what is made of them.
    fn tensor(&self, name: &str, view: &View, params: &mut Vec<String>, body: &mut String) {
        let scalar = self.scalar;
        let number = if self.is_general { "i64" } else { "i32" };
        params.push(format!("%{name}: tile<ptr<{scalar}>>"));
        let (tensor, ty) = self.view_type(view);
        let assume = |body: &mut String, value: &str, fact: &str, ty: &str| {
            let _ = writeln!(body, "%{value}f = assume {fact}, %{value} : tile<{ty}>");
            format!("%{value}f")
        };
        let mut base = format!("%{name}");
        if !self.is_general {
            base = assume(body, name, "div_by<16>", &format!("ptr<{scalar}>"));
        }
        let mut extents = Vec::new();
        for axis in 0..self.rank() {
            params.push(format!("%{name}n{axis}: tile<{number}>"));
            extents.push(match &view.shape {
                Some(shape) => shape[axis].to_string(),
                None => format!("%{name}n{axis}"),
            });
        }
        let mut strides = Vec::new();
        for axis in 0..self.rank() {
            params.push(format!("%{name}s{axis}: tile<{number}>"));
            strides.push(if self.is_general {
                format!("%{name}s{axis}")
            } else if axis + 1 == self.rank() {
                "1".to_owned()
            } else {
                assume(body, &format!("{name}s{axis}"), "div_by<16>", number)
            });
        }
        let is_dynamic = strides
            .iter()
            .chain(&extents)
            .any(|entry| entry.starts_with('%'));
        let operands = if is_dynamic {
            format!("tile<{number}> -> ")
        } else {
            String::new()
        };
        let _ = writeln!(
            body,
            "%{name}t = make_tensor_view {base}, shape = [{}], strides = [{}] : {operands}{tensor}\n\
             %{name}v = make_{} %{name}t : {ty}",
            extents.join(", "),
            strides.join(", "),
            ty.split_once('<').expect("a type has parameters").0,
        );
    }

    /// The operands that are an index of `view`, and their types. Along the last axis the counter of a
    /// loop may be added, or be all of it.
    fn index(&self, name: &str, view: &View, body: &mut String) -> (String, String) {
        let (ty, rank) = (self.index, self.rank());
        let mut operands = Vec::new();
        let mut types = Vec::new();
        for axis in 0..rank {
            let mut value = format!("%{name}i{axis}");
            if axis + 1 == rank {
                match self.action {
                    Action::Loop => {
                        let _ = writeln!(body, "{value}k = addi {value}, %k : tile<{ty}>");
                        value += "k";
                    }
                    Action::Counted => "%k".clone_into(&mut value),
                    Action::Copy | Action::Add => {}
                }
            }
            match view.kind {
                Kind::Gather(sparse, by) if sparse == axis => {
                    let size = self.tile[axis];
                    let tile = format!("tile<{size}x{ty}>");
                    let _ = writeln!(
                        body,
                        "%{name}r = reshape {value} : tile<{ty}> -> tile<1x{ty}>\n\
                         %{name}b = broadcast %{name}r : tile<1x{ty}> -> {tile}\n\
                         %{name}c = constant <{ty}: {by}> : {tile}\n\
                         %{name}o = iota : {tile}\n\
                         %{name}m = muli %{name}o, %{name}c : {tile}\n\
                         %{name}p = addi %{name}b, %{name}m : {tile}"
                    );
                    operands.push(format!("%{name}p"));
                    types.push(tile);
                }
                _ => {
                    operands.push(value);
                    types.push(format!("tile<{ty}>"));
                }
            }
        }
        if types.iter().all(|ty| *ty == types[0]) {
            types.truncate(1);
        }
        (operands.join(", "), types.join(", "))
    }

    fn text(&self) -> String {
        let (mut params, mut head) = (Vec::new(), String::new());
        self.tensor("a", &self.from, &mut params, &mut head);
        self.tensor("b", &self.to, &mut params, &mut head);
        let ty = self.index;
        for name in ["a", "b"] {
            params.extend((0..self.rank()).map(|axis| format!("%{name}i{axis}: tile<{ty}>")));
        }
        params.push(format!("%trips: tile<{ty}>"));
        let mut body = String::new();
        let tile = format!("tile<{}x{}>", self.shape_text(), self.scalar);
        let (index, types) = self.index("a", &self.from, &mut body);
        let (_, view) = self.view_type(&self.from);
        let _ = writeln!(
            body,
            "%t, %lt = load_view_tko weak %av[{index}] : {view}, {types} -> {tile}, token"
        );
        let (index, types) = self.index("b", &self.to, &mut body);
        let (_, view) = self.view_type(&self.to);
        let _ = match self.action {
            Action::Add => writeln!(
                body,
                "%st = atomic_red_view_tko relaxed device %bv[{index}], add, %t : {tile}, {view}, {types} -> token"
            ),
            _ => writeln!(
                body,
                "%st = store_view_tko weak %t, %bv[{index}] : {tile}, {view}, {types} -> token"
            ),
        };
        let end = match self.action {
            Action::Copy | Action::Add => None,
            Action::Loop => Some("%trips".to_owned()),
            Action::Counted => {
                let counts: Vec<String> =
                    (0..self.rank()).map(|axis| format!("%q{axis}")).collect();
                let (_, view) = self.view_type(&self.from);
                let _ = writeln!(
                    head,
                    "{} = get_index_space_shape %av : {view} -> tile<{ty}>",
                    counts.join(", ")
                );
                counts.last().cloned()
            }
        };
        if let Some(end) = end {
            body = format!(
                "%lo = constant <{ty}: 0> : tile<{ty}>\n%one = constant <{ty}: 1> : tile<{ty}>\n\
                 for %k in (%lo to {end}, step %one) : tile<{ty}> {{\n{body}continue\n}}\n"
            );
        }
        format!(
            "cuda_tile.module @kernels {{\nentry @f({}) {{\n{head}{body}return\n}}\n}}\n",
            params.join(", ")
        )
    }

    fn module(&self) -> Result<Module, String> {
        let source = self.text();
        let mut diagnostics = Diagnostics::new();
        text::parse(&source, "bounds.mlir", &mut diagnostics)
            .map_err(|_| format!("{:#?}\n{source}", diagnostics.take()))
    }

    /// A tensor that `view` is of, with contents.
    fn filled(&self, view: &View, has_maps: bool, random: &mut Random<'_>) -> Tensor {
        let rank = self.rank();
        let mut shape = vec![0; rank];
        for (axis, &size) in self.tile.iter().enumerate() {
            let step = view.step(axis, size);
            let several = step * random.below(4) as u64 + random.below(3) as u64;
            shape[view.order[axis]] = match random.below(8) {
                0 => 0,
                1 => 1,
                2 => size,
                3 => step * 3,
                4 => size.saturating_sub(1),
                _ => several,
            };
        }
        if has_maps {
            // A tensor without elements has no map.
            shape
                .iter_mut()
                .for_each(|extent| *extent = (*extent).max(1));
        }
        if let Some(known) = &view.shape {
            shape.clone_from(known);
        }
        let mut strides = vec![1; rank];
        let mut reach = if self.is_general {
            1 + random.below(3) as u64
        } else {
            1
        };
        for axis in (0..rank).rev() {
            if axis + 1 < rank && !self.is_general {
                reach = reach.next_multiple_of(16);
            }
            strides[axis] = reach;
            // An axis of one element may have any stride.
            if shape[axis] == 1 && axis + 1 < rank && !has_maps && random.one_in(2) {
                strides[axis] = random.pick(&[1, 3, 0x7fff_ffff]);
            }
            reach = reach * shape[axis].max(1) + random.below(2) as u64;
        }
        let last = shape.iter().zip(&strides);
        let last = last.map(|(&extent, &stride)| extent.max(1).saturating_sub(1) * stride);
        let elements = last.sum::<u64>() + 1 + GUARD;
        let bytes = elements * self.scalar.bytes() as u64;
        Tensor {
            shape,
            strides,
            bytes: (0..bytes).map(|_| random.bits().to_le_bytes()[0]).collect(),
        }
    }

    /// The bits of an index of an axis with `tiles` tiles, of `step` elements each.
    fn any_index(&self, tiles: u64, step: u64, random: &mut Random<'_>) -> u64 {
        let bits = self.index.bits();
        let inside = random.below(usize::try_from(tiles.clamp(1, 8)).expect("few")) as u64;
        let value = match random.below(10) {
            0..=3 => inside,
            4 => tiles + random.below(3) as u64,
            5 => (random.below(4) as u64 + 1).wrapping_neg(),
            6 => random.pick(&[
                1 << (bits - 1),
                (1 << (bits - 1)) - 1,
                u64::MAX,
                1 << (bits / 2),
            ]),
            // Multiplied, it is `inside` of 32 bits, or of 64.
            7 => (low((1 << 32) / u128::from(step)) * (1 + random.below(3) as u64))
                .wrapping_add(inside),
            8 => low((1 << 64) / u128::from(step)).wrapping_add(inside),
            _ => random.bits(),
        };
        value & u64::MAX >> (64 - bits)
    }

    /// Per axis, the elements that a tile at `index` has; more than 64 bits say.
    fn coordinates(&self, view: &View, index: &[u64], counter: u64) -> Vec<Vec<u128>> {
        let mask = u64::MAX >> (64 - self.index.bits());
        let last = self.rank() - 1;
        let axes = self.tile.iter().enumerate();
        axes.map(|(axis, &size)| {
            let index = match self.action {
                Action::Loop if axis == last => index[axis].wrapping_add(counter) & mask,
                Action::Counted if axis == last => counter,
                _ => index[axis],
            };
            let each = |at: u64| match view.kind {
                Kind::Gather(sparse, by) if sparse == axis => {
                    u128::from(index.wrapping_add(at.wrapping_mul(by)) & mask)
                }
                _ => u128::from(index) * u128::from(view.step(axis, size)) + u128::from(at),
            };
            (0..size).map(each).collect()
        })
        .collect()
    }

    /// What `to` is afterwards.
    fn expected(&self, from: &Tensor, to: &Tensor, index: [&[u64]; 2], trips: u64) -> Vec<u8> {
        let width = self.scalar.bytes();
        let mut bytes = to.bytes.clone();
        let padding = match self.from.padding.expect("loads have one") {
            "neg_zero" => -0.0,
            "nan" => f64::NAN,
            "pos_inf" => f64::INFINITY,
            "neg_inf" => f64::NEG_INFINITY,
            _ => 0.0,
        };
        let padding = if self.scalar.is_float() {
            encode_float(self.scalar, padding)
        } else {
            0
        };
        let trips = match self.action {
            Action::Copy | Action::Add => 1,
            Action::Loop => trips,
            Action::Counted => {
                let axis = self.rank() - 1;
                let extent = from.shape[self.from.order[axis]];
                extent.div_ceil(self.from.step(axis, self.tile[axis]))
            }
        };
        for counter in 0..trips {
            let sources = self.coordinates(&self.from, index[0], counter);
            let targets = self.coordinates(&self.to, index[1], counter);
            for linear in 0..self.tile.iter().product::<u64>() {
                let mut at = vec![0; self.rank()];
                let mut rest = linear;
                for (at, size) in at.iter_mut().zip(&self.tile).rev() {
                    *at = usize::try_from(rest % size).expect("small");
                    rest /= size;
                }
                let place = |tensor: &Tensor, view: &View, coordinates: &[Vec<u128>]| {
                    let mut element = 0;
                    for (axis, &at) in at.iter().enumerate() {
                        let (coordinate, dim) = (coordinates[axis][at], view.order[axis]);
                        if coordinate >= u128::from(tensor.shape[dim]) {
                            return None;
                        }
                        element += coordinate * u128::from(tensor.strides[dim]);
                    }
                    Some(usize::try_from(element).expect("inside") * width)
                };
                let mut word = [0; 8];
                match place(from, &self.from, &sources) {
                    Some(at) => word[..width].copy_from_slice(&from.bytes[at..at + width]),
                    None => word = padding.to_le_bytes(),
                }
                let Some(at) = place(to, &self.to, &targets) else {
                    continue;
                };
                let old = &mut bytes[at..at + width];
                if self.action == Action::Add {
                    let mut before = [0; 8];
                    before[..width].copy_from_slice(old);
                    let sum = u64::from_le_bytes(before).wrapping_add(u64::from_le_bytes(word));
                    word = sum.to_le_bytes();
                }
                old.copy_from_slice(&word[..width]);
            }
        }
        bytes
    }
}

impl View {
    fn new(random: &mut Random<'_>, tile: &[u64], may_gather: bool, scalar: Scalar) -> Self {
        let rank = tile.len();
        let mut order: Vec<usize> = (0..rank).collect();
        if random.one_in(3) {
            random.shuffle(&mut order);
        }
        let kind = match random.below(4) {
            0 => Kind::Strided(
                tile.iter()
                    .map(|&size| random.pick(&[1, 3, size, size, 2 * size, size + 5]))
                    .collect(),
            ),
            1 if may_gather => {
                order.sort_unstable();
                Kind::Gather(random.below(rank), random.pick(&[1, 3, 7]))
            }
            _ => Kind::Partition,
        };
        let padding = if scalar.is_float() {
            random.pick(&["zero", "neg_zero", "nan", "pos_inf", "neg_inf"])
        } else {
            "zero"
        };
        let shape = random.one_in(5).then(|| {
            let mut shape = vec![0; rank];
            for (axis, &size) in tile.iter().enumerate() {
                shape[order[axis]] = size * random.below(3) as u64 + 1 + random.below(3) as u64;
            }
            shape
        });
        Self {
            kind,
            order,
            padding: Some(padding),
            shape,
        }
    }

    /// Elements between the starts of neighbouring tiles of `size`.
    fn step(&self, axis: usize, size: u64) -> u64 {
        match &self.kind {
            Kind::Partition => size,
            Kind::Strided(steps) => steps[axis],
            Kind::Gather(..) => 1,
        }
    }
}

fn run(seed: u64, launches: u64, targets: &[(Arch, HostMaps)]) -> Result<(), String> {
    let case = Case::new(seed);
    let module = case.module()?;
    let program = Program::new(&module);
    let wishes = |maps| Wishes {
        maps,
        ..Wishes::default()
    };
    let mut compiled = Vec::new();
    for &(arch, maps) in targets {
        let artifact = compile_wished(&module, arch, wishes(maps))
            .map_err(|fault| format!("seed {seed}, {arch}: {fault}\n{}", case.text()))?;
        let parsed = parsed(&artifact);
        compiled.push((arch, maps, artifact, parsed));
    }
    let has_maps = compiled
        .iter()
        .any(|(_, _, artifact, _)| !artifact.launches[0].maps.is_empty());
    let mut runnable = Runnable {
        module,
        grid: [1, 1, 1],
        args: Vec::new(),
    };
    let random = &mut Random::new(seed);
    for launch in 0..launches {
        let from = case.filled(&case.from, has_maps, random);
        let to = case.filled(&case.to, has_maps, random);
        let mut indices = |view: &View, tensor: &Tensor| -> Vec<u64> {
            let axes = case.tile.iter().enumerate();
            axes.map(|(axis, &size)| {
                let step = view.step(axis, size);
                let tiles = tensor.shape[view.order[axis]].div_ceil(step);
                case.any_index(tiles, step, random)
            })
            .collect()
        };
        let at = [indices(&case.from, &from), indices(&case.to, &to)];
        let trips = random.below(5) as u64;
        let mut args = Vec::new();
        for tensor in [&from, &to] {
            args.push(Argument::Buffer(tensor.bytes.clone()));
            args.extend(tensor.shape.iter().copied().map(Argument::Number));
            args.extend(tensor.strides.iter().copied().map(Argument::Number));
        }
        args.extend(at.iter().flatten().copied().map(Argument::Number));
        args.push(Argument::Number(trips));
        runnable.args = args;

        let expected = [
            from.bytes.clone(),
            case.expected(&from, &to, [&at[0], &at[1]], trips),
        ];
        let what = |device: &str, fault: &str| {
            Err(format!(
                "seed {seed}, launch {launch}, {device}: {fault}\nshapes {:?} and {:?}, strides {:?} and {:?}, \
                 indices {at:?}, {trips} trips\n{}",
                from.shape,
                to.shape,
                from.strides,
                to.strides,
                case.text()
            ))
        };
        match interpreted(&program, &runnable) {
            Err(fault) => return what("interpreter", &fault),
            Ok(found) if found != expected => {
                return what("interpreter", &difference(&case, &found, &expected));
            }
            Ok(_) => {}
        }
        for (arch, maps, artifact, parsed) in &compiled {
            let device = format!("{arch}, maps {maps:?}");
            let found = simulate(artifact, parsed, &runnable, launch);
            if let Some(fault) = found.fault {
                return what(&device, &fault.to_string());
            }
            if found.buffers != expected {
                return what(&device, &difference(&case, &found.buffers, &expected));
            }
        }
    }
    Ok(())
}

fn low(number: u128) -> u64 {
    u64::try_from(number & u128::from(u64::MAX)).expect("cut off")
}

/// The buffers after a run in the interpreter.
fn interpreted(program: &Program, runnable: &Runnable) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers: Vec<Vec<u64>> = Vec::new();
    let mut lengths = Vec::new();
    for arg in &runnable.args {
        if let Argument::Buffer(bytes) = arg {
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            buffers.push(words.collect());
            lengths.push(bytes.len());
        }
    }
    let mut pointers = buffers.iter_mut();
    let args: Vec<Arg> = runnable
        .args
        .iter()
        .map(|arg| match arg {
            Argument::Buffer(bytes) => Arg::Pointer {
                ptr: pointers.next().expect("one per buffer").as_mut_ptr().cast(),
                bytes: bytes.len(),
            },
            &Argument::Number(bits) => Arg::Scalar { bits },
        })
        .collect();
    let options = RunOptions {
        threads: Some(1),
        ..RunOptions::default()
    };
    // SAFETY: the buffers live until the end of the call, are not shared, and do not overlap.
    let done = unsafe { program.run_with("f", runnable.grid, &args, options) };
    done.map_err(|fault| fault.to_string())?;
    let cut = |(words, &length): (&Vec<u64>, &usize)| {
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        bytes
    };
    Ok(buffers.iter().zip(&lengths).map(cut).collect())
}

fn difference(case: &Case, found: &[Vec<u8>], expected: &[Vec<u8>]) -> String {
    let width = case.scalar.bytes();
    for (buffer, (found, expected)) in found.iter().zip(expected).enumerate() {
        let pairs = found.chunks(width).zip(expected.chunks(width)).enumerate();
        for (element, (found, expected)) in pairs {
            if found != expected {
                return format!(
                    "buffer {buffer}, element {element} is {found:02x?} instead of {expected:02x?}"
                );
            }
        }
    }
    "buffers of other lengths".to_owned()
}
