//! Tests memory-bound kernels: each byte that a block needs is requested once, in whole sectors.
//!
//! Each combination of kernel, element type and tile shape is a test; architectures alternate. Extents and
//! strides are parameters, and only facts that a launch checks are assumed. The simulator counts the distinct
//! bytes of each request of a warp, and the sectors of 32 bytes that the request touches.
#![expect(
    clippy::many_single_char_names,
    reason = "the operands of textbook kernels"
)]

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::ARCHS;
use super::compare::Expected;
use super::machine::{compile, parsed, simulate};
use super::support::{self, local_trial};

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// The text of a kernel that is being built, and its arguments.
struct Kernel {
    params: Vec<String>,
    body: String,
    args: Vec<Argument>,
    values: usize,
    random: Random<'static>,
    loaded: u64,
    stored: u64,
}

/// A partition view.
struct View {
    value: String,
    ty: String,
    scalar: Scalar,
    tile: Vec<u64>,
}

impl View {
    fn bytes(&self) -> u64 {
        self.tile.iter().product::<u64>() * self.scalar.bytes() as u64
    }
}

/// Returns a tile type, such as `tile<4x64xf32>` or `tile<f32>`.
fn tile(shape: &[u64], element: impl std::fmt::Display) -> String {
    let mut text = "tile<".to_owned();
    for dim in shape {
        let _ = write!(text, "{dim}x");
    }
    let _ = write!(text, "{element}>");
    text
}

impl Kernel {
    fn new() -> Self {
        Self {
            params: Vec::new(),
            body: String::new(),
            args: Vec::new(),
            values: 0,
            random: Random::new(3),
            loaded: 0,
            stored: 0,
        }
    }

