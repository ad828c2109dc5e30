//! Decides which tiles are stored by TMA.
//!
//! Input: a store through a view, and the layout of its tile. Output: how TMA stores the tile, or the reason why
//! threads store it. Lowering asks when it reaches the store, since only then the layout is final.
//!
//! A tile is stored by TMA if it would go through shared memory anyway, and no more passes are needed than for
//! that. The host must pass a tensor map, and nothing else in the kernel may access that memory: the hardware
//! writes through the async proxy, whose writes are not ordered with the accesses of threads. For the same
//! reason, a kernel with acquire or release accesses has no TMA stores.

use super::Refusal;
use crate::analysis::provenance::Provenance;
use crate::layout::{
    Boxes, Conversion, LinearLayout, access_passes, atom_layout, bank_conflict_ways, classify,
    exchange_layout, skewed, stmatrix_plan, vector_plan,
};
use crate::lower::{AccessLayouts, AccessShape, ViewFacts, roots_of};
use crate::options::{DisabledPasses, HostMaps, KernelOptions};
use crate::target::{Arch, Feature};
use tile_core::Module;
use tile_core::ir::{MemoryOrdering, Op, OpId};

/// The required alignment, in bytes, of the strides and of the first element of a tensor.
const ALIGN_BYTES: u64 = 16;

/// Minimum size of a tile in bytes: for smaller tiles, a TMA store costs more than it saves.
const MIN_BYTES: u64 = 4 << 10;

/// Minimum size of a row of a box in bytes: shorter rows write only parts of cache lines.
const MIN_ROW_BYTES: u64 = 64;

/// Maximum size of a tile in bytes.
const MAX_BYTES: u64 = 128 << 10;

/// The layout of a tile in shared memory, its boxes, and how threads write it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaStorePlan {
    /// The layout in shared memory.
    pub memory: LinearLayout,
    /// The boxes of the tensor map.
    pub boxes: Boxes,
    /// The instructions that write the tile to shared memory.
    pub write: TmaStoreWrite,
}

/// The instructions by which threads write a tile to shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TmaStoreWrite {
    /// By `stmatrix`.
    Matrices,
    /// By vector stores of registers in their present order.
    Vectors,
    /// By vector stores after shuffles to another layout, whose stores have fewer bank conflicts.
    Reordered(Box<LinearLayout>),
}

/// The passes over shared memory of the two ways to store a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passes {
    /// Of a write, after which TMA reads.
    pub(super) tma: u64,
    /// Of a write and a read by the threads.
    pub(super) exchange: u64,
}

/// A store through a view that was considered.
pub(crate) struct Considered {
    pub(super) store: OpId,
    pub(super) passes: Option<Passes>,
    pub(crate) plan: Result<TmaStorePlan, Refusal>,
}

/// An entry, and what decides whether TMA stores its tiles.
pub(crate) struct StoreRules<'a> {
    pub(crate) module: &'a Module,
    pub(crate) ops: &'a [OpId],
    pub(crate) provenance: &'a Provenance,
    pub(crate) access: &'a AccessLayouts,
    pub(crate) arch: Arch,
    /// The options, and the hints of the module.
    pub(crate) options: KernelOptions,
    pub(crate) blocks_per_tile: u32,
    /// `false` if an earlier attempt with TMA stores has exceeded shared memory.
    pub(crate) do_tma_stores_fit: bool,
}

