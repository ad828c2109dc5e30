use std::collections::BTreeMap;

use super::*;

// The formulas of the PTX ISA, "Matrix Fragments for mma.m16n8k16/k8/k32", in the notation of the ISA: the
// row and column of element `i` of a fragment in a lane.

fn ptx_a(element_bits: u32, lane: u64, i: u64) -> (u64, u64) {
    let (group, thread) = (lane >> 2, lane % 4);
    match element_bits {
        16 => {
            let row = if i < 2 || (4..6).contains(&i) {
                group
            } else {
                group + 8
            };
            let column = thread * 2 + (i & 1) + if i >= 4 { 8 } else { 0 };
            (row, column)
        }
        32 => {
            let row = if i == 0 || i == 2 { group } else { group + 8 };
            let column = if i < 2 { thread } else { thread + 4 };
            (row, column)
        }
        8 => {
            let row = if i < 4 || (8..12).contains(&i) {
                group
            } else {
                group + 8
            };
            let column = thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 };
            (row, column)
        }
        4 => {
            let row = if i < 8 || (16..24).contains(&i) {
                group
            } else {
                group + 8
            };
            let column = thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 };
            (row, column)
        }
        _ => unreachable!("no such instruction"),
    }
}

fn ptx_b(element_bits: u32, lane: u64, i: u64) -> (u64, u64) {
    let (group, thread) = (lane >> 2, lane % 4);
    let row = match element_bits {
        16 => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        32 => thread + if i == 0 { 0 } else { 4 },
        8 => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        4 => thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        _ => unreachable!("no such instruction"),
    };
    (row, group)
}

fn ptx_c(lane: u64, i: u64) -> (u64, u64) {
    let (group, thread) = (lane >> 2, lane % 4);
    (if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1))
}

fn instruction(element_bits: u32) -> MmaInstruction {
    MmaInstruction::for_element_bits(element_bits).expect("it is supported")
}

fn assert_table(layout: &LinearLayout, count: usize, table: impl Fn(u64, u64) -> (u64, u64)) {
    assert_eq!(layout.num_registers(), count);
    assert_eq!(layout.size(InDim::Lane), 32);
    for place in places(layout) {
        let (row, column) = table(u64::from(place.lane), u64::from(place.register));
        assert_eq!(layout.apply(place).as_slice(), [row, column], "{place:?}");
    }
}

#[test]
fn fragments_match_the_tables_of_the_ptx_isa() {
    assert_table(&instruction(16).fragment_c(), 4, ptx_c);
    for (element_bits, a_count, b_count) in [(16, 8, 4), (32, 4, 2), (8, 16, 8), (4, 32, 16)] {
        let instruction = instruction(element_bits);
        assert_table(&instruction.fragment_a(), a_count, |lane, i| {
            ptx_a(element_bits, lane, i)
        });
        assert_table(&instruction.fragment_b(), b_count, |lane, i| {
            ptx_b(element_bits, lane, i)
        });
        // For half of K ("Matrix Fragments for mma.m16n8k4/k8/k16"), the tables are prefixes of these.
        if let Some(half) = instruction.half() {
            assert_eq!(half.k() * 2, instruction.k());
            assert_table(&half.fragment_a(), a_count / 2, |lane, i| {
                ptx_a(element_bits, lane, i)
            });
            assert_table(&half.fragment_b(), b_count / 2, |lane, i| {
                ptx_b(element_bits, lane, i)
            });
        }
    }
}

#[test]
fn operands_of_4_to_64_bits_have_an_instruction() {
    let depths: Vec<_> = [2, 4, 8, 16, 32, 64]
        .map(|bits| MmaInstruction::for_element_bits(bits).map(MmaInstruction::k))
        .into();
    assert_eq!(
        depths,
        [None, Some(64), Some(32), Some(16), Some(8), Some(4)]
    );
}

#[test]
fn the_tile_of_a_warp_follows_its_number() {
    let tile = shape(&[64, 32]);
    let layout = mma_accumulator(
        &tile,
        MmaWarps {
            batch: 1,
            m: 2,
            n: 4,
        },
    )
    .expect("fits");
    for warp in 0..8u32 {
        let coordinates = layout.apply(Location::thread(Register(0), 0, warp));
        let expected = [u64::from(warp % 2) * 32, u64::from(warp / 2) * 8];
        assert_eq!(coordinates.as_slice(), expected);
    }
    assert!(layout.is_surjective() && layout.is_injective());
}

