use super::*;

/// Returns the coordinates along `axis` of the elements that a plan combines, in the plan's order, for the
/// row that contains lane 0 of warp 0.
fn order(layout: &LinearLayout, axis: Axis, plan: &ScanPlan) -> Vec<u64> {
    let mut coordinates = Vec::new();
    let warps = plan.reduce.warps.as_ref().map_or(1, WarpExchange::slots);
    for slot in 0..u32::try_from(warps).expect("small") {
        let bits = plan
            .reduce
            .warps
            .as_ref()
            .map_or(&[][..], |warps| &warps.slot_bits);
        let warp = bits
            .iter()
            .enumerate()
            .fold(0, |warp, (index, &bit)| warp | (slot >> index & 1) << bit);
        for number in 0..plan.lanes() {
            let lane = number << plan.first_lane_bit;
            for register in &plan.reduce.groups[0] {
                let place = Location::thread(*register, lane, warp);
                coordinates.push(layout.shape().coordinate(layout.apply_flat(place), axis));
            }
        }
    }
    coordinates
}

#[test]
fn every_axis_of_every_shape_has_a_layout_in_order() {
    let input = (
        prop::collection::vec(0u32..=7, 1..=4),
        any::<prop::sample::Index>(),
        0u32..=3,
    );
    check(300, &input, |(log2, axis, warps)| {
        let axis = Axis(axis.index(log2.len()));
        let tile = OutShape::from_log2(log2);
        let layout = scan_layout(&tile, axis, 1 << warps);
        prop_assert!(layout.is_surjective());
        prop_assert_eq!(layout.size(InDim::Lane), 32);
        prop_assert_eq!(layout.size(InDim::Warp), 1 << warps);
        let plan = scan_plan(&layout, axis).expect("made so");
        let indices: Vec<u64> = (0..tile.size(axis)).collect();
        prop_assert_eq!(order(&layout, axis, &plan), indices);
        Ok(())
    });
}

#[test]
fn plans_keep_the_order_of_the_axis() {
    let num_plans = std::cell::Cell::new(0);
    check(600, &covering_layout(), |layout| {
        let (layout, _) = layout.unique_registers();
        for axis in layout.shape().axes() {
            let Some(plan) = scan_plan(&layout, axis) else {
                continue;
            };
            num_plans.set(num_plans.get() + 1);
            let indices: Vec<u64> = (0..layout.shape().size(axis)).collect();
            prop_assert_eq!(order(&layout, axis, &plan), indices);
        }
        Ok(())
    });
    assert!(num_plans.get() > 100, "only {} plans", num_plans.get());
}

#[test]
fn lanes_out_of_order_have_no_plan() {
    let tile = shape(&[64]);
    let with = |registers: &[u64], lanes: &[u64]| {
        LinearLayout::new(
            tile.clone(),
            [
                (InDim::Register, registers.to_vec()),
                (InDim::Lane, lanes.to_vec()),
            ],
        )
    };
    assert!(scan_plan(&with(&[1], &[2, 4, 8, 16, 32]), Axis(0)).is_some());
    assert_eq!(scan_plan(&with(&[32], &[1, 2, 4, 8, 16]), Axis(0)), None);
    assert_eq!(scan_plan(&with(&[1], &[4, 2, 8, 16, 32]), Axis(0)), None);
    assert_eq!(scan_plan(&with(&[1], &[2, 4, 8, 16, 48]), Axis(0)), None);
}
