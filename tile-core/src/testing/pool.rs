//! The values in scope, by type.

use super::random::Random;
use crate::ir::ValueId;
use crate::types::Type;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Pool {
    by_type: FxHashMap<Type, Vec<ValueId>>,
    /// In order of definition, to leave a scope.
    order: Vec<(Type, ValueId)>,
}

impl Pool {
    pub(super) fn add(&mut self, ty: Type, value: ValueId) {
        self.by_type.entry(ty).or_default().push(value);
        self.order.push((ty, value));
    }

    /// One of the values of a type.
    pub(super) fn pick(&self, ty: Type, random: &mut Random<'_>) -> Option<ValueId> {
        let values = self.by_type.get(&ty).filter(|values| !values.is_empty())?;
        Some(random.pick(values))
    }

    /// One of the values of a type; the newer the likelier.
    pub(super) fn pick_recent(&self, ty: Type, random: &mut Random<'_>) -> Option<ValueId> {
        let values = self.by_type.get(&ty).filter(|values| !values.is_empty())?;
        let mut index = || random.below(values.len());
        let newer = index().max(index());
        Some(values[newer])
    }

    /// The values since `mark`, in order.
    pub(super) fn since(&self, mark: usize) -> &[(Type, ValueId)] {
        &self.order[mark..]
    }

    /// One of the values of a type that were there at `mark`.
    pub(super) fn pick_before(
        &self,
        mark: usize,
        ty: Type,
        random: &mut Random<'_>,
    ) -> Option<ValueId> {
        let older = self.order[..mark].iter().filter(|&&(other, _)| other == ty);
        let count = older.count();
        (count > 0).then(|| random.pick(&self.by_type[&ty][..count]))
    }

    /// One of the values whose type `accept` admits; the newer the likelier.
    pub(super) fn find(
        &self,
        random: &mut Random<'_>,
        accept: impl Fn(Type) -> bool,
    ) -> Option<(Type, ValueId)> {
        let recent = &self.order[self.order.len().saturating_sub(64)..];
        let candidates: Vec<(Type, ValueId)> = recent
            .iter()
            .copied()
            .filter(|&(ty, _)| accept(ty))
            .collect();
        (!candidates.is_empty()).then(|| random.pick(&candidates))
    }

    /// Where a scope starts, for [`Pool::leave`].
    pub(super) fn enter(&self) -> usize {
        self.order.len()
    }

    /// Drops what was added since `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        for (ty, _) in self.order.drain(mark..).rev() {
            let values = self.by_type.get_mut(&ty).expect("it was added");
            values.pop();
        }
    }
}
