use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Counts the passes for one access of each group of registers, lane by lane. Returns their sum over the
/// groups, and the minimum that any memory layout would need.
fn counted_passes(side: &LinearLayout, memory: &LinearLayout, bits: u32) -> (u64, u64) {
    let plan = vector_plan(side, memory, u64::from(128 / bits)).expect("the memory has the tile");
    let inverse = memory.invert();
    let bytes = plan.width_elements * u64::from(bits) / 8;
    let phase = (128 / bytes.max(4)).min(32);
    let (mut passes, mut least) = (0, 0);
    for group in &plan.groups {
        for first in (0..32).step_by(usize::try_from(phase).expect("small")) {
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            let mut words = BTreeSet::new();
            for lane in first..first + u32::try_from(phase).expect("small") {
                let lane = lane % side.size(InDim::Lane);
                let place = Location::thread(group.registers[0], lane, 0);
                let offset = inverse
                    .apply_flat(side.apply_flat(place))
                    .expect("held")
                    .offset;
                let start = u64::from(offset) * u64::from(bits) / 8;
                for byte in (start..start + bytes).step_by(4) {
                    banks.entry(byte / 4 % 32).or_default().insert(byte / 4);
                    words.insert(byte / 4);
                }
            }
            passes += banks
                .values()
                .map(|words| words.len() as u64)
                .max()
                .expect("words");
            least += (words.len() as u64).div_ceil(32);
        }
    }
    (passes, least)
}

#[test]
fn generated_memory_has_no_conflicts_between_the_layouts_of_kernels() {
    for (rows, columns, warps) in [(64, 64, 4), (128, 32, 4), (32, 128, 8), (16, 64, 1)] {
        let layouts = named_layouts(rows, columns, warps);
        for from in &layouts {
            for to in &layouts {
                for bits in [8, 16, 32, 64] {
                    let (from, _) = from.unique_registers();
                    let (to, _) = to.unique_registers();
                    let memory = generated_exchange(&from, &to, bits).expect("one tile");
                    assert!(memory.is_injective() && memory.is_surjective());
                    for side in [&from, &to] {
                        let (passes, least) = counted_passes(side, &memory, bits);
                        assert_eq!(access_passes(side, &memory, bits), Some(passes));
                        // With elements of 8 bits, fewer and wider accesses can be worth bank conflicts.
                        if bits > 8 {
                            assert_eq!(passes, least, "{bits} bits\n{from}\n{to}\n{memory}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn generated_memory_holds_any_tile() {
    let pair = any_shape().prop_flat_map(|shape| {
        (
            covering_layout_of(shape.clone(), true),
            covering_layout_of(shape, true),
        )
    });
    check(300, &pair, |(from, to)| {
        let memory = generated_exchange(&from, &to, 32).expect("one tile");
        prop_assert!(memory.is_injective() && memory.is_surjective());
        Ok(())
    });
}
