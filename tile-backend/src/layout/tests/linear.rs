use std::collections::BTreeMap;

use super::*;
use crate::layout::f2;

/// Returns all places of each element, lowest first.
fn holders(layout: &LinearLayout) -> BTreeMap<u64, Vec<Location>> {
    let mut holders: BTreeMap<u64, Vec<Location>> = BTreeMap::new();
    for place in places(layout) {
        holders
            .entry(layout.apply_flat(place))
            .or_default()
            .push(place);
    }
    holders
}

#[test]
fn applying_is_linear() {
    check(
        200,
        &(any_layout(), any::<u64>(), any::<u64>()),
        |(layout, a, b)| {
            let bits = layout.in_bits();
            let mask = (1 << bits.total()) - 1;
            let apply = |flat: u64| layout.apply_flat(bits.unflatten(flat & mask));
            prop_assert_eq!(apply(a ^ b), apply(a) ^ apply(b));
            prop_assert_eq!(apply(0), 0);
            for (bit, basis) in layout.columns().into_iter().enumerate() {
                prop_assert_eq!(apply(1 << bit), basis);
            }
            let place = bits.unflatten(a & mask);
            prop_assert_eq!(bits.flatten(place), a & mask);
            prop_assert_eq!(layout.shape().flatten(&layout.apply(place)), apply(a));
            Ok(())
        },
    );
}

#[test]
fn inverse_finds_the_lowest_place_of_every_element() {
    check(200, &any_layout(), |layout| {
        let holders = holders(&layout);
        let inverse = layout.invert();
        for element in 0..layout.shape().num_elements() {
            let lowest = holders.get(&element).map(|places| places[0]);
            prop_assert_eq!(inverse.apply_flat(element), lowest);
        }
        Ok(())
    });
}

#[test]
fn inverse_near_a_place_agrees_with_it_on_the_highest_bits() {
    check(100, &any_layout(), |layout| {
        let holders = holders(&layout);
        let (inverse, bits) = (layout.invert(), layout.in_bits());
        for near in places(&layout) {
            for (&element, places) in &holders {
                let distance = |place: &Location| bits.flatten(*place) ^ bits.flatten(near);
                let nearest = places.iter().copied().min_by_key(distance);
                prop_assert_eq!(inverse.apply_near(element, near), nearest);
            }
        }
        Ok(())
    });
}

#[test]
fn rank_surjectivity_and_injectivity_count_the_held_elements() {
    check(
        200,
        &prop_oneof![any_layout(), covering_layout()],
        |layout| {
            let holders = holders(&layout);
            let elements = layout.shape().total_bits();
            prop_assert_eq!(1 << layout.rank(), holders.len());
            prop_assert_eq!(layout.is_surjective(), holders.len() == 1 << elements);
            let single = holders.values().all(|places| places.len() == 1);
            prop_assert_eq!(layout.is_injective(), single);
            for vector in layout.kernel() {
                prop_assert_eq!(layout.apply_flat(layout.in_bits().unflatten(vector)), 0);
            }
            prop_assert_eq!(
                layout.kernel().len() + layout.rank(),
                layout.in_bits().total() as usize
            );
            Ok(())
        },
    );
}

#[test]
fn places_without_free_bits_hold_every_held_element_once() {
    check(200, &any_layout(), |layout| {
        let mut seen = BTreeMap::new();
        let is_representative = |place: &Location| {
            InDim::ALL
                .into_iter()
                .all(|dim| place.get(dim) & layout.free_mask(dim) == 0)
        };
        for place in places(&layout).filter(is_representative) {
            *seen.entry(layout.apply_flat(place)).or_insert(0) += 1;
        }
        prop_assert_eq!(seen.len(), holders(&layout).len());
        prop_assert!(seen.values().all(|&count| count == 1));
        Ok(())
    });
}

#[test]
fn composing_applies_one_map_after_the_other() {
    let square = prop::collection::vec(0u64..64, 6);
    let tile = shape(&[8, 8]);
    let strategy = (layout_of(tile.clone()), square.clone(), square);
    check(200, &strategy, |(layout, first, second)| {
        let once = layout.compose(&first, tile.clone());
        for place in places(&layout) {
            let expected = f2::apply(&first, layout.apply_flat(place));
            prop_assert_eq!(once.apply_flat(place), expected);
        }
        let twice = once.compose(&second, tile.clone());
        let together = layout.compose(&f2::compose(&second, &first), tile.clone());
        prop_assert_eq!(twice, together);
        Ok(())
    });
}

