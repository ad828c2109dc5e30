//! The values in scope, by type.

use super::random::Random;
use crate::ir::ValueId;
use crate::types::Type;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Pool {
    by_type: FxHashMap<Type, Vec<ValueId>>,
    /// The values in order of definition, by which [`Pool::leave`] removes those of a scope.
    order: Vec<(Type, ValueId)>,
}

impl Pool {
    pub(super) fn add(&mut self, ty: Type, value: ValueId) {
        self.by_type.entry(ty).or_default().push(value);
        self.order.push((ty, value));
    }

    /// Returns one of the values of a type.
    pub(super) fn pick(&self, ty: Type, random: &mut Random<'_>) -> Option<ValueId> {
        let values = self.by_type.get(&ty).filter(|values| !values.is_empty())?;
        Some(random.pick(values))
    }

    /// Returns one of the values of a type; newer ones are more likely.
    pub(super) fn pick_recent(&self, ty: Type, random: &mut Random<'_>) -> Option<ValueId> {
        let values = self.by_type.get(&ty).filter(|values| !values.is_empty())?;
        let mut index = || random.below(values.len());
        let newer = index().max(index());
        Some(values[newer])
    }

    /// Returns the values added since `mark`, in order.
    pub(super) fn since(&self, mark: usize) -> &[(Type, ValueId)] {
        &self.order[mark..]
    }

    /// Returns one of the values of a type that existed at `mark`.
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

    /// Returns one of the values whose type `accept` admits; newer ones are more likely.
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

    /// Returns a mark at the start of a scope, for [`Pool::leave`].
    pub(super) fn enter(&self) -> usize {
        self.order.len()
    }

    /// Removes the values added since `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        for (ty, _) in self.order.drain(mark..).rev() {
            let values = self.by_type.get_mut(&ty).expect("it was added");
            values.pop();
        }
    }
}
