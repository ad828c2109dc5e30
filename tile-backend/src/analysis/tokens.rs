//! Token analysis: finds the order of the memory operations of a block.
//!
//! Input: a verified entry. Output: a number for each operation that consumes or produces tokens, and whether
//! a path of tokens leads from one such operation to another, in the same iteration of a loop or a later one.
//! Operations that no path connects are unordered and need no barrier between them.

use crate::gpu::TokenPaths;
use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{ControlFlowOp, MemoryOp, Opcode};
use tile_core::types::TypeKind;

/// The order of the operations of an entry, by number.
#[derive(Clone, Debug, Default)]
pub struct TokenOrder {
    numbers: FxHashMap<OpId, u32>,
    paths: TokenPaths,
}

/// A node of the graph along which tokens flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Op(u32),
    Token(ValueId),
}

impl TokenOrder {
    /// Analyses an entry whose operations are `ops`.
    pub fn analyze(module: &Module, ops: &[OpId]) -> Self {
        let mut order = Self::default();
        let mut edges: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        let is_token = |value: &ValueId| matches!(module.ty(*value).kind(), TypeKind::Token);
        for &id in ops {
            let op = module.op(id);
            let mut flow = |from: Node, to: Node| edges.entry(from).or_default().push(to);
            match op.opcode {
                Opcode::Memory(MemoryOp::MakeToken) => {}
                Opcode::Memory(MemoryOp::JoinTokens) => {
                    for &token in &op.operands {
                        flow(Node::Token(token), Node::Token(op.result()));
                    }
                }
                Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop) => {
                    let is_for = op.opcode == ControlFlowOp::For.into();
                    let Some(body) = module.region_block(id, 0) else {
                        continue;
                    };
                    let args = &module.block(body).args[usize::from(is_for)..];
                    let inits = op.operands_of("initValues").iter().enumerate();
                    for (number, init) in inits.filter(|(_, init)| is_token(init)) {
                        flow(Node::Token(*init), Node::Token(args[number]));
                        if is_for {
                            flow(Node::Token(*init), Node::Token(op.results[number]));
                        }
                    }
                }
                Opcode::ControlFlow(
                    control @ (ControlFlowOp::Continue
                    | ControlFlowOp::Break
                    | ControlFlowOp::Yield),
                ) => {
                    let Some(target) = super::divisibility::target(module, id, control) else {
                        continue;
                    };
                    let to = module.op(target);
                    let is_for = to.opcode == ControlFlowOp::For.into();
                    let values = op.operands.iter().enumerate();
                    for (number, value) in values.filter(|(_, value)| is_token(value)) {
                        if control == ControlFlowOp::Continue
                            && let Some(body) = module.region_block(target, 0)
                        {
                            let arg = module.block(body).args[number + usize::from(is_for)];
                            flow(Node::Token(*value), Node::Token(arg));
                        }
                        if control != ControlFlowOp::Continue || is_for {
                            flow(Node::Token(*value), Node::Token(to.results[number]));
                        }
                    }
                }
                _ => {
                    let mut tokens = op
                        .operands
                        .iter()
                        .chain(&op.results)
                        .filter(|v| is_token(v));
                    if tokens.next().is_none() {
                        continue;
                    }
                    let number = u32::try_from(order.numbers.len()).expect("few operations");
                    order.numbers.insert(id, number);
                    for &token in op.operands.iter().filter(|v| is_token(v)) {
                        flow(Node::Token(token), Node::Op(number));
                    }
                    for &token in op.results.iter().filter(|v| is_token(v)) {
                        flow(Node::Op(number), Node::Token(token));
                    }
                }
            }
        }
        let words = order.numbers.len().div_ceil(64);
        let count = u32::try_from(order.numbers.len()).expect("few operations");
        let rows = (0..count).map(|number| reach(&edges, number, words));
        order.paths = TokenPaths::new(rows.collect());
        order
    }

    /// Returns the number of an operation, if it consumes or produces tokens.
    pub fn number(&self, op: OpId) -> Option<u32> {
        self.numbers.get(&op).copied()
    }

    /// Returns the paths between numbered operations.
    pub fn paths(&self) -> &TokenPaths {
        &self.paths
    }
}

/// Returns a bit mask of the operations that a path from operation number `start` reaches.
fn reach(edges: &FxHashMap<Node, Vec<Node>>, start: u32, words: usize) -> Vec<u64> {
    let mut row = vec![0; words];
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![Node::Op(start)];
    while let Some(node) = open.pop() {
        for &next in edges.get(&node).into_iter().flatten() {
            if !seen.insert(next) {
                continue;
            }
            if let Node::Op(number) = next {
                row[number as usize / 64] |= 1 << (number % 64);
            }
            open.push(next);
        }
    }
    row
}
