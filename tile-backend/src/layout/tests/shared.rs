use std::collections::BTreeSet;

use super::*;

#[test]
fn row_major_offsets_count_along_the_order() {
    let tile = shape(&[4, 8]);
    for offset in 0..32u32 {
        let location = Location::offset(offset);
        let (slow, fast) = (u64::from(offset) / 8, u64::from(offset) % 8);
        let rows = row_major(&tile, &COLUMNS_FIRST).apply(location);
        assert_eq!(rows.as_slice(), [slow, fast]);
        let (slow, fast) = (u64::from(offset) / 4, u64::from(offset) % 4);
        let columns = row_major(&tile, &ROWS_FIRST).apply(location);
        assert_eq!(columns.as_slice(), [fast, slow]);
    }
}

#[test]
fn swizzle_moves_each_rows_vectors_by_its_phase() {
    for (vec, per_phase, max_phase) in [(1, 1, 1), (2, 1, 4), (4, 2, 4), (8, 4, 2), (1, 1, 16)] {
        let swizzle = Swizzle {
            vec,
            per_phase,
            max_phase,
        };
        let layout = swizzled(&shape(&[16, 16]), &COLUMNS_FIRST, swizzle);
        for offset in 0..256u32 {
            let (row, position) = (u64::from(offset) / 16, u64::from(offset) % 16);
            let vector = (position / vec) ^ (row / per_phase % max_phase);
            let expected = [row, vector * vec + position % vec];
            assert_eq!(layout.apply(Location::offset(offset)).as_slice(), expected);
        }
        assert!(layout.is_surjective() && layout.is_injective());
    }
}

/// Returns the number of passes that `words` need: the maximum number of distinct words in one bank.
fn passes(words: impl Iterator<Item = u64>) -> usize {
    let words: BTreeSet<u64> = words.collect();
    (0..32)
        .map(|bank| words.iter().filter(|word| *word % 32 == bank).count())
        .max()
        .unwrap_or(0)
}

#[test]
fn standard_swizzle_reads_eight_neighbouring_rows_of_16_bytes_without_conflict() {
    for element_bits in [8u32, 16, 32] {
        let vec = u64::from(128 / element_bits);
        for vectors in [1, 2, 4, 8, 16] {
            let tile = shape(&[32, vectors * vec]);
            let memory = swizzled_for(&tile, &COLUMNS_FIRST, element_bits);
            let inverse = memory.invert();
            for (first_row, vector) in (0..32)
                .step_by(8)
                .flat_map(|r| (0..vectors).map(move |v| (r, v)))
            {
                let words = (first_row..first_row + 8).flat_map(|row| {
                    let flat = tile.flatten(&[row, vector * vec]);
                    let place = inverse.apply_flat(flat).expect("the memory has the tile");
                    let word = u64::from(place.offset) * u64::from(element_bits) / 32;
                    assert_eq!(word % 4, 0, "a vector is aligned");
                    word..word + 4
                });
                assert_eq!(passes(words), 1, "{element_bits} bits, {vectors} vectors");
            }
        }
    }
}

#[test]
fn standard_swizzle_keeps_16_bytes_together() {
    let memory = swizzled_for(&shape(&[64, 64]), &COLUMNS_FIRST, 16);
    assert_eq!(memory.bases(InDim::Offset)[..3], [1, 2, 4]);
    assert_ne!(memory, row_major(&shape(&[64, 64]), &COLUMNS_FIRST));
}

#[test]
fn tiles_of_one_axis_are_not_swizzled() {
    let tile = shape(&[256]);
    assert_eq!(
        swizzled_for(&tile, &[Axis(0)], 16),
        row_major(&tile, &[Axis(0)])
    );
}
