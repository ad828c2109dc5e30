//! The kernels that are measured, with their sizes, their work and their targets. `xtask` reads this file too.

/// The contender that a kernel is compared with, and the speed that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function of the elements of some tensors, with fewer than four operations.
    Elementwise,
    /// The same with four operations or more, which `PyTorch` runs one after the other.
    Chain,
    /// A product of matrices, or a kernel that consists of one.
    Product,
    /// A product of `bf16`.
    ProductBf16,
    /// A loop over numbers, which is compared with plain Rust.
    Loop,
    Other,
}

/// A program with the same kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contender {
    PyTorch,
    NumPy,
    Rust,
}

impl Contender {
    pub(crate) const ALL: [Self; 3] = [Self::PyTorch, Self::NumPy, Self::Rust];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PyTorch => "PyTorch",
            Self::NumPy => "NumPy",
            Self::Rust => "Rust",
        }
    }
}

impl Kind {
    /// Returns `true` if the bytes per second should be those of a copy.
    pub(crate) fn is_bound_by_memory(self) -> bool {
        match self {
            Self::Elementwise | Self::Chain => true,
            Self::Product | Self::ProductBf16 | Self::Loop | Self::Other => false,
        }
    }

    /// Returns the speed that is wanted, as a multiple of a contender's; `None` if it is only shown.
    pub(crate) fn target(self, contender: Contender) -> Option<f64> {
        match (self, contender) {
            (_, Contender::NumPy) => None,
            (Self::Loop, Contender::Rust) => Some(0.8),
            (_, Contender::Rust) | (Self::Loop, Contender::PyTorch) => None,
            (Self::Chain, Contender::PyTorch) => Some(3.0),
            (Self::Product, Contender::PyTorch) => Some(0.9),
            (Self::ProductBf16, Contender::PyTorch) => Some(0.8),
            (Self::Elementwise | Self::Other, Contender::PyTorch) => Some(1.0),
        }
    }
}

/// A kernel of `benches/cpu`.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The sizes that are measured.
    pub(crate) sizes: [&'static [u32]; 3],
    /// A size for which every run takes less than a second.
    pub(crate) tiny: &'static [u32],
    pub(crate) kind: Kind,
    /// The bytes that must be read and written.
    pub(crate) bytes: fn(&[f64]) -> f64,
    /// The additions and multiplications of products; 0 for the other kernels.
    pub(crate) operations: fn(&[f64]) -> f64,
    /// The largest difference between an element and the contender's, as a part of the largest element of that output.
    pub(crate) tolerance: f64,
}

fn no_operations(_: &[f64]) -> f64 {
    0.0
}

fn square(n: &[f64]) -> f64 {
    2.0 * n[0].powi(3)
}

/// Returns the rows of all groups: 64, 128, 192 and 256 in turn.
fn rows_of_groups(groups: f64) -> f64 {
    let (cycles, rest) = ((groups / 4.0).floor(), groups % 4.0);
    64.0 * (cycles * 10.0 + rest * (rest + 1.0) / 2.0)
}

const VECTOR: [&[u32]; 3] = [&[1 << 14], &[1 << 19], &[1 << 24]];
const ROWS: [&[u32]; 3] = [&[64, 512], &[1024, 1024], &[4096, 4096]];
const SQUARES: [&[u32]; 3] = [&[256], &[1024], &[2048]];

/// The values of most kernels: that much work, and differences in the last digits.
const OTHER: Kernel = Kernel {
    name: "",
    title: "",
    sizes: ROWS,
    tiny: &[5, 128],
    kind: Kind::Other,
    bytes: |n| 8.0 * n[0] * n[1],
    operations: no_operations,
    tolerance: 2e-6,
};

