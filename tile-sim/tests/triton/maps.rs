//! Tensor descriptors of the host, as Triton's launcher creates them.

use tile_sim::{Arg, Swizzle, TensorMap, TensorMapOptions, TensorType};

use crate::corpus::Kernel;

fn tensor_type(ty: &str) -> (TensorType, u64) {
    match ty {
        "fp16" => (TensorType::Float16, 2),
        "bf16" => (TensorType::BFloat16, 2),
        "fp32" => (TensorType::Float32, 4),
        other => panic!("no tensor type is known for `{other}`"),
    }
}

fn swizzle(number: &str) -> Swizzle {
    match number {
        "0" => Swizzle::None,
        "1" => Swizzle::Bytes32,
        "2" => Swizzle::Bytes64,
        "3" => Swizzle::Bytes128,
        other => panic!("unknown swizzle `{other}`"),
    }
}

fn narrow(length: u64) -> u32 {
    u32::try_from(length).expect("a small tensor")
}

fn axes(text: &str) -> Vec<u64> {
    let axes = text.split('x');
    axes.map(|axis| axis.parse().expect("a number")).collect()
}

/// Returns the arguments for descriptor `number` of a tensor at `address`: the map, lengths and
/// strides.
pub(crate) fn arguments(
    kernel: &Kernel,
    number: usize,
    address: u64,
    ty: &str,
    shape: &str,
) -> Vec<Arg> {
    let fact = kernel.fact(&format!("map{number}"));
    let fact = fact.unwrap_or_else(|| panic!("{}: the head lacks `map{number}`", kernel.name()));
    let (mode, rest) = fact.split_once(',').expect("`swizzle,type,box`");
    let (_, tile) = rest.split_once(',').expect("`swizzle,type,box`");
    let (ty, bytes) = tensor_type(ty);
    let shape = axes(shape);
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    // The first dimension of the driver is the innermost.
    let inner_first = |values: &[u64]| values.iter().rev().copied().collect::<Vec<_>>();
    let tile: Vec<u32> = inner_first(&axes(tile))
        .iter()
        .map(|&axis| narrow(axis))
        .collect();
    let map = TensorMap::tiled(
        ty,
        address,
        &inner_first(&shape),
        &inner_first(
            &strides
                .iter()
                .map(|stride| stride * bytes)
                .collect::<Vec<_>>(),
        )[1..],
        &tile,
        &vec![1; tile.len()],
        TensorMapOptions {
            swizzle: swizzle(mode),
            ..TensorMapOptions::default()
        },
    );
    let map = map.unwrap_or_else(|error| panic!("{}: {error}", kernel.name()));
    let mut args = vec![Arg::bytes(&map.to_bytes())];
    args.extend(shape.iter().map(|&length| Arg::from(narrow(length))));
    args.extend(strides.into_iter().map(Arg::from));
    args
}
