//! Locates an element of a tile for messages.
//!
//! Converts the tile's extents and the position of an element in row-major order to the element's
//! index along every axis, which prints as `[i, j]`.

use super::machine::Stop;

/// Returns the index, along every axis of `shape`, of the element at row-major position `linear`.
pub(super) fn position(shape: &[usize], linear: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    let mut rest = linear;
    for (index, &extent) in index.iter_mut().zip(shape).rev() {
        *index = rest % extent;
        rest /= extent;
    }
    index
}

impl Stop {
    /// Adds the element of a tile to a failure, unless the tile has only one.
    pub(super) fn in_element(self, shape: &[usize], linear: usize) -> Self {
        match self {
            Stop::Here(message) if !shape.is_empty() => {
                Stop::Element(position(shape, linear), message)
            }
            stop => stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn every_element_has_a_position_of_its_own() {
        let shape = [2, 4, 8];
        let mut linear = 0;
        for i in 0..2 {
            for j in 0..4 {
                for k in 0..8 {
                    assert_eq!(position(&shape, linear), [i, j, k]);
                    linear += 1;
                }
            }
        }
        assert_eq!(position(&[], 0), [0; 0]);
    }
}
