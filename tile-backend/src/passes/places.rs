//! Conflicts between accesses: which pairs need a barrier between them.
//!
//! Two accesses need a barrier if tokens may order them, one of them writes, and both may touch the same byte
//! from different threads. An acquire counts for the whole block, and a release covers all earlier accesses
//! of the block. Therefore every access that tokens order with an acquire or a release conflicts with it.
//!
//! Every iteration of a loop has its own instance of the loop's `alloca`s, all in the same memory. Tokens do
//! not order the accesses of successive iterations, yet these accesses need a barrier.

use crate::gpu::{
    Access, BufferId, GlobalTile, Kernel, LayoutId, MemoryKind, OpId, OpKind, Reach, Root, Roots,
    Touch, Trait, ValueId,
};
use crate::layout::InDim;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The memory that an access touches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Bytes of shared memory.
    Shared(Range<u32>),
    /// A stage of a circular buffer, accessed in its loop or before the loop. Other accesses to the same
    /// buffer use other stages, or follow the loop's own barrier.
    Stage {
        circular_buffer: Range<u32>,
        in_loop: bool,
    },
    /// A buffer in which each warp, or each thread, uses only its own elements.
    Own { buffer: BufferId, bytes: Range<u32> },
    /// Memory that is accessed by address.
    Memory { roots: Roots, elements: Elements },
}

/// The elements that an access touches, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Elements {
    /// A tile of a view, by its index.
    Tile {
        tile: Box<GlobalTile>,
        /// Base and index.
        values: Vec<ValueId>,
        layout: Option<LayoutId>,
    },
    /// Elements by their addresses.
    Addressed {
        /// Addresses and mask.
        values: Vec<ValueId>,
        layout: Option<LayoutId>,
        bytes: usize,
    },
    /// Any elements.
    Unknown,
}

/// The threads that access an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The only thread that holds the element.
    Holder,
    /// All threads that hold a copy of the element if it is loaded; one of them if it is stored.
    OneOfMany,
    /// The first thread of the block.
    First,
    /// Any thread.
    Anybody,
}

/// An access that no barrier has followed yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pending {
    pub(super) place: Place,
    pub(super) touch: Touch,
    op: OpId,
    who: Who,
    acquires: bool,
    releases: bool,
    /// The scope of the barrier that must follow the access.
    reach: Reach,
}

impl Pending {
    /// Returns the scope of the barrier that a conflict needs: the block, or all blocks of a cluster split.
    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns `true` if a barrier must separate this access from `later`.
    pub(super) fn conflicts(&self, later: &Pending, kernel: &Kernel) -> bool {
        match (&self.place, &later.place) {
            (Place::Stage { .. } | Place::Own { .. }, _) if self.place == later.place => false,
            (
                Place::Shared(a)
                | Place::Stage {
                    circular_buffer: a, ..
                }
                | Place::Own { bytes: a, .. },
                Place::Shared(b)
                | Place::Stage {
                    circular_buffer: b, ..
                }
                | Place::Own { bytes: b, .. },
            ) => {
                let both_read = self.touch == Touch::Read && later.touch == Touch::Read;
                !both_read && a.start < b.end && b.start < a.end
            }
            (Place::Memory { roots: a, elements }, Place::Memory { roots: b, .. }) => {
                self.meets(later, kernel, (a, b), elements)
            }
            (Place::Shared(_) | Place::Stage { .. } | Place::Own { .. }, Place::Memory { .. })
            | (Place::Memory { .. }, Place::Shared(_) | Place::Stage { .. } | Place::Own { .. }) => {
                false
            }
        }
    }

