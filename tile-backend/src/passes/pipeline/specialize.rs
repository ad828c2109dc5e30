//! Loops whose tiles other warps copy.
//!
//! In: loops with products of warpgroups, whose tiles all come as copies of tensors. Out: a warp of its own
//! runs ahead and fills their rings ([`super::producer`]); the loops wait for slots, read them and free
//! them, and their warps no longer wait for each other:
//!
//! ```text
//!   init_barriers; produce { … }
//!   for … {
//!     wait_tensors slot, parity
//!     … products                      the one of the iteration before has ended
//!     free the slot before            or this one, if none is left open
//!   }
//!   wait_products; free the last slot
//! ```
//!
//! It stands for the kernel as a whole: a loop is left to its own threads if its program cannot be told
//! from tiles and memory.

use super::apply::{At, read_rings, with_buffers};
use super::candidates::{self, Plan};
use super::open::{Open, guard};
use super::producer::{Ring, program};
use super::rotate::{self, Rotation};
use super::tensors::{Fills, add_barriers};
use super::transposed::keep_apart;
use super::turns::{PARTS, contains, hand_on};
use super::{How, MOST_OPEN, loops, room};
use crate::gpu::{Arrivals, BlockId, Handshake, Kernel, OpId, OpKind, Reach, Ty, ValueId, each};
use crate::passes::allocate_shared;
use crate::passes::pieces::in_pieces;
use crate::resources::Without;
use crate::target::Feature;
use std::ops::RangeInclusive;
use tile_core::Scalar;

/// The most slots of a ring of which nobody says how many.
const MAX_SLOTS: u32 = 6;

/// States of all rings together, each of which the verifier takes loops through.
const MOST_STATES: u32 = 64;

/// Warps of a warpgroup, of which registers can be moved to others.
const WARPGROUP: u32 = 4;

/// Blocks that a multiprocessor should run at once if they have one warpgroup.
const SMALL_BLOCKS: u32 = 2;

/// Slots that must be left beside the tile that is stored, if blocks take one position after the other.
const PERSISTENT_SLOTS: u32 = 3;

/// Slots with which tiles are stored as a whole: more are not worth the waits between pieces.
const ENOUGH_SLOTS: u32 = 4;

/// Registers of an accumulator with which two blocks of a warpgroup and a warp fit: those of 64x128. Of ten
/// warps one of the four parts of a multiprocessor has three, which leaves each thread 168.
const SMALL_ACCUMULATOR: usize = 64;

