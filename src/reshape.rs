//! The strides of a view with another shape.
//!
//! The rule is that of `NumPy`: axes are taken from both shapes, from the first on, until both groups
//! have the same number of elements. The axes of a group of the old shape must continue each other
//! without a gap; those of the new shape then divide them.

/// Returns the strides of the same elements, in the same order, with the shape `to`; `None` if no
/// strides have this effect. Both shapes have the same number of elements.
pub(crate) fn reshaped_strides(
    shape: &[usize],
    strides: &[usize],
    to: &[usize],
) -> Option<Vec<usize>> {
    let mut result = vec![1; to.len()];
    if to.contains(&0) {
        for axis in (1..to.len()).rev() {
            result[axis - 1] = result[axis] * to[axis].max(1);
        }
        return Some(result);
    }
    let old: Vec<(usize, usize)> = shape
        .iter()
        .copied()
        .zip(strides.iter().copied())
        .filter(|&(extent, _)| extent != 1)
        .collect();
    let (mut from_start, mut to_start) = (0, 0);
    while from_start < old.len() {
        let (mut from_end, mut to_end) = (from_start + 1, to_start + 1);
        let (mut from_len, mut to_len) = (old[from_start].0, to[to_start]);
        while from_len != to_len {
            if to_len < from_len {
                to_len *= to[to_end];
                to_end += 1;
            } else {
                from_len *= old[from_end].0;
                from_end += 1;
            }
        }
        let group = &old[from_start..from_end];
        let continues = |pair: &[(usize, usize)]| pair[0].1 == pair[1].0 * pair[1].1;
        if !group.windows(2).all(continues) {
            return None;
        }
        result[to_end - 1] = group[group.len() - 1].1;
        for axis in (to_start + 1..to_end).rev() {
            result[axis - 1] = result[axis] * to[axis];
        }
        (from_start, to_start) = (from_end, to_end);
    }
    // Axes of one element follow.
    if to_start > 0 {
        let last = result[to_start - 1];
        result[to_start..].fill(last);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::reshaped_strides;

    /// Lists the elements in order of the indices.
    fn elements(shape: &[usize], strides: &[usize]) -> Vec<usize> {
        let mut places = vec![0];
        for (&extent, &stride) in shape.iter().zip(strides) {
            places = places
                .iter()
                .flat_map(|place| (0..extent).map(move |index| place + index * stride))
                .collect();
        }
        places
    }

    /// Returns a random shape of `len` elements.
    fn shape_of(random: &mut fastrand::Rng, mut len: usize) -> Vec<usize> {
        let mut shape = Vec::new();
        while len > 1 {
            let factors: Vec<usize> = (2..=len)
                .filter(|factor| len.is_multiple_of(*factor))
                .collect();
            let factor = factors[random.usize(0..factors.len())];
            shape.push(factor);
            len /= factor;
        }
        while shape.is_empty() || (shape.len() < 6 && random.usize(0..3) == 0) {
            shape.insert(random.usize(0..=shape.len()), 1);
        }
        random.shuffle(&mut shape);
        shape
    }

    /// Returns `true` if the elements are at `base + i * stride[0] + ..` for some strides.
    fn is_strided(elements: &[usize], shape: &[usize]) -> bool {
        let mut strides = vec![0; shape.len()];
        let mut below = 1;
        for axis in (0..shape.len()).rev() {
            if shape[axis] > 1 {
                let Some(stride) = elements[below].checked_sub(elements[0]) else {
                    return false;
                };
                strides[axis] = stride;
            }
            below *= shape[axis];
        }
        super::tests::elements(shape, &strides)
            .iter()
            .zip(elements)
            .all(|(place, element)| place + elements[0] == *element)
    }

    #[test]
    fn a_reshape_is_a_view_exactly_where_strides_allow_it() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut counts = [0; 2];
        for _ in 0..20_000 {
            let len = [1, 2, 6, 8, 12, 24, 30, 36][random.usize(0..8)];
            let (shape, to) = (shape_of(&mut random, len), shape_of(&mut random, len));
            let mut strides = vec![1; shape.len()];
            for axis in (1..shape.len()).rev() {
                strides[axis - 1] = strides[axis] * shape[axis];
            }
            match random.usize(0..4) {
                0 => random.shuffle(&mut strides),
                1 => strides.iter_mut().for_each(|stride| *stride *= 3),
                2 => strides[0] += random.usize(0..3),
                _ => strides
                    .iter_mut()
                    .for_each(|stride| *stride *= random.usize(0..2)),
            }
            let before = elements(&shape, &strides);
            let reshaped = reshaped_strides(&shape, &strides, &to);
            assert_eq!(
                reshaped.is_some(),
                is_strided(&before, &to),
                "{shape:?} {strides:?} {to:?}"
            );
            counts[usize::from(reshaped.is_some())] += 1;
            if let Some(reshaped) = reshaped {
                assert_eq!(elements(&to, &reshaped), before);
            }
        }
        assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
    }

    #[test]
    fn a_packed_axis_of_a_strided_view_is_split() {
        // Four columns of a matrix of rows of 10 elements.
        let split = reshaped_strides(&[3, 4], &[10, 1], &[3, 2, 2]);
        assert_eq!(split, Some(vec![10, 2, 1]));
        assert_eq!(reshaped_strides(&[3, 4], &[10, 1], &[12]), None);
        // One column.
        assert_eq!(
            reshaped_strides(&[6, 1], &[10, 1], &[2, 3]),
            Some(vec![30, 10])
        );
        assert_eq!(
            reshaped_strides(&[0, 4], &[4, 1], &[3, 0]),
            Some(vec![1, 1])
        );
    }
}
