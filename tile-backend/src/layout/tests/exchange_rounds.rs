use super::*;
use std::collections::BTreeMap;

/// Returns the element that each place of `to` receives, if every part is exchanged through a separate
/// memory.
fn taken(
    rounds: &ExchangeRounds,
    from: &LinearLayout,
    to: &LinearLayout,
) -> BTreeMap<Location, u64> {
    let mut taken = BTreeMap::new();
    for (written, read) in rounds.written.iter().zip(&rounds.read) {
        let mut memory = BTreeMap::new();
        for place in places(&rounds.from) {
            let register = written[place.register as usize].0;
            let element = from.apply_flat(place.with(InDim::Register, register));
            let previous = memory.insert(rounds.from.apply_flat(place), element);
            assert!(
                previous.is_none_or(|previous| previous == element),
                "two elements"
            );
        }
        for place in places(&rounds.to) {
            let register = read[place.register as usize].0;
            let element = memory[&rounds.to.apply_flat(place)];
            let previous = taken.insert(place.with(InDim::Register, register), element);
            assert_eq!(previous, None, "a register is read twice");
        }
    }
    taken
        .into_iter()
        .filter(|(place, _)| place.register < to.size(InDim::Register))
        .collect()
}

fn check_rounds(from: &LinearLayout, to: &LinearLayout, log2: u32) -> bool {
    let Some(rounds) = ExchangeRounds::new(from, to, log2) else {
        return false;
    };
    assert_eq!(rounds.written.len(), 1 << log2);
    let whole = from.shape().num_elements();
    assert_eq!(rounds.from.shape().num_elements(), whole >> log2);
    let actual = taken(&rounds, from, to);
    assert_eq!(actual.len(), places(to).count());
    for (place, element) in actual {
        assert_eq!(element, to.apply_flat(place));
    }
    true
}

#[test]
fn parts_one_after_the_other_are_the_whole_tile() {
    let pair = any_shape().prop_flat_map(|shape| {
        let from = covering_layout_of(shape.clone(), true);
        let to = covering_layout_of(shape, true);
        (from, to)
    });
    let totals = std::cell::Cell::new([0; 3]);
    check(600, &pair, |(from, to)| {
        for log2 in 0..3 {
            if check_rounds(&from, &to, log2) {
                let mut counts = totals.get();
                counts[log2 as usize] += 1;
                totals.set(counts);
            }
        }
        Ok(())
    });
    let [one, two, four] = totals.get();
    assert_eq!(one, 600);
    assert!(two > 20 && four > 0, "{:?}", totals.get());
}

#[test]
fn an_accumulator_goes_in_as_many_turns_as_wanted() {
    let tile = shape(&[128, 256]);
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 4,
    };
    let from = mma_accumulator(&tile, warps).expect("a large tile");
    for elements in [4, 8] {
        let to = coalesced_in_warps(&from, elements, &COLUMNS_FIRST);
        for log2 in 0..=3 {
            assert!(check_rounds(&from, &to, log2), "{elements} {log2}");
        }
    }
    let other = shape(&[256, 128]);
    let to = coalesced(&other, 16, 8, 8, &COLUMNS_FIRST);
    assert_eq!(ExchangeRounds::new(&from, &to, 0), None);
}

#[test]
fn elements_stay_in_their_warps_side_by_side() {
    let mut exchanged = 0;
    for layout in named_layouts(64, 128, 4) {
        if layout.free_mask(InDim::Warp) != 0 {
            continue;
        }
        for order in [COLUMNS_FIRST, ROWS_FIRST] {
            let wide = coalesced_in_warps(&layout, 8, &order);
            assert!(wide.is_surjective());
            assert!(stays_in_warps(&layout, &wide), "{layout:?}");
            let memory = row_major(wide.shape(), &order);
            let plan = vector_plan(&wide, &memory, 8).expect("a row-major tile has everything");
            let is_in_warps = |bit: &u32| {
                let warps = layout.bases(InDim::Warp).iter();
                let mut along = warps.map(|&warp| layout.shape().coordinate(warp, order[0]));
                along.all(|coordinate| coordinate >> bit & 1 == 0)
            };
            let log2 = (0..3).take_while(is_in_warps).count();
            assert_eq!(plan.width_elements, 1 << log2, "{layout:?}");
            assert!(check_rounds(&layout, &wide, 1), "{layout:?}");
            exchanged += 1;
        }
    }
    assert!(exchanged >= 10, "{exchanged}");
}