/// The kernel with loops so, if there are any.
pub(super) fn specialized(kernel: &Kernel, how: How) -> Option<Kernel> {
    let fits = how.arch.has(Feature::Wgmma)
        && !kernel.without.contains(Without::PRODUCERS)
        && matches!(kernel.num_warps, 4 | 8)
        && kernel.arenas.is_empty()
        && kernel.producer_warps == 0
        && (kernel.num_warps > WARPGROUP || largest_accumulator(kernel) <= SMALL_ACCUMULATOR)
        // Two small blocks store and compute beside each other anyway.
        && (kernel.num_warps > WARPGROUP || !kernel.is_persistent);
    if !fits {
        return None;
    }
    let mut chosen: Vec<(OpId, Plan)> = Vec::new();
    for (_, id) in loops(kernel) {
        let others: Vec<OpId> = chosen.iter().map(|(id, _)| *id).collect();
        let is_fit = !contains(kernel, id, &others)
            && has(kernel, id, &|kind| matches!(kind, OpKind::Wgmma(_)))
            && !has(kernel, id, &|kind| matches!(kind, OpKind::Return));
        if !is_fit {
            continue;
        }
        let plan = candidates::of(kernel, id);
        let plans = [plan.clone(), plan.without_own()];
        let works = |plan: &Plan| {
            let mut all = chosen.clone();
            all.push((id, plan.clone()));
            apply(&mut kernel.clone(), &all, 2, &[]).is_some()
        };
        if let Some(plan) = plans.into_iter().find(works) {
            chosen.push((id, plan));
        }
    }
    if chosen.is_empty() {
        return None;
    }
    // Loops with more, as of attention, differ in length from position to position: whoever is done first
    // should take the next, as blocks do that the hardware starts.
    if kernel.is_persistent && products(kernel) != chosen.len() {
        return None;
    }
    let loads = chosen.iter().flat_map(|(_, plan)| &plan.candidates);
    let asked = room::asked(kernel, loads.map(|candidate| candidate.load));
    if asked.is_some_and(|slots| slots < 2) {
        // Nothing is to be copied ahead.
        return None;
    }
    let is_small = kernel.num_warps == WARPGROUP && kernel.blocks_per_multiprocessor == 1;
    let blocks = is_small.then_some(SMALL_BLOCKS).into_iter();
    for blocks in blocks.chain([kernel.blocks_per_multiprocessor]) {
        let mut kernel = kernel.clone();
        kernel.blocks_per_multiprocessor = blocks;
        let most = asked.unwrap_or(MAX_SLOTS).min(followed(chosen.len()));
        // A second block is worth more than the last slots, and not all of them; nor those that were asked for.
        let least = if kernel.is_persistent {
            asked.map_or(PERSISTENT_SLOTS, |_| most).min(most)
        } else if blocks == SMALL_BLOCKS && is_small {
            asked.map_or(most.clamp(2, 3), |_| most)
        } else {
            2
        };
        let limit = room::bytes(&kernel, how.arch);
        let mut best = fitting(&kernel, &chosen, least..=most, limit);
        let found = best.as_ref().map_or(0, |(slots, _)| *slots);
        let may_cut = kernel.is_persistent && !kernel.without.contains(Without::PIECES);
        if may_cut && found < most.min(ENOUGH_SLOTS) {
            for cut in in_pieces(&kernel) {
                let more = best.as_ref().map_or(least, |(slots, _)| slots + 1);
                best = fitting(&cut, &chosen, more..=most, limit).or(best);
            }
        }
        if let Some((_, made)) = best {
            return Some(made);
        }
    }
    None
}

/// The kernel with the most slots in each ring with which it has no more bytes, and how many they are.
fn fitting(
    kernel: &Kernel,
    chosen: &[(OpId, Plan)],
    slots: RangeInclusive<u32>,
    limit: u32,
) -> Option<(u32, Kernel)> {
    slots.rev().find_map(|slots| {
        let mut made = deepest(kernel, chosen, slots)?;
        allocate_shared(&mut made);
        (made.shared_bytes <= limit).then_some((slots, made))
    })
}

/// The slots up to which the verifier follows so many rings of one loop.
fn followed(rings: usize) -> u32 {
    let rings = u32::try_from(rings).unwrap_or(u32::MAX);
    let is_followed = |slots: &u32| {
        (2 * slots)
            .checked_pow(rings)
            .is_some_and(|n| n <= MOST_STATES)
    };
    (1..=MOST_STATES)
        .take_while(is_followed)
        .last()
        .unwrap_or(0)
}

/// With `slots` in each ring, and products left open as far as they can be.
fn deepest(kernel: &Kernel, chosen: &[(OpId, Plan)], slots: u32) -> Option<Kernel> {
    let mut open: Vec<(OpId, Open)> = Vec::new();
    for &(id, _) in chosen {
        let found = Open::of(kernel, id).filter(|_| slots >= MOST_OPEN + 2);
        open.extend(found.map(|open| (id, open)));
    }
    loop {
        let mut made = kernel.clone();
        apply(&mut made, chosen, slots, &open)?;
        let bad = |(id, open): &(OpId, Open)| !open.keeps_factors(&made, *id);
        match open.iter().position(bad) {
            None => {
                guard_open(&mut made, &open);
                rotate(&mut made, chosen, slots);
                return Some(made);
            }
            Some(at) => drop(open.remove(at)),
        }
    }
}

