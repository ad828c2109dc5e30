//! `refine-tokens`: relaxes the token order of memory operations to the order that is needed.
//!
//! A producer may chain all memory operations. This pass orders a weak load or store only after the
//! earlier accesses that it conflicts with. Two accesses conflict if one of them stores and they
//! may touch the same memory ([`overlap`]). Other operations keep their order: accesses that other
//! blocks may see, atomics, fences, printing, tokens that a loop carries or a region yields. An
//! operation that must wait for all earlier accesses gets a join of those that no other access is
//! ordered after.
//!
//! ```text
//! %a, %t0 = load A token=%t            %a, %t0 = load A token=%t
//! %b, %t1 = load B token=%t0           %b, %t1 = load B token=%t
//! %t2 = store A, %x token=%t1    =     %t2 = store A, %x token=%t0
//! print token=%t2                      %t3 = join_tokens %t1, %t2
//!                                      print token=%t3
//! ```
//!
//! Joins are simplified if an operand is repeated or is ordered before another operand. No
//! operation moves, and a second run changes nothing.

mod order;
mod overlap;

use crate::ir::{Attr, BlockId, MemoryOrdering, OpId, ValueId};
use crate::ops::{MemoryOp, Opcode, ViewOp};
use crate::pass::Trace;
use crate::rewrite::{Rewriter, is_weak_load};
use crate::types::Type;
use order::{Elements, Order, WINDOW};
use overlap::Access;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Relaxes the order of the memory operations of every function.
pub(crate) fn refine_tokens(rewriter: &mut Rewriter, trace: &mut Trace) {
    let body = rewriter.module().body();
    let mut pass = Pass {
        rewriter,
        trace,
        order: Order::default(),
        joins: FxHashMap::default(),
        abandoned: Vec::new(),
    };
    pass.block(body);
    pass.erase_abandoned();
}

struct Pass<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    order: Order,
    /// For each set of several elements, the token after them, where the token can be used.
    joins: FxHashMap<Elements, ValueId>,
    /// Definitions of tokens that lost a user.
    abandoned: Vec<OpId>,
}

