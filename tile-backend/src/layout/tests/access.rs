use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// The offset of each element, determined by enumeration.
struct Offsets(BTreeMap<u64, u64>);

impl Offsets {
    fn from_layout(memory: &LinearLayout) -> Self {
        let place = |location: Location| (memory.apply_flat(location), u64::from(location.offset));
        Self(places(memory).map(place).collect())
    }

    fn at(&self, layout: &LinearLayout, place: Location) -> u64 {
        self.0[&layout.apply_flat(place)]
    }
}

/// Splits the registers into vectors of `width` elements, in the memory order of thread 0. `None` if some
/// thread's elements of a vector are not consecutive and aligned.
fn vectors(layout: &LinearLayout, memory: &Offsets, width: u64) -> Option<Vec<Vec<Register>>> {
    let mut by_offset: Vec<(u64, Register)> = layout
        .registers()
        .map(|r| (memory.at(layout, Location::thread(r, 0, 0)), r))
        .collect();
    by_offset.sort_unstable();
    by_offset.dedup_by_key(|entry| entry.0);
    let vectors: Vec<Vec<Register>> = by_offset
        .chunks(usize::try_from(width).expect("small"))
        .map(|chunk| chunk.iter().map(|entry| entry.1).collect())
        .collect();
    let is_contiguous = vectors.iter().all(|vector| {
        vector.len() as u64 == width
            && threads(layout).all(|thread| {
                let offset_of = |r: &Register| memory.at(layout, thread.with(InDim::Register, r.0));
                let start = offset_of(&vector[0]);
                start % width == 0
                    && vector
                        .iter()
                        .zip(start..)
                        .all(|(r, offset)| offset_of(r) == offset)
            })
    });
    is_contiguous.then_some(vectors)
}

#[test]
fn vector_plans_are_valid_and_as_wide_as_any() {
    let pair =
        (any_shape(), any::<bool>(), any::<bool>()).prop_flat_map(|(shape, mixed, plain)| {
            let order = shape.row_major_order();
            let memory = covering_layout_of(shape.clone(), !plain).prop_map(move |l| {
                // The memory layout is row-major, or an arbitrary bijection.
                let bases: Vec<u64> = if plain {
                    row_major(l.shape(), &order).bases(InDim::Offset).to_vec()
                } else {
                    let mut span = f2::Span::default();
                    let columns = l.columns().into_iter();
                    columns.filter(|&b| span.insert(b, 0).is_none()).collect()
                };
                LinearLayout::new(l.shape().clone(), [(InDim::Offset, bases)])
            });
            (covering_layout_of(shape, mixed), memory)
        });
    check(200, &pair, |(layout, memory)| {
        let offsets = Offsets::from_layout(&memory);
        for limit in [1u64, 4, 16] {
            let plan = vector_plan(&layout, &memory, limit).expect("the memory has the tile");
            let widest = [16u64, 8, 4, 2, 1]
                .into_iter()
                .filter(|&w| w <= limit)
                .find_map(|w| Some((w, vectors(&layout, &offsets, w)?)));
            let groups: Vec<_> = plan.groups.iter().map(|g| g.registers.clone()).collect();
            prop_assert_eq!(Some((plan.width_elements, groups)), widest);
            let parts = AddressParts::offset(&layout, &memory).expect("held");
            for thread in threads(&layout) {
                for group in &plan.groups {
                    let first = thread.with(InDim::Register, group.registers[0].0);
                    prop_assert_eq!(
                        parts.runtime(thread) ^ group.offset,
                        offsets.at(&layout, first)
                    );
                }
            }
            let grouped = plan.groups.iter().map(|g| g.registers.len()).sum::<usize>();
            prop_assert_eq!(grouped + plan.copies.len(), layout.num_registers());
            for copy in &plan.copies {
                let element_of = |r: Register| layout.apply_flat(Location::thread(r, 0, 0));
                prop_assert_eq!(element_of(copy.register), element_of(copy.original));
                prop_assert!(
                    plan.groups
                        .iter()
                        .any(|g| g.registers.contains(&copy.original))
                );
            }
        }
        Ok(())
    });
}