#[test]
fn product_places_the_inner_tile_in_each_element_of_the_outer() {
    let pair = (1usize..=3).prop_flat_map(|rank| {
        let one = move || {
            prop::collection::vec(0u32..=2, rank)
                .prop_map(OutShape::from_log2)
                .prop_flat_map(layout_of)
        };
        (one(), one())
    });
    check(150, &pair, |(inner, outer)| {
        let product = inner.product(&outer);
        let (low, high) = (inner.in_bits(), outer.in_bits());
        for place in places(&product) {
            let part = |high_part: bool| {
                InDim::ALL
                    .into_iter()
                    .fold(Location::default(), |part, dim| {
                        let value = place.get(dim);
                        let inner_index = if high_part {
                            value >> low.bits(dim)
                        } else {
                            value & ((1 << low.bits(dim)) - 1)
                        };
                        part.with(dim, inner_index)
                    })
            };
            let inside = inner.apply(part(false));
            let outside = outer.apply(part(true));
            for axis in product.shape().axes() {
                let expected = outside[axis.0] * inner.shape().size(axis) + inside[axis.0];
                prop_assert_eq!(product.apply(place)[axis.0], expected);
            }
        }
        prop_assert_eq!(product.in_bits().total(), low.total() + high.total());
        Ok(())
    });
}

#[test]
fn reshape_keeps_the_row_major_index() {
    let layout = coalesced(&shape(&[8, 16]), 32, 4, 1, &COLUMNS_FIRST);
    let reshaped = layout.reshape(shape(&[2, 4, 16]));
    for place in places(&layout) {
        let coordinates = layout.apply(place);
        let flat = coordinates[0] * 16 + coordinates[1];
        let again = reshaped.apply(place);
        assert_eq!(again.as_slice(), [flat / 64, flat / 16 % 4, flat % 16]);
    }
}

#[test]
fn axis_changes_move_coordinates_only() {
    let tile = shape(&[4, 8, 2]);
    check(60, &layout_of(tile), |layout| {
        let permuted = layout.permute_axes(&[Axis(2), Axis(0), Axis(1)]);
        let expanded = layout.expand_axis(Axis(1));
        let collapsed = layout.collapse_axis(Axis(1));
        let sliced = layout.slice_axis(Axis(1));
        prop_assert_eq!(permuted.shape(), &shape(&[2, 4, 8]));
        prop_assert_eq!(expanded.shape(), &shape(&[4, 1, 8, 2]));
        prop_assert_eq!(expanded.squeeze_axis(Axis(1)), layout.clone());
        for place in places(&layout) {
            let coordinates = layout.apply(place);
            prop_assert_eq!(
                permuted.apply(place).to_vec(),
                [coordinates[2], coordinates[0], coordinates[1]]
            );
            prop_assert_eq!(
                expanded.apply(place).to_vec(),
                [coordinates[0], 0, coordinates[1], coordinates[2]]
            );
            prop_assert_eq!(
                collapsed.apply(place).to_vec(),
                [coordinates[0], 0, coordinates[2]]
            );
            prop_assert_eq!(
                sliced.apply(place).to_vec(),
                [coordinates[0], coordinates[2]]
            );
        }
        Ok(())
    });
}

#[test]
fn broadcast_repeats_registers_along_the_axis() {
    let source = coalesced(&shape(&[64, 1]), 32, 1, 1, &COLUMNS_FIRST);
    let wide = source.broadcast_axis(Axis(1), 3);
    assert_eq!(wide.shape(), &shape(&[64, 8]));
    assert!(wide.is_surjective());
    for place in places(&wide) {
        let count = source.size(InDim::Register);
        let narrow = source.apply(place.with(InDim::Register, place.register % count));
        let expected = [narrow[0], u64::from(place.register / count)];
        assert_eq!(wide.apply(place).as_slice(), expected);
    }
}

#[test]
fn fitting_drops_high_bits_or_repeats_registers() {
    let order = COLUMNS_FIRST;
    let base = LinearLayout::identity(InDim::Register, shape(&[2, 4]), &order)
        .product(&LinearLayout::identity(InDim::Lane, shape(&[4, 2]), &order));
    for rows in [1, 2, 4, 8, 16] {
        for columns in [1, 2, 8, 32] {
            let fitted = base.fit(&shape(&[rows, columns]), &order);
            assert!(fitted.is_surjective(), "{fitted}");
            assert!(!fitted.bases(InDim::Register).contains(&0), "{fitted}");
            for lane in 0..8 {
                let coordinates = base.apply(Location::thread(Register(0), lane, 0));
                let fitted = fitted.apply(Location::thread(Register(0), lane, 0));
                assert_eq!(
                    fitted.as_slice(),
                    [coordinates[0] % rows, coordinates[1] % columns]
                );
            }
        }
    }
}