    fn meets(
        &self,
        later: &Pending,
        kernel: &Kernel,
        (a, b): (&Roots, &Roots),
        elements: &Elements,
    ) -> bool {
        if self.who == Who::First && later.who == Who::First {
            return false;
        }
        let order = &kernel.order;
        let is_ordered = order.precedes(self.op, later.op);
        if is_ordered && (self.acquires || later.releases) {
            return true;
        }
        if self.touch == Touch::Read && later.touch == Touch::Read {
            return false;
        }
        let is_reused =
            |root: &Root| matches!(root, Root::Local(number) if order.reused.contains(number));
        let in_one_place = a.intersection(b).any(is_reused);
        if !is_ordered && !in_one_place || !order.aliasing.may_alias(a, b) {
            return false;
        }
        let by_one_of_many = self.who == Who::OneOfMany && self.touch != later.touch;
        let is_known = *elements != Elements::Unknown && self.who != Who::Anybody;
        let is_same = is_known && self.place == later.place && self.who == later.who;
        by_one_of_many || !is_same
    }

    /// Returns the same access as an earlier iteration made it, since which the values in `inside` have
    /// changed.
    pub(super) fn before(mut self, inside: &FxHashSet<ValueId>) -> Self {
        if let Place::Memory { elements, .. } = &mut self.place {
            let changes = |values: &[ValueId]| values.iter().any(|value| inside.contains(value));
            let is_stale = match elements {
                // Tiles of one view that do not overlap are equal or disjoint.
                Elements::Tile { tile, values, .. } => {
                    let overlap = tile.axes.iter().any(|axis| axis.step < axis.size);
                    let of_another_view = values[1..].chunks(3).any(|axis| changes(&axis[1..]));
                    changes(&values[..1]) || of_another_view || overlap && changes(values)
                }
                Elements::Addressed { values, .. } => changes(values),
                Elements::Unknown => false,
            };
            if is_stale {
                *elements = Elements::Unknown;
            }
        }
        self
    }
}

/// Creates an access that is not ordered with other blocks.
fn plain(op: OpId, place: Place, touch: Touch, who: Who) -> Pending {
    Pending {
        place,
        touch,
        op,
        who,
        acquires: false,
        releases: false,
        reach: Reach::Block,
    }
}

