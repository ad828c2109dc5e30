//! Checks stores of accumulators to swizzle atoms, bank by bank.

use super::super::{Warpgroups, atom_layout, skewed, stmatrix_plan};
use super::*;
use std::collections::BTreeMap;

/// Returns the maximum number of words that one phase of a store of `registers` to `memory` writes to one
/// bank.
fn worst(registers: &LinearLayout, memory: &LinearLayout, bytes: u64) -> usize {
    let plan = vector_plan(registers, memory, 16 / bytes).expect("memory holds the tile");
    let inverse: BTreeMap<u64, u64> = (0..memory.shape().num_elements())
        .map(|offset| {
            let location = Location::offset(u32::try_from(offset).expect("small"));
            (memory.apply_flat(location), offset)
        })
        .collect();
    // A phase is half a warp for 8 bytes per lane, and a quarter of a warp for 16 bytes.
    let phase = (128 / (plan.width_elements * bytes).max(4)).min(32);
    let mut worst = 0;
    for group in &plan.groups {
        for first in (0..32).step_by(usize::try_from(phase).expect("small")) {
            let mut words: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for lane in first..first + u32::try_from(phase).expect("small") {
                for &register in &group.registers {
                    let element = registers.apply_flat(Location::thread(register, lane, 0));
                    let word = inverse[&element] * bytes / 4;
                    let bank = words.entry(word % 32).or_default();
                    if !bank.contains(&word) {
                        bank.push(word);
                    }
                }
            }
            worst = worst.max(words.values().map(Vec::len).max().unwrap_or(0));
        }
    }
    worst
}

#[test]
fn accumulators_go_to_panels_without_bank_conflicts() {
    let mut was_bad = 0;
    for (rows, columns) in [(64, 32), (64, 64), (128, 64), (128, 128), (128, 256)] {
        let tile = shape(&[rows, columns]);
        let groups = Warpgroups::choose(&tile, 4).expect("enough rows");
        let registers = groups.accumulator(&tile);
        for contiguous in [Axis(0), Axis(1)] {
            for bytes in [1, 2, 4] {
                let memory = atom_layout(&tile, contiguous, bytes);
                let bits = u32::try_from(8 * bytes).expect("few");
                if let Some(plan) = stmatrix_plan(&registers, &memory, bits) {
                    assert_eq!((bytes, plan.count), (2, MatrixCount::X4));
                    assert_eq!(plan.transposed, contiguous == Axis(0));
                    continue;
                }
                assert_ne!(bytes, 2, "halves go as matrices");
                let before = worst(&registers, &memory, bytes);
                let better = skewed(&registers, &memory, bits);
                assert_eq!(
                    better.is_some(),
                    before > 1,
                    "{tile:?} {contiguous:?} {bytes}"
                );
                was_bad += usize::from(before > 1);
                let used = better.as_ref().unwrap_or(&registers);
                assert!(used.is_surjective());
                assert_eq!(worst(used, &memory, bytes), 1);
                let way = classify(&registers, used, bits);
                assert!(matches!(
                    way,
                    Some(Conversion::Identity | Conversion::WarpShuffle(_))
                ));
            }
        }
    }
    assert!(was_bad > 0, "nothing was made better");
}

#[test]
fn lanes_with_copies_and_bytes_of_two_words_are_no_matrices_to_store() {
    let tile = shape(&[64, 64]);
    let groups = Warpgroups::choose(&tile, 4).expect("enough rows");
    let registers = groups.accumulator(&tile);
    let memory = atom_layout(&tile, Axis(1), 2);
    assert!(stmatrix_plan(&registers, &memory, 16).is_some());
    let mut lanes = registers.bases(InDim::Lane).to_vec();
    let mut register_bases = registers.bases(InDim::Register).to_vec();
    register_bases.push(std::mem::take(&mut lanes[4]));
    let bases = [
        (InDim::Register, register_bases),
        (InDim::Lane, lanes),
        (InDim::Warp, registers.bases(InDim::Warp).to_vec()),
    ];
    let copied = LinearLayout::new(tile, bases);
    assert!(stmatrix_plan(&copied, &memory, 16).is_none());
}