impl StoreRules<'_> {
    /// Considers a store through a view, whose tile has the layout `source`.
    pub(crate) fn consider(
        &self,
        store: OpId,
        facts: &ViewFacts,
        source: &LinearLayout,
    ) -> Considered {
        let mut passes = None;
        let plan = self.plan(store, facts, source, &mut passes);
        Considered {
            store,
            passes,
            plan: plan.map_err(Refusal::Because),
        }
    }

    /// Returns the plan of a TMA store, or the reason why threads store the tile.
    fn plan(
        &self,
        id: OpId,
        facts: &ViewFacts,
        source: &LinearLayout,
        passes: &mut Option<Passes>,
    ) -> Result<TmaStorePlan, &'static str> {
        if !self.arch.has(Feature::Tma) {
            return Err("the target has no TMA");
        }
        self.check_options()?;
        let op = self.module.op(id);
        let contiguous = facts.contiguous;
        let contiguous = contiguous.ok_or("no axis of the tensor is known to be contiguous")?;
        let element = facts.ty.tensor_view.element;
        let (shape, element_bytes) = (facts.shape(), element.bytes() as u64);
        let bytes = shape.num_elements() * element_bytes;
        let most = MAX_BYTES.min(u64::from(self.arch.shared_bytes_per_block()) / 3 * 2);
        if element.bits() < 8 || !(MIN_BYTES..=most).contains(&bytes) {
            return Err("the tile is too small or too large");
        }
        if shape.size(contiguous) * element_bytes < MIN_ROW_BYTES {
            return Err("rows are shorter than parts of cache lines");
        }
        if facts.vector_elements * element_bytes < ALIGN_BYTES {
            return Err("rows are not known to be aligned to 16 bytes");
        }
        if !self.is_only_access(id, op) {
            return Err("another access may reach the same memory, or orders other blocks");
        }
        let lines = self.access.layout(&AccessShape::from_view(facts));
        let bits = u32::try_from(8 * element_bytes).expect("an element has few bits");
        // A tile that reaches a layout of whole cache lines without shared memory is stored by the threads.
        if !matches!(
            classify(source, &lines, bits),
            Some(Conversion::WarpShared(_) | Conversion::BlockShared(_))
        ) {
            return Err("threads reach whole cache lines without shared memory");
        }
        let memory = atom_layout(&shape, contiguous, element_bytes);
        let boxes = Boxes::from_layout(&memory, contiguous, element_bytes)
            .ok_or("no boxes cover the tile")?;
        let (tma, write) = self
            .write(source, &memory, bits)
            .ok_or("writes would have bank conflicts")?;
        let exchange = exchange_layout(source, &lines, bits).and_then(|exchange| {
            let of_exchange = |side| access_passes(side, &exchange, bits);
            Some(of_exchange(source)? + of_exchange(&lines)?)
        });
        let exchange = exchange.ok_or("the passes of an exchange are unknown")?;
        *passes = Some(Passes { tma, exchange });
        // A plain exchange needs the passes of a write and of a read; a TMA store saves the read.
        if tma > exchange {
            return Err("an exchange by the threads needs fewer passes");
        }
        Ok(TmaStorePlan {
            memory,
            boxes,
            write,
        })
    }

    /// Checks the target, the launch and the options.
    fn check_options(&self) -> Result<(), &'static str> {
        let disabled = self.options.schedule.disabled;
        if disabled.contains(DisabledPasses::TMA_STORES) {
            Err("TMA stores are disabled")
        } else if self.options.maps != HostMaps::Encoded {
            Err("the launch passes no tensor maps")
        } else if self.blocks_per_tile > 1 {
            // The boxes of the host's tensor maps cover a tile of one block.
            Err("several blocks split the tile")
        } else if !self.do_tma_stores_fit {
            Err("a kernel with TMA stores needs too much shared memory")
        } else {
            Ok(())
        }
    }

    /// Returns the best way to write a tile to `memory`, after the number of passes it needs. `None` if there
    /// would be bank conflicts, since a plain exchange has fewer.
    fn write(
        &self,
        source_layout: &LinearLayout,
        memory: &LinearLayout,
        bits: u32,
    ) -> Option<(u64, TmaStoreWrite)> {
        if self.arch.has(Feature::Stmatrix) && stmatrix_plan(source_layout, memory, bits).is_some()
        {
            // A matrix of 8 rows takes one pass, and stores one word of each thread.
            let words = source_layout.num_registers() as u64 * u64::from(bits) / 32;
            return Some((words, TmaStoreWrite::Matrices));
        }
        let order = reordered(source_layout, memory, bits);
        let used = order.as_ref().unwrap_or(source_layout);
        let width = vector_plan(used, memory, u64::from(128 / bits))?.width_elements;
        if bank_conflict_ways(used, memory, width, bits)? > 1 {
            return None;
        }
        let passes = access_passes(used, memory, bits)?;
        let order = order.map(Box::new);
        let write = order.map_or(TmaStoreWrite::Vectors, TmaStoreWrite::Reordered);
        Some((passes, write))
    }

    /// Returns `true` if nothing else in the kernel may access the memory of a store, and nothing in the
    /// kernel is ordered with other blocks.
    fn is_only_access(&self, id: OpId, op: &Op) -> bool {
        let (module, provenance) = (self.module, self.provenance);
        let Some(own_roots) = roots_of(module, provenance, op) else {
            return false;
        };
        self.ops.iter().all(|&other_id| {
            let other = module.op(other_id);
            let Some(roots) = roots_of(module, provenance, other) else {
                return true;
            };
            let is_plain = matches!(
                other.memory_ordering(),
                MemoryOrdering::Weak | MemoryOrdering::Relaxed
            );
            is_plain && (other_id == id || !provenance.aliasing().may_alias(&own_roots, &roots))
        })
    }
}

/// Returns a layout, reached by shuffles, from which stores to `memory` have fewer bank conflicts.
fn reordered(registers: &LinearLayout, memory: &LinearLayout, bits: u32) -> Option<LinearLayout> {
    let skewed = skewed(registers, memory, bits)?;
    let way = classify(registers, &skewed, bits)?;
    matches!(way, Conversion::WarpShuffle(_)).then_some(skewed)
}
