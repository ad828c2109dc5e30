//! What comes before what: the order that tokens stood for, and what is left of it.
//!
//! Every access, and every other source of a token, is an *element*, numbered in program
//! order. A token that the program made stands for a *history*: the elements that it comes
//! after. Of these an access keeps those that it conflicts with; what it comes after then is
//! what is *below* it. An element that conflicts with everything is a *barrier*: a history
//! does not go beyond it.
//!
//! A history is *closed*: with an access it holds what is below that, down to barriers, and
//! nothing else that is below a barrier in it. So it is the same when it is read off the
//! tokens that are left, and a second run takes the same decisions.

use super::overlap::Access;
use crate::ir::ValueId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Elements by number, in order.
pub(super) type Elements = SmallVec<[u32; 8]>;

/// How many elements a token stands for at most; an access with a longer history stays
/// behind all of it, and stands for it from there on. Keeps the cost linear.
pub(super) const WINDOW: usize = 32;

#[derive(Debug)]
struct Element {
    token: ValueId,
    /// `None` for a barrier.
    access: Option<Access>,
    /// Elements that it comes after, down to barriers; of a barrier, its history.
    below: Elements,
}

/// All elements so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    elements: Vec<Element>,
    histories: FxHashMap<ValueId, Elements>,
    /// Per element, the last question in which it was found below another.
    marks: Vec<u32>,
    questions: u32,
}

impl Order {
    /// What a token comes after.
    pub(super) fn history(&self, token: ValueId) -> Elements {
        self.histories.get(&token).cloned().unwrap_or_default()
    }

    pub(super) fn set_history(&mut self, token: ValueId, history: Elements) {
        self.histories.insert(token, history);
    }

    pub(super) fn token(&self, element: u32) -> ValueId {
        self.elements[element as usize].token
    }

    /// A source of tokens that conflicts with everything, and comes after `below`.
    pub(super) fn add_barrier(&mut self, token: ValueId, mut below: Elements) {
        if below.len() > 2 * WINDOW {
            // Only what is noticed to be redundant depends on it.
            below.clear();
        }
        let number = self.add(token, None, below);
        self.set_history(token, SmallVec::from_slice(&[number]));
    }

    /// An access whose operand stood for `history` and that now comes after `kept`.
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

    /// The closed history of a token after `elements`.
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

    /// The elements of `history` that conflict with `access`.
    pub(super) fn conflicting(&self, history: &[u32], access: &Access) -> Elements {
        let conflicts = |&&element: &&u32| {
            let other = &self.elements[element as usize].access;
            other.as_ref().is_none_or(|other| other.conflicts(access))
        };
        history.iter().filter(conflicts).copied().collect()
    }

    /// Those of `elements` that no other of them comes after.
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

    /// What any of `tokens` comes after; not closed.
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