#[test]
fn registers_repeat_along_n_before_m_and_along_k_first() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    let first = |layout: LinearLayout, register| {
        layout
            .apply(Location::thread(Register(register), 0, 0))
            .to_vec()
    };
    let c = mma_accumulator(&shape(&[32, 16]), warps).expect("fits");
    assert_eq!(first(c.clone(), 4), [0, 8]);
    assert_eq!(first(c, 8), [16, 0]);
    let a = mma_operand_a(&shape(&[32, 32]), warps, 16).expect("fits");
    assert_eq!(first(a.clone(), 8), [0, 16]);
    assert_eq!(first(a, 16), [16, 0]);
    let b = mma_operand_b(&shape(&[32, 16]), warps, 16).expect("fits");
    assert_eq!(first(b.clone(), 4), [16, 0]);
    assert_eq!(first(b, 8), [0, 8]);
}

/// Checks every step against the PTX tables in every thread. Also checks that all products are computed, each
/// by exactly the warps that hold the result.
#[expect(
    clippy::many_single_char_names,
    reason = "the names of matrix products"
)]
fn assert_tiling(m: u64, n: u64, k: u64, warps: MmaWarps, element_bits: u32) {
    let instruction = instruction(element_bits);
    let a = mma_operand_a(&shape(&[m, k]), warps, element_bits).expect("fits");
    let b = mma_operand_b(&shape(&[k, n]), warps, element_bits).expect("fits");
    let c = mma_accumulator(&shape(&[m, n]), warps).expect("fits");
    for layout in [&a, &b, &c] {
        assert!(layout.is_surjective(), "{layout}");
        assert_eq!(layout.size(InDim::Warp), warps.m * warps.n);
    }
    assert_steps(instruction, element_bits, &a, &b, &c);
}

#[expect(
    clippy::many_single_char_names,
    reason = "the names of matrix products"
)]
fn assert_steps(
    instruction: MmaInstruction,
    element_bits: u32,
    a: &LinearLayout,
    b: &LinearLayout,
    c: &LinearLayout,
) {
    let tiling = MmaTiling::new(instruction, a, b, c).expect("the layouts belong together");
    assert_eq!(tiling.instruction(), instruction);
    let mut done: BTreeMap<(u64, u64, u64), Vec<u32>> = BTreeMap::new();
    for warp in 0..c.size(InDim::Warp) {
        for step in tiling.steps() {
            let corner = |layout: &LinearLayout, list: &[Register]| {
                layout.apply(Location::thread(list[0], 0, warp)).to_vec()
            };
            let (a0, b0, c0) = (corner(a, &step.a), corner(b, &step.b), corner(c, &step.c));
            assert_eq!((a0[0], a0[1], b0[1]), (c0[0], b0[0], c0[1]), "{step:?}");
            let words = 32 / element_bits as usize;
            assert_eq!(
                (step.a.len(), step.b.len(), step.c.len()),
                (4 * words, 2 * words, 4)
            );
            let assert_fragment =
                |layout: &LinearLayout,
                 list: &[Register],
                 table: &dyn Fn(u64, u64) -> (u64, u64)| {
                    let origin = corner(layout, list);
                    for lane in 0..32 {
                        for (i, &register) in list.iter().enumerate() {
                            let coordinates = layout.apply(Location::thread(register, lane, warp));
                            let (row, column) = table(u64::from(lane), i as u64);
                            assert_eq!(
                                coordinates.as_slice(),
                                [origin[0] + row, origin[1] + column]
                            );
                        }
                    }
                };
            assert_fragment(a, &step.a, &|lane, i| ptx_a(element_bits, lane, i));
            assert_fragment(b, &step.b, &|lane, i| ptx_b(element_bits, lane, i));
            assert_fragment(c, &step.c, &ptx_c);
            done.entry((c0[0], c0[1], a0[1])).or_default().push(warp);
        }
    }
    let (m, n) = (c.shape().size(Axis(0)), c.shape().size(Axis(1)));
    let k = a.shape().size(Axis(1));
    assert_eq!(done.len() as u64, m / 16 * (n / 8) * (k / instruction.k()));
    for (&(row, column, _), warps) in &done {
        let holders: Vec<u32> = (0..c.size(InDim::Warp))
            .filter(|&warp| {
                c.registers().any(|register| {
                    let coordinates = c.apply(Location::thread(register, 0, warp));
                    coordinates.as_slice() == [row, column]
                })
            })
            .collect();
        assert_eq!(warps, &holders);
    }
}

#[test]
fn steps_compute_every_product_once_in_every_holder() {
    for element_bits in [8, 16, 32] {
        let k = instruction(element_bits).k();
        for (wm, wn) in [(1, 1), (2, 2), (4, 1), (1, 4), (2, 4)] {
            let warps = MmaWarps {
                batch: 1,
                m: wm,
                n: wn,
            };
            assert_tiling(64, 64, 2 * k, warps, element_bits);
            assert_tiling(16, 8, k, warps, element_bits);
            assert_tiling(32, 16, 4 * k, warps, element_bits);
        }
    }
}

