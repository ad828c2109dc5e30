//! Generates Tile IR kernels with hundreds of elements per thread, for [`super::slow`]: sums,
//! prefix sums, argmax, chains of elementwise operations, matmuls.

use std::fmt::Write as _;

/// A module with one entry.
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) text: String,
}

/// The number of elements of the largest tiles.
const SIZES: [u64; 4] = [1 << 14, 1 << 15, 1 << 16, 1 << 17];

/// Returns all kernels, each with the compiler's choice of warps, with four and with eight.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for warps in [None, Some(4), Some(8)] {
        let mut add = |name: String, module: Module| {
            let suffix = warps.map_or(String::new(), |warps| format!("_of_{warps}_warps"));
            kernels.push(Kernel {
                name: format!("{name}{suffix}"),
                text: module.finish(warps),
            });
        };
        for element in ["f32", "bf16"] {
            for size in SIZES {
                add(
                    format!("sum_{element}_{size}"),
                    reduction("addf", element, &[size], 0),
                );
                add(format!("scan_{element}_{size}"), scan(element, &[size], 0));
            }
            let square = [256, 256];
            add(
                format!("sum_{element}_rows"),
                reduction("addf", element, &square, 1),
            );
            add(
                format!("sum_{element}_columns"),
                reduction("addf", element, &square, 0),
            );
            add(format!("scan_{element}_columns"), scan(element, &square, 0));
        }
        add(
            "max_f32_65536".to_owned(),
            reduction("maxf", "f32", &[1 << 16], 0),
        );
        for size in [1 << 14, 1 << 16] {
            add(format!("argmax_{size}"), argmax(size));
            for element in ["f32", "bf16"] {
                let name = format!("chain_{element}_{size}");
                add(name, chain(element, size, 32, &["mulf", "addf"]));
            }
            add(
                format!("exp_f32_{size}"),
                chain("f32", size, 8, &["exp", "mulf"]),
            );
            let functions = ["tanh", "sin", "log", "mulf"];
            add(
                format!("functions_f32_{size}"),
                chain("f32", size, 8, &functions),
            );
        }
        for (element, [m, n, k]) in [
            ("bf16", [128, 256, 64]),
            ("bf16", [256, 256, 64]),
            ("f32", [128, 128, 32]),
            ("f32", [128, 256, 32]),
        ] {
            add(
                format!("product_{element}_{m}x{n}x{k}"),
                product(element, m, n, k),
            );
        }
    }
    kernels
}

/// An entry under construction.
#[derive(Default)]
struct Module {
    parameters: Vec<String>,
    body: String,
}

/// A tensor parameter, divided into tiles of one shape.
struct View {
    name: String,
    ty: String,
    tile: String,
}

fn joined(numbers: &[u64], separator: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(separator)
}

/// Formats a type, such as `tile<4x8xf32>`.
fn tile(shape: &[u64], element: &str) -> String {
    let mut parts: Vec<String> = shape.iter().map(ToString::to_string).collect();
    parts.push(element.to_owned());
    format!("tile<{}>", parts.join("x"))
}

