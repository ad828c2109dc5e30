//! Checks raster orders against the formula: executes one block, with numbers substituted for the hardware's
//! block index and grid size.

use super::kernels::Build;
use super::{ARCHS, ptx};
use crate::gpu::{
    Access, GroupedRaster, Kernel, LptOrder, MAX_GRID_EXTENT, OpKind, RasterOrder, Ty,
};
use tile_core::Scalar;

/// Builds a kernel that stores the three coordinates of the block's work tile.
fn positions(order: RasterOrder) -> Kernel {
    let mut build = Build::new("positions", 1);
    let out = build.pointer(Scalar::I32, Access::Write);
    for axis in 0..3 {
        let coordinate = build.one(OpKind::BlockId(axis), &[], Ty::Uniform(Scalar::I32));
        // The verifier does not know that the three stores go to different addresses.
        build.run(OpKind::Barrier, &[]);
        build.store_number_at(0, out, coordinate, u64::from(axis));
    }
    build.kernel.launch.raster_order = order;
    build.finish()
}

/// Returns the work tile that the kernel stores when it runs as `block` of a `grid`.
fn stored_place(text: &str, block: [u32; 3], grid: [u32; 3]) -> [u32; 3] {
    let mut text = text.to_owned();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        // Thanks to the `%`, the shorter name is not a substring of the longer one.
        for (register, number) in [("%nctaid", grid[axis]), ("%ctaid", block[axis])] {
            text = text.replace(&format!("{register}.{name};"), &format!("{number};"));
        }
    }
    let module = tile_sim::Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut memory = tile_sim::Memory::new();
    let out = memory.alloc_with(&[0xff; 12], 16);
    let launch = tile_sim::Launch::new("positions")
        .threads(32)
        .args(vec![tile_sim::Arg::bytes(&out.to_le_bytes())]);
    let done = module.launch(&launch, &mut memory, &tile_sim::Options::default());
    done.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let bytes = memory.bytes(out).expect("it was allocated");
    let numbers = bytes.chunks(4);
    let numbers: Vec<u32> = numbers
        .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
        .collect();
    numbers.try_into().expect("three numbers")
}

#[test]
fn blocks_find_their_places() {
    let grouped = [0, 3, 4].map(|log2_blocks| RasterOrder::Grouped(GroupedRaster { log2_blocks }));
    let lengths = (0..3).flat_map(|axis| [(axis, false), (axis, true)]);
    let lengths = lengths.map(|(axis, rises)| RasterOrder::Lpt(LptOrder { axis, rises }));
    for order in grouped.into_iter().chain(lengths) {
        let ptx = ptx(&positions(order), ARCHS[1]);
        for grid in [
            [1, 1, 1],
            [7, 3, 2],
            [8, 5, 1],
            [17, 4, 1],
            [33, 2, 3],
            [40, 7, 1],
            [100, 1, 2],
        ] {
            for number in 0..grid.iter().product() {
                let [x, y, _] = grid;
                let block = [number % x, number / x % y, number / (x * y)];
                let place = order.place(block, grid);
                assert_eq!(
                    stored_place(ptx.text(), block, grid),
                    place,
                    "{order:?} {grid:?}"
                );
            }
        }
        for (block, grid) in [
            (
                [MAX_GRID_EXTENT - 2, 65_534, 0],
                [MAX_GRID_EXTENT - 1, 65_535, 1],
            ),
            ([40_000, 60_001, 1], [MAX_GRID_EXTENT - 1, 65_535, 2]),
            (
                [MAX_GRID_EXTENT - 1, 65_534, 0],
                [MAX_GRID_EXTENT, 65_535, 1],
            ),
            ([u32::MAX / 2 - 1, 7, 0], [u32::MAX / 2, 65_535, 1]),
            ([1 << 30, 7, 3], [(1 << 30) + 1, 65_535, 4]),
        ] {
            let place = order.place(block, grid);
            assert_eq!(
                stored_place(ptx.text(), block, grid),
                place,
                "{order:?} {grid:?}"
            );
        }
    }
}

#[test]
fn in_the_order_of_the_hardware_a_block_is_where_that_says() {
    for order in [RasterOrder::Fixed, RasterOrder::Any] {
        let ptx = ptx(&positions(order), ARCHS[1]);
        assert_eq!(stored_place(ptx.text(), [9, 4, 1], [40, 7, 2]), [9, 4, 1]);
    }
}
