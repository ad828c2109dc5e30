//! The order of accesses: a chain of tokens per buffer that is read and written.
//!
//! A store is ordered after every earlier access, a load after the last store. A region that may
//! store takes the chain's token and returns a new one: the chain is *open* in the region. In other
//! regions the buffer is not accessed at all.

use super::{LOC, Maker};
use crate::ir::ValueId;
use crate::ops::MemoryOp;
use crate::types::Type;

/// The accesses to a buffer so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The token of the last store.
    last: Option<ValueId>,
    /// The tokens of the loads since the last store.
    reads: Vec<ValueId>,
}

impl Maker<'_> {
    /// Returns the token operand of a load of the chain.
    pub(super) fn before_load(&mut self, chain: usize) -> Option<ValueId> {
        self.chains[chain].last
    }

    pub(super) fn after_load(&mut self, chain: usize, token: ValueId) {
        self.chains[chain].reads.push(token);
    }

    /// Returns the token operand of a store of the chain; `None` if there was no access yet.
    pub(super) fn before_store(&mut self, chain: usize) -> Option<ValueId> {
        let Chain { last, reads } = &self.chains[chain];
        // A load is ordered after the last store, so its token covers both.
        let mut tokens = reads.clone();
        if tokens.is_empty() || self.random.one_in(3) {
            tokens.extend(last);
        }
        match tokens[..] {
            [] => None,
            [token] => Some(token),
            _ => {
                let op = self
                    .builder
                    .op(MemoryOp::JoinTokens, LOC)
                    .operands("tokens", &tokens)
                    .result(Type::token())
                    .finish();
                let token = self.define(op);
                self.chains[chain] = Chain {
                    last: Some(token),
                    reads: Vec::new(),
                };
                Some(token)
            }
        }
    }

    pub(super) fn after_store(&mut self, chain: usize, token: ValueId) {
        self.chains[chain] = Chain {
            last: Some(token),
            reads: Vec::new(),
        };
    }

    /// Returns a token that is ordered after every access of the chain.
    pub(super) fn token_of(&mut self, chain: usize) -> ValueId {
        match self.before_store(chain) {
            Some(token) => token,
            None => self.plain(MemoryOp::MakeToken, &[], Type::token()),
        }
    }

    /// Returns one of the open chains, if there is one.
    pub(super) fn open_chain(&mut self) -> Option<usize> {
        (!self.open.is_empty()).then(|| self.random.pick(&self.open))
    }

    /// Returns an arbitrary token or none, for an operation that needs no order.
    pub(super) fn some_token(&mut self) -> Option<ValueId> {
        if self.random.one_in(2) {
            return None;
        }
        self.pool.pick(Type::token(), &mut self.random)
    }
}
