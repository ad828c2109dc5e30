//! Use counts and users of every value, computed on demand.

use super::{Module, OpId, ValueId};

/// Who uses each value of a module, as of the moment it was computed.
#[derive(Clone, Debug)]
pub struct Uses {
    users: Vec<Vec<OpId>>,
}

impl Uses {
    /// Collects the uses of all attached operations.
    pub fn of(module: &Module) -> Self {
        let mut users = vec![Vec::new(); module.num_values()];
        for op in module.walk(module.body()) {
            for &operand in &module.op(op).operands {
                users[operand.index()].push(op);
            }
        }
        Self { users }
    }

    /// The operations that use `value`, once per use, in program order.
    pub fn users(&self, value: ValueId) -> &[OpId] {
        &self.users[value.index()]
    }

    /// Whether nothing uses `value`.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.users[value.index()].is_empty()
    }
}