    fn fresh(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    /// Adds an operation with one result: `text`, followed by the types.
    fn op(&mut self, text: &str) -> String {
        let value = self.fresh();
        let _ = writeln!(self.body, "    {value} = {text}");
        value
    }

    fn param(&mut self, ty: &str, arg: Argument) -> String {
        let name = format!("%p{}", self.params.len());
        self.params.push(format!("{name}: {ty}"));
        self.args.push(arg);
        name
    }

    fn number(&mut self, value: u64) -> String {
        self.param("tile<i32>", Argument::Number(value))
    }

    /// Adds a buffer, aligned to 16 bytes.
    fn buffer(&mut self, scalar: Scalar, elements: u64) -> String {
        let numbers = support::multiples(&mut self.random, scalar, elements, -8..=8, 0.25);
        let ty = format!("tile<ptr<{scalar}>>");
        let pointer = self.param(&ty, numbers);
        self.op(&format!("assume div_by<16>, {pointer} : {ty}"))
    }

    /// Adds a view of a tensor in row-major order. Extents and strides are numbers of the launch; strides are
    /// multiples of 16 bytes.
    fn view(&mut self, scalar: Scalar, extents: &[u64], tile: &[u64]) -> View {
        let base = self.buffer(scalar, extents.iter().product());
        let shape: Vec<String> = extents.iter().map(|&extent| self.number(extent)).collect();
        let mut strides = Vec::new();
        for axis in 1..extents.len() {
            let stride = self.number(extents[axis..].iter().product());
            let divisor = 16 / scalar.bytes();
            strides.push(self.op(&format!("assume div_by<{divisor}>, {stride} : tile<i32>")));
        }
        let unknown = "?, ".repeat(strides.len());
        strides.push("1".to_owned());
        let marks = "?x".repeat(extents.len());
        let ty = format!("tensor_view<{marks}{scalar}, strides=[{unknown}1]>");
        let (shape, strides) = (shape.join(", "), strides.join(", "));
        let tensor = self.op(&format!(
            "make_tensor_view {base}, shape = [{shape}], strides = [{strides}] : tile<i32> -> {ty}"
        ));
        let dims: Vec<String> = tile.iter().map(ToString::to_string).collect();
        let ty = format!(
            "partition_view<tile=({}), padding_value = zero, {ty}>",
            dims.join("x")
        );
        let value = self.op(&format!("make_partition_view {tensor} : {ty}"));
        View {
            value,
            ty,
            scalar,
            tile: tile.to_vec(),
        }
    }

    fn load(&mut self, view: &View, index: &[&str]) -> String {
        self.loaded += view.bytes();
        let result = tile(&view.tile, view.scalar);
        let (token, value) = (self.fresh(), self.fresh());
        let View {
            value: from, ty, ..
        } = view;
        let index = index.join(", ");
        let _ = writeln!(
            self.body,
            "    {value}, {token} = load_view_tko weak {from}[{index}] : {ty}, tile<i32> -> {result}, token"
        );
        value
    }

    fn store(&mut self, view: &View, index: &[&str], value: &str) {
        self.stored += view.bytes();
        let View { value: to, ty, .. } = view;
        let (of, index) = (tile(&view.tile, view.scalar), index.join(", "));
        self.op(&format!(
            "store_view_tko weak {value}, {to}[{index}] : {of}, {ty}, tile<i32> -> token"
        ));
    }

    fn block(&mut self) -> [String; 3] {
        let names = [self.fresh(), self.fresh(), self.fresh()];
        let _ = writeln!(
            self.body,
            "    {} = get_tile_block_id : tile<i32>",
            names.join(", ")
        );
        names
    }

    fn constant(&mut self, value: &str, shape: &[u64], scalar: Scalar) -> String {
        let ty = tile(shape, scalar);
        self.op(&format!("constant <{scalar}: {value}> : {ty}"))
    }

    /// Adds an element-wise operation on tiles of one type.
    fn each(&mut self, op: &str, args: &[&str], shape: &[u64], scalar: Scalar) -> String {
        let rounding = match op {
            "addf" | "subf" | "mulf" | "divf" | "fma" => " rounding<nearest_even>",
            _ => "",
        };
        let (args, ty) = (args.join(", "), tile(shape, scalar));
        self.op(&format!("{op} {args}{rounding} : {ty}"))
    }

    fn add(&mut self, lhs: &str, rhs: &str, shape: &[u64], scalar: Scalar) -> String {
        let op = if scalar.is_float() { "addf" } else { "addi" };
        self.each(op, &[lhs, rhs], shape, scalar)
    }

    /// Adds a conversion to another type.
    fn convert(&mut self, value: &str, shape: &[u64], from: Scalar, to: Scalar) -> String {
        let (source, result) = (tile(shape, from), tile(shape, to));
        let conversion = match (from.is_float(), to.is_float()) {
            _ if from == to => return value.to_owned(),
            (true, true) => format!("ftof {value} : {source} -> {result}"),
            (false, true) => format!("itof {value} signed : {source} -> {result}"),
            _ => unreachable!("no kernel here makes integers"),
        };
        self.op(&conversion)
    }

    fn reduce(&mut self, with: &str, value: &str, shape: &[u64], axis: usize) -> String {
        let identity = if with == "maxf" { "0xff800000" } else { "0.0" };
        let rounding = if with == "addf" {
            " rounding<nearest_even>"
        } else {
            ""
        };
        let mut left = shape.to_vec();
        left.remove(axis);
        let (from, to) = (tile(shape, "f32"), tile(&left, "f32"));
        let [lhs, rhs, both] = [self.fresh(), self.fresh(), self.fresh()];
        self.op(&format!(
            "reduce {value} dim={axis} identities=[{identity} : f32] : {from} -> {to} ({lhs}: tile<f32>, {rhs}: tile<f32>) {{
      {both} = {with} {lhs}, {rhs}{rounding} : tile<f32>
      yield {both} : tile<f32>
    }}"
        ))
    }

    /// Broadcasts one number per row, or per column if `axis` is 0, to the elements of the row or column.
    fn spread(&mut self, value: &str, shape: &[u64], axis: usize, element: &str) -> String {
        let mut from = shape.to_vec();
        from.remove(axis);
        let mut thin = shape.to_vec();
        thin[axis] = 1;
        let [from, thin, wide] = [&from[..], &thin, shape].map(|shape| tile(shape, element));
        let value = self.op(&format!("reshape {value} : {from} -> {thin}"));
        self.op(&format!("broadcast {value} : {thin} -> {wide}"))
    }

    /// Broadcasts one number to a tile.
    fn splat(&mut self, value: &str, shape: &[u64], element: &str) -> String {
        let thin = tile(&vec![1; shape.len()], element);
        let wide = tile(shape, element);
        let value = self.op(&format!("reshape {value} : tile<{element}> -> {thin}"));
        self.op(&format!("broadcast {value} : {thin} -> {wide}"))
    }

    fn runnable(self, grid: [u32; 3]) -> Result<(Runnable, [u64; 2]), String> {
        let (params, body) = (self.params.join(", "), self.body);
        let source = format!(
            "cuda_tile.module @kernels {{\n  entry @f({params}) {{\n{body}    return\n  }}\n}}\n"
        );
        let module = support::module(&source, "memory_bound")?;
        let blocks = u64::from(grid.iter().product::<u32>());
        let traffic = [self.loaded * blocks, self.stored * blocks];
        let runnable = Runnable {
            module,
            grid,
            args: self.args,
        };
        Ok((runnable, traffic))
    }
}

