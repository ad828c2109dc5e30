use std::collections::BTreeSet;

use super::*;

/// Splits `number` into its digits in the mixed radix `shape`, whose axes vary in the order `order`, fastest
/// first.
fn digits(mut number: u64, shape: &OutShape, order: &[Axis]) -> Vec<u64> {
    let mut digits = vec![0; shape.rank()];
    for &axis in order {
        digits[axis.0] = number % shape.size(axis);
        number /= shape.size(axis);
    }
    digits
}

#[test]
fn blocked_nests_elements_in_lanes_in_warps_in_repetitions() {
    let part = || prop::collection::vec(0u32..=2, 2).prop_map(OutShape::from_log2);
    let tile = prop::collection::vec(0u32..=5, 2).prop_map(OutShape::from_log2);
    let strategy = (tile, part(), part(), part(), any::<bool>());
    check(
        150,
        &strategy,
        |(shape, elements, lanes, warps, columns_first)| {
            let order = if columns_first {
                COLUMNS_FIRST
            } else {
                ROWS_FIRST
            };
            let tile = BlockedTile {
                elements: elements.clone(),
                lanes: lanes.clone(),
                warps: warps.clone(),
                order: order.into_iter().collect(),
            };
            let layout = blocked(&shape, &tile);
            let size = |s: &OutShape, axis| s.size(axis);
            // Registers number the elements that fit into the tile, then the repetitions.
            let kept = OutShape::new(&[
                size(&elements, Axis(0)).min(size(&shape, Axis(0))),
                size(&elements, Axis(1)).min(size(&shape, Axis(1))),
            ])
            .expect("powers of two");
            let unit = |axis| size(&elements, axis) * size(&lanes, axis) * size(&warps, axis);
            let repeats = OutShape::new(&[
                (size(&shape, Axis(0)) / unit(Axis(0))).max(1),
                (size(&shape, Axis(1)) / unit(Axis(1))).max(1),
            ])
            .expect("powers of two");
            prop_assert_eq!(
                layout.num_registers() as u64,
                kept.num_elements() * repeats.num_elements()
            );
            for place in places(&layout) {
                let register = u64::from(place.register);
                let element = digits(register % kept.num_elements(), &kept, &order);
                let repeat = digits(register / kept.num_elements(), &repeats, &order);
                let lane = digits(u64::from(place.lane), &lanes, &order);
                let warp = digits(u64::from(place.warp), &warps, &order);
                for axis in shape.axes() {
                    let a = axis.0;
                    let thread =
                        lane[a] + size(&lanes, axis) * (warp[a] + size(&warps, axis) * repeat[a]);
                    let expected =
                        (element[a] + size(&elements, axis) * thread) % size(&shape, axis);
                    prop_assert_eq!(layout.apply(place)[a], expected);
                }
            }
            prop_assert!(layout.is_surjective());
            Ok(())
        },
    );
}

/// Returns the vector width of a coalesced layout in its own memory order.
fn width(sizes: &[u64], element_bits: u32, contiguous: u64, warps: u32) -> u64 {
    let tile = shape(sizes);
    let order = tile.row_major_order();
    let layout = coalesced(&tile, element_bits, contiguous, warps, &order);
    let plan = vector_plan(
        &layout,
        &row_major(&tile, &order),
        u64::from(128 / element_bits),
    );
    plan.expect("row-major memory has the tile").width_elements
}

#[test]
fn coalesced_accesses_are_16_bytes_where_the_tile_and_memory_allow() {
    assert_eq!(width(&[1024], 32, 1024, 4), 4);
    assert_eq!(width(&[128, 64], 16, 64, 4), 8);
    assert_eq!(width(&[4096], 8, 4096, 4), 16);
    assert_eq!(width(&[4096], 64, 4096, 4), 2);
    // The memory is known to be contiguous for only two elements at a time.
    assert_eq!(width(&[1024], 32, 2, 4), 2);
    // Rows have only two elements.
    assert_eq!(width(&[1024, 2], 32, 1024, 4), 2);
    // Each of 128 threads holds two of the 256 elements, so that all threads work.
    assert_eq!(width(&[256], 32, 1024, 4), 2);
    assert_eq!(width(&[64], 32, 1024, 4), 1);
}

#[test]
fn coalesced_layouts_hold_each_element_once_unless_threads_outnumber_elements() {
    for sizes in [
        &[1u64][..],
        &[64],
        &[1024],
        &[16, 64],
        &[64, 4, 2],
        &[1, 4096],
    ] {
        for warps in [1, 2, 4, 8] {
            for element_bits in [8, 16, 32, 64] {
                let tile = shape(sizes);
                let order = tile.row_major_order();
                let layout = coalesced(&tile, element_bits, 1 << 20, warps, &order);
                assert!(layout.is_surjective(), "{layout}");
                assert_eq!(layout.size(InDim::Lane), 32);
                assert_eq!(layout.size(InDim::Warp), warps);
                let enough = tile.num_elements() >= u64::from(warps) * 32;
                assert_eq!(layout.is_injective(), enough, "{layout}");
            }
        }
    }
}

#[test]
fn a_scalar_tile_is_held_by_every_thread() {
    let tile = shape(&[]);
    let layout = coalesced(&tile, 32, 1, 4, &[]);
    assert_eq!(layout.num_registers(), 1);
    assert_eq!(layout.free_mask(InDim::Lane), 31);
    assert_eq!(layout.free_mask(InDim::Warp), 3);
}

#[test]
fn a_warp_access_of_a_coalesced_layout_covers_whole_128_byte_lines() {
    for (sizes, element_bits) in [([128u64, 64], 16u32), ([16, 1024], 32), ([64, 32], 32)] {
        let tile = shape(&sizes);
        let layout = coalesced(&tile, element_bits, 1 << 20, 4, &COLUMNS_FIRST);
        let memory = row_major(&tile, &COLUMNS_FIRST);
        let plan = vector_plan(&layout, &memory, u64::from(128 / element_bits)).expect("held");
        let line = u64::from(1024 / element_bits);
        for group in &plan.groups {
            let mut lines: BTreeSet<u64> = BTreeSet::new();
            for lane in 0..32 {
                for &register in &group.registers {
                    lines.insert(layout.apply_flat(Location::thread(register, lane, 1)) / line);
                }
            }
            let elements = group.registers.len() as u64 * 32;
            assert_eq!(lines.len() as u64, elements / line, "{layout}");
        }
    }
}
