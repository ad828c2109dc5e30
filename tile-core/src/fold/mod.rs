use crate::ir::*; use std::sync::Arc; use smallvec::SmallVec;
pub(crate) fn fold(_m: &Module, _op: OpId, _c: &dyn Fn(ValueId) -> Option<Arc<DenseElements>>) -> Option<SmallVec<[Arc<DenseElements>; 1]>> { None }
