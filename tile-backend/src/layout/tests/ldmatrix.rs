use super::*;

/// Executes a plan as the PTX ISA describes `ldmatrix`, and compares each register with the layout.
fn assert_loads(plan: &LdmatrixPlan, layout: &LinearLayout, memory: &LinearLayout, bits: u32) {
    let stored = |offset: u64| {
        let offset = u32::try_from(offset).expect("small");
        memory.apply_flat(Location::offset(offset))
    };
    // The number of elements in a row of 16 bytes, and in the 4 bytes that a lane receives.
    let (row_elements, word) = (u64::from(128 / bits), u64::from(32 / bits));
    for warp in 0..layout.size(InDim::Warp) {
        let mut loaded = vec![vec![None; layout.num_registers()]; 32];
        for (index, instruction) in plan.instructions.iter().enumerate() {
            assert_eq!(instruction.destinations.len(), plan.count.matrices());
            assert_eq!(plan.row_offset.constants[index], instruction.offset);
            for (matrix, destination) in instruction.destinations.iter().enumerate() {
                assert_eq!(destination.len() as u64, word);
                let row_start = |row: u32| {
                    let lane = u32::try_from(matrix).expect("small") * 8 + row;
                    let location = Location::thread(Register(0), lane, warp);
                    let start = plan.row_offset.runtime(location) ^ instruction.offset;
                    assert_eq!(start % row_elements, 0, "rows are aligned to 16 bytes");
                    start
                };
                for lane in 0..32u32 {
                    for (place, register) in destination.iter().enumerate() {
                        let place = place as u64;
                        let element = if plan.transposed {
                            // The instruction transposes units of 16 bits.
                            let (unit, within) = (place / (word / 2), place % (word / 2));
                            let row = 2 * (lane % 4) + u32::try_from(unit).expect("small");
                            let column = u64::from(lane / 4) * (word / 2);
                            stored(row_start(row) + column + within)
                        } else {
                            let within = u64::from(lane % 4) * word + place;
                            stored(row_start(lane / 4) + within)
                        };
                        let slot = &mut loaded[lane as usize][register.index()];
                        assert_eq!(*slot, None, "a register is loaded once");
                        *slot = Some(element);
                    }
                }
            }
        }
        for lane in 0..32u32 {
            for copy in &plan.copies {
                let original = loaded[lane as usize][copy.original.index()];
                loaded[lane as usize][copy.register.index()] = original;
            }
            for register in layout.registers() {
                let wanted = layout.apply_flat(Location::thread(register, lane, warp));
                assert_eq!(loaded[lane as usize][register.index()], Some(wanted));
            }
        }
    }
}

fn plan_for(
    layout: &LinearLayout,
    order: &[Axis],
    bits: u32,
) -> (Option<LdmatrixPlan>, Option<LdmatrixPlan>) {
    let tile = layout.shape();
    let plain = row_major(tile, order);
    let swizzled = swizzled_for(tile, order, bits);
    let plans = (
        ldmatrix_plan(layout, &plain, bits),
        ldmatrix_plan(layout, &swizzled, bits),
    );
    for (plan, memory) in [(&plans.0, &plain), (&plans.1, &swizzled)] {
        if let Some(plan) = plan {
            assert_loads(plan, layout, memory, bits);
        }
    }
    plans
}

#[test]
fn operands_load_plainly_along_k_and_transposed_across_it() {
    for (m, n) in [(1, 1), (2, 2), (4, 1)] {
        let warps = MmaWarps { batch: 1, m, n };
        let tile = shape(&[64, 64]);
        for bits in [8, 16, 32] {
            let a = mma_operand_a(&tile, warps, bits).expect("fits");
            let b = mma_operand_b(&tile, warps, bits).expect("fits");
            // Check memory orders with K fastest, and with K slowest.
            for (layout, along, across) in [
                (a, COLUMNS_FIRST, ROWS_FIRST),
                (b, ROWS_FIRST, COLUMNS_FIRST),
            ] {
                let (plain, swizzled) = plan_for(&layout, &along, bits);
                for plan in [plain, swizzled] {
                    let plan = plan.expect("K is contiguous");
                    assert_eq!((plan.transposed, plan.count), (false, MatrixCount::X4));
                    let registers = layout.num_registers() / (32 / bits as usize);
                    assert_eq!(plan.instructions.len(), registers / 4);
                }
                let (plain, swizzled) = plan_for(&layout, &across, bits);
                for plan in [plain, swizzled] {
                    assert_eq!(plan.is_some(), bits == 16, "only 16-bit units transpose");
                    assert!(plan.is_none_or(|plan| plan.transposed));
                }
            }
        }
    }
}

