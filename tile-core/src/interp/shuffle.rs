//! Reorders the operations of a module at random, preserving its semantics.
//!
//! The operations of every block get an order that is drawn from a seed, such that:
//!
//! - an operation follows the operations whose results it or its regions use;
//! - assertions and prints, and operations with these in their regions, keep their order;
//! - nothing moves across an operation that may leave the block: a terminator, or an `if` with a
//!   `break` in it.
//!
//! Memory operations that no token orders may be exchanged, so that a missing token shows in the
//! stores of the kernel. An operation with regions moves as a whole.

use crate::ir::{BlockId, Module, OpId, ValueDef};
use crate::ops::{ControlFlowOp, MiscOp, Opcode};
use rustc_hash::FxHashMap;

/// Returns `module` with its operations in the order that `seed` determines. Operations keep their
/// numbers.
pub(super) fn shuffled(module: &Module, seed: u64) -> Module {
    let mut shuffled = module.clone();
    let mut random = SplitMix::new(seed);
    for entry in module.entries() {
        if let Some(body) = module.region_block(entry, 0) {
            shuffle(module, &mut shuffled, body, &mut random);
        }
    }
    shuffled
}

/// Reorders `block` and the blocks nested in it.
fn shuffle(module: &Module, shuffled: &mut Module, block: BlockId, random: &mut SplitMix) {
    let ops = &module.block(block).ops;
    let mut order = Vec::with_capacity(ops.len());
    let stays = |&id: &OpId| is_yield(module, id) || leaves(module, id, Loops::Around);
    for run in ops.split_inclusive(stays) {
        match run.split_last() {
            Some((last, before)) if stays(last) => {
                draw(module, block, before, random, &mut order);
                order.push(*last);
            }
            _ => draw(module, block, run, random, &mut order),
        }
    }
    shuffled.put_ops(block, order);
    for &id in ops {
        for &region in &module.op(id).regions {
            for &block in module.blocks_of(region) {
                shuffle(module, shuffled, block, random);
            }
        }
    }
}

/// The loops to which a `break` could belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    Around,
    Inside,
}

/// Returns `true` if the operation `id`, or one in its regions, may leave the enclosing block.
fn leaves(module: &Module, id: OpId, loops: Loops) -> bool {
    let op = module.op(id);
    let loops = match op.opcode {
        Opcode::ControlFlow(ControlFlowOp::Return) => return true,
        Opcode::ControlFlow(ControlFlowOp::Break | ControlFlowOp::Continue) => {
            return loops == Loops::Around;
        }
        Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop) => Loops::Inside,
        _ => loops,
    };
    let mut blocks = op
        .regions
        .iter()
        .flat_map(|&region| module.blocks_of(region));
    blocks.any(|&block| {
        let mut ops = module.block(block).ops.iter();
        ops.any(|&id| leaves(module, id, loops))
    })
}

fn is_yield(module: &Module, id: OpId) -> bool {
    module.op(id).opcode == ControlFlowOp::Yield.into()
}

/// Returns `true` if the order of an operation among others of its kind is observable.
fn was_reported(module: &Module, id: OpId) -> bool {
    matches!(
        module.op(id).opcode,
        Opcode::ControlFlow(ControlFlowOp::Assert) | Opcode::Misc(MiscOp::PrintTko | MiscOp::Ptx)
    )
}

/// Appends `ops`, which are adjacent in `block`, in random order.
fn draw(
    module: &Module,
    block: BlockId,
    ops: &[OpId],
    random: &mut SplitMix,
    order: &mut Vec<OpId>,
) {
    let number: FxHashMap<OpId, usize> = ops.iter().copied().zip(0..).collect();
    // Per operation: its dependents, and the number of its unmet dependencies.
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    let mut waits = vec![0_usize; ops.len()];
    let mut said: Option<usize> = None;
    for (index, &id) in ops.iter().enumerate() {
        let mut inside = vec![id];
        for &region in &module.op(id).regions {
            for &block in module.blocks_of(region) {
                inside.extend(module.walk(block));
            }
        }
        for &user in &inside {
            for &value in &module.op(user).operands {
                let ValueDef::Result(definition, _) = module.value(value).def else {
                    continue;
                };
                let is_here = module.op(definition).parent == Some(block);
                if is_here
                    && let Some(&first) = number.get(&definition)
                    && first != index
                {
                    followers[first].push(index);
                    waits[index] += 1;
                }
            }
        }
        if inside.iter().any(|&id| was_reported(module, id))
            && let Some(first) = said.replace(index)
        {
            followers[first].push(index);
            waits[index] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..ops.len()).filter(|&index| waits[index] == 0).collect();
    while !ready.is_empty() {
        let index = ready.swap_remove(random.below(ready.len()));
        order.push(ops[index]);
        for &follower in &followers[index] {
            waits[follower] -= 1;
            if waits[follower] == 0 {
                ready.push(follower);
            }
        }
    }
}

/// `SplitMix64` random numbers, the same for a seed on every machine (Steele, Lea and Flood, 2014).
pub(super) struct SplitMix(u64);

impl SplitMix {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        usize::try_from(bits % bound as u64).expect("below a usize")
    }
}