impl Pass<'_> {
    fn block(&mut self, block: BlockId) {
        let mut added = Vec::new();
        for argument in self.rewriter.block(block).args.clone() {
            if self.is_token(argument) {
                self.order.add_barrier(argument, Elements::new());
            }
        }
        let mut next = self.rewriter.first(block);
        while let Some(id) = next {
            next = self.rewriter.next(id);
            match self.rewriter.op(id).opcode {
                Opcode::Memory(MemoryOp::MakeToken) => {}
                Opcode::Memory(MemoryOp::JoinTokens) => self.join(id, &mut added),
                _ if is_weak_access(self.rewriter, id) => self.access(id, &mut added),
                _ => self.other(id, &mut added),
            }
        }
        for elements in added {
            self.joins.remove(&elements);
        }
    }

    fn is_token(&self, value: ValueId) -> bool {
        self.rewriter.ty(value) == Type::token()
    }

    fn access(&mut self, id: OpId, added: &mut Vec<Elements>) {
        let op = self.rewriter.op(id);
        let token = op.optional_operand("token");
        let result = *op.results.last().expect("an access has a token");
        let history = token.map(|token| self.order.history(token));
        let history = history.unwrap_or_default();
        let is_barrier = history.len() >= WINDOW;
        let access = Access::from_op(self.rewriter, id);
        let conflicting = if is_barrier {
            history.clone()
        } else {
            self.order.conflicting(&history, &access)
        };
        let kept = self.order.latest(&conflicting);
        if let Some(token) = token.filter(|_| !history.is_empty()) {
            let after = self.token_after(&kept, id, added);
            if after != Some(token) {
                let is_looser = conflicting.len() < history.len();
                let name = if is_looser {
                    "independent_access"
                } else {
                    "join_independent"
                };
                self.trace.note(name, self.rewriter.op(id).loc);
                self.wait_for(id, token, after);
            }
        }
        if is_barrier {
            self.order.add_barrier(result, history);
        } else {
            self.order.add_access(result, access, history, &kept);
        }
    }

    /// Replaces the token `before`, the last operand of an access, by `after`, or removes it.
    fn wait_for(&mut self, id: OpId, before: ValueId, after: Option<ValueId>) {
        self.abandon(before);
        let op = self.rewriter.op(id);
        let (slot, last) = (op.def().operands.len() - 1, op.operands.len() - 1);
        match after {
            Some(after) => self.rewriter.set_operand(id, last, after),
            None => self.rewriter.set_last_slot(id, slot, &[]),
        }
    }

    /// Returns a token after all of `elements`, which are in order and unrelated to each other;
    /// makes a join before `insertion_point` if no such token exists.
    fn token_after(
        &mut self,
        elements: &[u32],
        insertion_point: OpId,
        added: &mut Vec<Elements>,
    ) -> Option<ValueId> {
        if let [] | [_] = elements {
            return elements.first().map(|&element| self.order.token(element));
        }
        let elements = Elements::from_slice(elements);
        if let Some(&join) = self.joins.get(&elements) {
            return Some(join);
        }
        let tokens = self.tokens(&elements);
        let loc = self.rewriter.op(insertion_point).loc;
        let join = self.rewriter.build_before(insertion_point, |builder| {
            builder
                .op(MemoryOp::JoinTokens, loc)
                .operands("tokens", &tokens)
                .result(Type::token())
                .finish_value()
        });
        let history = self.order.closed(&elements);
        self.order.set_history(join, history);
        self.enter_join(elements, join, added);
        Some(join)
    }

    fn tokens(&self, elements: &[u32]) -> Vec<ValueId> {
        let tokens = elements.iter().map(|&element| self.order.token(element));
        tokens.collect()
    }

    fn enter_join(&mut self, elements: Elements, join: ValueId, added: &mut Vec<Elements>) {
        self.joins.insert(elements.clone(), join);
        added.push(elements);
    }

    fn join(&mut self, id: OpId, added: &mut Vec<Elements>) {
        let op = self.rewriter.op(id);
        let (operands, result, loc) = (op.operands.clone(), op.result(), op.loc);
        let before = self.order.union(&operands);
        let latest = self.order.latest(&before);
        let history = self.order.closed(&latest);
        let same = match latest[..] {
            // No operand is ordered after anything.
            [] => operands.first().copied(),
            [element] => Some(self.order.token(element)),
            _ => self.joins.get(&latest).copied(),
        };
        if let Some(same) = same {
            self.trace.note("join_tokens_same", loc);
            for &operand in &operands {
                self.abandon(operand);
            }
            self.rewriter.replace(id, &[same]);
            return;
        }
        let tokens = self.tokens(&latest);
        let is_exact =
            tokens.len() == operands.len() && tokens.iter().all(|token| operands.contains(token));
        if !is_exact {
            self.trace.note("join_tokens_fewer", loc);
            for &operand in &operands {
                self.abandon(operand);
            }
            self.rewriter.set_last_slot(id, 0, &tokens);
        }
        self.enter_join(latest, result, added);
        if history.len() > WINDOW {
            self.order.add_barrier(result, history);
        } else {
            self.order.set_history(result, history);
        }
    }

    /// Handles an operation that stays ordered after everything that its tokens represent.
    fn other(&mut self, id: OpId, added: &mut Vec<Elements>) {
        let operands = self.rewriter.op(id).operands.clone();
        for (index, &token) in operands.iter().enumerate() {
            if !self.is_token(token) {
                continue;
            }
            let history = self.order.history(token);
            let latest = self.order.latest(&history);
            if let Some(after) = self.token_after(&latest, id, added)
                && after != token
            {
                self.trace
                    .note("join_independent", self.rewriter.op(id).loc);
                self.abandon(token);
                self.rewriter.set_operand(id, index, after);
            }
        }
        let blocks: SmallVec<[BlockId; 2]> = self.rewriter.blocks(id).collect();
        for &block in &blocks {
            self.block(block);
        }
        let op = self.rewriter.op(id);
        // An operation with regions does not wait for its token operands on behalf of the
        // operations nested in it.
        let waits = blocks.is_empty() && !matches!(op.opcode, Opcode::Unregistered(_));
        let below = if waits {
            let before = self.order.union(&operands);
            let latest = self.order.latest(&before);
            self.order.closed(&latest)
        } else {
            Elements::new()
        };
        for result in op.results.clone() {
            if self.is_token(result) {
                self.order.add_barrier(result, below.clone());
            }
        }
    }

    fn abandon(&mut self, token: ValueId) {
        self.abandoned.extend(self.rewriter.defining_op(token));
    }

    /// Erases joins, and `make_token`s, that have lost all users.
    fn erase_abandoned(&mut self) {
        while let Some(id) = self.abandoned.pop() {
            let is_made = matches!(
                self.rewriter.op(id).opcode,
                Opcode::Memory(MemoryOp::JoinTokens | MemoryOp::MakeToken)
            );
            if is_made && self.rewriter.is_attached(id) && self.rewriter.is_unused(id) {
                for operand in self.rewriter.op(id).operands.clone() {
                    self.abandon(operand);
                }
                self.rewriter.erase(id);
            }
        }
    }
}

/// Returns `true` if an operation is a weak load or store, with which no other access may race.
fn is_weak_access(rewriter: &Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let is_store = matches!(
        op.opcode,
        Opcode::View(ViewOp::StoreViewTko) | Opcode::Memory(MemoryOp::StorePtrTko)
    );
    let weak = Some(&Attr::MemoryOrdering(MemoryOrdering::Weak));
    is_weak_load(op) || (is_store && op.attr("memory_ordering_semantics") == weak)
}