/// Those that leave products open are in branches, with what waits for these.
fn guard_open(kernel: &mut Kernel, open: &[(OpId, Open)]) {
    for (block, id) in loops(kernel) {
        if open.iter().any(|(open, _)| *open == id) {
            let ops = &kernel.block(block).ops;
            let at = ops.iter().position(|&op| op == id);
            let behind = |id: &OpId| {
                let kind = &kernel.op(*id).kind;
                kind.most_open().is_some() || matches!(kind, OpKind::Free(_))
            };
            let start = at.expect("the loop stands in its block") + 1;
            let count = ops[start..].iter().take_while(|id| behind(id)).count();
            guard(kernel, block, id, start + count);
        }
    }
}

/// Rotates the loops that can be.
fn rotate(kernel: &mut Kernel, chosen: &[(OpId, Plan)], slots: u32) {
    if slots < rotate::FEWEST_SLOTS || kernel.without.contains(Without::ROTATION) {
        return;
    }
    for (block, id) in loops(kernel) {
        let is_chosen = chosen.iter().any(|(chosen, _)| *chosen == id);
        if let Some(rotation) = Rotation::of(kernel, id).filter(|_| is_chosen) {
            rotation.apply(kernel, block, id);
        }
    }
}

/// Products of warpgroups, as the text has them.
fn products(kernel: &Kernel) -> usize {
    let mut count = 0;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        count += usize::from(matches!(kernel.op(id).kind, OpKind::Wgmma(_)));
    });
    count
}

/// Registers of a thread for the largest sum of a product of warpgroups.
fn largest_accumulator(kernel: &Kernel) -> usize {
    let products = kernel.op_ids().map(|id| kernel.op(id));
    let products = products.filter(|op| matches!(op.kind, OpKind::Wgmma(_)));
    let registers = products.map(|op| kernel.layout_of(op.args[0]).num_registers());
    registers.max().unwrap_or(0)
}

/// Whether a kind of operation is inside of another.
fn has(kernel: &Kernel, id: OpId, is_meant: &impl Fn(&OpKind) -> bool) -> bool {
    kernel.op(id).blocks.iter().any(|&block| {
        let mut ops = kernel.block(block).ops.iter();
        ops.any(|&op| is_meant(&kernel.op(op).kind) || has(kernel, op, is_meant))
    })
}

