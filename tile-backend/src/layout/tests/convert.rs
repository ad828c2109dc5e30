use super::*;

#[test]
fn a_conversion_leads_to_the_nearest_holder_of_the_same_element() {
    let pair = any_shape().prop_flat_map(|shape| {
        let from = covering_layout_of(shape.clone(), true);
        (from, layout_of(shape))
    });
    check(200, &pair, |(from, to)| {
        let map = conversion(&from, &to).expect("the source has every element");
        for place in places(&to) {
            prop_assert_eq!(from.apply_flat(map.apply(place)), to.apply_flat(place));
        }
        for dim in InDim::ALL {
            let agrees = places(&to).all(|place| map.apply(place).get(dim) == place.get(dim));
            prop_assert_eq!(
                map.is_identity_on(dim),
                agrees && to.size(dim) <= from.size(dim)
            );
            let parts = map.parts(dim);
            for place in places(&to) {
                prop_assert_eq!(parts.evaluate(place), u64::from(map.apply(place).get(dim)));
            }
        }
        Ok(())
    });
}

#[test]
fn a_conversion_needs_one_shape_and_every_element() {
    let layout = coalesced(&shape(&[64]), 32, 4, 1, &[Axis(0)]);
    let other = coalesced(&shape(&[32]), 32, 4, 1, &[Axis(0)]);
    assert_eq!(conversion(&layout, &other), None);
    let partial = LinearLayout::new(shape(&[64]), [(InDim::Lane, [1, 2, 4, 8, 16])]);
    assert_eq!(conversion(&partial, &layout), None);
    assert!(conversion(&layout, &partial).is_some());
}

/// Returns the element that a conversion delivers to a place. `None` if the conversion goes through memory.
fn delivered(conversion: &Conversion, from: &LinearLayout, place: Location) -> Option<u64> {
    match conversion {
        Conversion::Identity => Some(from.apply_flat(place)),
        Conversion::RegisterPermutation(sources) => {
            let source = sources[place.register as usize];
            Some(from.apply_flat(place.with(InDim::Register, source.0)))
        }
        Conversion::WarpShuffle(plan) => {
            let runtime = plan.register.runtime(place);
            let lane = u32::try_from(plan.lane.evaluate(place)).expect("small");
            let constant = plan.register.constants[place.register as usize];
            // All candidates are shuffled; the place keeps the candidate that its runtime part selects.
            let kept = plan.candidates.iter().find(|&&c| u64::from(c) == runtime);
            let kept = *kept.expect("the runtime part is a candidate");
            let register = u32::try_from(constant).expect("small") ^ kept;
            assert!(!plan.same_lane || lane == place.lane);
            Some(
                from.apply_flat(
                    place
                        .with(InDim::Register, register)
                        .with(InDim::Lane, lane),
                ),
            )
        }
        Conversion::WarpShared(_) | Conversion::BlockShared(_) | Conversion::ClusterShared(_) => {
            None
        }
    }
}

#[test]
fn conversions_without_memory_deliver_the_right_elements() {
    let pair = any_shape().prop_flat_map(|shape| {
        let from = covering_layout_of(shape.clone(), true);
        let changes = prop::collection::vec(any::<prop::sample::Index>(), 4);
        (from, changes)
    });
    let counts = std::cell::Cell::new([0; 4]);
    check(400, &pair, |(from, changes)| {
        // Build another layout with the same warps, in which some lane and register bases are exchanged.
        let mut registers = from.bases(InDim::Register).to_vec();
        let mut lanes = from.bases(InDim::Lane).to_vec();
        let warps = from.bases(InDim::Warp).to_vec();
        for pair in changes.chunks(2).take(changes[0].index(3)) {
            if !registers.is_empty() && !lanes.is_empty() {
                let (r, l) = (pair[0].index(registers.len()), pair[1].index(lanes.len()));
                std::mem::swap(&mut registers[r], &mut lanes[l]);
            }
        }
        if changes[3].index(2) == 1 {
            registers.reverse();
        }
        let to = LinearLayout::new(
            from.shape().clone(),
            [
                (InDim::Register, registers),
                (InDim::Lane, lanes),
                (InDim::Warp, warps),
            ],
        );
        let conversion = classify(&from, &to, 32).expect("the same elements");
        let kind = match &conversion {
            Conversion::Identity => 0,
            Conversion::RegisterPermutation(_) => 1,
            Conversion::WarpShuffle(_) => 2,
            _ => 3,
        };
        let mut seen = counts.get();
        seen[kind] += 1;
        counts.set(seen);
        for place in places(&to) {
            if let Some(element) = delivered(&conversion, &from, place) {
                prop_assert_eq!(element, to.apply_flat(place));
            }
        }
        Ok(())
    });
    assert!(
        counts.get().iter().take(3).all(|&count| count > 10),
        "{counts:?}"
    );
}

