//! Scopes of value names while parsing.
//!
//! A name is visible in the region that defines it and in the regions nested in that region. A use
//! before the definition gets a placeholder, which [`Scopes::resolve`] maps to the value, so that
//! the verifier can report the use.

use crate::ir::{Loc, ValueId};
use rustc_hash::FxHashMap;

/// A name, and the result number that follows it, as in `%d#1`.
pub(super) type Name<'s> = (&'s str, u32);

#[derive(Debug, Default)]
struct Scope<'s> {
    names: FxHashMap<Name<'s>, (ValueId, Loc)>,
    early: Early<'s>,
}

/// Names that are used but not yet defined.
#[derive(Debug, Default)]
struct Early<'s> {
    /// The names in order of first use; `None` once a name is defined.
    uses: Vec<Option<(Name<'s>, ValueId, Loc)>>,
    places: FxHashMap<Name<'s>, usize>,
}

impl<'s> Early<'s> {
    fn find(&self, name: Name<'s>) -> Option<ValueId> {
        let &index = self.places.get(&name)?;
        self.uses[index].map(|(_, placeholder, _)| placeholder)
    }

    fn insert(&mut self, name: Name<'s>, placeholder: ValueId, loc: Loc) {
        self.places.insert(name, self.uses.len());
        self.uses.push(Some((name, placeholder, loc)));
    }

    fn remove(&mut self, name: Name<'s>) -> Option<ValueId> {
        if self.places.is_empty() {
            return None;
        }
        let index = self.places.remove(&name)?;
        self.uses[index]
            .take()
            .map(|(_, placeholder, _)| placeholder)
    }
}

/// The stack of open regions.
#[derive(Debug, Default)]
pub(super) struct Scopes<'s> {
    stack: Vec<Scope<'s>>,
    /// The stack heights at which isolated regions start. Names of regions below the last of them
    /// are not visible.
    barriers: Vec<usize>,
    resolved: FxHashMap<ValueId, ValueId>,
}

impl<'s> Scopes<'s> {
    /// Opens a region.
    pub(super) fn open(&mut self) {
        self.stack.push(Scope::default());
    }

    /// Opens a region that is isolated from its surroundings.
    pub(super) fn open_isolated(&mut self) {
        self.barriers.push(self.stack.len());
        self.open();
    }

    /// Closes a region; names that are still undefined move to the enclosing region.
    pub(super) fn close(&mut self) {
        let Some(closed) = self.stack.pop() else {
            return;
        };
        for (name, placeholder, loc) in closed.early.uses.into_iter().flatten() {
            let outer = self.stack.last_mut().expect("an entry closes isolated");
            match outer.early.find(name) {
                Some(first) => {
                    self.resolved.insert(placeholder, first);
                }
                None => outer.early.insert(name, placeholder, loc),
            }
        }
    }

    /// Closes the region of an entry; returns the undefined names.
    pub(super) fn close_isolated(&mut self) -> Vec<(Name<'s>, Loc)> {
        self.barriers.pop();
        let closed = self.stack.pop().unwrap_or_default();
        let early = closed.early.uses.into_iter().flatten();
        early.map(|(name, _, loc)| (name, loc)).collect()
    }

    /// Returns the visible regions.
    fn visible(&self) -> &[Scope<'s>] {
        let barrier = self.barriers.last().copied().unwrap_or(0);
        self.stack.get(barrier..).unwrap_or_default()
    }

    /// Returns the value of `name`, if it is defined or was used before.
    pub(super) fn find(&self, name: Name<'s>) -> Option<ValueId> {
        let defined = self
            .visible()
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(&name).map(|&(value, _)| value));
        defined.or_else(|| self.stack.last()?.early.find(name))
    }

    /// Returns the location of the definition of `name`, if it is visible.
    pub(super) fn defined_at(&self, name: Name<'s>) -> Option<Loc> {
        self.visible()
            .iter()
            .find_map(|scope| scope.names.get(&name).map(|&(_, loc)| loc))
    }

    /// Records a use of a name that is not yet defined.
    pub(super) fn use_early(&mut self, name: Name<'s>, placeholder: ValueId, loc: Loc) {
        if let Some(scope) = self.stack.last_mut() {
            scope.early.insert(name, placeholder, loc);
        }
    }

    /// Defines a name in the innermost region.
    pub(super) fn define(&mut self, name: Name<'s>, value: ValueId, loc: Loc) {
        let Some(scope) = self.stack.last_mut() else {
            return;
        };
        scope.names.insert(name, (value, loc));
        if let Some(placeholder) = scope.early.remove(name) {
            self.resolved.insert(placeholder, value);
        }
    }

    /// Returns `true` if any value was used before its definition.
    pub(super) fn has_early_uses(&self) -> bool {
        !self.resolved.is_empty()
    }

    /// Returns the value of a placeholder; other values are returned unchanged.
    pub(super) fn resolve(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(&next) = self.resolved.get(&value) {
            value = next;
        }
        value
    }
}