#[cfg(test)]
thread_local! {
    /// The mnemonic and number of an access that [`accesses`] leaves out.
    pub(super) static HIDDEN: std::cell::Cell<Option<(&'static str, usize)>> =
        const { std::cell::Cell::new(None) };
}

#[cfg(test)]
fn without_hidden(mnemonic: &str, mut accesses: Vec<Pending>) -> Vec<Pending> {
    if let Some((hidden, number)) = HIDDEN.get()
        && hidden == mnemonic
        && number < accesses.len()
    {
        accesses.remove(number);
    }
    accesses
}

/// Returns the accesses of an operation itself.
pub(super) fn accesses(kernel: &Kernel, id: OpId) -> Vec<Pending> {
    let op = kernel.op(id);
    let shared = op.kind.buffers().map(|(number, touch)| {
        let buffer = kernel.buffer(number);
        let start = buffer
            .offset_bytes
            .expect("shared memory is allocated before barriers");
        let bytes = start..start + buffer.bytes;
        let is_own = op.kind.has(Trait::WarpPrivate) || kernel.is_thread_private(number);
        let place = if is_own {
            Place::Own {
                buffer: number,
                bytes,
            }
        } else if buffer.stages > 1 {
            let is_first = match &op.kind {
                OpKind::CopyAsync(copy) => !copy.is_prefetch,
                OpKind::TmaLoad(copy) => !copy.is_prefetch,
                OpKind::BulkCopy(copy) => !copy.is_prefetch,
                _ => false,
            };
            Place::Stage {
                circular_buffer: bytes,
                in_loop: !is_first,
            }
        } else {
            Place::Shared(bytes)
        };
        Pending {
            reach: if op.kind.has(Trait::ClusterExchange) {
                Reach::Cluster
            } else {
                Reach::Block
            },
            ..plain(id, place, touch, Who::Anybody)
        }
    });
    let accesses = shared.chain(memory_accesses(kernel, id)).collect();
    #[cfg(test)]
    let accesses = without_hidden(op.kind.mnemonic(), accesses);
    accesses
}

/// Returns the access of an operation to memory with addresses.
fn memory_accesses(kernel: &Kernel, id: OpId) -> Option<Pending> {
    let access = of_memory(kernel, id)?;
    let reach = if kernel.launch.blocks_per_tile > 1 {
        Reach::Cluster
    } else {
        Reach::Block
    };
    Some(Pending { reach, ..access })
}

fn of_memory(kernel: &Kernel, id: OpId) -> Option<Pending> {
    let op = kernel.op(id);
    let tile = |tile: &GlobalTile, values: &[ValueId], value: ValueId, touch| {
        let elements = Elements::Tile {
            tile: Box::new(tile.clone()),
            values: values.to_vec(),
            layout: kernel.ty(value).layout(),
        };
        let place = Place::Memory {
            roots: tile.roots.clone(),
            elements,
        };
        plain(id, place, touch, who(kernel, value))
    };
    match &op.kind {
        OpKind::LoadGlobal(from) => {
            (from.access == Access::Write).then(|| tile(from, &op.args, op.results[0], Touch::Read))
        }
        OpKind::StoreGlobal(to) => Some(tile(to, &op.args[1..], op.args[0], Touch::Write)),
        OpKind::TmaStore(store) => {
            let place = Place::Memory {
                roots: store.tile.roots.clone(),
                elements: Elements::Unknown,
            };
            Some(plain(id, place, Touch::Write, Who::Anybody))
        }
        OpKind::Memory(memory) => addressed(kernel, id, memory),
        OpKind::CopyAsync(copy) if copy.from.may_change() => {
            let place = Place::Memory {
                roots: copy.from.roots().clone(),
                elements: Elements::Unknown,
            };
            Some(plain(id, place, Touch::Read, Who::Anybody))
        }
        _ => None,
    }
}

fn addressed(kernel: &Kernel, id: OpId, kind: &MemoryKind) -> Option<Pending> {
    let op = kernel.op(id);
    let (tile, touch) = match kind {
        MemoryKind::Load(tile) if tile.is_constant => return None,
        MemoryKind::Load(tile) => (tile, Touch::Read),
        MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _) => (tile, Touch::Write),
        MemoryKind::AddressOf
        | MemoryKind::PointerAt
        | MemoryKind::Offset { .. }
        | MemoryKind::VariableAddress(_)
        | MemoryKind::LocalAddress(_)
        | MemoryKind::ArenaAddress(_) => return None,
    };
    let operands = tile.operands(&op.args);
    // Several elements of an atomic may have the same address, and elements of half a byte have no address of
    // their own.
    let is_atomic = matches!(kind, MemoryKind::Atomic(..));
    let elements = if is_atomic {
        Elements::Unknown
    } else {
        Elements::Addressed {
            values: [Some(operands.addresses), operands.mask]
                .into_iter()
                .flatten()
                .collect(),
            layout: kernel.ty(operands.addresses).layout(),
            bytes: tile.element.bytes(),
        }
    };
    let is_uniform = kernel.ty(operands.addresses).layout().is_none();
    let is_by_first = touch == Touch::Write || tile.by_owners;
    Some(Pending {
        place: Place::Memory {
            roots: tile.roots.clone(),
            elements,
        },
        touch,
        op: id,
        who: if is_uniform && is_by_first {
            Who::First
        } else {
            who(kernel, operands.addresses)
        },
        acquires: tile.acquires(),
        releases: tile.releases(),
        reach: Reach::Block,
    })
}

fn who(kernel: &Kernel, value: ValueId) -> Who {
    match kernel.ty(value).layout() {
        Some(layout) => {
            let layout = kernel.layout(layout);
            if layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0 {
                Who::OneOfMany
            } else {
                Who::Holder
            }
        }
        // Every thread holds a uniform value.
        None => Who::OneOfMany,
    }
}
