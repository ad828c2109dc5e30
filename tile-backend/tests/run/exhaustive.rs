//! Tests conversions of every number of small types, and arithmetic on f16 and bf16 with every pair of
//! special numbers. Instructions with their own rounding, saturation and NaN handling compute these
//! operations, often for two elements at a time.
//!
//! The f32 inputs of conversions are each number of the target type, the midpoint to the next number, and the
//! f32 neighbours of both, with either sign.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::interp::{decode_float, encode_float};
use tile_core::testing::{Argument, Runnable};
use tile_core::types::Scalar;
use tile_core::verify::ftof_modes;

use super::ARCHS;
use super::compare::Expected;
use super::elements::{bytes, stored};
use super::machine::{compile, verified};
use super::support::{self, local_trial};

/// Elements of a tile.
pub(crate) const TILE: usize = 1024;

const SMALL: [Scalar; 4] = [
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::F8E8M0FNU,
    Scalar::F4E2M1FN,
];
const HALVES: [Scalar; 2] = [Scalar::F16, Scalar::BF16];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for arch in ARCHS {
        for from in SMALL.into_iter().chain(HALVES) {
            trials.push(local_trial(
                format!("exhaustive/{from}::{arch}"),
                move || every(from, arch),
            ));
        }
        trials.push(local_trial(format!("exhaustive/f32::{arch}"), move || {
            singles(arch)
        }));
        for scalar in HALVES {
            trials.push(local_trial(
                format!("exhaustive/arithmetic/{scalar}::{arch}"),
                move || arithmetic(scalar, arch),
            ));
        }
    }
    trials
}

fn targets(from: Scalar) -> Vec<(Scalar, &'static str)> {
    let floats = Scalar::ALL
        .into_iter()
        .filter(|to| to.is_float() && *to != from);
    floats
        .flat_map(|to| {
            ftof_modes(from, to)
                .iter()
                .map(move |mode| (to, mode.name()))
        })
        .collect()
}

/// Converts all numbers of a type to all other types.
fn every(from: Scalar, arch: Arch) -> Result<(), String> {
    let numbers: Vec<u64> = (0..1 << from.bits()).collect();
    for (to, mode) in targets(from) {
        let text = format!(
            "ftof {{0}} rounding<{mode}> : {} -> {}",
            tile(from),
            tile(to)
        );
        check(&text, &[(from, &numbers)], to, arch)?;
    }
    Ok(())
}

/// Rounds f32 numbers to each type.
fn singles(arch: Arch) -> Result<(), String> {
    let single = Scalar::F32;
    for (to, mode) in targets(single) {
        if matches!(to, Scalar::F64 | Scalar::TF32) {
            continue;
        }
        // For 16 bits every 13th number suffices: it covers all exponents and every lower half of the
        // mantissa.
        let stride = if to.bits() == 16 { 13 } else { 1 };
        let mut inputs = Vec::new();
        let last = 1u64 << (to.bits() - u32::from(to != Scalar::F8E8M0FNU));
        for bits in (0..last).step_by(stride) {
            let (low, high) = (decode_float(to, bits), decode_float(to, bits + 1));
            for value in [low, f64::midpoint(low, high), low * 1.5] {
                let bits = encode_float(single, value);
                for near in [bits.wrapping_sub(1), bits, bits + 1] {
                    inputs.extend([near & 0x7fff_ffff, near | 0x8000_0000]);
                }
            }
        }
        // The greatest numbers have no successor, so numbers around them are added.
        for value in [
            464.0, 480.0, 61440.0, 65536.0, 65520.0, 5.0, 6.0, 7.0, 8.0, 3.39e38, 3.4e38,
        ] {
            let bits = encode_float(single, value);
            for near in [bits - 1, bits, bits + 1] {
                inputs.extend([near, near | 0x8000_0000]);
            }
        }
        inputs.extend([
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffff_ffff,
            0x7f80_0001,
        ]);
        let text = format!(
            "ftof {{0}} rounding<{mode}> : {} -> {}",
            tile(single),
            tile(to)
        );
        check(&text, &[(single, &inputs)], to, arch)?;
    }
    Ok(())
}

/// Combines special numbers of f16 or bf16 with each other.
fn arithmetic(scalar: Scalar, arch: Arch) -> Result<(), String> {
    let mut special: Vec<u64> = [
        0.0,
        1.0,
        2.0,
        3.0,
        0.5,
        1.5,
        1.25,
        0.1,
        100.0,
        65504.0,
        6e-8,
        6e-5,
        3.38e38,
        9e-41,
        1e-38,
        1e-3,
        255.0,
        257.0,
        f64::INFINITY,
        f64::NAN,
    ]
    .into_iter()
    .flat_map(|value| {
        let bits = encode_float(scalar, value);
        [bits, bits + 1, bits | 0x8000, bits.wrapping_sub(1) & 0xffff]
    })
    .collect();
    special.sort_unstable();
    special.dedup();
    let pairs = || {
        let numbers = special.iter();
        numbers.flat_map(|&a| special.iter().map(move |&b| (a, b)))
    };
    let lhs: Vec<u64> = pairs().map(|(a, _)| a).collect();
    let rhs: Vec<u64> = pairs().map(|(_, b)| b).collect();
    let third: Vec<u64> = (0..lhs.len())
        .map(|index| special[index * 7 % special.len()])
        .collect();
    for (name, count) in [
        ("addf {0}, {1} rounding<nearest_even>", 2),
        ("subf {0}, {1} rounding<nearest_even>", 2),
        ("mulf {0}, {1} rounding<nearest_even>", 2),
        ("fma {0}, {1}, {2} rounding<nearest_even>", 3),
        ("maxf {0}, {1}", 2),
        ("maxf {0}, {1} propagate_nan", 2),
        ("minf {0}, {1}", 2),
        ("minf {0}, {1} propagate_nan", 2),
        ("absf {0}", 1),
        ("negf {0}", 1),
    ] {
        let operands = [(scalar, &lhs[..]), (scalar, &rhs[..]), (scalar, &third[..])];
        check(
            &format!("{name} : {}", tile(scalar)),
            &operands[..count],
            scalar,
            arch,
        )?;
    }
    Ok(())
}