/// A kernel and its grid.
struct Case {
    name: String,
    grid: [u32; 3],
    kernel: Kernel,
    tolerance: f64,
}

const F32: Scalar = Scalar::F32;

/// Returns the kernel `z = x + y`.
fn vector_add(scalar: Scalar) -> Case {
    let mut k = Kernel::new();
    let [x, y, z] = [(); 3].map(|()| k.view(scalar, &[2048], &[1024]));
    let [block, ..] = k.block();
    let (a, b) = (k.load(&x, &[&block]), k.load(&y, &[&block]));
    let sum = k.add(&a, &b, &[1024], scalar);
    k.store(&z, &[&block], &sum);
    case(format!("vector_add_{scalar}"), [2, 1, 1], k, 0.0)
}

/// Returns the same kernel with addresses and a mask.
fn vector_add_by_pointers(scalar: Scalar, is_length_divisible: bool) -> Case {
    let mut k = Kernel::new();
    let [x, y, z] = [(); 3].map(|()| k.buffer(scalar, 2048));
    let mut length = k.number(2048);
    if is_length_divisible {
        length = k.op(&format!("assume div_by<16>, {length} : tile<i32>"));
    }
    let shape = [1024];
    let [block, ..] = k.block();
    let size = k.constant("1024", &[], Scalar::I32);
    let start = k.each("muli", &[&block, &size], &[], Scalar::I32);
    let start = k.splat(&start, &shape, "i32");
    let iota = k.op("iota : tile<1024xi32>");
    let offsets = k.each("addi", &[&start, &iota], &shape, Scalar::I32);
    let length = k.splat(&length, &shape, "i32");
    let mask = k.op(&format!(
        "cmpi less_than {offsets}, {length}, signed : tile<1024xi32> -> tile<1024xi1>"
    ));
    let pointer = tile(&shape, format_args!("ptr<{scalar}>"));
    let ty = tile(&shape, scalar);
    let address = |k: &mut Kernel, base: &str| {
        let base = k.splat(base, &shape, &format!("ptr<{scalar}>"));
        k.op(&format!(
            "offset {base}, {offsets} : {pointer}, tile<1024xi32> -> {pointer}"
        ))
    };
    let zero = k.constant(if scalar.is_float() { "0.0" } else { "0" }, &shape, scalar);
    let mut values = Vec::new();
    for base in [&x, &y] {
        let from = address(&mut k, base);
        let (value, token) = (k.fresh(), k.fresh());
        let _ = writeln!(
            k.body,
            "    {value}, {token} = load_ptr_tko weak {from}, {mask}, {zero} : {pointer}, tile<1024xi1>, {ty} -> {ty}, token"
        );
        values.push(value);
    }
    let sum = k.add(&values[0], &values[1], &shape, scalar);
    let to = address(&mut k, &z);
    k.op(&format!(
        "store_ptr_tko weak {to}, {sum}, {mask} : {pointer}, {ty}, tile<1024xi1> -> token"
    ));
    let bytes = 1024 * scalar.bytes() as u64;
    (k.loaded, k.stored) = (2 * bytes, bytes);
    let suffix = if is_length_divisible {
        ""
    } else {
        "_of_any_length"
    };
    case(
        format!("vector_add_{scalar}_by_pointers{suffix}"),
        [2, 1, 1],
        k,
        0.0,
    )
}

/// Returns softmax of rows, in f32.
fn softmax(scalar: Scalar, shape: [u64; 2]) -> Case {
    let [rows, columns] = shape;
    let mut k = Kernel::new();
    let [x, y] = [(); 2].map(|()| k.view(scalar, &[2 * rows, columns], &shape));
    let [block, ..] = k.block();
    let zero = k.constant("0", &[], Scalar::I32);
    let value = k.load(&x, &[&block, &zero]);
    let value = k.convert(&value, &shape, scalar, F32);
    let max = k.reduce("maxf", &value, &shape, 1);
    let max = k.spread(&max, &shape, 1, "f32");
    let value = k.each("subf", &[&value, &max], &shape, F32);
    let value = k.each("exp", &[&value], &shape, F32);
    let sum = k.reduce("addf", &value, &shape, 1);
    let sum = k.spread(&sum, &shape, 1, "f32");
    let value = k.each("divf", &[&value, &sum], &shape, F32);
    let value = k.convert(&value, &shape, F32, scalar);
    k.store(&y, &[&block, &zero], &value);
    case(
        format!("softmax_{scalar}_{rows}x{columns}"),
        [2, 1, 1],
        k,
        1e-2,
    )
}

