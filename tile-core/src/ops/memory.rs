//! Tokens.

use super::def::{Constraint, Version, one, op, variadic};
use super::table::define_ops;

define_ops! {
    /// Tokens, which order memory operations.
    pub enum MemoryOp {
        /// A token ordered after all of its operands.
        JoinTokens = op("join_tokens", 0x3c, Version::V13_1)
            .operands(&[variadic("tokens", Constraint::Token)])
            .results(&[one("result", Constraint::Token)])
            .asm("$tokens `:` type($result)");
        /// A token ordered after nothing.
        MakeToken = op("make_token", 0x44, Version::V13_1)
            .results(&[one("result", Constraint::Token)])
            .asm("`:` type($result)");
    }
}