/// Rewrites a kernel; `None` if that cannot be.
fn apply(
    kernel: &mut Kernel,
    chosen: &[(OpId, Plan)],
    slots: u32,
    open: &[(OpId, Open)],
) -> Option<()> {
    let mut rings = Vec::new();
    for (id, plan) in chosen {
        if plan.candidates.is_empty() {
            return None;
        }
        let trips = candidates::constant_trips(kernel, *id);
        let trips = trips.and_then(|trips| u32::try_from(trips).ok());
        let slots = trips.map_or(slots, |trips| slots.min(trips).max(2));
        let plan = with_buffers(kernel, plan);
        let body = kernel.op(*id).blocks[0];
        let fills = Fills::by_tensors(kernel, body, &plan, slots);
        let (filled, _) = fills.barriers.filter(|_| !fills.has_threads())?;
        // One more: that of no slot.
        let free = add_barriers(kernel, slots + 1);
        kernel.kept.extend([filled, free]);
        rings.push(Ring {
            id: *id,
            plan,
            fills,
            handshake: Handshake {
                filled,
                free,
                reach: Reach::Block,
            },
            slots,
        });
    }
    let program = program(kernel, &rings)?;

    // At the top: the barriers, and the other warps.
    let (body, loc) = (kernel.body(), kernel.loc);
    let mut top = At {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    for ring in &rings {
        let Handshake { filled, free, .. } = ring.handshake;
        top.push(OpKind::InitBarriers(filled, Arrivals::One), &[], &[]);
        top.push(OpKind::InitBarriers(free, Arrivals::PerWarp), &[], &[]);
    }
    let produce = top.push(OpKind::Produce, &[], &[]);
    let mut states: Vec<[ValueId; PARTS]> = Vec::new();
    for _ in &rings {
        let zero = top.constant(Scalar::I32, 0);
        states.push([zero; PARTS]);
    }
    kernel.op_mut(produce).blocks.push(program);
    // Beside one warpgroup there are registers for all.
    kernel.producer_warps = if kernel.num_warps > WARPGROUP {
        WARPGROUP
    } else {
        1
    };

    // Only the body behind it: the program has its own.
    let loops: Vec<OpId> = rings.iter().map(|ring| ring.id).collect();
    let mut change = |kernel: &mut Kernel, block, number: usize, state| {
        let ring: &Ring = &rings[number];
        let open = open.iter().find(|(id, _)| *id == ring.id);
        consume(kernel, block, ring, state, open.map(|(_, open)| *open))
    };
    hand_on(kernel, body, &loops, &mut states, &mut change);
    Some(())
}

/// Rewrites a loop of `block`, whose ring is in a state that it gives as it is behind the loop.
fn consume(
    kernel: &mut Kernel,
    block: BlockId,
    ring: &Ring,
    [slot, parity]: [ValueId; PARTS],
    open: Option<Open>,
) -> [ValueId; PARTS] {
    let Ring {
        id,
        plan,
        fills: _,
        handshake,
        slots,
    } = ring;
    let (id, slots, loc) = (*id, *slots, kernel.op(ring.id).loc);
    let body = kernel.op(id).blocks[0];
    let jump = *kernel
        .block(body)
        .ops
        .last()
        .expect("a body ends with a jump");
    keep_apart(kernel, block, id, if open.is_some() { 3 } else { 2 });
    let first = kernel.op(id).results.len();
    let slot = kernel.carry(id, slot);
    let parity = kernel.carry(id, parity);
    // The slot that a product still reads that was left open; at first it is none.
    let before = open.map(|_| {
        let none = none(kernel, block, id, slots);
        kernel.carry(id, none)
    });
    let mut head = At {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    head.push(OpKind::WaitTensors(handshake.filled), &[slot, parity], &[]);
    let (is_last, following) = head.following(slot, slots);
    let following_parity = head.following_parity(is_last, parity);
    read_rings(kernel, body, plan, slot, slots);
    let index = kernel.block(body).ops.len() - 1;
    let mut tail = At {
        kernel,
        block: body,
        index,
        loc,
    };
    tail.push(OpKind::Free(*handshake), &[before.unwrap_or(slot)], &[]);
    let given = [following, following_parity].into_iter();
    let given = given.chain(before.map(|_| slot));
    kernel.op_mut(jump).args.extend(given);
    if let Some(open) = open {
        open.leave(kernel, block, id);
        let last = kernel.op(id).results[first + PARTS];
        let ops = &kernel.block(block).ops;
        let at = ops.iter().position(|&op| op == id);
        // Behind the wait for the product.
        let index = at.expect("the loop stands in its block") + 2;
        let mut behind = At {
            kernel,
            block,
            index,
            loc,
        };
        behind.push(OpKind::Free(*handshake), &[last], &[]);
    }
    let results = &kernel.op(id).results[first..];
    [results[0], results[1]]
}

/// A number that is no slot, in front of the loop.
fn none(kernel: &mut Kernel, block: BlockId, id: OpId, slots: u32) -> ValueId {
    let kind = OpKind::Constant(slots.into());
    let loc = kernel.op(id).loc;
    let constant = kernel.add_op(kind, &[], &[Ty::Uniform(Scalar::I32)], &[], loc);
    let ops = &mut kernel.block_mut(block).ops;
    let at = ops.iter().position(|&op| op == id);
    ops.insert(at.expect("the loop stands in its block"), constant);
    kernel.op(constant).results[0]
}
