//! Checks boxes against the definitions of the PTX ISA: element by element, chunk by chunk.

use super::super::boxes::{BoxSwizzle, Boxes, atom_layout};
use super::super::{Axis, InDim, LinearLayout, Location, OutShape, Swizzle, row_major, swizzled};

/// Returns the writes of the copies of `boxes`: pairs of a byte offset and the coordinates of the element
/// there.
fn written(boxes: &Boxes, rank: usize, element_bytes: u64) -> Vec<(u64, Vec<u64>)> {
    let mut offsets = Vec::new();
    for (start, first) in &boxes.starts {
        let elements: u64 = boxes.axes.iter().map(|(_, length)| length).product();
        for number in 0..elements {
            let (mut left, mut coordinates) = (number, vec![0; rank]);
            for &(axis, length) in &boxes.axes {
                coordinates[axis.0] = first[axis.0] + left % length;
                left /= length;
            }
            // PTX ISA, "Swizzling modes": the 16-byte chunks of each line of 128 bytes are permuted by the
            // line number.
            let byte = start + number * element_bytes;
            let (line, chunk, within) = (byte / 128, byte / 16 % 8, byte % 16);
            let chunk = match boxes.swizzle {
                BoxSwizzle::None => chunk,
                BoxSwizzle::Bytes32 => chunk ^ (line % 2),
                BoxSwizzle::Bytes64 => chunk ^ (line % 4),
                BoxSwizzle::Bytes128 => chunk ^ (line % 8),
            };
            offsets.push((line * 128 + chunk * 16 + within, coordinates));
        }
    }
    offsets
}

#[track_caller]
fn fills(memory: &LinearLayout, contiguous: Axis, element_bytes: u64) -> Boxes {
    let boxes = Boxes::from_layout(memory, contiguous, element_bytes).expect("there are boxes");
    let written = written(&boxes, memory.shape().rank(), element_bytes);
    assert_eq!(written.len() as u64, memory.shape().num_elements());
    for (byte, coordinates) in written {
        assert_eq!(byte % element_bytes, 0);
        let offset = u32::try_from(byte / element_bytes).expect("small");
        let held = memory.apply(Location {
            offset,
            ..Location::default()
        });
        assert_eq!(held.as_slice(), coordinates, "at byte {byte}");
    }
    boxes
}

fn shape(sizes: &[u64]) -> OutShape {
    OutShape::new(sizes).expect("powers of two")
}

#[test]
fn panels_are_filled_by_boxes() {
    let mut seen = Vec::new();
    for bytes in [1, 2, 4, 8] {
        for rows in [1, 2, 8, 64, 256] {
            for columns in [8, 16, 32, 64, 128, 256] {
                let two = shape(&[rows, columns]);
                for contiguous in [Axis(0), Axis(1)] {
                    let wide = two.size(contiguous) * bytes >= 16;
                    let large = two.num_elements() * bytes >= 128;
                    if !wide || !large {
                        continue;
                    }
                    let memory = atom_layout(&two, contiguous, bytes);
                    let boxes = Boxes::from_layout(&memory, contiguous, bytes);
                    if boxes.is_none() {
                        // The tile has more swizzle atoms than the maximum number of boxes.
                        assert!(
                            two.size(contiguous) * bytes > 16 * 128
                                || rows == 1
                                || columns * rows > 1 << 14
                        );
                        continue;
                    }
                    seen.push(fills(&memory, contiguous, bytes).swizzle);
                }
            }
        }
    }
    for swizzle in BoxSwizzle::ALL {
        assert!(seen.contains(&swizzle), "{swizzle:?}");
    }
}

#[test]
fn a_batch_of_matrices_is_one_box_or_some() {
    let three = shape(&[4, 32, 128]);
    let boxes = fills(&atom_layout(&three, Axis(2), 2), Axis(2), 2);
    assert_eq!(
        (boxes.starts.len(), boxes.swizzle),
        (2, BoxSwizzle::Bytes128)
    );
    assert_eq!(boxes.axes, [(Axis(2), 64), (Axis(1), 32), (Axis(0), 4)]);
    let boxes = fills(&row_major(&three, &three.row_major_order()), Axis(2), 2);
    assert_eq!((boxes.starts.len(), boxes.swizzle), (1, BoxSwizzle::None));
}

#[test]
fn what_ldmatrix_likes_is_a_box_where_a_row_is_as_wide_as_the_permutation() {
    let swizzled_layout = |columns: u64, per_phase, max_phase| {
        let swizzle = Swizzle {
            vec: 8,
            per_phase,
            max_phase,
        };
        let two = shape(&[64, columns]);
        swizzled(&two, &[Axis(1), Axis(0)], swizzle)
    };
    for (columns, per_phase, max_phase, expected) in [
        (64, 1, 8, BoxSwizzle::Bytes128),
        (32, 2, 4, BoxSwizzle::Bytes64),
        (16, 4, 2, BoxSwizzle::Bytes32),
    ] {
        let boxes = fills(&swizzled_layout(columns, per_phase, max_phase), Axis(1), 2);
        assert_eq!((boxes.starts.len(), boxes.swizzle), (1, expected));
    }
    // The low and high halves of rows of 256 bytes are permuted separately.
    assert_eq!(
        Boxes::from_layout(&swizzled_layout(128, 1, 8), Axis(1), 2),
        None
    );
    // Elements along a column are not adjacent in memory.
    assert_eq!(
        Boxes::from_layout(&swizzled_layout(64, 1, 8), Axis(0), 2),
        None
    );
}

#[test]
fn rows_are_16_bytes_at_least_and_boxes_aligned() {
    let two = shape(&[64, 4]);
    let plain = row_major(&two, &[Axis(1), Axis(0)]);
    assert_eq!(Boxes::from_layout(&plain, Axis(1), 2), None);
    assert!(Boxes::from_layout(&plain, Axis(1), 4).is_some());
    let few = shape(&[4, 8]);
    let few = row_major(&few, &[Axis(1), Axis(0)]);
    assert_eq!(Boxes::from_layout(&few, Axis(1), 2), None);
    let line = shape(&[1024]);
    let line = row_major(&line, &[Axis(0)]);
    assert_eq!(fills(&line, Axis(0), 4).starts.len(), 4);
    assert_eq!(line.bases(InDim::Offset).len(), 10);
}