/// Returns layer norm of rows, in f32, with a weight and a bias per column of their own type.
fn layer_norm(scalar: Scalar, weights: Scalar, shape: [u64; 2]) -> Case {
    let [rows, columns] = shape;
    let mut k = Kernel::new();
    let [x, y] = [(); 2].map(|()| k.view(scalar, &[2 * rows, columns], &shape));
    let [weight, bias] = [(); 2].map(|()| k.view(weights, &[columns], &[columns]));
    let [block, ..] = k.block();
    let zero = k.constant("0", &[], Scalar::I32);
    let value = k.load(&x, &[&block, &zero]);
    let value = k.convert(&value, &shape, scalar, F32);
    let count = k.constant(&format!("{columns}.0"), &[rows], F32);
    let mean = k.reduce("addf", &value, &shape, 1);
    let mean = k.each("divf", &[&mean, &count], &[rows], F32);
    let mean = k.spread(&mean, &shape, 1, "f32");
    let value = k.each("subf", &[&value, &mean], &shape, F32);
    let squares = k.each("mulf", &[&value, &value], &shape, F32);
    let variance = k.reduce("addf", &squares, &shape, 1);
    let variance = k.each("divf", &[&variance, &count], &[rows], F32);
    let scale = k.each("rsqrt", &[&variance], &[rows], F32);
    let scale = k.spread(&scale, &shape, 1, "f32");
    let mut value = k.each("mulf", &[&value, &scale], &shape, F32);
    for (view, op) in [(&weight, "mulf"), (&bias, "addf")] {
        let of_column = k.load(view, &[&zero]);
        let of_column = k.convert(&of_column, &[columns], weights, F32);
        let of_column = k.spread(&of_column, &shape, 0, "f32");
        value = k.each(op, &[&value, &of_column], &shape, F32);
    }
    let value = k.convert(&value, &shape, F32, scalar);
    k.store(&y, &[&block, &zero], &value);
    let name = format!("layer_norm_{scalar}_with_{weights}_{rows}x{columns}");
    case(name, [2, 1, 1], k, 3e-2)
}

fn transpose(scalar: Scalar, shape: [u64; 2]) -> Case {
    let [rows, columns] = shape;
    let mut k = Kernel::new();
    let x = k.view(scalar, &[2 * rows, 2 * columns], &shape);
    let y = k.view(scalar, &[2 * columns, 2 * rows], &[columns, rows]);
    let [i, j, _] = k.block();
    let value = k.load(&x, &[&i, &j]);
    let (from, to) = (tile(&shape, scalar), tile(&[columns, rows], scalar));
    let value = k.op(&format!("permute {value} [1, 0] : {from} -> {to}"));
    k.store(&y, &[&j, &i], &value);
    case(
        format!("transpose_{scalar}_{rows}x{columns}"),
        [2, 2, 1],
        k,
        0.0,
    )
}

/// Returns sums along an axis, in f32.
fn sums(scalar: Scalar, shape: [u64; 2], axis: usize) -> Case {
    let [rows, columns] = shape;
    let mut k = Kernel::new();
    let x = k.view(scalar, &[rows, columns], &shape);
    let left = shape[1 - axis];
    let y = k.view(F32, &[left], &[left]);
    let zero = k.constant("0", &[], Scalar::I32);
    let value = k.load(&x, &[&zero, &zero]);
    let value = k.convert(&value, &shape, scalar, F32);
    let sum = k.reduce("addf", &value, &shape, axis);
    k.store(&y, &[&zero], &sum);
    let of = if axis == 0 { "columns" } else { "rows" };
    case(
        format!("sums_of_{of}_{scalar}_{rows}x{columns}"),
        [1; 3],
        k,
        1e-5,
    )
}

