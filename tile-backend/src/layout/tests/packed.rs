//! Tests layouts in which a thread holds runs of adjacent elements in its registers.

use super::*;

/// Returns the elements of each thread, register by register.
fn threads(layout: &LinearLayout) -> Vec<Vec<u64>> {
    let (lanes, warps) = (layout.size(InDim::Lane), layout.size(InDim::Warp));
    let threads = (0..warps).flat_map(|warp| (0..lanes).map(move |lane| (lane, warp)));
    threads
        .map(|(lane, warp)| {
            let registers = layout.registers();
            registers
                .map(|register| layout.apply_flat(Location::thread(register, lane, warp)))
                .collect()
        })
        .collect()
}

fn cases() -> impl Strategy<Value = (LinearLayout, u32)> {
    any_layout().prop_flat_map(|layout| {
        let most = layout.shape().total_bits();
        (Just(layout), 0..=most.min(4))
    })
}

#[test]
fn a_thread_holds_runs_and_the_tile_is_whole() {
    check(2000, &cases(), |(layout, log2)| {
        let packed = packed(&layout, log2);
        prop_assert!(is_packed(&packed, log2));
        let run = 1_usize << log2;
        for elements in threads(&packed) {
            for group in elements.chunks(run) {
                prop_assert!(group[0].is_multiple_of(run as u64));
                prop_assert!(group.windows(2).all(|pair| pair[1] == pair[0] + 1));
            }
        }
        if layout.is_surjective() {
            prop_assert!(packed.is_surjective());
        }
        for dim in [InDim::Lane, InDim::Warp, InDim::Block] {
            prop_assert_eq!(layout.size(dim), packed.size(dim));
        }
        Ok(())
    });
}

#[test]
fn nothing_moves_and_nothing_is_copied_without_need() {
    // Adjacent elements are in registers already, though not in the first two: registers are only permuted.
    let shape = shape(&[256]);
    let original = LinearLayout::new(
        shape.clone(),
        [
            (InDim::Register, vec![128, 1]),
            (InDim::Lane, vec![2, 4, 8, 16, 32]),
            (InDim::Warp, vec![64]),
        ],
    );
    let swapped = packed(&original, 1);
    assert!(original.is_equivalent(&swapped));
    assert_eq!(swapped.bases(InDim::Register), [1, 128]);
    // Adjacent elements are in different lanes: registers and lanes exchange bases.
    let apart = LinearLayout::new(
        shape,
        [
            (InDim::Register, vec![64, 128]),
            (InDim::Lane, vec![1, 2, 4, 8, 16]),
            (InDim::Warp, vec![32]),
        ],
    );
    let together = packed(&apart, 2);
    assert_eq!(together.bases(InDim::Register), [1, 2]);
    assert_eq!(together.bases(InDim::Warp), [32]);
    assert!(together.is_injective() && together.is_surjective());
}

#[test]
fn threads_that_begin_in_the_middle_of_a_run_have_none() {
    // The second lane holds adjacent elements in reverse order.
    let turned = LinearLayout::new(
        shape(&[8]),
        [(InDim::Register, vec![1, 4]), (InDim::Lane, vec![3])],
    );
    assert!(!is_packed(&turned, 1));
    assert_eq!(packed(&turned, 1).bases(InDim::Lane), [2]);
}