#[test]
fn interleaved_bytes_load_transposed_across_k() {
    for (m, n) in [(1, 1), (2, 2), (4, 1)] {
        let warps = MmaWarps { batch: 1, m, n };
        let tile = shape(&[64, 64]);
        let a = mma_operand_a(&tile, warps, 8).expect("fits");
        let b = mma_operand_b(&tile, warps, 8).expect("fits");
        for (layout, axis, across) in [(a, Axis(0), ROWS_FIRST), (b, Axis(1), COLUMNS_FIRST)] {
            let interleaved = interleaved(&layout, axis);
            assert_eq!(straightened(&interleaved, axis), layout);
            assert!(can_interleave(&layout, axis));
            let (plain, swizzled) = plan_for(&interleaved, &across, 8);
            for plan in [plain, swizzled] {
                let plan = plan.expect("neighbours across K");
                assert_eq!((plan.transposed, plan.count), (true, MatrixCount::X4));
                assert_eq!(plan.instructions.len(), layout.num_registers() / 16);
            }
            // Memory that is generated for this fragment has no bank conflicts, whatever layout is written.
            let writers = coalesced(&tile, 8, 16, m * n, &across);
            let rows = matrix_rows(&interleaved, axis).expect("it is delivered");
            let memory = generated_exchange(&writers, &rows, 8).expect("one tile");
            assert_eq!(bank_conflict_ways(&rows, &memory, 16, 8), Some(1));
            let plan = ldmatrix_plan(&interleaved, &memory, 8).expect("delivered");
            assert_loads(&plan, &interleaved, &memory, 8);
            assert!(matrix_rows(&layout, axis).is_none());
        }
    }
}

#[test]
fn warps_with_half_a_group_do_not_interleave() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 8,
    };
    let b = mma_operand_b(&shape(&[64, 64]), warps, 8).expect("fits");
    assert!(!can_interleave(&b, Axis(1)));
    let narrow = mma_operand_b(&shape(&[64, 8]), warps, 8).expect("fits");
    assert!(!can_interleave(&narrow, Axis(1)));
}

#[test]
fn small_tiles_load_fewer_matrices_at_once() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    let b = mma_operand_b(&shape(&[16, 8]), warps, 16).expect("fits");
    for order in [ROWS_FIRST, COLUMNS_FIRST] {
        let (plain, swizzled) = plan_for(&b, &order, 16);
        for plan in [plain, swizzled] {
            assert_eq!(plan.expect("fits").count, MatrixCount::X2);
        }
    }
    let tile = shape(&[8, 8]);
    let one = LinearLayout::new(
        tile.clone(),
        [
            (InDim::Register, &[1][..]),
            (InDim::Lane, &[2, 4, 8, 16, 32]),
        ],
    );
    let (plain, _) = plan_for(&one, &COLUMNS_FIRST, 16);
    let plan = plain.expect("one matrix");
    assert_eq!((plan.count, plan.instructions.len()), (MatrixCount::X1, 1));
}

#[test]
fn replicated_registers_are_copied() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    let b = mma_operand_b(&shape(&[32, 16]), warps, 16).expect("fits");
    let doubled = b.product(&LinearLayout::replicated(InDim::Register, 1, 2));
    for order in [ROWS_FIRST, COLUMNS_FIRST] {
        let (plain, swizzled) = plan_for(&doubled, &order, 16);
        for plan in [plain, swizzled] {
            assert_eq!(plan.expect("fits").copies.len(), b.num_registers());
        }
    }
}

#[test]
fn transposed_pairs_survive_permuted_matrices() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    let a = mma_operand_a(&shape(&[32, 32]), warps, 16).expect("fits");
    let permuted = a.permute_register_bits(&[0, 4, 2, 1, 3]);
    let (plain, swizzled) = plan_for(&permuted, &ROWS_FIRST, 16);
    assert!(plain.is_some() && swizzled.is_some());
    for plan in [plain, swizzled].into_iter().flatten() {
        let words = plan.instructions.iter().flat_map(|i| &i.destinations);
        assert!(
            words
                .into_iter()
                .all(|w| w[0].0 % 2 == 0 && w[1].0 == w[0].0 + 1)
        );
    }
}