#[test]
fn unique_registers_hold_each_element_of_a_thread_once() {
    check(200, &any_layout(), |layout| {
        let (unique, map) = layout.unique_registers();
        prop_assert_eq!(map.len(), layout.num_registers());
        for place in places(&layout) {
            let kept = map[place.register as usize].0;
            prop_assert_eq!(
                unique.apply_flat(place.with(InDim::Register, kept)),
                layout.apply_flat(place)
            );
        }
        let mut elements: Vec<u64> = unique
            .registers()
            .map(|register| unique.apply_flat(Location::thread(register, 0, 0)))
            .collect();
        elements.sort_unstable();
        elements.dedup();
        prop_assert_eq!(elements.len(), unique.num_registers());
        Ok(())
    });
}

#[test]
fn layouts_with_permuted_registers_are_equivalent() {
    let layout = mma_accumulator(
        &shape(&[32, 16]),
        MmaWarps {
            batch: 1,
            m: 1,
            n: 1,
        },
    )
    .expect("fits");
    let permuted = layout.permute_register_bits(&[3, 1, 0, 2]);
    assert_ne!(layout, permuted);
    let map = layout.register_permutation(&permuted).expect("equivalent");
    for register in permuted.registers() {
        let wanted = permuted.apply_flat(Location::thread(register, 5, 0));
        let actual = layout.apply_flat(Location::thread(map[register.index()], 5, 0));
        assert_eq!(wanted, actual);
    }
    assert!(permuted.is_equivalent(&layout));
}

#[test]
fn layouts_with_other_lanes_shapes_or_copies_are_not_equivalent() {
    let layout = coalesced(&shape(&[16, 16]), 32, 4, 1, &COLUMNS_FIRST);
    let transposed = coalesced(&shape(&[16, 16]), 32, 4, 1, &ROWS_FIRST);
    assert!(!layout.is_equivalent(&transposed));
    assert!(!layout.is_equivalent(&layout.reshape(shape(&[256]))));
    let doubled = layout.product(&LinearLayout::replicated(InDim::Register, 1, 2));
    assert!(!layout.is_equivalent(&doubled) && !doubled.is_equivalent(&layout));
}

#[test]
fn layouts_print_their_bases_per_axis() {
    let layout = MmaInstruction::for_element_bits(16)
        .expect("supported")
        .fragment_c();
    assert_eq!(
        layout.to_string(),
        "register [(0, 1), (8, 0)] lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)] -> [16, 8]"
    );
    assert_eq!(LinearLayout::unit(1).to_string(), "-> [1]");
}

#[test]
fn shapes_must_be_powers_of_two_below_the_index_limit() {
    assert_eq!(OutShape::new(&[3]), None);
    assert_eq!(OutShape::new(&[0]), None);
    assert_eq!(OutShape::new(&[1 << 32, 1 << 31]), None);
    let tile = shape(&[4, 8]);
    assert_eq!(tile.axis_mask(Axis(0)), 0b11_000);
    assert_eq!(tile.axis_mask(Axis(1)), 0b111);
    assert_eq!(tile.flatten(&[3, 5]), 29);
}

#[test]
#[should_panic(expected = "a basis lies outside the tile")]
fn a_basis_outside_the_tile_is_refused() {
    LinearLayout::new(shape(&[4]), [(InDim::Lane, [4])]);
}

#[test]
fn equal_subspaces_have_equal_bases_and_copies_keep_their_registers() {
    let first = f2::Span::from_vectors([0b011, 0b110]);
    let second = f2::Span::from_vectors([0b101, 0b011, 0b110]);
    let basis: Vec<u64> = first.basis().collect();
    assert_eq!(basis, [0b101, 0b011]);
    assert_eq!(second.basis().collect::<Vec<_>>(), basis);
    assert_eq!(
        f2::Span::from_vectors([0b110, 0b010])
            .basis()
            .collect::<Vec<_>>(),
        [0b100, 0b010]
    );

    let layout = LinearLayout::new(shape(&[4]), [(InDim::Register, [1, 0, 2, 1])]);
    let same: Vec<Register> = layout.registers().collect();
    assert_eq!(layout.register_permutation(&layout), Some(same));
}
