//! Tests `sum_as` and related reductions of eight-bit elements in the simulator and in the
//! interpreter, against exact sums.

use super::{Case, FUNCTIONS, Lie, Tensor, Value, canonical, exact, floats, kernel};
use crate::build::entry_name;
use tile_core::Scalar;

/// The number of elements of a tile, and the number of tiles. The last tile is partial.
const TILE: usize = 64;
const TILES: usize = 3;
const COUNT: usize = TILE * TILES - 10;

#[test]
fn bytes_are_added_exactly_as_f32() {
    let tensor =
        |element, shape: &[u64]| Tensor::new(element, shape, Lie::Dense, &mut exact(element));
    let count = COUNT as u64;
    let tiles = TILES as u64;
    let tensors = [
        tensor(Scalar::F8E4M3FN, &[count]),
        tensor(Scalar::F8E5M2, &[count]),
        tensor(Scalar::F32, &[2 * TILE as u64 * tiles]),
        tensor(Scalar::F32, &[tiles, 4]),
    ];
    let case = Case {
        source: FUNCTIONS,
        kernel: "sums_of_bytes",
        instance: 0,
        args: tensors.iter().cloned().map(Value::Tensor).collect(),
        grid: [3, 1, 1],
        alignment: 16,
        tolerance: 0.0,
    };
    // The simulated GPU agrees with the interpreter bit for bit.
    case.run();

    let padded = |tensor: &Tensor| -> Vec<f64> {
        let numbers = floats(tensor.element, &tensor.bytes);
        let zeros = std::iter::repeat(0.0);
        numbers
            .take(COUNT)
            .chain(zeros)
            .take(TILE * TILES)
            .collect()
    };
    let (x, y) = (padded(&tensors[0]), padded(&tensors[1]));
    let (mut prefixes, mut sums) = (Vec::new(), Vec::new());
    for (x, y) in x.chunks(TILE).zip(y.chunks(TILE)) {
        prefixes.extend((1..=TILE).map(|end| x[..end].iter().sum::<f64>()));
        prefixes.extend((0..TILE).map(|first| y[first..].iter().sum::<f64>()));
        let (x, y) = (x.iter().sum::<f64>(), y.iter().sum::<f64>());
        sums.extend([x, x, y, y]);
    }
    let expansion = kernel(FUNCTIONS, case.kernel);
    for (variant, module) in &expansion.artifacts[0] {
        let entry = entry_name(case.kernel, *variant);
        let outputs = case.interpreted(&canonical(module), &entry, *variant);
        let numbers = |buffer: usize, count: usize| -> Vec<f64> {
            floats(Scalar::F32, &outputs[buffer]).take(count).collect()
        };
        assert_eq!(numbers(2, prefixes.len()), prefixes, "{variant:?}");
        assert_eq!(numbers(3, sums.len()), sums, "{variant:?}");
    }
}
