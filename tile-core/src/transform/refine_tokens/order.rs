//! The order of memory operations: the order that tokens express, and the relaxed order.
//!
//! Every access, and every other source of a token, is an *element*, numbered in program order. A
//! token of the original program represents a *history*: the elements before it. An access keeps
//! only the elements of its history that it conflicts with; the elements before it in the relaxed
//! order are *below* it. An element that conflicts with everything is a *barrier*: a history does
//! not extend beyond it.
//!
//! A history is *closed*: with an access, it contains the elements below that access, down to
//! barriers, and it contains no other element that is below one of its barriers. Hence it can be
//! recomputed from the tokens that remain, and a second run makes the same decisions.

use super::overlap::Access;
use crate::ir::ValueId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Element numbers, in increasing order.
pub(super) type Elements = SmallVec<[u32; 8]>;

/// The maximum number of elements of a history. An access with a longer history is ordered after
/// all of it, and from then on represents that history. This keeps the cost linear.
pub(super) const WINDOW: usize = 32;

#[derive(Debug)]
struct Element {
    token: ValueId,
    /// The access; `None` for a barrier.
    access: Option<Access>,
    /// The elements below this element, down to barriers; for a barrier, its history.
    below: Elements,
}

/// The elements so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    elements: Vec<Element>,
    histories: FxHashMap<ValueId, Elements>,
    /// For each element, the last query in which it was below another.
    marks: Vec<u32>,
    questions: u32,
}

impl Order {
    /// Returns the history of a token.
    pub(super) fn history(&self, token: ValueId) -> Elements {
        self.histories.get(&token).cloned().unwrap_or_default()
    }

    pub(super) fn set_history(&mut self, token: ValueId, history: Elements) {
        self.histories.insert(token, history);
    }

    pub(super) fn token(&self, element: u32) -> ValueId {
        self.elements[element as usize].token
    }

    /// Adds a source of tokens that conflicts with everything and is ordered after `below`.
    pub(super) fn add_barrier(&mut self, token: ValueId, mut below: Elements) {
        if below.len() > 2 * WINDOW {
            // Without the list, only simplifications of joins are lost.
            below.clear();
        }
        let number = self.add(token, None, below);
        self.set_history(token, SmallVec::from_slice(&[number]));
    }

    /// Adds an access whose operand represented `history` and that is now ordered after `kept`.
    pub(super) fn add_access(
        &mut self,
        token: ValueId,
        access: Access,
        mut history: Elements,
        kept: &[u32],
    ) {
        let below = self.closed(kept);
        let number = self.add(token, Some(access), below);
        history.push(number);
        self.set_history(token, history);
    }

    /// Returns the closed history of a token after `elements`.
    pub(super) fn closed(&self, elements: &[u32]) -> Elements {
        let mut history: Elements = elements.into();
        for &element in elements {
            let element = &self.elements[element as usize];
            if element.access.is_some() {
                history.extend_from_slice(&element.below);
            }
        }
        history.sort_unstable();
        history.dedup();
        history
    }

    fn add(&mut self, token: ValueId, access: Option<Access>, below: Elements) -> u32 {
        let number = u32::try_from(self.elements.len()).expect("fewer than 2^32 tokens");
        self.elements.push(Element {
            token,
            access,
            below,
        });
        self.marks.push(0);
        number
    }

    /// Returns the elements of `history` that conflict with `access`.
    pub(super) fn conflicting(&self, history: &[u32], access: &Access) -> Elements {
        let conflicts = |&&element: &&u32| {
            let other = &self.elements[element as usize].access;
            other.as_ref().is_none_or(|other| other.conflicts(access))
        };
        history.iter().filter(conflicts).copied().collect()
    }

    /// Returns those of `elements` that are not below another one.
    pub(super) fn latest(&mut self, elements: &[u32]) -> Elements {
        self.questions += 1;
        for &element in elements {
            for &below in &self.elements[element as usize].below {
                self.marks[below as usize] = self.questions;
            }
        }
        let is_latest = |&&element: &&u32| self.marks[element as usize] != self.questions;
        elements.iter().filter(is_latest).copied().collect()
    }

    /// Returns the union of the histories of `tokens`, which need not be closed.
    pub(super) fn union(&self, tokens: &[ValueId]) -> Elements {
        let mut union = Elements::new();
        for token in tokens {
            if let Some(history) = self.histories.get(token) {
                union.extend_from_slice(history);
            }
        }
        union.sort_unstable();
        union.dedup();
        union
    }
}
