//! Puts barriers where threads exchange data through memory.
//!
//! In: a kernel with shared memory allocated and no barriers. Out: the same with a
//! barrier between any two accesses of which one is a write, that may touch the same
//! bytes from different threads. Around a loop the accesses of one iteration meet those
//! of the next; after a branch those of both arms are pending; a `continue` or `break` takes
//! those before it to its loop.
//!
//! Global memory counts too: a tile stored through a tensor may be loaded by other
//! threads. Two accesses to the same tile in the same layout touch each element from the
//! same thread and need no barrier, unless several threads hold an element: all of them load
//! it, and one stores it.

use super::{Touch, touched};
use crate::gpu::{Access, BlockId, GlobalTile, Kernel, LayoutId, OpId, OpKind, ParamKind, ValueId};
use crate::layout::InDim;
use std::collections::BTreeSet;
use std::ops::Range;
use tile_core::Loc;

/// Inserts the barriers.
pub fn barriers(kernel: &mut Kernel) {
    let mut pending = Vec::new();
    block(kernel, kernel.body(), &mut pending, &mut Vec::new());
}

/// What is pending where jumps to a loop leave.
#[derive(Default)]
struct Jumps {
    continues: Vec<Pending>,
    breaks: Vec<Pending>,
}

/// What an access touches.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// Bytes of shared memory.
    Shared(Range<u32>),
    /// A slot of a ring, before the loop that it is made for or in it; other accesses there are to
    /// other slots, or behind the loop's own barrier.
    Slot { ring: Range<u32>, in_loop: bool },
    /// A tile of a tensor in global memory.
    Global {
        tile: GlobalTile,
        /// Per tile axis: tile index, extent, stride. Empty if they are those of another
        /// iteration.
        position: Vec<ValueId>,
        layout: Option<LayoutId>,
        /// Several threads hold an element.
        is_replicated: bool,
    },
}

/// An access that no barrier has followed yet.
#[derive(Clone, Debug, PartialEq)]
struct Pending {
    place: Place,
    touch: Touch,
}

impl Pending {
    /// The same access seen from the next iteration of a loop that defines the values `inside`.
    /// Another tile of the same tensor view is apart from it; a tile of another view, which
    /// has other extents or strides, may not be.
    fn at_next_iteration(&self, inside: &BTreeSet<ValueId>) -> Self {
        let mut there = self.clone();
        if let Place::Global { position, .. } = &mut there.place {
            let is_stale = |(at, value): (usize, &ValueId)| at % 3 != 0 && inside.contains(value);
            if position.iter().enumerate().any(is_stale) {
                position.clear();
            }
        }
        there
    }

    fn conflicts(&self, other: &Pending) -> bool {
        if self.touch == Touch::Read && other.touch == Touch::Read {
            return false;
        }
        match (&self.place, &other.place) {
            (Place::Slot { .. }, Place::Slot { .. }) if self.place == other.place => false,
            (
                Place::Shared(a) | Place::Slot { ring: a, .. },
                Place::Shared(b) | Place::Slot { ring: b, .. },
            ) => a.start < b.end && b.start < a.end,
            (
                Place::Global {
                    tile: a,
                    is_replicated,
                    ..
                },
                Place::Global { tile: b, .. },
            ) => {
                let by_one_of_many = *is_replicated && self.touch != other.touch;
                a.param == b.param && (by_one_of_many || self.place != other.place)
            }
            _ => false,
        }
    }
}

/// Handles one block: inserts barriers and leaves what is pending at its end, nothing if control
/// does not come there.
fn block(kernel: &mut Kernel, id: BlockId, pending: &mut Vec<Pending>, loops: &mut Vec<Jumps>) {
    let mut index = 0;
    while let Some(&op) = kernel.block(id).ops.get(index) {
        let accesses = accesses(kernel, op);
        let conflict = accesses
            .iter()
            .any(|new| pending.iter().any(|old| old.conflicts(new)));
        if conflict {
            let loc = kernel.op(op).loc;
            let barrier = barrier(kernel, loc);
            kernel.block_mut(id).ops.insert(index, barrier);
            index += 1;
            pending.clear();
        }
        if matches!(kernel.op(op).kind, OpKind::Barrier) {
            pending.clear();
        }
        for access in accesses {
            add(pending, access);
        }
        nested(kernel, op, pending, loops);
        index += 1;
    }
}

