//! Linear algebra over F2 on vectors of at most 64 bits.
//!
//! A vector is a `u64`, addition is XOR, and a matrix is the list of its columns: column `i` is the image of
//! input bit `i`. All algorithms on layouts reduce to elimination on such lists.
//!
//! Invariants:
//! - at most 64 columns, so that a set of columns is a `u64` as well
//! - elimination takes columns in order, so a dependent column is always one that depends on columns *before*
//!   it; "free" bits are the positions of dependent columns

/// A subspace in reduced echelon form, with the combination of inserted vectors that yields each row.
///
/// Each row's highest set bit occurs in no other row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    value: u64,
    /// The set of inserted vectors whose XOR is `value`.
    combination: u64,
}

/// Returns the highest set bit of a nonzero vector, as a vector.
fn leading_bit(value: u64) -> u64 {
    debug_assert!(value != 0, "the zero vector has no leading bit");
    1 << value.ilog2()
}

impl Span {
    /// Returns the subspace spanned by `vectors`.
    pub fn from_vectors(vectors: impl IntoIterator<Item = u64>) -> Self {
        let mut span = Self::default();
        for vector in vectors {
            span.insert(vector, 0);
        }
        span
    }

    /// Returns the dimension of the subspace.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if `vector` is in the subspace.
    pub fn contains(&self, vector: u64) -> bool {
        self.reduce(vector).0 == 0
    }

    /// Returns the reduced basis, highest leading bit first. Equal subspaces have equal bases.
    pub fn basis(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().map(|row| row.value)
    }

    /// Returns `vector` minus its part in the subspace (the smallest member of its coset), and the
    /// combination of inserted vectors that was subtracted.
    pub fn reduce(&self, vector: u64) -> (u64, u64) {
        let mut residue = vector;
        let mut combination = 0;
        for row in &self.rows {
            if residue & leading_bit(row.value) != 0 {
                residue ^= row.value;
                combination ^= row.combination;
            }
        }
        (residue, combination)
    }

    /// Adds `vector`, the XOR of `combination`. If `vector` is already in the subspace, nothing changes and
    /// the dependency (a combination whose XOR is zero) is returned.
    pub fn insert(&mut self, vector: u64, combination: u64) -> Option<u64> {
        let (value, subtracted) = self.reduce(vector);
        let combination = combination ^ subtracted;
        if value == 0 {
            return Some(combination);
        }
        let leading = leading_bit(value);
        for row in &mut self.rows {
            if row.value & leading != 0 {
                row.value ^= value;
                row.combination ^= combination;
            }
        }
        let index = self.rows.partition_point(|row| row.value > value);
        self.rows.insert(index, Row { value, combination });
        None
    }
}

/// Returns the number of independent vectors among `vectors`.
pub fn rank(vectors: &[u64]) -> usize {
    Span::from_vectors(vectors.iter().copied()).rank()
}

/// Returns the image of `x`: the XOR of the columns at its set bits.
pub fn apply(columns: &[u64], x: u64) -> u64 {
    debug_assert!(
        columns.len() == 64 || x >> columns.len() == 0,
        "input has more bits than the matrix has columns"
    );
    columns
        .iter()
        .enumerate()
        .filter(|(bit, _)| x >> bit & 1 == 1)
        .fold(0, |sum, (_, column)| sum ^ column)
}

/// Returns the matrix of `outer` after `inner`.
pub fn compose(outer: &[u64], inner: &[u64]) -> Vec<u64> {
    inner.iter().map(|&column| apply(outer, column)).collect()
}

/// Computes preimages under one matrix.
#[derive(Clone, Debug)]
pub struct Solver {
    image: Span,
    kernel: Vec<u64>,
}

impl Solver {
    /// Eliminates `columns`.
    pub fn new(columns: &[u64]) -> Self {
        assert!(columns.len() <= 64, "a matrix has at most 64 columns");
        let mut image = Span::default();
        let kernel = columns
            .iter()
            .enumerate()
            .filter_map(|(bit, &column)| image.insert(column, 1 << bit))
            .collect();
        Self { image, kernel }
    }

    /// Returns the image of the matrix.
    pub fn image(&self) -> &Span {
        &self.image
    }

    /// Returns a basis of the vectors that are mapped to zero. The highest bit of each basis vector occurs in
    /// no other: it is the dependent column, and the other bits are the columns whose XOR it equals.
    pub fn kernel(&self) -> &[u64] {
        &self.kernel
    }

    /// Returns the dependent columns, as a mask. Inputs with these bits zero reach each element of the image
    /// once.
    pub fn free_mask(&self) -> u64 {
        self.kernel
            .iter()
            .fold(0, |mask, &vector| mask | leading_bit(vector))
    }

    /// Returns the smallest input that is mapped to `target`, or `None` if `target` is outside the image.
    pub fn solve(&self, target: u64) -> Option<u64> {
        let (residue, combination) = self.image.reduce(target);
        (residue == 0).then_some(combination)
    }

    /// Returns the input `x` that is mapped to `target` and has the smallest `x ^ near`, that is, the one
    /// that agrees with `near` on the highest bits.
    pub fn solve_near(&self, target: u64, near: u64) -> Option<u64> {
        let difference = self.solve(target)? ^ near;
        let smallest = self.kernel.iter().fold(difference, |rest, &vector| {
            if rest & leading_bit(vector) == 0 {
                rest
            } else {
                rest ^ vector
            }
        });
        Some(smallest ^ near)
    }
}
