use super::*;

#[test]
fn parts_evaluate_to_the_coordinate_of_every_place() {
    check(200, &any_layout(), |layout| {
        for axis in layout.shape().axes() {
            let parts = AddressParts::coordinate(&layout, axis);
            for place in places(&layout) {
                prop_assert_eq!(parts.evaluate(place), layout.apply(place)[axis.0]);
            }
        }
        Ok(())
    });
}

#[test]
fn parts_are_additive_exactly_when_every_xor_may_be_a_sum() {
    check(300, &any_layout(), |layout| {
        let parts = AddressParts::coordinate(&layout, Axis(0));
        let sums_agree = places(&layout).all(|place| {
            let terms = parts
                .runs
                .iter()
                .map(|run| run.evaluate(place.get(run.dim)));
            terms.sum::<u64>() + parts.constants[place.register as usize] == parts.evaluate(place)
        });
        prop_assert_eq!(parts.is_additive(), sums_agree);
        Ok(())
    });
}

#[test]
fn constants_split_into_a_xored_and_an_added_part() {
    check(200, &any_layout(), |layout| {
        let parts = AddressParts::coordinate(&layout, Axis(0));
        for place in places(&layout) {
            let register = Register(place.register);
            let base = parts.runtime(place) ^ parts.xored(register);
            let sum = base + parts.immediate(register);
            prop_assert_eq!(sum, parts.evaluate(place));
            prop_assert_eq!(parts.xored(register) & !parts.runtime_mask(), 0);
        }
        Ok(())
    });
}

#[test]
fn consecutive_bases_make_one_run() {
    let layout = MmaInstruction::for_element_bits(16)
        .expect("supported")
        .fragment_c();
    let row = AddressParts::coordinate(&layout, Axis(0));
    let lane = |first_bit, count, shift| BitRun {
        dim: InDim::Lane,
        first_bit,
        count,
        shift,
    };
    assert_eq!(row.runs, [lane(2, 3, 0)]);
    assert_eq!(row.constants, [0, 0, 8, 8]);
    let column = AddressParts::coordinate(&layout, Axis(1));
    assert_eq!(column.runs, [lane(0, 2, 1)]);
    assert_eq!(column.constants, [0, 1, 0, 1]);
    assert!(row.is_additive() && column.is_additive());
    assert_eq!((row.runtime_mask(), row.constant_mask()), (7, 8));
}

#[test]
fn offset_parts_lead_to_the_element_in_swizzled_memory() {
    for layout in named_layouts(64, 64, 4) {
        for order in [COLUMNS_FIRST, ROWS_FIRST] {
            let memory = swizzled_for(layout.shape(), &order, 16);
            let parts = AddressParts::offset(&layout, &memory).expect("the memory has the tile");
            for place in places(&layout) {
                let offset = u32::try_from(parts.evaluate(place)).expect("small");
                let stored = memory.apply_flat(Location::offset(offset));
                assert_eq!(stored, layout.apply_flat(place));
            }
        }
    }
}

#[test]
fn memory_of_another_shape_or_without_an_element_has_no_offsets() {
    let layout = coalesced(&shape(&[8, 8]), 32, 4, 1, &COLUMNS_FIRST);
    let other = row_major(&shape(&[64]), &[Axis(0)]);
    assert_eq!(AddressParts::offset(&layout, &other), None);
    let partial = LinearLayout::new(shape(&[8, 8]), [(InDim::Offset, [1, 2, 4])]);
    assert_eq!(AddressParts::offset(&layout, &partial), None);
}

#[test]
fn memory_spread_over_blocks_has_no_offsets() {
    let layout = LinearLayout::new(shape(&[4]), [(InDim::Register, [1, 2])]);
    let spread = LinearLayout::new(shape(&[4]), [(InDim::Offset, [1]), (InDim::Block, [2])]);
    assert_eq!(AddressParts::offset(&layout, &spread), None);
}