fn nested(kernel: &mut Kernel, op: OpId, pending: &mut Vec<Pending>, loops: &mut Vec<Jumps>) {
    let blocks = kernel.op(op).blocks.clone();
    match kernel.op(op).kind {
        OpKind::For { .. } | OpKind::Loop => {
            let may_skip = matches!(kernel.op(op).kind, OpKind::For { .. });
            let inside = defined_in(kernel, blocks[0]);
            // What is pending at the end of an iteration meets the next one: repeat until the
            // set at its head is stable.
            let jumps = loop {
                let mut state = pending.clone();
                loops.push(Jumps::default());
                block(kernel, blocks[0], &mut state, loops);
                let jumps = loops.pop().expect("it was pushed above");
                let before = pending.len();
                for access in &jumps.continues {
                    add(pending, access.at_next_iteration(&inside));
                }
                if pending.len() == before {
                    break jumps;
                }
            };
            if !may_skip {
                *pending = jumps.breaks;
            }
        }
        OpKind::If => {
            let start = std::mem::take(pending);
            if blocks.len() < 2 {
                pending.clone_from(&start);
            }
            for id in blocks {
                let mut state = start.clone();
                block(kernel, id, &mut state, loops);
                for access in state {
                    add(pending, access);
                }
            }
        }
        OpKind::Continue | OpKind::Break => {
            let jumps = loops.last_mut().expect("verified: a jump is in a loop");
            let there = match kernel.op(op).kind {
                OpKind::Continue => &mut jumps.continues,
                _ => &mut jumps.breaks,
            };
            for access in std::mem::take(pending) {
                add(there, access);
            }
        }
        OpKind::Return => pending.clear(),
        // The bodies of reductions touch no memory.
        _ => {}
    }
}

/// The values that a block and those in it define: other numbers in every iteration.
fn defined_in(kernel: &Kernel, id: BlockId) -> BTreeSet<ValueId> {
    let block = kernel.block(id);
    let mut found: BTreeSet<ValueId> = block.args.iter().copied().collect();
    for &op in &block.ops {
        let op = kernel.op(op);
        found.extend(&op.results);
        for &block in &op.blocks {
            found.extend(defined_in(kernel, block));
        }
    }
    found
}

fn add(pending: &mut Vec<Pending>, access: Pending) {
    if !pending.contains(&access) {
        pending.push(access);
    }
}

fn barrier(kernel: &mut Kernel, loc: Loc) -> OpId {
    kernel.add_op(OpKind::Barrier, &[], &[], &[], loc)
}

fn accesses(kernel: &Kernel, id: OpId) -> Vec<Pending> {
    let op = kernel.op(id);
    let shared = touched(&op.kind).into_iter().map(|(buffer, touch)| {
        let buffer = kernel.buffer(buffer);
        let start = buffer
            .offset_bytes
            .expect("shared memory is allocated before barriers");
        let bytes = start..start + buffer.bytes;
        let place = if buffer.slots > 1 {
            let is_first = matches!(&op.kind, OpKind::CopyAsync(copy) if !copy.is_ahead);
            Place::Slot {
                ring: bytes,
                in_loop: !is_first,
            }
        } else {
            Place::Shared(bytes)
        };
        Pending { place, touch }
    });
    let global = match &op.kind {
        OpKind::LoadGlobal(tile) if is_written(kernel, tile) => Some(Pending {
            place: Place::Global {
                tile: tile.clone(),
                position: op.args[1..].to_vec(),
                layout: kernel.ty(op.results[0]).layout(),
                is_replicated: is_replicated(kernel, op.results[0]),
            },
            touch: Touch::Read,
        }),
        OpKind::StoreGlobal(tile) => Some(Pending {
            place: Place::Global {
                tile: tile.clone(),
                position: op.args[2..].to_vec(),
                layout: kernel.ty(op.args[0]).layout(),
                is_replicated: is_replicated(kernel, op.args[0]),
            },
            touch: Touch::Write,
        }),
        _ => None,
    };
    shared.chain(global).collect()
}

fn is_replicated(kernel: &Kernel, value: ValueId) -> bool {
    match kernel.ty(value).layout() {
        Some(layout) => {
            let layout = kernel.layout(layout);
            layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0
        }
        // Every thread holds a number.
        None => true,
    }
}

fn is_written(kernel: &Kernel, tile: &GlobalTile) -> bool {
    matches!(
        kernel.params[tile.param].kind,
        ParamKind::Pointer {
            access: Access::Write,
            ..
        }
    )
}