impl Module {
    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.body, "    {}", line.as_ref());
    }

    fn view(&mut self, element: &str, shape: &[u64], part: &[u64]) -> View {
        let name = format!("v{}", self.parameters.len());
        self.parameters
            .push(format!("%{name}_p: tile<ptr<{element}>>"));
        let strides: Vec<u64> = (1..=shape.len())
            .map(|axis| shape[axis..].iter().product())
            .collect();
        let tensor = format!(
            "tensor_view<{}x{element}, strides=[{}]>",
            joined(shape, "x"),
            joined(&strides, ", ")
        );
        let ty = format!("partition_view<tile=({}), {tensor}>", joined(part, "x"));
        self.line(format!(
            "%{name}_a = assume div_by<16>, %{name}_p : tile<ptr<{element}>>"
        ));
        self.line(format!(
            "%{name}_t = make_tensor_view %{name}_a, shape = [{}], strides = [{}] : {tensor}",
            joined(shape, ", "),
            joined(&strides, ", ")
        ));
        self.line(format!("%{name} = make_partition_view %{name}_t : {ty}"));
        View {
            name,
            ty,
            tile: tile(part, element),
        }
    }

    fn load(&mut self, into: &str, view: &View, index: &str) {
        let View { name, ty, tile } = view;
        self.line(format!(
            "%{into}, %{into}_o = load_view_tko weak %{name}[{index}] : {ty}, tile<i32> -> {tile}, token"
        ));
    }

    fn store(&mut self, value: &str, view: &View, index: &str) {
        let View { name, ty, tile } = view;
        self.line(format!(
            "%{name}_s = store_view_tko weak %{value}, %{name}[{index}] : {tile}, {ty}, tile<i32> -> token"
        ));
    }

    /// Loads a tile that is a whole tensor.
    fn whole(&mut self, into: &str, element: &str, shape: &[u64]) {
        let view = self.view(element, shape, shape);
        self.load(into, &view, &zeros(shape));
    }

    fn keep(&mut self, value: &str, element: &str, shape: &[u64]) {
        let view = self.view(element, shape, shape);
        self.store(value, &view, &zeros(shape));
    }

    fn finish(self, warps: Option<u32>) -> String {
        let hint = warps.map_or(String::new(), |warps| {
            format!(" optimization_hints=<default = {{num_worker_warps_per_cta = {warps} : i64}}>")
        });
        let (parameters, body) = (self.parameters.join(", "), self.body);
        format!(
            "cuda_tile.module @large {{\n  entry @f({parameters}){hint} {{\n    \
             %zero = constant <i32: 0> : tile<i32>\n{body}    return\n  }}\n}}\n"
        )
    }
}

/// Returns the index of the first tile.
fn zeros(shape: &[u64]) -> String {
    vec!["%zero"; shape.len()].join(", ")
}

/// Returns `op` of two numbers.
fn combined(op: &str, element: &str) -> String {
    let rounding = if op == "maxf" {
        ""
    } else {
        " rounding<nearest_even>"
    };
    format!("%g = {op} %e, %f{rounding} : tile<{element}>")
}

fn reduction(op: &str, element: &str, shape: &[u64], axis: usize) -> Module {
    let mut module = Module::default();
    module.whole("x", element, shape);
    let mut left = shape.to_vec();
    left.remove(axis);
    let (from, to) = (tile(shape, element), tile(&left, element));
    module.line(format!(
        "%r = reduce %x dim={axis} identities=[0.0 : {element}] : {from} -> {to} (%e: tile<{element}>, %f: tile<{element}>) {{"
    ));
    module.line(combined(op, element));
    module.line(format!("yield %g : tile<{element}>"));
    module.line("}");
    if left.is_empty() {
        module.line(format!("%q = reshape %r : {to} -> tile<1x{element}>"));
        module.keep("q", element, &[1]);
    } else {
        module.keep("r", element, &left);
    }
    module
}

fn scan(element: &str, shape: &[u64], axis: usize) -> Module {
    let mut module = Module::default();
    module.whole("x", element, shape);
    let ty = tile(shape, element);
    module.line(format!(
        "%r = scan %x dim={axis} reverse=false identities=[0.0 : {element}] : {ty} -> {ty} (%e: tile<{element}>, %f: tile<{element}>) {{"
    ));
    module.line(combined("addf", element));
    module.line(format!("yield %g : tile<{element}>"));
    module.line("}");
    module.keep("r", element, shape);
    module
}