#[test]
fn conversions_are_classified_by_what_they_cross() {
    let tile = shape(&[64, 64]);
    let rows = coalesced(&tile, 32, 4, 4, &COLUMNS_FIRST);
    let columns = coalesced(&tile, 32, 4, 4, &ROWS_FIRST);
    assert_eq!(classify(&rows, &rows, 32), Some(Conversion::Identity));
    let permuted = rows.permute_register_bits(&[1, 0, 2, 3, 4]);
    let renamed = classify(&rows, &permuted, 32);
    assert!(matches!(renamed, Some(Conversion::RegisterPermutation(_))));
    let exchanged = classify(&rows, &columns, 32);
    assert!(matches!(exchanged, Some(Conversion::BlockShared(_))));
    let one_warp = |order| coalesced(&shape(&[32, 32]), 32, 4, 1, order);
    let within = classify(&one_warp(&COLUMNS_FIRST), &one_warp(&ROWS_FIRST), 32);
    assert!(matches!(within, Some(Conversion::WarpShared(_))));
    let small = |order| coalesced(&shape(&[8, 8]), 32, 4, 1, order);
    let within = classify(&small(&COLUMNS_FIRST), &small(&ROWS_FIRST), 32);
    assert!(matches!(within, Some(Conversion::WarpShuffle(_))));
    let split = LinearLayout::new(shape(&[4]), [(InDim::Register, [1]), (InDim::Block, [2])]);
    let other = LinearLayout::new(shape(&[4]), [(InDim::Register, [2]), (InDim::Block, [1])]);
    let far = classify(&split, &other, 32);
    assert!(matches!(far, Some(Conversion::ClusterShared(_))));
}

#[test]
fn replicated_copies_stay_in_their_thread() {
    let layout = mma_accumulator(
        &shape(&[16, 8]),
        MmaWarps {
            batch: 1,
            m: 2,
            n: 2,
        },
    )
    .expect("fits");
    assert_eq!(layout.free_mask(InDim::Warp), 3);
    assert_eq!(classify(&layout, &layout, 32), Some(Conversion::Identity));
    let doubled = layout.product(&LinearLayout::replicated(InDim::Register, 1, 2));
    assert_eq!(classify(&doubled, &doubled, 32), Some(Conversion::Identity));
    let sources: Vec<Register> = (0..4).chain(0..4).map(Register).collect();
    assert_eq!(
        classify(&layout, &doubled, 32),
        Some(Conversion::RegisterPermutation(sources))
    );
}

#[test]
fn a_row_slice_of_one_layout_converts_to_that_of_another() {
    let tile = shape(&[64, 64]);
    let mma = mma_accumulator(
        &tile,
        MmaWarps {
            batch: 1,
            m: 4,
            n: 1,
        },
    )
    .expect("fits");
    let (sliced, _) = mma.slice_axis(Axis(1)).unique_registers();
    let plain = coalesced(&shape(&[64]), 32, 4, 4, &[Axis(0)]);
    let map = conversion(&sliced, &plain).expect("the slice has every row");
    for place in places(&plain) {
        assert_eq!(sliced.apply_flat(map.apply(place)), plain.apply_flat(place));
    }
}

#[test]
fn exchange_memory_serves_both_sides_without_conflict_where_it_can() {
    let tile = shape(&[64, 64]);
    let mma = mma_accumulator(
        &tile,
        MmaWarps {
            batch: 1,
            m: 4,
            n: 1,
        },
    )
    .expect("fits");
    for (from, to, bits) in [
        (mma.clone(), coalesced(&tile, 32, 4, 4, &COLUMNS_FIRST), 32),
        (mma, coalesced(&tile, 16, 8, 4, &COLUMNS_FIRST), 16),
        (
            coalesced(&tile, 32, 4, 4, &COLUMNS_FIRST),
            coalesced(&tile, 32, 1, 4, &ROWS_FIRST),
            32,
        ),
    ] {
        let memory = exchange_layout(&from, &to, bits).expect("the same tile");
        assert!(memory.is_surjective() && memory.is_injective());
        for side in [&from, &to] {
            let plan = vector_plan(side, &memory, u64::from(128 / bits)).expect("held");
            let ways = bank_conflict_ways(side, &memory, plan.width_elements, bits);
            assert_eq!(ways, Some(1), "{side}\n{memory}");
        }
    }
}

#[test]
fn exchange_memory_of_a_scalar_has_one_element() {
    let scalar = coalesced(&shape(&[]), 32, 1, 1, &[]);
    let memory = exchange_layout(&scalar, &scalar, 32).expect("one element");
    assert_eq!(memory.size(InDim::Offset), 1);
}

#[test]
fn dropping_registers_is_no_identity() {
    let layout = coalesced(&shape(&[16, 16]), 32, 4, 1, &COLUMNS_FIRST);
    let doubled = layout.product(&LinearLayout::replicated(InDim::Register, 1, 2));
    let kept = layout.registers().collect();
    let expected = Conversion::RegisterPermutation(kept);
    assert_eq!(classify(&doubled, &layout, 32), Some(expected));
}