pub(crate) const KERNELS: [Kernel; 28] = [
    Kernel {
        name: "add",
        title: "a + b",
        sizes: VECTOR,
        tiny: &[5000],
        kind: Kind::Elementwise,
        bytes: |n| 12.0 * n[0],
        tolerance: 0.0,
        ..OTHER
    },
    Kernel {
        name: "chain4",
        title: "chain of 4 operations",
        sizes: VECTOR,
        tiny: &[5000],
        kind: Kind::Chain,
        bytes: |n| 16.0 * n[0],
        ..OTHER
    },
    Kernel {
        name: "chain8",
        title: "chain of 8 operations",
        sizes: VECTOR,
        tiny: &[5000],
        kind: Kind::Chain,
        bytes: |n| 16.0 * n[0],
        ..OTHER
    },
    Kernel {
        name: "gelu",
        title: "GELU",
        sizes: VECTOR,
        tiny: &[5000],
        kind: Kind::Elementwise,
        bytes: |n| 8.0 * n[0],
        ..OTHER
    },
    Kernel {
        name: "swiglu",
        title: "SwiGLU",
        sizes: [&[16, 1024], &[256, 4096], &[2048, 8192]],
        bytes: |n| 12.0 * n[0] * n[1],
        ..OTHER
    },
    Kernel {
        name: "rope",
        title: "rotary embedding, tokens × heads × 128",
        sizes: [&[16, 8], &[512, 8], &[4096, 32]],
        tiny: &[7, 3],
        bytes: |n| 4.0 * 128.0 * n[0] * (2.0 * n[1] + 1.0),
        ..OTHER
    },
    Kernel {
        name: "softmax",
        title: "softmax of rows",
        ..OTHER
    },
    Kernel {
        name: "layer_norm",
        title: "layer norm",
        ..OTHER
    },
    Kernel {
        name: "layer_norm_backward",
        title: "layer norm, gradients",
        bytes: |n| 12.0 * n[0] * n[1],
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "rms_norm",
        title: "RMS norm with residual",
        bytes: |n| 16.0 * n[0] * n[1],
        ..OTHER
    },
    Kernel {
        name: "cross_entropy",
        title: "cross entropy, rows × classes",
        sizes: [&[64, 1024], &[512, 8192], &[1024, 32768]],
        tiny: &[5, 1500],
        bytes: |n| 4.0 * n[0] * n[1],
        ..OTHER
    },
    Kernel {
        name: "cumulative_sum",
        title: "cumulative sum of rows",
        tiny: &[5, 700],
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "top_k",
        title: "top 8 of rows",
        sizes: [&[64, 512], &[512, 4096], &[512, 16384]],
        bytes: |n| 4.0 * n[0] * n[1],
        tolerance: 0.0,
        ..OTHER
    },
    Kernel {
        name: "histogram",
        title: "histogram of bytes",
        sizes: VECTOR,
        tiny: &[100_000],
        bytes: |n| n[0],
        tolerance: 0.0,
        ..OTHER
    },
    Kernel {
        name: "transpose",
        title: "transpose",
        sizes: [&[256, 256], &[1024, 1024], &[4096, 4096]],
        tiny: &[50, 70],
        tolerance: 0.0,
        ..OTHER
    },
    Kernel {
        name: "stencil",
        title: "3 × 3 stencil",
        sizes: [&[256, 256], &[1024, 1024], &[4096, 4096]],
        tiny: &[50, 300],
        ..OTHER
    },
    Kernel {
        name: "product_f32",
        title: "product, f32, n × n × n",
        sizes: SQUARES,
        tiny: &[70],
        kind: Kind::Product,
        bytes: |n| 12.0 * n[0] * n[0],
        operations: square,
        tolerance: 1e-5,
    },
    Kernel {
        name: "product_bf16",
        title: "product, bf16, n × n × n",
        sizes: SQUARES,
        tiny: &[70],
        kind: Kind::ProductBf16,
        bytes: |n| 6.0 * n[0] * n[0],
        operations: square,
        // Half a unit in the last place of `bf16`, twice.
        tolerance: 0.008,
    },
    Kernel {
        name: "product_i8",
        title: "product, i8 to i32, n × n × n",
        sizes: SQUARES,
        tiny: &[72],
        kind: Kind::Product,
        bytes: |n| 6.0 * n[0] * n[0],
        operations: square,
        tolerance: 0.0,
    },
    Kernel {
        name: "batched_product",
        title: "batch of products, batch × n × n × n",
        sizes: [&[64, 64], &[32, 128], &[16, 256]],
        tiny: &[3, 70],
        kind: Kind::Product,
        bytes: |n| 12.0 * n[0] * n[1] * n[1],
        operations: |n| 2.0 * n[0] * n[1].powi(3),
        tolerance: 1e-5,
    },
    Kernel {
        name: "grouped_product",
        title: "products of groups of 64 to 256 rows, groups × n × n",
        sizes: [&[4, 256], &[8, 512], &[8, 1024]],
        tiny: &[3, 100],
        kind: Kind::Product,
        bytes: |n| 4.0 * (2.0 * rows_of_groups(n[0]) * n[1] + n[0] * n[1] * n[1]),
        operations: |n| 2.0 * rows_of_groups(n[0]) * n[1] * n[1],
        tolerance: 1e-5,
    },
    Kernel {
        name: "attention",
        title: "causal attention, 4 heads share keys, heads × tokens × 64",
        sizes: [&[8, 256], &[8, 1024], &[8, 2048]],
        tiny: &[4, 150],
        bytes: |n| 4.0 * 64.0 * n[0] * n[1] * 2.5,
        operations: |n| 2.0 * 64.0 * n[0] * n[1] * (n[1] + 1.0),
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "paged_decode",
        title: "decoding from pages of 16, sequences × tokens, 8 heads, 2 of keys",
        sizes: [&[4, 256], &[16, 1024], &[32, 4096]],
        tiny: &[2, 100],
        bytes: |n| 4.0 * 256.0 * n[0] * n[1],
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "convolution",
        title: "3 × 3 convolution, pictures × side × side × channels",
        sizes: [&[1, 32, 64], &[4, 32, 128], &[8, 64, 64]],
        tiny: &[1, 32, 64],
        bytes: |n| 8.0 * n[0] * n[1] * n[1] * n[2] + 36.0 * n[2] * n[2],
        operations: |n| 18.0 * n[0] * n[1] * n[1] * n[2] * n[2],
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "fft",
        title: "FFT of rows",
        sizes: [&[64, 64], &[1024, 256], &[4096, 1024]],
        tiny: &[3, 64],
        bytes: |n| 16.0 * n[0] * n[1],
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "sparse_product",
        title: "sparse matrix of 0 to 64 numbers per row with a vector",
        sizes: [&[1024], &[16384], &[262_144]],
        tiny: &[300],
        bytes: |n| n[0] * (32.0 * 8.0 + 12.0),
        tolerance: 1e-5,
        ..OTHER
    },
    Kernel {
        name: "collatz",
        title: "Collatz sequences",
        sizes: [&[4096], &[65536], &[1 << 20]],
        tiny: &[700],
        kind: Kind::Loop,
        bytes: |n| 12.0 * n[0],
        tolerance: 0.0,
        ..OTHER
    },
    Kernel {
        name: "mandelbrot",
        title: "Mandelbrot set",
        sizes: [&[64, 96], &[256, 384], &[512, 768]],
        tiny: &[20, 30],
        kind: Kind::Loop,
        bytes: |n| 4.0 * n[0] * n[1],
        tolerance: 0.0,
        ..OTHER
    },
];

/// Returns the sizes as in a question to a worker.
pub(crate) fn sizes(sizes: &[u32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    sizes.join("x")
}