pub(crate) fn tile(scalar: Scalar) -> String {
    format!("tile<{TILE}x{scalar}>")
}

/// Runs an operation on lists of operands, one tile per block.
fn check(
    operation: &str,
    operands: &[(Scalar, &[u64])],
    result: Scalar,
    arch: Arch,
) -> Result<(), String> {
    let blocks = operands[0].1.len().div_ceil(TILE);
    let size = blocks * TILE;
    let mut module = Module::new(size);
    let mut text = operation.to_owned();
    for (index, &(scalar, elements)) in operands.iter().enumerate() {
        let mut elements = elements.to_vec();
        elements.resize(size, 0);
        let value = module.load(scalar, &elements);
        text = text.replace(&format!("{{{index}}}"), &value);
    }
    module.line(&format!("%r = {text}"));
    module.store("%r", result);
    let runnable = module.finish(u32::try_from(blocks).expect("few"))?;
    let wrong = |what: String| format!("{operation}: {what}");
    let artifact = compile(&runnable.module, arch, None).map_err(wrong)?;
    let checked = Expected::new(&runnable, 0.0).check(&artifact, &runnable);
    checked.map(drop).map_err(wrong)
}

/// A module that is being built: every parameter is a vector of `size` elements.
pub(crate) struct Module {
    size: usize,
    params: Vec<String>,
    args: Vec<Argument>,
    body: String,
}

impl Module {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            params: Vec::new(),
            args: Vec::new(),
            body: String::new(),
        }
    }

    /// Adds a view of a new parameter; returns its type and its name.
    fn view(&mut self, memory: Scalar, contents: Vec<u8>) -> (String, String) {
        let number = self.params.len();
        self.params.push(format!("%a{number}: tile<ptr<{memory}>>"));
        self.args.push(Argument::Buffer(contents));
        let tensor = format!("tensor_view<{}x{memory}, strides=[1]>", self.size);
        let view = format!("partition_view<tile=({TILE}), {tensor}>");
        let _ = writeln!(
            self.body,
            "    %d{number} = assume div_by<16>, %a{number} : tile<ptr<{memory}>>\n    %w{number} = make_tensor_view %d{number}, shape = [{}], strides = [1] : {tensor}\n    %p{number} = make_partition_view %w{number} : {view}",
            self.size
        );
        (view, format!("%p{number}"))
    }

    pub(crate) fn load(&mut self, scalar: Scalar, elements: &[u64]) -> String {
        let (memory, load) = match stored(scalar) {
            Some((memory, load, _)) => (memory, Some(load)),
            None => (scalar, None),
        };
        let (view, name) = self.view(memory, bytes(scalar, memory, elements));
        let value = format!("%l{}", self.params.len());
        let _ = writeln!(
            self.body,
            "    {value}, {value}_t = load_view_tko weak {name}[%x] : {view}, tile<i32> -> {}, token",
            tile(memory)
        );
        let Some(load) = load else {
            return value;
        };
        let load = load.replace("{}", &value);
        let _ = writeln!(
            self.body,
            "    {value}_v = {load} {} -> {}",
            tile(memory),
            tile(scalar)
        );
        format!("{value}_v")
    }

    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.body, "    {line}");
    }

    pub(crate) fn store(&mut self, value: &str, scalar: Scalar) {
        let mut value = value.to_owned();
        let mut memory = scalar;
        if let Some((to, _, store)) = stored(scalar) {
            memory = to;
            let store = store.replace("{}", &value);
            let _ = writeln!(
                self.body,
                "    %stored = {store} {} -> {}",
                tile(scalar),
                tile(memory)
            );
            "%stored".clone_into(&mut value);
        }
        let (view, name) = self.view(memory, vec![0xa5; self.size * memory.bytes()]);
        let _ = writeln!(
            self.body,
            "    %end = store_view_tko weak {value}, {name}[%x] : {}, {view}, tile<i32> -> token",
            tile(memory)
        );
    }

    pub(crate) fn finish(self, blocks: u32) -> Result<Runnable, String> {
        let Self {
            size: _,
            params,
            args,
            body,
        } = self;
        let source = format!(
            "cuda_tile.module @kernels {{\n  entry @every({}) {{\n    %x, %y, %z = get_tile_block_id : tile<i32>\n{body}    return\n  }}\n}}\n",
            params.join(", ")
        );
        let module = support::module(&source, "exhaustive")?;
        verified(&module)?;
        Ok(Runnable {
            module,
            grid: [blocks, 1, 1],
            args,
        })
    }
}
