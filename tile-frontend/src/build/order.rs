//! Orders the accesses of all chains at releases, acquires and fences.
//!
//! ```text
//!            chains                 a release waits for all of them,
//!   a ──► ─┬─────────────► ..       and nothing else waits for it
//!   b ──► ─┼─────────────► ..
//!   c ──► ─┴─► release ──► ..
//!
//!   a ──► ─────────────┬─► ..       all of them wait for an acquire,
//!   b ──► ─────────────┼─► ..       which waits only for its own chain
//!   c ──► ─► acquire ──┴─► ..
//! ```
//!
//! Reads through `&Tensor` remain unordered: nothing writes to such a tensor during the launch,
//! since the host refuses launches in which another tensor overlaps a written tensor.
//!
//! A fence is both a release and an acquire, whatever its ordering. The dialect has no fence, so a
//! fence is built as an update that leaves the value of a variable unchanged; all fences of the
//! module share the variable. Each update reads the value that the previous update wrote, so fences
//! are totally ordered, and each sees everything that precedes earlier fences. This makes them
//! sequentially consistent (Lahav, Vafeiadis, Kang, Hur and Dreyer, 2017).

use super::Build;
use super::memory::{Access, Tokens};
use crate::hir::{self, Ordering, Update};
use std::sync::Arc;
use tile_core::Loc;
use tile_core::ir::{
    AtomicRmwMode, Attr, DenseElements, MemoryOrdering, MemoryScope, SymbolVisibility, ValueId,
};
use tile_core::ops::{AtomicOp, CoreOp};
use tile_core::types::{Scalar, Type};

/// The name of the variable that fences share.
const VARIABLE: &str = "fence";

impl Build<'_, '_> {
    /// Returns the token that an atomic waits for.
    pub(super) fn before_atomic(
        &mut self,
        update: &Update,
        touched: Option<(usize, Access)>,
        loc: Loc,
    ) -> Option<ValueId> {
        if update.ordering == Ordering::SeqCst {
            self.fence(update.scope, loc);
        }
        if update.ordering.releases() && update.op != hir::AtomicOp::Load {
            self.everything(loc)
        } else {
            self.wait(touched, loc)
        }
    }

    /// Records the token of an atomic.
    pub(super) fn after_atomic(
        &mut self,
        update: &Update,
        touched: Option<(usize, Access)>,
        token: ValueId,
        loc: Loc,
    ) {
        self.done(touched, token);
        if !update.ordering.acquires() || update.op == hir::AtomicOp::Store {
            return;
        }
        let own_chain = touched.map(|(chain, _)| chain);
        let others: Vec<usize> = self
            .tokens
            .keys()
            .copied()
            .filter(|&chain| Some(chain) != own_chain)
            .collect();
        for chain in others {
            let Tokens { store, mut loads } = self.tokens[&chain].clone();
            let before: Vec<ValueId> = store.into_iter().chain([token]).collect();
            let store = self.joined(&before, loc);
            if !loads.is_empty() {
                loads.push(token);
            }
            self.tokens.insert(chain, Tokens { store, loads });
        }
    }

    /// Builds `fence(..)`: all earlier accesses precede all later ones.
    pub(super) fn fence(&mut self, scope: MemoryScope, loc: Loc) {
        let before = self.everything(loc);
        let token = if scope == MemoryScope::TileBlock {
            // A fence of this scope does not concern other blocks, and tokens already order the
            // accesses of this one.
            before
        } else {
            Some(self.meet_at_fence(scope, before, loc))
        };
        for tokens in self.tokens.values_mut() {
            *tokens = Tokens {
                store: token,
                loads: Vec::new(),
            };
        }
    }

    fn meet_at_fence(&mut self, scope: MemoryScope, before: Option<ValueId>, loc: Loc) -> ValueId {
        let variable = self.fence.expect("the prologue looked for uses");
        let nothing = self.b.splat(Scalar::I32, 0, &[], loc);
        let ordering = Attr::MemoryOrdering(MemoryOrdering::AcqRel);
        self.b
            .op(AtomicOp::AtomicRmwTko, loc)
            .operand("pointers", variable)
            .operand("arg", nothing)
            .operands("token", before.as_slice())
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", Attr::MemoryScope(scope))
            .attr("mode", Attr::RmwMode(AtomicRmwMode::Or))
            .result(Type::scalar(Scalar::I32))
            .result(Type::token())
            .finish_values()[1]
    }

    /// Declares the variable that the fences of the module update, and returns its address.
    pub(super) fn fence_variable(&mut self, loc: Loc) -> ValueId {
        let body = self.b.module().body();
        let inside = self.b.set_block(body);
        let zero = DenseElements::from_bits(Scalar::I32, vec![0]);
        self.b
            .op(CoreOp::Global, loc)
            .attr("sym_name", Attr::Str(VARIABLE.into()))
            .attr("value_type", Attr::Type(Type::tile(Scalar::I32, &[1])))
            .attr("value", Attr::Dense(Arc::new(zero)))
            .attr("alignment", Attr::Int(4))
            .attr(
                "symbol_visibility",
                Attr::Visibility(SymbolVisibility::Private),
            )
            .finish();
        self.b.set_block(inside);
        self.b
            .op(CoreOp::GetGlobal, loc)
            .attr("name", Attr::Symbol(VARIABLE.into()))
            .result(Type::pointer(Scalar::I32))
            .finish_value()
    }

    /// Returns one token that follows all accesses so far, in every chain.
    fn everything(&mut self, loc: Loc) -> Option<ValueId> {
        let mut last: Vec<ValueId> = Vec::new();
        for token in self.tokens.values().flat_map(Tokens::last) {
            if !last.contains(&token) {
                last.push(token);
            }
        }
        self.joined(&last, loc)
    }
}
