//! The launch of each kernel, and its expected results, computed by plain loops.

mod blackwell;
mod block;
mod grid;
mod hopper;

use tile_sim::{Arg, Launch, Memory, TensorMap};

use crate::run::{Expected, Setup};

/// A launch of a kernel.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The name of the text, `kernels/KERNEL.ptx`.
    pub(crate) kernel: &'static str,
    /// Is `true` if the mutants of `kernels/KERNEL.mutants` use this launch.
    pub(crate) is_broken: bool,
    pub(crate) setup: fn() -> Setup,
}

impl Case {
    /// Creates the launch of a kernel and its mutants.
    const fn new(name: &'static str, setup: fn() -> Setup) -> Self {
        Self {
            name,
            kernel: name,
            is_broken: true,
            setup,
        }
    }

    /// Creates another launch of a kernel.
    const fn again(name: &'static str, kernel: &'static str, setup: fn() -> Setup) -> Self {
        Self {
            name,
            kernel,
            is_broken: false,
            setup,
        }
    }
}

pub(crate) const CASES: &[Case] = &[
    Case::new("reduce", block::reduce),
    Case::new("transpose", block::transpose),
    Case::new("pipeline", block::pipeline),
    Case::new("named_barriers", block::named_barriers),
    Case::new("warp_exchange", block::warp_exchange),
    Case::new("stencil", block::stencil),
    Case::new("local_sort", block::local_sort),
    Case::new("dispatch", block::dispatch),
    Case::new("constants", block::constants),
    Case::new("split_k", grid::split_k),
    Case::new("split_k_fence", grid::split_k_fence),
    Case::new("fence_all", grid::split_k_fence),
    Case::new("histogram", grid::histogram),
    Case::new("ticket", grid::ticket),
    Case::new("spin_lock", grid::spin_lock),
    Case::new("look_back", grid::look_back),
    Case::new("compact", grid::compact),
    Case::new("mbarriers", hopper::mbarriers),
    Case::new("async_arrivals", hopper::async_arrivals),
    Case::new("bulk_loads", hopper::bulk_loads),
    Case::new("bulk_stores", hopper::bulk_stores),
    Case::new("tensor_product", hopper::tensor_product_128),
    Case::again(
        "tensor_product_64",
        "tensor_product",
        hopper::tensor_product_64,
    ),
    Case::again(
        "tensor_product_32",
        "tensor_product",
        hopper::tensor_product_32,
    ),
    Case::again(
        "tensor_product_none",
        "tensor_product",
        hopper::tensor_product_none,
    ),
    Case::new("product_chain", hopper::product_chain),
    Case::new("multicast", hopper::multicast),
    Case::new("cluster_pipeline", hopper::cluster_pipeline),
    Case::new("cluster_exchange", hopper::cluster_exchange),
    Case::new("cluster_push", hopper::cluster_push),
    Case::new("tensor_stores", hopper::tensor_stores),
    Case::new("specialized", hopper::specialized),
    Case::new("persistent", blackwell::persistent),
    Case::new("stacks", blackwell::stacks),
    Case::new("replicas", blackwell::replicas),
    Case::new("tensor_rows", blackwell::tensor_rows),
    Case::new("tensor_pair", blackwell::tensor_pair),
    Case::new("tensor_core", blackwell::tensor_core),
];

/// The arguments, in the order of the parameters.
struct Arguments {
    memory: Memory,
    args: Vec<Arg>,
    /// The address of the last buffer.
    last: u64,
    results: Vec<Expected>,
}

impl Arguments {
    fn new() -> Self {
        Self {
            memory: Memory::new(),
            args: Vec::new(),
            last: 0,
            results: Vec::new(),
        }
    }

    /// Adds a buffer with these words.
    fn input(mut self, words: &[u32]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let address = self.memory.alloc_with(&bytes, 128);
        self.args.push(Arg::from(address));
        self.last = address;
        self
    }

    /// Adds a zeroed buffer that is not compared.
    fn scratch(self, words: usize) -> Self {
        self.input(&vec![0; words])
    }

    /// Adds a tensor map of a buffer with these words.
    fn tensor(self, map: TensorMap, words: &[u32]) -> Self {
        self.input(words).through(map)
    }

    /// Adds a tensor map of a zeroed buffer that must contain these words at the end.
    fn tensor_output(self, name: &'static str, map: TensorMap, words: Vec<u32>) -> Self {
        self.output(name, words).through(map)
    }

    /// Replaces the last argument, an address, by a tensor map of its buffer.
    fn through(mut self, map: TensorMap) -> Self {
        let map = map.with_address(self.last).expect("aligned");
        let last = self.args.last_mut().expect("a buffer");
        *last = Arg::bytes(&map.to_bytes());
        self
    }

    /// Adds a zeroed buffer that must contain these words at the end.
    fn output(self, name: &'static str, words: Vec<u32>) -> Self {
        let zeros = vec![0; words.len()];
        self.changed(name, &zeros, words)
    }

    /// Adds a buffer with the words `before` that must contain `words` at the end.
    fn changed(mut self, name: &'static str, before: &[u32], words: Vec<u32>) -> Self {
        let bytes: Vec<u8> = before.iter().flat_map(|word| word.to_le_bytes()).collect();
        let address = self.memory.alloc_with(&bytes, 128);
        self.args.push(Arg::from(address));
        self.last = address;
        self.results.push(Expected {
            name,
            address,
            words,
        });
        self
    }

    fn launch(self, grid: u32, threads: u32) -> Setup {
        self.launch_as(Launch::new("k").grid([grid, 1, 1]).threads(threads))
    }

    fn launch_as(self, launch: Launch) -> Setup {
        Setup {
            launch: launch.args(self.args),
            memory: self.memory,
            results: self.results,
        }
    }
}

/// Generates words without a pattern.
fn words(count: usize) -> Vec<u32> {
    (0..count as u32)
        .map(|index| index.wrapping_mul(0x9e37_79b9) >> 7 ^ index)
        .collect()
}

/// Generates small integers without a pattern, from -4 to 4.
fn small(index: usize) -> f32 {
    ((index as u32).wrapping_mul(0x9e37_79b9) >> 13 & 7) as f32 - 4.0
}

/// Packs two halves per word.
fn halves(values: &[f32]) -> Vec<u32> {
    let bits = |value: f32| u32::from(half::f16::from_f32(value).to_bits());
    let pairs = values.chunks_exact(2);
    pairs
        .map(|pair| bits(pair[0]) | bits(pair[1]) << 16)
        .collect()
}

fn singles(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Computes `a b^T` for rows of `depth` numbers.
fn product(a: &[f32], b: &[f32], depth: usize) -> Vec<f32> {
    let mut sums = Vec::new();
    for row in a.chunks_exact(depth) {
        for column in b.chunks_exact(depth) {
            let terms = row.iter().zip(column);
            sums.push(terms.map(|(x, y)| x * y).sum());
        }
    }
    sums
}
