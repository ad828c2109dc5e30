//! Tiles of views whose tensor is in memory as a whole, in part, or not at all.

use tile_core::testing::{Argument, Runnable};
use tile_core::{Diagnostics, text};

use super::{canonical, codes, is_fault};

/// The elements of `x` in memory, of two axes.
const EXTENTS: [u8; 2] = [9, 20];

/// Loads a tile of 4 x 8 of `x` at an index, and adds it to `y`, a tensor of the same form.
const SOURCE: &str = "cuda_tile.module @m {
  entry @views(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %d0: tile<i64>, %d1: tile<i64>, %s0: tile<i64>, %s1: tile<i64>, %i: tile<i32>, %j: tile<i32>) {
    %a = make_tensor_view %x, shape = [%d0, %d1], strides = [%s0, %s1] : tile<i64> -> tensor_view<?x?xf32, strides=[?,?]>
    %b = make_tensor_view %y, shape = [%d0, %d1], strides = [%s0, %s1] : tile<i64> -> tensor_view<?x?xf32, strides=[?,?]>
    %p = make_partition_view %a : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,?]>>
    %q = make_partition_view %b : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,?]>>
    %v, %t = load_view_tko weak %p[%i, %j] : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,?]>>, tile<i32> -> tile<4x8xf32>, token
    %one = constant <f32: 1.0> : tile<4x8xf32>
    %w = addf %v, %one : tile<4x8xf32>
    %u = store_view_tko weak %w, %q[%i, %j] : tile<4x8xf32>, partition_view<tile=(4x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,?]>>, tile<i32> -> token
    return
  }
}";

#[test]
fn tiles_beyond_memory_are_a_fault() {
    let module = text::parse(SOURCE, "views", &mut Diagnostics::new()).expect("a module");
    let module = canonical(&module);
    let codes = codes(&module);
    let count = usize::from(EXTENTS[0]) * usize::from(EXTENTS[1]);
    let tensors: [([i64; 2], [i64; 2]); 12] = [
        // Within memory: as it is, a part of it, every second column, transposed, and rows that are the same.
        ([9, 20], [20, 1]),
        ([5, 13], [20, 1]),
        ([9, 10], [20, 2]),
        ([20, 9], [1, 20]),
        ([40, 20], [0, 1]),
        // No elements.
        ([0, 20], [20, 1]),
        // Beyond: a row, a column of the last row, more than there are numbers of bytes, and what wraps to the first element.
        ([10, 20], [20, 1]),
        ([9, 21], [20, 1]),
        ([3, 20], [i64::MAX, 1]),
        ([5, 20], [1 << 62, 1]),
        ([1 << 62, 20], [4, 1]),
        ([9, 20], [-20, 1]),
    ];
    let (mut faults, mut others) = (0, 0);
    for (extents, strides) in tensors {
        for i in [0, 1, 2, 3, 9, i64::from(u32::MAX)] {
            for j in [0, 1, 2, 3] {
                let x = (0_u16..).take(count);
                let x = x.flat_map(|number| f32::from(number).to_le_bytes());
                let mut args = vec![
                    Argument::Buffer(x.collect()),
                    Argument::Buffer(vec![0; count * 4]),
                ];
                for number in [extents, strides, [i, j]].into_iter().flatten() {
                    args.push(Argument::Number(number.cast_unsigned()));
                }
                let runnable = Runnable {
                    module: module.clone(),
                    grid: [1; 3],
                    args,
                };
                let what = format!("{extents:?}, {strides:?}, {i}, {j}");
                if is_fault(&runnable, &codes, &what) {
                    faults += 1;
                } else {
                    others += 1;
                }
            }
        }
    }
    assert!(
        faults > 20 && others > 100,
        "{faults} faults, {others} others"
    );
}