#[test]
fn steps_are_found_in_layouts_with_permuted_registers() {
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 1,
    };
    let a = mma_operand_a(&shape(&[32, 32]), warps, 16).expect("fits");
    let b = mma_operand_b(&shape(&[32, 16]), warps, 16).expect("fits");
    let c = mma_accumulator(&shape(&[32, 16]), warps).expect("fits");
    let a = a.permute_register_bits(&[3, 2, 1, 0]);
    let b = b.permute_register_bits(&[1, 3, 0, 2]);
    let c = c.permute_register_bits(&[2, 0, 1]);
    assert_steps(instruction(16), 16, &a, &b, &c);
}

#[test]
fn consecutive_steps_have_independent_accumulators() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    let a = mma_operand_a(&shape(&[32, 32]), warps, 16).expect("fits");
    let b = mma_operand_b(&shape(&[32, 16]), warps, 16).expect("fits");
    let c = mma_accumulator(&shape(&[32, 16]), warps).expect("fits");
    let tiling = MmaTiling::new(instruction(16), &a, &b, &c).expect("belong together");
    let order: Vec<_> = tiling.steps().iter().map(|s| (s.k, s.m, s.n)).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(order, sorted);
    assert_eq!(order.len(), 8);
}

#[test]
fn tiles_smaller_than_a_fragment_have_no_layout() {
    let warps = MmaWarps {
        batch: 1,
        m: 1,
        n: 1,
    };
    assert_eq!(mma_accumulator(&shape(&[256]), warps), None);
    assert_eq!(mma_operand_a(&shape(&[16, 8]), warps, 16), None);
    assert_eq!(mma_operand_b(&shape(&[8, 8]), warps, 16), None);
    assert_eq!(mma_operand_a(&shape(&[64, 64]), warps, 2), None);
    assert!(mma_operand_a(&shape(&[16, 8]), warps, 32).is_some());
}

#[test]
fn operands_of_other_warps_lanes_or_shapes_have_no_tiling() {
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 2,
    };
    let a = mma_operand_a(&shape(&[64, 16]), warps, 16).expect("fits");
    let b = mma_operand_b(&shape(&[16, 64]), warps, 16).expect("fits");
    let c = mma_accumulator(&shape(&[64, 64]), warps).expect("fits");
    let tiling = |a: &LinearLayout, b: &LinearLayout, c: &LinearLayout| {
        MmaTiling::new(instruction(16), a, b, c)
    };
    assert!(tiling(&a, &b, &c).is_some());
    let tall = MmaWarps {
        batch: 1,
        m: 4,
        n: 1,
    };
    let other = mma_accumulator(&shape(&[64, 64]), tall).expect("fits");
    assert_eq!(tiling(&a, &b, &other), None);
    let blocked = coalesced(&shape(&[64, 16]), 16, 8, 4, &COLUMNS_FIRST);
    assert_eq!(tiling(&blocked, &b, &c), None);
    let deep = mma_operand_a(&shape(&[64, 32]), warps, 16).expect("fits");
    assert_eq!(tiling(&deep, &b, &c), None);
    let tf32 = mma_operand_a(&shape(&[64, 16]), warps, 32).expect("fits");
    assert_eq!(tiling(&tf32, &b, &c), None);
}

#[test]
fn fragments_with_other_lanes_or_inner_warps_have_no_tiling() {
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 1,
    };
    let a = mma_operand_a(&shape(&[32, 16]), warps, 16).expect("fits");
    let b = mma_operand_b(&shape(&[16, 8]), warps, 16).expect("fits");
    let c = mma_accumulator(&shape(&[32, 8]), warps).expect("fits");
    let with = |layout: &LinearLayout, dim, bases: &[u64]| {
        let lists = InDim::ALL.map(|d| {
            let list = if d == dim { bases } else { layout.bases(d) };
            (d, list.to_vec())
        });
        LinearLayout::new(layout.shape().clone(), lists)
    };
    let tiling = |a: &LinearLayout, c: &LinearLayout| MmaTiling::new(instruction(16), a, &b, c);
    assert!(tiling(&a, &c).is_some());
    let mut lanes = c.bases(InDim::Lane).to_vec();
    lanes.swap(0, 1);
    assert_eq!(tiling(&a, &with(&c, InDim::Lane, &lanes)), None);
    // The second warp starts at row 24, in the middle of the fragment of rows 16 to 31.
    let inner_a = with(&a, InDim::Warp, &[24 * 16]);
    let inner_c = with(&c, InDim::Warp, &[24 * 8]);
    assert_eq!(tiling(&inner_a, &inner_c), None);
    // Both warps hold the first rows of A, but different rows of C.
    assert_eq!(tiling(&with(&a, InDim::Warp, &[0]), &c), None);
}