#[test]
fn vectors_are_found_behind_permuted_registers() {
    let tile = shape(&[512]);
    let layout = coalesced(&tile, 32, 4, 1, &[Axis(0)]).permute_register_bits(&[2, 1, 0, 3]);
    let plan = vector_plan(&layout, &row_major(&tile, &[Axis(0)]), 4).expect("held");
    assert_eq!(plan.width_elements, 4);
    let registers: Vec<u32> = plan.groups[0].registers.iter().map(|r| r.0).collect();
    assert_eq!(registers, [0, 4, 2, 6]);
}

/// Counts the passes for one access of all lanes, word by word. The lanes of one phase transfer at most 128
/// bytes, and a phase needs one pass for each distinct word in its busiest bank. Returns the maximum over the
/// phases.
fn simulated_ways(
    layout: &LinearLayout,
    memory: &Offsets,
    registers: &[Register],
    warp: u32,
    element_bits: u64,
) -> usize {
    let bytes = registers.len() as u64 * element_bits / 8;
    let lanes: Vec<u32> = (0..layout.size(InDim::Lane)).collect();
    let phase = usize::try_from(128 / bytes.max(4)).expect("small");
    let ways = lanes.chunks(phase).map(|lanes| {
        let mut words = BTreeSet::new();
        for &lane in lanes {
            for &register in registers {
                let place = Location::thread(register, lane, warp);
                words.insert(memory.at(layout, place) * element_bits / 32);
            }
        }
        (0..32)
            .map(|bank| words.iter().filter(|word| *word % 32 == bank).count())
            .max()
            .expect("there are banks")
    });
    ways.max().expect("there are lanes")
}

#[test]
fn bank_conflicts_agree_with_simulation() {
    let mut seen = BTreeSet::new();
    for (layout, element_bits) in named_layouts(32, 32, 2)
        .into_iter()
        .flat_map(|l| [8u32, 16, 32].map(|bits| (l.clone(), bits)))
    {
        let tile = layout.shape().clone();
        for order in [COLUMNS_FIRST, ROWS_FIRST] {
            for memory in [
                row_major(&tile, &order),
                swizzled_for(&tile, &order, element_bits),
            ] {
                let limit = u64::from(128 / element_bits);
                let plan = vector_plan(&layout, &memory, limit).expect("held");
                let width = plan.width_elements;
                let ways = bank_conflict_ways(&layout, &memory, width, element_bits);
                let offsets = Offsets::from_layout(&memory);
                for (group, warp) in [(0, 0), (plan.groups.len() - 1, 1)] {
                    let registers = &plan.groups[group].registers;
                    let simulated =
                        simulated_ways(&layout, &offsets, registers, warp, element_bits.into());
                    assert_eq!(ways, u32::try_from(simulated).ok(), "{layout}\n{memory}");
                }
                seen.insert(ways.expect("held"));
            }
        }
    }
    assert!(seen.len() >= 4, "only {seen:?} were seen");
}

#[test]
fn reading_down_a_column_conflicts_unless_swizzled() {
    let tile = shape(&[32, 32]);
    let columns = coalesced(&tile, 32, 1, 1, &ROWS_FIRST);
    let plain = row_major(&tile, &COLUMNS_FIRST);
    assert_eq!(bank_conflict_ways(&columns, &plain, 1, 32), Some(32));
    let swizzle = Swizzle {
        vec: 1,
        per_phase: 1,
        max_phase: 32,
    };
    let memory = swizzled(&tile, &COLUMNS_FIRST, swizzle);
    assert_eq!(bank_conflict_ways(&columns, &memory, 1, 32), Some(1));
}