/// Returns `z = x + y` in f32, where each tensor has a type of its own.
fn mixed(types: [Scalar; 3], shape: &[u64]) -> Case {
    let mut k = Kernel::new();
    let mut extents = shape.to_vec();
    extents[0] *= 2;
    let [x, y, z] = types.map(|scalar| k.view(scalar, &extents, shape));
    let [block, ..] = k.block();
    let zero = k.constant("0", &[], Scalar::I32);
    let index: Vec<&str> = [&block, &zero].map(String::as_str)[..shape.len()].to_vec();
    let wide = |k: &mut Kernel, view: &View| {
        let value = k.load(view, &index);
        k.convert(&value, shape, view.scalar, F32)
    };
    let (a, b) = (wide(&mut k, &x), wide(&mut k, &y));
    let sum = k.add(&a, &b, shape, F32);
    let sum = k.convert(&sum, shape, F32, z.scalar);
    k.store(&z, &index, &sum);
    let dims: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let [a, b, c] = types;
    case(
        format!("mixed_{a}_{b}_{c}_{}", dims.join("x")),
        [2, 1, 1],
        k,
        0.0,
    )
}

fn case(name: String, grid: [u32; 3], kernel: Kernel, tolerance: f64) -> Case {
    Case {
        name,
        grid,
        kernel,
        tolerance,
    }
}

fn cases() -> Vec<Case> {
    use Scalar::{BF16, F16, F64, I8, I16, I32};
    let mut cases = Vec::new();
    for scalar in [F32, F16, BF16, I8, I32, F64] {
        cases.push(vector_add(scalar));
        cases.push(vector_add_by_pointers(scalar, true));
        cases.push(vector_add_by_pointers(scalar, false));
    }
    for scalar in [F32, F16, BF16] {
        for shape in [[1, 1024], [4, 256], [16, 64]] {
            cases.push(softmax(scalar, shape));
        }
        cases.push(layer_norm(scalar, scalar, [1, 1024]));
        cases.push(layer_norm(scalar, F32, [1, 1024]));
        cases.push(layer_norm(scalar, scalar, [4, 256]));
        // These rows have fewer weights than a block has threads.
        cases.push(layer_norm(scalar, F32, [4, 64]));
    }
    for scalar in [F32, F16, BF16, I8, I16, F64] {
        for shape in [[32, 32], [64, 64], [64, 32], [128, 32]] {
            cases.push(transpose(scalar, shape));
        }
    }
    for scalar in [F32, F16, BF16, I8] {
        cases.push(sums(scalar, [32, 128], 1));
        cases.push(sums(scalar, [16, 512], 1));
        cases.push(sums(scalar, [32, 128], 0));
        cases.push(sums(scalar, [128, 32], 0));
    }
    for shape in [&[2048][..], &[16, 128], &[4, 64]] {
        cases.push(mixed([F32, BF16, F32], shape));
        cases.push(mixed([BF16, BF16, F32], shape));
        cases.push(mixed([I8, I8, F32], shape));
        cases.push(mixed([I8, F16, BF16], shape));
    }
    cases
}

pub(crate) fn trials() -> Vec<Trial> {
    let archs = ARCHS.into_iter().cycle();
    let trial = |(case, arch): (Case, Arch)| {
        let name = format!("memory_bound/{}::{arch}", case.name);
        local_trial(name, move || run(case, arch))
    };
    cases().into_iter().zip(archs).map(trial).collect()
}

fn run(case: Case, arch: Arch) -> Result<(), String> {
    let tolerance = case.tolerance;
    let (runnable, [loaded, stored]) = case.kernel.runnable(case.grid)?;
    let artifact = compile(&runnable.module, arch, None)?;
    let expected = Expected::new(&runnable, tolerance);
    let conflicts = expected.check(&artifact, &runnable)?;
    let actual = simulate(&artifact, &parsed(&artifact), &runnable, 0);
    let global = actual.counters.expect("it ended").global;
    let mut wrong = String::new();
    let loads = [&global.loads, &global.copies];
    for (what, traffic, minimum) in [
        ("loaded", &loads[..], loaded),
        ("stored", &[&global.stores], stored),
    ] {
        let bytes: u64 = traffic.iter().map(|traffic| traffic.bytes).sum();
        let sectors: u64 = traffic.iter().map(|traffic| traffic.sectors).sum();
        if (bytes, sectors * SECTOR) != (minimum, minimum) {
            let _ = write!(
                wrong,
                "{what} {minimum} bytes as {bytes} in {sectors} sectors, which have {}; ",
                sectors * SECTOR
            );
        }
    }
    if conflicts > 0 {
        let _ = write!(wrong, "{conflicts} bank conflicts; ");
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{wrong}\n{}", artifact.ptx[0].1))
}
