use super::*;

/// Generates the shape of a tile and the shape of its slices.
fn cut() -> impl Strategy<Value = (OutShape, OutShape)> {
    prop::collection::vec((0u32..=3, 0u32..=3), 1..=3).prop_map(|axes| {
        let whole = axes.iter().map(|&(log2, _)| log2);
        let part = axes.iter().map(|&(log2, part)| part.min(log2));
        (OutShape::from_log2(whole), OutShape::from_log2(part))
    })
}

/// Splits an element's coordinates into those within its slice, and the index of the slice along each axis.
fn split(shape: &OutShape, slice: &OutShape, flat: u64) -> (Vec<u64>, Vec<u64>) {
    let sizes = slice.sizes();
    let coordinates = shape.unflatten(flat);
    let pairs = coordinates.iter().zip(&sizes);
    (
        pairs
            .clone()
            .map(|(coordinate, size)| coordinate % size)
            .collect(),
        pairs.map(|(coordinate, size)| coordinate / size).collect(),
    )
}

#[test]
fn places_find_what_lies_where_their_element_does_in_its_slice() {
    let input =
        cut().prop_flat_map(|(shape, slice)| (covering_layout_of(shape, true), Just(slice)));
    check(200, &input, |(layout, slice)| {
        let within = within_slices(&layout, &slice);
        for place in places(&layout) {
            let (expected, number) = split(layout.shape(), &slice, layout.apply_flat(place));
            prop_assert_eq!(within.apply(place).to_vec(), expected);
            for axis in layout.shape().axes() {
                let parts = slice_number(&layout, &slice, axis);
                prop_assert_eq!(parts.evaluate(place), number[axis.0]);
            }
        }
        Ok(())
    });
}

#[test]
fn registers_of_slices_hold_the_elements_of_the_slice() {
    let num_plans = std::cell::Cell::new(0);
    let input =
        cut().prop_flat_map(|(shape, slice)| (covering_layout_of(shape, false), Just(slice)));
    check(400, &input, |(layout, slice)| {
        let (layout, _) = layout.unique_registers();
        let Some(slices) = slice_registers(&layout, &slice) else {
            return Ok(());
        };
        num_plans.set(num_plans.get() + 1);
        let counts = slice_counts(layout.shape(), &slice);
        for (number, sources) in (0..).zip(&slices.sources) {
            let mut rest = number;
            let mut wanted = vec![0; counts.len()];
            for (coordinate, count) in wanted.iter_mut().zip(&counts).rev() {
                *coordinate = rest % count;
                rest /= count;
            }
            for place in places(&slices.layout) {
                let source = sources[place.register as usize];
                let element = layout.apply_flat(place.with(InDim::Register, source.0));
                let (within, slice_number) = split(layout.shape(), &slice, element);
                prop_assert_eq!(&slice_number, &wanted);
                prop_assert_eq!(within, slices.layout.apply(place).to_vec());
            }
        }
        Ok(())
    });
    assert!(
        num_plans.get() > 50,
        "only {} layouts hold their slices",
        num_plans.get()
    );
}

#[test]
fn a_tile_made_of_slices_in_registers_holds_them() {
    let tile = shape(&[64, 64]);
    let part = coalesced(&shape(&[16, 32]), 16, 8, 4, &COLUMNS_FIRST);
    let whole = slices_in_registers(&part, &tile);
    let slices = slice_registers(&whole, part.shape()).expect("made so");
    assert!(slices.layout.is_equivalent(&part));
    assert_eq!(slices.sources.len(), 8);
    let spread = coalesced(&tile, 16, 8, 4, &COLUMNS_FIRST);
    assert_eq!(slice_registers(&spread, part.shape()), None);
}

#[test]
fn a_slice_in_memory_starts_where_its_number_says() {
    let (tile, slice) = (shape(&[8, 16]), shape(&[2, 4]));
    let memory = slice_of_row_major(&tile, &slice).invert();
    for row in 0..2 {
        for column in 0..4 {
            let place = memory
                .apply_flat(slice.flatten(&[row, column]))
                .expect("held");
            assert_eq!(u64::from(place.offset), 16 * row + column);
        }
    }
}