fn argmax(size: u64) -> Module {
    let mut module = Module::default();
    module.whole("x", "f32", &[size]);
    module.line(format!("%i = iota : tile<{size}xi32>"));
    module.line(format!(
        "%m, %a = reduce %x, %i dim=0 identities=[0xff800000 : f32, 0 : i32] : tile<{size}xf32>, tile<{size}xi32> -> tile<f32>, tile<i32> \
         (%e0: tile<f32>, %f0: tile<f32>, %e1: tile<i32>, %f1: tile<i32>) {{"
    ));
    module.line("%c = cmpf greater_than ordered %e0, %f0 : tile<f32> -> tile<i1>");
    module.line("%g0 = select %c, %e0, %f0 : tile<i1>, tile<f32>");
    module.line("%g1 = select %c, %e1, %f1 : tile<i1>, tile<i32>");
    module.line("yield %g0, %g1 : tile<f32>, tile<i32>");
    module.line("}");
    module.line("%q = reshape %m : tile<f32> -> tile<1xf32>");
    module.line("%p = reshape %a : tile<i32> -> tile<1xi32>");
    module.keep("q", "f32", &[1]);
    module.keep("p", "i32", &[1]);
    module
}

/// Returns a chain of `length` elementwise operations.
fn chain(element: &str, size: u64, length: usize, ops: &[&str]) -> Module {
    let mut module = Module::default();
    module.whole("x0", element, &[size]);
    module.whole("y", element, &[size]);
    let ty = tile(&[size], element);
    for (number, op) in ops.iter().cycle().take(length).enumerate() {
        let operands = match *op {
            "mulf" | "addf" => format!("%x{number}, %y rounding<nearest_even>"),
            "tanh" => format!("%x{number} rounding<full>"),
            _ => format!("%x{number}"),
        };
        module.line(format!("%x{} = {op} {operands} : {ty}", number + 1));
    }
    module.keep(&format!("x{length}"), element, &[size]);
    module
}

/// Returns a matmul of one output tile, accumulated in a loop.
#[expect(
    clippy::many_single_char_names,
    reason = "extents of a matmul, and its operands"
)]
fn product(element: &str, m: u64, n: u64, k: u64) -> Module {
    const EXTENT: u64 = 4096;
    let mut module = Module::default();
    let matrix = [EXTENT, EXTENT];
    let left = module.view(element, &matrix, &[m, k]);
    let right = module.view(element, &matrix, &[k, n]);
    let out = module.view("f32", &matrix, &[m, n]);
    let sum = tile(&[m, n], "f32");
    module.line("%i, %j, %l = get_tile_block_id : tile<i32>");
    module.line("%one = constant <i32: 1> : tile<i32>");
    module.line(format!(
        "%many = constant <i32: {}> : tile<i32>",
        EXTENT / k
    ));
    module.line(format!("%nothing = constant <f32: 0.0> : {sum}"));
    module.line(format!(
        "%sum = for %s in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> ({sum}) {{"
    ));
    module.load("a", &left, "%i, %s");
    module.load("b", &right, "%s, %j");
    let (a, b) = (&left.tile, &right.tile);
    module.line(format!("%next = mmaf %a, %b, %acc : {a}, {b}, {sum}"));
    module.line(format!("continue %next : {sum}"));
    module.line("}");
    module.store("sum", &out, "%i, %j");
    module
}

#[cfg(test)]
mod tests {
    use super::{kernels, reduction};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_apart_and_hints_ask_for_warps() {
        let kernels = kernels();
        let names: BTreeSet<&str> = kernels.iter().map(|kernel| &*kernel.name).collect();
        assert_eq!(names.len(), kernels.len());
        for kernel in &kernels {
            let hinted = kernel.text.contains("num_worker_warps_per_cta");
            assert_eq!(hinted, kernel.name.contains("_of_"), "{}", kernel.name);
        }
    }

    #[test]
    fn a_sum_of_rows_is_a_tile_of_rank_one() {
        let text = reduction("addf", "f32", &[4, 8], 1).finish(None);
        assert!(text.contains("shape = [4, 8], strides = [8, 1]"), "{text}");
        assert!(text.contains("tile<4x8xf32> -> tile<4xf32>"), "{text}");
    }
}
