//! Generates a swizzled layout of shared memory for one layout conversion.
//!
//! In: the layout in which a tile is written and the layout in which it is read. Out: a swizzled order of the
//! elements in memory, without bank conflicts on either side where that is possible.
//!
//! An offset in memory has three groups of bits. Each bit selects a basis vector of the tile:
//!
//! ```text
//!   offset   vector | bank | line        vector: what one access of a thread takes
//! ```
//!
//! Lanes that are served together conflict if they differ by a vector in the span of the line bits and the
//! vector bits: they then access the same banks in different lines. The vectors of the line bits are
//! therefore chosen outside the spans of the lanes of both sides. Over F2, two subspaces of equal dimension
//! have a common complement. It is spanned by vectors outside both, and by sums of a vector in only the first
//! and a vector in only the second. These sums are the swizzle.

use super::access::vector_plan;
use super::convert::{access_passes, max_elements};
use super::f2::{self, Span};
use super::linear::LinearLayout;
use super::place::InDim;
use super::shared::BANK_LINE_BYTES;

/// Returns the memory layout that needs the fewest passes for a tile written as `from` and read as `to`,
/// among the layouts that this module constructs. `None` if the tile shapes differ.
pub fn generated_exchange(
    from: &LinearLayout,
    to: &LinearLayout,
    element_bits: u32,
) -> Option<LinearLayout> {
    if from.shape() != to.shape() {
        return None;
    }
    let widest = max_elements(element_bits).ilog2() as usize;
    let register_bases = |layout: &LinearLayout| layout.bases(InDim::Register).to_vec();
    let (write, read) = (register_bases(from), register_bases(to));
    let shared = |list: &[u64], other: &[u64]| -> Vec<u64> {
        let span = Span::from_vectors(other.iter().copied());
        let kept = list.iter().copied();
        kept.filter(|&basis| basis != 0 && span.contains(basis))
            .collect()
    };
    // Basis vectors that both sides hold in registers come first, then those of one side.
    let starts = [
        (shared(&write, &read), Vec::new()),
        (shared(&write, &read), write.clone()),
        (shared(&read, &write), read.clone()),
    ];
    let candidates = starts.into_iter().map(|(both, one)| {
        let mut vector = Vec::new();
        let mut span = Span::default();
        for basis in both.into_iter().chain(one) {
            if vector.len() < widest && span.insert(basis, 0).is_none() {
                vector.push(basis);
            }
        }
        arranged(from, to, &vector, element_bits)
    });
    candidates
        .flatten()
        .filter_map(|memory| {
            let cost = |side| {
                let passes = access_passes(side, &memory, element_bits)?;
                let plan = vector_plan(side, &memory, max_elements(element_bits))?;
                Some((passes, plan.groups.len()))
            };
            let (write, read) = (cost(from)?, cost(to)?);
            Some(((write.0 + read.0, write.1 + read.1), memory))
        })
        .min_by_key(|(cost, _)| *cost)
        .map(|(_, memory)| memory)
}

/// Returns the layout whose vector bits select the basis `vector`. `None` if the bases found do not span the
/// tile.
fn arranged(
    from: &LinearLayout,
    to: &LinearLayout,
    vector: &[u64],
    element_bits: u32,
) -> Option<LinearLayout> {
    let total = from.shape().total_bits() as usize;
    let line = u64::from(BANK_LINE_BYTES * 8 / element_bits).max(1).ilog2() as usize;
    let lines = total.saturating_sub(line.max(vector.len()));
    let modulo = Span::from_vectors(vector.iter().copied());
    let together = |side: &LinearLayout| lanes_together(side, &modulo, element_bits);
    let (write, read) = (together(from), together(to));
    let lines = outside(&modulo, &write, &read, total, lines);

    let mut basis = vector.to_vec();
    let mut span = Span::from_vectors(basis.iter().chain(&lines).copied());
    let units = (0..total).map(|bit| 1 << bit);
    for bank in write.into_iter().chain(read).chain(units) {
        if span.insert(bank, 0).is_none() {
            basis.push(bank);
        }
    }
    basis.extend(lines);
    (basis.len() == total)
        .then(|| LinearLayout::new(from.shape().clone(), [(InDim::Offset, basis)]))
}

/// Returns the basis vectors between lanes that are served together, if each lane accesses the widest vector
/// that it holds.
fn lanes_together(side: &LinearLayout, vector: &Span, element_bits: u32) -> Vec<u64> {
    let register_span = Span::from_vectors(side.bases(InDim::Register).iter().copied());
    let taken = vector
        .basis()
        .filter(|&basis| register_span.contains(basis))
        .count();
    let bytes = ((u64::from(element_bits) << taken) / 8).max(4);
    let phase = (u64::from(BANK_LINE_BYTES) / bytes).ilog2() as usize;
    let lanes = side.bases(InDim::Lane);
    lanes[..lanes.len().min(phase)].to_vec()
}

/// Returns `count` vectors that are independent of `modulo`. Modulo that span, their span avoids the spans of
/// `first` and `second` as far as possible.
fn outside(modulo: &Span, first: &[u64], second: &[u64], total: usize, count: usize) -> Vec<u64> {
    let with = |lists: &[&[u64]]| {
        let mut span = modulo.clone();
        for &vector in lists.iter().copied().flatten() {
            span.insert(vector, 0);
        }
        span
    };
    let (in_first, in_second, mut spanned) =
        (with(&[first]), with(&[second]), with(&[first, second]));
    let mut vectors = Vec::new();
    // Try high bits first: they number the rows of most tiles.
    for unit in (0..total).rev().map(|bit| 1 << bit) {
        if spanned.insert(unit, 0).is_none() {
            vectors.push(unit);
        }
    }
    // Vectors of one side that are independent of the other side.
    let alone = |list: &[u64], other: &Span| {
        let mut span = other.clone();
        let fresh = list.iter().copied();
        fresh
            .filter(|&vector| span.insert(vector, 0).is_none())
            .collect::<Vec<u64>>()
    };
    let only_first = alone(first, &in_second);
    let only_second = alone(second, &in_first);
    vectors.extend(only_first.iter().zip(&only_second).map(|(a, b)| a ^ b));
    // If vectors are still missing, the remaining ones are in the spans of both sides, or one side has more
    // lanes than a line has banks. Conflicts are then inevitable.
    let mut span = with(&[&vectors]);
    for unit in (0..total).rev().map(|bit| 1 << bit) {
        if vectors.len() >= count {
            break;
        }
        if span.insert(unit, 0).is_none() {
            vectors.push(unit);
        }
    }
    vectors.truncate(count);
    debug_assert_eq!(f2::rank(&vectors), vectors.len(), "lines are independent");
    vectors
}
