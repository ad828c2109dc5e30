//! Vector clocks. A clock describes the operations that are ordered before a point of a launch, as
//! a position along each chain.
//!
//! A clock is a persistent map from chains to positions, implemented as a Patricia trie (Okasaki
//! and Gill, "Fast Mergeable Integer Maps"). A clock shares most of its nodes with the clock that
//! it was derived from. A join skips shared nodes, so its cost is proportional to the difference.

use std::sync::Arc;

/// The position along each chain, which is 0 for a chain that is not in the map.
#[derive(Clone, Debug, Default)]
pub(in crate::interp) struct Clock {
    root: Option<Arc<Node>>,
    /// The chain of the operation for which the clock was made; the next operation usually extends
    /// it.
    pub(super) latest: u32,
}

#[derive(Debug)]
enum Node {
    Leaf {
        chain: u32,
        position: u32,
    },
    Branch {
        /// The bits above `bit`, equal in every chain of the subtree.
        prefix: u32,
        /// A mask of the highest bit in which the two halves differ.
        bit: u32,
        zero: Arc<Node>,
        one: Arc<Node>,
    },
}

/// Returns the bits above `bit`.
fn above(chain: u32, bit: u32) -> u32 {
    chain & !(bit | (bit - 1))
}

impl Clock {
    /// Returns the position along a chain.
    pub(super) fn get(&self, chain: u32) -> u32 {
        let mut node = self.root.as_deref();
        while let Some(current) = node {
            match current {
                Node::Leaf {
                    chain: leaf_chain,
                    position,
                } => return if *leaf_chain == chain { *position } else { 0 },
                Node::Branch {
                    prefix,
                    bit,
                    zero,
                    one,
                } => {
                    if above(chain, *bit) != *prefix {
                        return 0;
                    }
                    node = Some(if chain & bit == 0 { zero } else { one });
                }
            }
        }
        0
    }

    /// Returns the clock with `chain` advanced to `position`.
    pub(super) fn at(&self, chain: u32, position: u32) -> Self {
        let leaf = Arc::new(Node::Leaf { chain, position });
        let root = match &self.root {
            None => leaf,
            Some(root) => join(root, &leaf),
        };
        Self {
            root: Some(root),
            latest: chain,
        }
    }

    /// Advances every chain to its position in `other` if that position is greater.
    pub(in crate::interp) fn join(&mut self, other: &Self) {
        match (&self.root, &other.root) {
            (_, None) => {}
            (None, Some(_)) => *self = other.clone(),
            (Some(mine), Some(theirs)) => self.root = Some(join(mine, theirs)),
        }
    }
}

/// Returns the map with the greater position of every chain. Returns `a` or `b` itself if the other
/// one adds nothing.
fn join(a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
    if Arc::ptr_eq(a, b) {
        return Arc::clone(a);
    }
    let (a_key, a_bit) = a.key();
    let (b_key, b_bit) = b.key();
    if a_bit == b_bit && a_key == b_key {
        return match (&**a, &**b) {
            (Node::Leaf { position: mine, .. }, Node::Leaf { position, .. }) => {
                Arc::clone(if mine >= position { a } else { b })
            }
            (
                Node::Branch { zero, one, .. },
                Node::Branch {
                    zero: b_zero,
                    one: b_one,
                    ..
                },
            ) => {
                let (left, right) = (join(zero, b_zero), join(one, b_one));
                if Arc::ptr_eq(&left, zero) && Arc::ptr_eq(&right, one) {
                    Arc::clone(a)
                } else if Arc::ptr_eq(&left, b_zero) && Arc::ptr_eq(&right, b_one) {
                    Arc::clone(b)
                } else {
                    branch(a_key, a_bit, left, right)
                }
            }
            _ => unreachable!("a leaf has no bit"),
        };
    }
    if a_bit > b_bit && above(b_key, a_bit) == a_key {
        return under(a, b, b_key);
    }
    if b_bit > a_bit && above(a_key, b_bit) == b_key {
        return under(b, a, a_key);
    }
    let bit = 1 << (a_key ^ b_key).ilog2();
    let prefix = above(a_key, bit);
    if a_key & bit == 0 {
        branch(prefix, bit, Arc::clone(a), Arc::clone(b))
    } else {
        branch(prefix, bit, Arc::clone(b), Arc::clone(a))
    }
}

/// Joins `small`, whose chains are all in one half of the branch `large`.
fn under(large: &Arc<Node>, small: &Arc<Node>, key: u32) -> Arc<Node> {
    let Node::Branch {
        prefix,
        bit,
        zero,
        one,
    } = &**large
    else {
        unreachable!("a leaf has nothing under it");
    };
    let half = if key & bit == 0 { zero } else { one };
    let joined = join(half, small);
    if Arc::ptr_eq(&joined, half) {
        Arc::clone(large)
    } else if key & bit == 0 {
        branch(*prefix, *bit, joined, Arc::clone(one))
    } else {
        branch(*prefix, *bit, Arc::clone(zero), joined)
    }
}

fn branch(prefix: u32, bit: u32, zero: Arc<Node>, one: Arc<Node>) -> Arc<Node> {
    Arc::new(Node::Branch {
        prefix,
        bit,
        zero,
        one,
    })
}

impl Node {
    /// Returns the chain and 0 for a leaf, or the prefix and the bit for a branch.
    fn key(&self) -> (u32, u32) {
        match *self {
            Node::Leaf { chain, .. } => (chain, 0),
            Node::Branch { prefix, bit, .. } => (prefix, bit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    #[test]
    fn a_join_takes_the_greater_position_of_every_chain() {
        let mut state = 1_u64;
        let mut random = move |bound: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            u32::try_from((state >> 33) % bound).expect("small")
        };
        let mut clocks: Vec<(Clock, BTreeMap<u32, u32>)> = vec![<_>::default()];
        for round in 0..2000 {
            let pick = |n: u32| n as usize % clocks.len();
            let (a, b) = (pick(random(1 << 20)), pick(random(1 << 20)));
            let (mut clock, mut model) = clocks[a].clone();
            if round % 3 == 0 {
                clock.join(&clocks[b].0);
                for (&chain, &position) in &clocks[b].1 {
                    let expected = model.entry(chain).or_default();
                    *expected = (*expected).max(position);
                }
            } else {
                let chain = [random(40), random(1 << 31) * 2 + 1][round % 2];
                let position = clock.get(chain) + 1;
                clock = clock.at(chain, position);
                model.insert(chain, position);
            }
            for (&chain, &position) in &model {
                assert_eq!(clock.get(chain), position);
                assert_eq!(
                    clock.get(chain ^ 0x4000),
                    *model.get(&(chain ^ 0x4000)).unwrap_or(&0)
                );
            }
            clocks.push((clock, model));
        }
    }

    #[test]
    fn a_join_that_adds_nothing_shares_everything() {
        let old = (0..1000).fold(Clock::default(), |clock, chain| clock.at(chain, 1));
        let new = old.at(500, 2);
        for (a, b) in [(&old, &new), (&new, &old)] {
            let mut joined = a.clone();
            joined.join(b);
            let shared = |clock: &Clock| Arc::as_ptr(clock.root.as_ref().expect("chains"));
            assert_eq!(shared(&joined), shared(&new));
        }
    }
}
