use std::collections::BTreeMap;

use super::*;

/// The number of times that each element occurs in a partial result.
type Partial = BTreeMap<u64, u32>;

fn combine(partials: impl IntoIterator<Item = Partial>) -> Partial {
    let mut total = Partial::new();
    for (element, count) in partials.into_iter().flatten() {
        *total.entry(element).or_insert(0) += count;
    }
    total
}

/// Executes a plan on multisets of elements, and checks that each result contains exactly the elements along
/// the axis.
fn assert_reduces(plan: &ReducePlan, layout: &LinearLayout, axis: Axis) {
    let (lanes, warps) = (layout.size(InDim::Lane), layout.size(InDim::Warp));
    let result = &plan.result;
    assert_eq!(result.shape(), &layout.shape().without_axis(axis));
    assert_eq!(plan.groups.len(), result.num_registers());
    // partials[warp][lane][register]
    let mut partials: Vec<Vec<Vec<Partial>>> = Vec::new();
    for warp in 0..warps {
        let thread = |lane| -> Vec<Partial> {
            let group = |registers: &Vec<Register>| {
                combine(registers.iter().map(|&register| {
                    let element = layout.apply_flat(Location::thread(register, lane, warp));
                    Partial::from([(element, 1)])
                }))
            };
            plan.groups.iter().map(group).collect()
        };
        let mut values: Vec<Vec<Partial>> = (0..lanes).map(thread).collect();
        for &mask in &plan.lane_masks {
            values = (0..lanes)
                .map(|lane| {
                    let (lane_values, other) =
                        (&values[lane as usize], &values[(lane ^ mask) as usize]);
                    let pairs = lane_values.iter().zip(other);
                    pairs
                        .map(|(a, b)| combine([a.clone(), b.clone()]))
                        .collect()
                })
                .collect();
        }
        partials.push(values);
    }
    if let Some(exchange) = &plan.warps {
        let mut scratch: BTreeMap<(u32, u64), Partial> = BTreeMap::new();
        let coordinates =
            |register, lane, warp| result.apply_flat(Location::thread(register, lane, warp));
        for (warp, lane) in (0..warps).flat_map(|w| (0..lanes).map(move |l| (w, l))) {
            if warp & exchange.idle_warp_mask != 0 || lane & exchange.idle_lane_mask != 0 {
                continue;
            }
            for register in result.registers() {
                let key = (exchange.slot_of(warp), coordinates(register, lane, warp));
                let value = partials[warp as usize][lane as usize][register.index()].clone();
                let previous = scratch.insert(key, value);
                assert_eq!(previous, None, "a slot is written once");
            }
        }
        for (warp, lane) in (0..warps).flat_map(|w| (0..lanes).map(move |l| (w, l))) {
            for register in result.registers() {
                let element = coordinates(register, lane, warp);
                let slots = 0..u32::try_from(exchange.slots()).expect("small");
                partials[warp as usize][lane as usize][register.index()] =
                    combine(slots.map(|slot| scratch[&(slot, element)].clone()));
            }
        }
    }
    for (warp, lane) in (0..warps).flat_map(|w| (0..lanes).map(move |l| (w, l))) {
        for register in result.registers() {
            let mut coordinates = result.apply(Location::thread(register, lane, warp));
            coordinates.insert(axis.0, 0);
            let expected: Partial = (0..layout.shape().size(axis))
                .map(|step| {
                    coordinates[axis.0] = step;
                    (layout.shape().flatten(&coordinates), 1)
                })
                .collect();
            let value = &partials[warp as usize][lane as usize][register.index()];
            assert_eq!(value, &expected, "{layout} along {axis:?}");
        }
    }
}

#[test]
fn every_element_along_the_axis_counts_once_in_named_layouts() {
    for layout in named_layouts(32, 32, 4) {
        for axis in [Axis(0), Axis(1)] {
            let plan = reduce_plan(&layout, axis).expect("named layouts keep axes apart");
            assert_reduces(&plan, &layout, axis);
        }
    }
}

#[test]
fn every_element_along_the_axis_counts_once_in_layouts_with_copies() {
    let layouts = any_shape().prop_flat_map(|shape| covering_layout_of(shape, false));
    check(150, &layouts, |layout| {
        for axis in layout.shape().axes() {
            let plan = reduce_plan(&layout, axis);
            assert_reduces(&plan.expect("each basis is on one axis"), &layout, axis);
        }
        Ok(())
    });
}

#[test]
fn layouts_that_mix_axes_are_reduced_rightly_or_refused() {
    let layouts = any_shape().prop_flat_map(|shape| covering_layout_of(shape, true));
    let outcomes = std::cell::Cell::new((0, 0));
    check(300, &layouts, |layout| {
        for axis in layout.shape().axes() {
            let (planned, refused) = outcomes.get();
            match reduce_plan(&layout, axis) {
                Some(plan) => {
                    assert_reduces(&plan, &layout, axis);
                    outcomes.set((planned + 1, refused));
                }
                None => outcomes.set((planned, refused + 1)),
            }
        }
        Ok(())
    });
    let (planned, refused) = outcomes.get();
    assert!(
        planned > 50 && refused > 20,
        "{planned} planned, {refused} refused"
    );
}

#[test]
fn rows_of_an_accumulator_need_two_shuffles_and_no_exchange() {
    let layout = mma_accumulator(
        &shape(&[64, 64]),
        MmaWarps {
            batch: 1,
            m: 4,
            n: 1,
        },
    )
    .expect("fits");
    let plan = reduce_plan(&layout, Axis(1)).expect("axes are apart");
    assert_eq!(plan.lane_masks, [1, 2]);
    assert_eq!(plan.warps, None);
    assert_eq!(plan.groups.len(), 2);
    assert!(plan.groups.iter().all(|group| group.len() == 16));
    let columns = reduce_plan(&layout, Axis(0)).expect("axes are apart");
    assert_eq!(columns.lane_masks, [4, 8, 16]);
    let exchange = columns.warps.expect("four warps along M");
    assert_eq!((exchange.slots(), exchange.warp_masks), (4, vec![1, 2]));
    assert_eq!(exchange.idle_lane_mask, 0b11100);
    assert_eq!(exchange.idle_warp_mask, 0);
}

#[test]
fn elements_in_other_blocks_are_refused() {
    let layout = LinearLayout::new(shape(&[4]), [(InDim::Register, [1]), (InDim::Block, [2])]);
    assert_eq!(reduce_plan(&layout, Axis(0)), None);
}
