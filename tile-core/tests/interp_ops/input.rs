//! Bit patterns of operands, and a kernel of one operation that runs on them.

use crate::common::LOC;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::interp::{Program, Tile};
use tile_core::ir::ValueId;
use tile_core::ops::ControlFlowOp;
use tile_core::testing::Random;
use tile_core::types::{Scalar, Type};

pub(crate) const INTS: [Scalar; 6] = [
    Scalar::I1,
    Scalar::I4,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
];
pub(crate) const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];
/// The default number of elements of a tile.
pub(crate) const COUNT: usize = 512;

pub(crate) fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// Returns `count` patterns, extremes first and then arbitrary ones. `count` must be a power of
/// two.
pub(crate) fn patterns(scalar: Scalar, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed | 1);
    let bits = scalar.bits();
    let top = 1_u64 << (bits - 1);
    let mut hard = vec![0, 1, mask(scalar), top, top - 1, top.wrapping_add(1)];
    if let Some((exponent, mantissa)) = match scalar {
        Scalar::F16 => Some((5_u32, 10_u32)),
        Scalar::BF16 => Some((8, 7)),
        Scalar::F32 => Some((8, 23)),
        Scalar::F64 => Some((11, 52)),
        _ => None,
    } {
        let exponent_mask = ((1_u64 << exponent) - 1) << mantissa;
        let one = ((1_u64 << (exponent - 1)) - 1) << mantissa;
        for magnitude in [
            exponent_mask,
            exponent_mask | 1 << (mantissa - 1),
            exponent_mask - 1,
            1 << mantissa,
            (1 << mantissa) - 1,
            one,
            one + 1,
            one | 1 << (mantissa - 1),
            one + (2 << mantissa),
            2,
        ] {
            hard.extend([magnitude, magnitude | top]);
        }
    }
    let mut exponent_mask = Vec::with_capacity(count);
    for index in 0..count {
        let bits = match index % 3 {
            0 => hard[(random.bits() % hard.len() as u64) as usize],
            // Magnitudes close to each other, so that sums cancel and quotients are near one.
            1 => (exponent_mask.last().copied().unwrap_or(3) ^ (random.bits() & 7)) & mask(scalar),
            _ => random.bits() & mask(scalar),
        };
        exponent_mask.push(bits & mask(scalar));
    }
    exponent_mask
}

/// Runs the operation that `build` makes on inputs of one shape.
pub(crate) fn eval(
    inputs: &[Tile],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> Result<Tile, String> {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let types: Vec<Type> = inputs
        .iter()
        .map(|tile| Type::tile(tile.scalar, &tile.shape))
        .collect();
    let (_, args) = b.entry("k", &types, LOC);
    let result = build(&mut b, &args);
    b.terminate(ControlFlowOp::Return, &[result], LOC);
    Program::new(&module)
        .eval("k", inputs)
        .map(|mut tiles| tiles.remove(0))
        .map_err(|fault| fault.to_string())
}

pub(crate) fn tile(scalar: Scalar, bits: Vec<u64>) -> Tile {
    Tile::new(scalar, &[i64::try_from(bits.len()).expect("small")], bits)
}