#[test]
fn other_layouts_and_small_swizzle_vectors_are_refused() {
    let tile = shape(&[64, 64]);
    let blocked = coalesced(&tile, 16, 8, 4, &COLUMNS_FIRST);
    assert_eq!(plan_for(&blocked, &COLUMNS_FIRST, 16), (None, None));
    let a = mma_operand_a(
        &tile,
        MmaWarps {
            batch: 1,
            m: 1,
            n: 1,
        },
        16,
    )
    .expect("fits");
    let swizzle = Swizzle {
        vec: 4,
        per_phase: 1,
        max_phase: 8,
    };
    let memory = swizzled(&tile, &COLUMNS_FIRST, swizzle);
    assert_eq!(ldmatrix_plan(&a, &memory, 16), None);
    assert_eq!(
        ldmatrix_plan(&a, &row_major(&tile, &COLUMNS_FIRST), 64),
        None
    );
    // Pairs within a row of 16 bytes cannot be rows of a transposed matrix.
    let c = mma_accumulator(
        &tile,
        MmaWarps {
            batch: 1,
            m: 1,
            n: 1,
        },
    )
    .expect("fits");
    let turned = c.permute_register_bits(&[4, 1, 2, 3, 0, 5, 6]);
    assert!(plan_for(&turned, &COLUMNS_FIRST, 16).0.is_some());
    let narrow = LinearLayout::new(
        tile.clone(),
        [
            (InDim::Register, &[8][..]),
            (InDim::Lane, &[64, 128, 1, 2, 4]),
        ],
    );
    let memory = row_major(&tile, &COLUMNS_FIRST);
    assert!(ldmatrix_plan(&narrow, &memory, 16).is_some());
    let overlapping = LinearLayout::new(
        tile,
        [
            (InDim::Register, &[4][..]),
            (InDim::Lane, &[64, 128, 1, 2, 4]),
        ],
    );
    assert_eq!(ldmatrix_plan(&overlapping, &memory, 16), None);
}

#[test]
fn whatever_is_planned_loads_the_layout() {
    let strategy = (
        prop::sample::select(vec![8u32, 16, 32]),
        (any::<bool>(), any::<bool>(), any::<bool>()),
        (0u32..=4, 0u32..=2, 0u32..=3),
        prop::collection::vec((0usize..12, 0usize..12), 0..=2),
        prop::option::of((0usize..12, 0u64..1024)),
    );
    let planned = std::cell::Cell::new((0, 0));
    check(
        600,
        &strategy,
        |(bits, (is_a, columns, two_warps), swizzle, swaps, change)| {
            let tile = shape(&[32, 32]);
            let warps = MmaWarps {
                batch: 1,
                m: 1 + u32::from(two_warps),
                n: 1,
            };
            let operand = if is_a { mma_operand_a } else { mma_operand_b };
            let layout = operand(&tile, warps, bits).expect("fits");
            let mut all_bases: Vec<(InDim, u64)> = layout
                .in_bits()
                .each_bit()
                .map(|(dim, _)| dim)
                .zip(layout.columns())
                .collect();
            for (a, b) in swaps {
                let (a, b) = (a % all_bases.len(), b % all_bases.len());
                (all_bases[a].1, all_bases[b].1) = (all_bases[b].1, all_bases[a].1);
            }
            if let Some((index, basis)) = change {
                let index = index % all_bases.len();
                all_bases[index].1 = basis;
            }
            let bases = all_bases.into_iter().map(|(dim, basis)| (dim, [basis]));
            let layout = LinearLayout::new(tile.clone(), bases);
            let order = if columns { COLUMNS_FIRST } else { ROWS_FIRST };
            let swizzle = Swizzle {
                vec: 1 << swizzle.0,
                per_phase: 1 << swizzle.1,
                max_phase: 1 << swizzle.2.min(5 - swizzle.0),
            };
            let memory = swizzled(&tile, &order, swizzle);
            let (plain, transposed) = planned.get();
            if let Some(plan) = ldmatrix_plan(&layout, &memory, bits) {
                assert_loads(&plan, &layout, &memory, bits);
                let is_transposed = u32::from(plan.transposed);
                planned.set((plain + 1 - is_transposed, transposed + is_transposed));
            }
            Ok(())
        },
    );
    let (plain, transposed) = planned.get();
    assert!(
        plain > 50 && transposed > 10,
        "{plain} plain, {transposed} transposed"
    );
}

#[test]
fn the_operand_of_one_product_is_loaded_together() {
    let tile = shape(&[32, 64]);
    let a = mma_operand_a(
        &tile,
        MmaWarps {
            batch: 1,
            m: 1,
            n: 1,
        },
        16,
    )
    .expect("fits");
    let plan = ldmatrix_plan(&a, &row_major(&tile, &COLUMNS_FIRST), 16).expect("K is contiguous");
    // One instruction loads all four matrices of 16 rows and 16 columns into consecutive registers.
    assert_eq!(plan.row_offset.constants[..4], [0, 16, 32, 48]);
    let first = plan.instructions[0].destinations.concat();
    assert_eq!(first, (0..8).map(Register).collect::<Vec<_>>());
}
