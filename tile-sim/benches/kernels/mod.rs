//! The kernels of the benchmark, with their arguments.

use std::path::Path;
use std::time::Instant;

use tile_sim::{Arg, Counters, Launch, Memory, Module, Options};

use crate::corpus;
use crate::random::Random;

/// An argument of a kernel.
enum Input {
    Int(u32),
    Single(f32),
    /// The contents of a buffer.
    Buffer(Vec<u8>),
}

/// A kernel and its arguments.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    module: Module,
    launch: Launch,
    inputs: Vec<Input>,
}

impl Case {
    /// Runs the kernel once on fresh buffers. Returns its counters and the time in seconds.
    pub(crate) fn run(&self, options: &Options) -> (Counters, f64) {
        let mut memory = Memory::new();
        let mut args: Vec<Arg> = Vec::new();
        for input in &self.inputs {
            args.push(match input {
                &Input::Int(value) => Arg::from(value),
                &Input::Single(value) => Arg::from(value),
                Input::Buffer(bytes) => Arg::from(memory.alloc_with(bytes, 16)),
            });
        }
        let launch = self.launch.clone().args(args);
        let start = Instant::now();
        let result = self.module.launch(&launch, &mut memory, options);
        let seconds = start.elapsed().as_secs_f64();
        (
            result.unwrap_or_else(|fault| panic!("{}: {fault}", self.name)),
            seconds,
        )
    }
}

/// Draws numbers from -1 to 1, 1 excluded, that `f32` represents exactly.
fn numbers(count: usize) -> impl Iterator<Item = f32> {
    let mut random = Random::new(1);
    // 24 bits.
    (0..count).map(move |_| (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0)
}

fn singles(count: usize) -> Input {
    Input::Buffer(numbers(count).flat_map(f32::to_le_bytes).collect())
}

fn halves(count: usize) -> Input {
    let bits = numbers(count).map(|number| half::f16::from_f32(number).to_bits());
    Input::Buffer(bits.flat_map(u16::to_le_bytes).collect())
}

fn brains(count: usize) -> Input {
    let bits = numbers(count).map(|number| half::bf16::from_f32(number).to_bits());
    Input::Buffer(bits.flat_map(u16::to_le_bytes).collect())
}

fn integers(count: usize) -> Input {
    let bits = numbers(count).map(f32::to_bits);
    Input::Buffer(bits.flat_map(u32::to_le_bytes).collect())
}

fn zeros(bytes: usize) -> Input {
    Input::Buffer(vec![0; bytes])
}

fn own(name: &'static str, text: &str, grid: u32, threads: u32, inputs: Vec<Input>) -> Case {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let launch = Launch::new("kernel").grid([grid, 1, 1]).threads(threads);
    Case {
        name,
        module,
        launch,
        inputs,
    }
}

/// Loads a kernel that Triton compiled.
fn triton(name: &'static str, path: &str, grid: [u32; 3], mut inputs: Vec<Input>) -> Case {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triton/corpus");
    let (arch, file) = path.split_once('/').expect("a folder and a file");
    let kernel = corpus::Kernel {
        case: file.into(),
        arch: arch.into(),
        text: std::fs::read_to_string(corpus.join(format!("{path}.ptx"))).expect("a readable file"),
    };
    // Triton's global scratch memory and the memory of its profiler, which these kernels do not
    // use.
    inputs.extend([zeros(16), zeros(16)]);
    let launch = Launch::new(kernel.fact("entry").expect("the head names the entry"))
        .grid(grid)
        .threads(kernel.number("threads"))
        .dynamic_shared_bytes(kernel.number("shared"));
    Case {
        name,
        module: Module::parse(&kernel.text).unwrap_or_else(|error| panic!("{name}: {error}")),
        launch,
        inputs,
    }
}

/// Returns all kernels.
pub(crate) fn all() -> Vec<Case> {
    use Input::{Int, Single};
    let elements = 1 << 17;
    let vectors = 1 << 19;
    let (rows, columns) = (128usize, 2048usize);
    let cells = rows * columns;
    let (m, n, k) = (256usize, 256usize, 512usize);
    let (wide_m, wide_n, wide_k) = (256usize, 512usize, 512usize);
    let (heads, length, depth) = (2usize, 256usize, 64usize);
    let sizes = |sizes: [usize; 3]| sizes.map(|size| Int(u32::try_from(size).expect("small")));
    let [_, int_columns, int_length] = sizes([rows, columns, length]);
    let [grid_rows, grid_norms, grid_length, grid_heads] =
        [rows, 1024, length / 64, heads].map(|size| u32::try_from(size).expect("small"));
    vec![
        own(
            "elementwise",
            include_str!("elementwise.ptx"),
            elements / 256,
            256,
            vec![
                singles(elements as usize),
                singles(elements as usize),
                zeros(4 * elements as usize),
                Int(elements - 5),
            ],
        ),
        own(
            "elementwise, v4",
            include_str!("elementwise_v4.ptx"),
            vectors / 1024,
            256,
            vec![
                singles(vectors as usize),
                singles(vectors as usize),
                zeros(4 * vectors as usize),
                Int(vectors - 4),
            ],
        ),
        triton(
            "softmax",
            "sm_80/online_softmax",
            [grid_rows, 1, 1],
            vec![singles(cells), zeros(4 * cells), int_columns],
        ),
        triton(
            "rms norm",
            "sm_80/rms_norm_bf16",
            [grid_norms, 1, 1],
            vec![
                brains(cells),
                singles(200),
                zeros(2 * cells),
                Int(200),
                Single(1e-5),
            ],
        ),
        triton(
            "matmul, mma",
            "sm_80/matmul_f16_eight_warps",
            [8, 1, 1],
            [halves(m * k), halves(k * n), zeros(4 * m * n)]
                .into_iter()
                .chain(sizes([m, n, k]))
                .collect(),
        ),
        triton(
            "attention",
            "sm_80/attention_bf16_stages_2",
            [grid_length, grid_heads, 1],
            vec![
                brains(heads * length * depth),
                brains(heads * length * depth),
                brains(heads * length * depth),
                zeros(2 * heads * length * depth),
                zeros(4 * heads * length),
                Single(0.125),
                int_length,
            ],
        ),
        own(
            "hash",
            include_str!("hash.ptx"),
            64,
            256,
            vec![integers(64 * 256), zeros(4 * 64 * 256), Int(64)],
        ),
        own(
            "prmt",
            include_str!("prmt.ptx"),
            64,
            256,
            vec![integers(64 * 256), zeros(4 * 64 * 256), Int(64)],
        ),
        own(
            "f16x2",
            include_str!("halves.ptx"),
            64,
            256,
            vec![integers(64 * 256), zeros(4 * 64 * 256), Int(64)],
        ),
        own(
            "f64 fma",
            include_str!("doubles.ptx"),
            64,
            256,
            vec![integers(64 * 256), zeros(4 * 64 * 256), Int(64)],
        ),
        own(
            "histogram",
            include_str!("histogram.ptx"),
            64,
            256,
            vec![integers(1 << 17), zeros(4 * 256), Int(8)],
        ),
        triton(
            "matmul, wgmma",
            "sm_90/matmul_bf16_wgmma_128_256",
            [4, 1, 1],
            [
                brains(wide_m * wide_k),
                brains(wide_k * wide_n),
                zeros(4 * wide_m * wide_n),
            ]
            .into_iter()
            .chain(sizes([wide_m, wide_n, wide_k]))
            .collect(),
        ),
    ]
}
