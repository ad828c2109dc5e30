//! Emits cache hints (`createpolicy`, `.L1::no_allocate`, `.L2::cache_hint`).
//!
//! A cache policy is a number that a separate instruction creates. That instruction has no side effects, so
//! LLVM can share one policy among loads and hoist it out of loops.

use inkwell::values::IntValue;

use super::code::{AsmEffect, Code};
use super::masked::Modifiers;
use crate::gpu::{Access, Caching};
use crate::llvm::passes::ask_for;
use crate::target::PtxVersion;

/// The lowest PTX version with cache policies.
const POLICY_PTX: PtxVersion = PtxVersion::new(7, 4);

impl<'ctx> Code<'ctx> {
    /// Creates the L2 cache policy that `caching` asks for, if any.
    pub(super) fn policy(&self, caching: Caching) -> Option<IntValue<'ctx>> {
        let name = caching.policy()?;
        ask_for(&self.module, POLICY_PTX);
        let text = format!("createpolicy.fractional.L2::{name}.b64 $0, 1.0;");
        let result = self.int(64).into();
        let policy = self.asm(&text, "=l", &[result], &[], AsmEffect::None);
        Some(policy[0].into_int_value())
    }

    /// Returns the modifiers of a load with the given caching.
    pub(super) fn cached(&self, access: Access, caching: Caching) -> Modifiers<'ctx> {
        let first = match caching {
            Caching::Normal | Caching::EvictLast => "",
            Caching::NoAllocate | Caching::EvictFirst => {
                ask_for(&self.module, POLICY_PTX);
                ".L1::no_allocate"
            }
        };
        Modifiers {
            first,
            policy: self.policy(caching),
            ..Modifiers::for_access(access)
        }
    }
}
