//! The rows.
//!
//! `mnemonic [kind] {attributes} => row, effects;`. The compiler asks for a row for every kind. An attribute
//! is a field of the kind, with the [`Field`] that writes and reads it, or the text form of its own type.

use super::super::text::{Cursor, Field, Flag, Hex, Named, Optional, ParseError, Value, by_field};
use super::super::{Access, BufferId, Dependents, ElementOp, MemoryKind, OpKind, Partials, Reach};
use super::Trait::{
    BlockBarrier, Broadcast, ClusterExchange, ControlFlow, GlobalAccess, Jump, Mma, Observable,
    PerBlock, PerThread, Pure, Repeatable, Speculatable, Splittable, Synchronization, Terminator,
    WarpPrivate,
};
use super::{
    ANY, Completion, Count, Effects, Row, Touch, all, mbarriers, memory, none, op, order, reads,
    writes,
};
use tile_core::ops::MiscOp;

macro_rules! define_rows {
    ($($mnemonic:literal [$($kind:tt)+] {$($field:ident $(: $how:expr)?),*} => $row:expr, $effects:expr;)+
     elements $([$($element:tt)+] {$name:ident} => $element_row:expr, $element_effects:expr;)+) => {
        impl OpKind {
            /// Returns the row of the operation.
            #[expect(unused_variables, reason = "not every column depends on every attribute")]
            pub(crate) fn row(&self) -> Row {
                match self {
                    $($($kind)+ => Row { mnemonic: $mnemonic, ..$row },)+
                    $($($element)+ => Row { mnemonic: $name.def().mnemonic, ..$element_row },)+
                }
            }

            /// Returns what the operation itself reads and writes.
            #[expect(unused_variables, reason = "not every column depends on every attribute")]
            pub(crate) fn effects(&self) -> Effects {
                match self {
                    $($($kind)+ => $effects,)+
                    $($($element)+ => $element_effects,)+
                }
            }

            /// Appends the mnemonic and the attributes.
            pub(in crate::gpu) fn print(&self, text: &mut String) {
                text.push_str(self.row().mnemonic);
                match self {
                    $($($kind)+ => { $(by_field!($($how)?).print($field, text);)* })+
                    $($($element)+ => $name.print_attributes(text),)+
                }
            }

            /// Takes the mnemonic and the attributes.
            pub(in crate::gpu) fn parse(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
                let mut start = cursor.clone();
                match cursor.word("an operation")? {
                    $($mnemonic => {
                        $(let $field = by_field!($($how)?).parse(cursor)?;)*
                        Ok($($kind)+)
                    })+
                    _ => {
                        let element = Value.parse(&mut start)?;
                        *cursor = start;
                        Ok(Self::from_element(element))
                    }
                }
            }
        }
    };
}

define_rows! {
    // Values.
    "constant" [OpKind::Constant(bits)] {bits: Hex} =>
        op(0, 1).with(Pure | Speculatable | Repeatable | Splittable | PerBlock), none();
    "constant_each" [OpKind::ConstantEach(data)] {data} =>
        op(0, 1).with(Pure | Speculatable | Splittable), none();
    "block_id" [OpKind::BlockId(axis)] {axis} =>
        op(0, 1).with(Speculatable | Repeatable | Splittable), none();
    "grid_size" [OpKind::GridSize(axis)] {axis} =>
        op(0, 1).with(Speculatable | Repeatable | Splittable), none();
    "work_tile_range" [OpKind::WorkTileRange] {} => op(0, 3).with(Repeatable), none();
    "work_tile_coordinates" [OpKind::WorkTileCoordinates] {} =>
        op(1, 3).with(Speculatable | Repeatable), none();
    "splat" [OpKind::Splat] {} => op(1, 1).with(Pure | Speculatable | Splittable), none();
    "to_uniform" [OpKind::ToUniform] {} => op(1, 1).with(Splittable), none();
    "coordinate" [OpKind::Coordinate(axis)] {axis} =>
        op(0, 1).with(Pure | Speculatable | Splittable), none();
    "lazy_rescale" [OpKind::LazyRescale(element)] {element} => op(2, 1).with(Pure), none();
    "permute_registers" [OpKind::PermuteRegisters(sources)] {sources} =>
        op(1, 1).with(Pure | Speculatable | Splittable), none();
    "repack" [OpKind::Repack] {} => op(1, 1).with(Pure), none();
    "insert_slice" [OpKind::InsertSlice(slice)] {slice} =>
        op(Count::at_least(2), 1).decided_by(2..), none();
    "extract_slice" [OpKind::ExtractSlice(slice)] {slice} =>
        op(1 + slice.counts.len(), 1).decided_by(1..), none();

    // Global memory.
    "load_global" [OpKind::LoadGlobal(tile)] {tile} =>
        op(1 + 3 * tile.axes.len(), 1).with(Splittable | GlobalAccess).decided_by(..),
        memory((tile.access == Access::Write).then_some(Touch::Read));
    "store_global" [OpKind::StoreGlobal(tile)] {tile} =>
        op(2 + 3 * tile.axes.len(), 0).with(Splittable | GlobalAccess).decided_by(1..),
        memory(Some(Touch::Write));
    "pad" [OpKind::Pad(tile)] {tile} =>
        op(2 + 3 * tile.axes.len(), 1).decided_by(1..), none();
    "address_of" [OpKind::Memory(MemoryKind::AddressOf)] {} =>
        op(ANY, ANY).with(Speculatable | Splittable | Observable), none();
    "pointer_at" [OpKind::Memory(MemoryKind::PointerAt)] {} =>
        op(ANY, ANY).with(Speculatable | Splittable | Observable), none();
    "offset" [OpKind::Memory(MemoryKind::Offset { bytes })] {bytes: Named("bytes")} =>
        op(ANY, ANY).with(Speculatable | Splittable | Observable), none();
    "variable_address" [OpKind::Memory(MemoryKind::VariableAddress(number))] {number} =>
        op(ANY, ANY).with(Splittable | Observable), none();
    "local_address" [OpKind::Memory(MemoryKind::LocalAddress(buffer))] {buffer} =>
        op(ANY, ANY).with(Splittable | Observable), none();
    "arena_address" [OpKind::Memory(MemoryKind::ArenaAddress(number))] {number} =>
        op(ANY, ANY).with(Splittable | Observable), none();
    "load" [OpKind::Memory(MemoryKind::Load(tile))] {tile} =>
        op(ANY, ANY).with(Splittable | Observable | GlobalAccess)
            .with_if(tile.by_owners || tile.is_strong(), PerThread)
            .decided_by_addresses(tile),
        all([
            memory((!tile.is_constant).then_some(Touch::Read)),
            if tile.is_strong() { order() } else { none() },
        ]);
    "store" [OpKind::Memory(MemoryKind::Store(tile))] {tile} =>
        op(ANY, ANY).with(Splittable | Observable | GlobalAccess).decided_by_addresses(tile),
        memory(Some(Touch::Write));
    "atomic" [OpKind::Memory(MemoryKind::Atomic(tile, update))] {update, tile} =>
        op(ANY, ANY).with(Splittable | Observable | GlobalAccess | PerThread)
            .decided_by_addresses(tile),
        memory(Some(Touch::Write));
    "wait_for_dependencies" [OpKind::Dependents(Dependents::Wait)] {} =>
        op(0, 0).with(Observable | Synchronization | PerBlock), order();
    "launch_dependents" [OpKind::Dependents(Dependents::Launch)] {} =>
        op(0, 0).with(Observable | Synchronization | PerBlock), order();
    "alias_fence" [OpKind::AliasFence] {} => op(0, 0).with(Observable | Synchronization), order();

    // Shared memory.
    "store_shared" [OpKind::StoreShared(buffer)] {buffer} => op(1, 0), writes([*buffer]);
    "store_matrix" [OpKind::StoreMatrix(buffer)] {buffer} => op(1, 0), writes([*buffer]);
    "load_shared" [OpKind::LoadShared(buffer)] {buffer} =>
        op(Count::between(0, 1), 1).with(Broadcast), reads([*buffer]);
    "load_matrix" [OpKind::LoadMatrix(buffer)] {buffer} =>
        op(Count::between(0, 1), 1).with(Broadcast), reads([*buffer]);
    "load_slice" [OpKind::LoadSlice(buffer)] {buffer} => op(ANY, 1).decided_by(..), reads([*buffer]);
    "load_element" [OpKind::LoadElement { buffer, offset }] {buffer, offset: Named("offset")} =>
        op(1, 1).decided_by(..), reads([*buffer]);
    "transpose_shared" [OpKind::TransposeShared(matrix)] {matrix} =>
        op(Count::between(0, 2), 0), all([reads([matrix.from]), writes([matrix.to])]);
    "convert_layout_shuffle" [OpKind::ConvertLayoutShuffle] {} => op(1, 1).with(Splittable), none();
    "convert_layout_shared" [OpKind::ConvertLayoutShared(buffer)] {buffer} =>
        op(1, 1).with(WarpPrivate), writes([*buffer]);
    "barrier" [OpKind::Barrier] {} =>
        op(0, 0).with(Splittable | BlockBarrier | Synchronization | PerBlock), none();
    "cluster_barrier" [OpKind::ClusterBarrier] {} =>
        op(0, 0).with(Splittable | BlockBarrier | Synchronization | PerBlock), none();

    // Asynchronous copies.
    "copy_async" [OpKind::CopyAsync(copy)] {copy} =>
        op(2 + copy.from.num_operands(), 0).with(GlobalAccess).completes_by(Completion::CopyGroup),
        all([writes([copy.buffer]), memory(copy.from.may_change().then_some(Touch::Read))]);
    "commit_group" [OpKind::CommitGroup] {} => op(0, 0).with(Synchronization), none();
    "wait_group" [OpKind::WaitGroup(left)] {left} => op(0, 0).with(Synchronization), none();
    "init_mbarriers" [OpKind::InitMbarriers(barriers, count)] {barriers, count: Optional("arrivals")} =>
        op(0, 0).with(Synchronization | PerBlock), mbarriers(*barriers, Touch::Write);
    "invalidate_mbarriers" [OpKind::InvalidateMbarriers(barriers)] {barriers} =>
        op(0, 0).with(Synchronization), mbarriers(*barriers, Touch::Write);
    "arrive_expect_tx" [OpKind::ArriveExpectTx(expected)] {expected} => op(ANY, 0).with(Synchronization), none();
    "tma_load" [OpKind::TmaLoad(copy)] {copy} =>
        op(ANY, 0).with(GlobalAccess).completes_by(Completion::Mbarriers(copy.barriers)),
        writes([copy.buffer]);
    "prefetch_maps" [OpKind::PrefetchMaps] {} => op(0, 0).with(Splittable | PerBlock), none();
    // The issuing warp need not contain the thread that initialized the mbarriers, so a barrier must
    // separate the initialization from the copy.
    "bulk_copy" [OpKind::BulkCopy(copy)] {copy} =>
        op(ANY, 1).with(GlobalAccess).completes_by(Completion::Mbarriers(copy.barriers)),
        all([writes([copy.buffer]), mbarriers(copy.barriers, Touch::Read)]);
    "consumer_wait" [OpKind::ConsumerWait(barriers)] {barriers} =>
        op(2, 0).with(Synchronization), mbarriers(*barriers, Touch::Read);
    "fence_proxy_async" [OpKind::FenceProxyAsync] {} => op(0, 0).with(Synchronization), none();
    "tma_store" [OpKind::TmaStore(store)] {store} =>
        op(ANY, 0).with(GlobalAccess).decided_by(..).completes_by(Completion::StoreGroup),
        all([reads([store.buffer]), memory(Some(Touch::Write))]);
    // The store may read the buffer until this wait ends.
    "wait_tma_stores" [OpKind::WaitTmaStores(wait)] {wait} =>
        op(0, 0).with(Synchronization | PerBlock), reads([wait.buffer]);

    // Warp specialization.
    "warp_specialize" [OpKind::WarpSpecialize] {} =>
        op(0, 0).with_blocks(Count::exactly(1)).with(ControlFlow | BlockBarrier), none();
    "producer_acquire" [OpKind::ProducerAcquire(barriers)] {barriers} =>
        op(2, 0).with(Synchronization), none();
    "producer_tail" [OpKind::ProducerTail(barriers)] {barriers} =>
        op(2, 0).with(Synchronization | PerBlock), none();
    "consumer_release" [OpKind::ConsumerRelease(barriers)] {barriers} =>
        op(1, 0).with(Synchronization), none();
    "ping_pong" [OpKind::PingPong(turn)] {turn} => op(0, 0).with(Synchronization), none();

    // Matrices.
    "mma" [OpKind::Mma(mma)] {mma} => op(3, 1).with(Mma), none();
    "mma_scaled" [OpKind::MmaScaled(mma)] {mma} => op(5, 1).with(Mma), none();
    "mma_loop" [OpKind::MmaLoop(mma)] {mma} =>
        op(Count::at_least(1), 1).with(Mma), reads(mma.buffers());
    "wgmma" [OpKind::Wgmma(mma)] {mma} =>
        op(Count::at_least(mma.values()), 1).with(Mma).completes_by(Completion::WgmmaGroup),
        reads(mma.buffers());
    "wait_wgmma" [OpKind::WaitWgmma(left)] {left: Optional("left")} =>
        op(Count::between(1, 2), 1).with(Synchronization), none();
    "wait_wgmma_and_rescale" [OpKind::WaitWgmmaAndRescale(element)] {element} =>
        op(Count::between(2, 3), 1).with(Synchronization), none();

    // Reductions and scans.
    "reduce_warp" [OpKind::ReduceWarp(plan)] {plan} =>
        op(Count::at_least(1), ANY).with_blocks(Count::exactly(1)).with(Splittable), none();
    "store_partials" [OpKind::StorePartials(partials)] {partials} =>
        op(partials.buffers.len(), 0).with(Splittable)
            .with_if(partials.reach == Reach::Cluster, ClusterExchange),
        writes(ids(partials));
    "combine_partials" [OpKind::CombinePartials(partials)] {partials} =>
        op(0, partials.buffers.len()).with_blocks(Count::exactly(1)).with(Splittable | Broadcast)
            .with_if(partials.reach == Reach::Cluster, ClusterExchange),
        reads(ids(partials));
    "scan_warp" [OpKind::ScanWarp(step)] {step} =>
        op(Count::at_least(1), ANY).with_blocks(Count::exactly(1)), none();
    "scan_across" [OpKind::ScanAcross(partials, step)] {partials, step} =>
        op(Count::at_least(1), Count::at_least(1)).with_blocks(Count::exactly(1)), reads(ids(partials));

    // Control flow.
    "for" [OpKind::For { unsigned }] {unsigned: Flag("unsigned")} =>
        op(Count::at_least(3), ANY).with_blocks(Count::exactly(1)).with(ControlFlow | Splittable)
            .decided_by(..3),
        none();
    "loop" [OpKind::Loop] {} =>
        op(ANY, ANY).with_blocks(Count::exactly(1)).with(ControlFlow | Splittable), none();
    "if" [OpKind::If] {} =>
        op(1, ANY).with_blocks(Count::between(1, 2)).with(ControlFlow | Splittable).decided_by(..),
        none();
    "yield" [OpKind::Yield] {} => op(ANY, 0).with(Terminator | Splittable), none();
    "continue" [OpKind::Continue] {} => op(ANY, 0).with(Terminator | Jump | Splittable), none();
    "break" [OpKind::Break] {} => op(ANY, 0).with(Terminator | Jump | Splittable), none();
    "return" [OpKind::Return] {} => op(0, 0).with(Terminator | Jump | Splittable | PerBlock), none();

    // What the host sees, and text in PTX.
    "assert" [OpKind::Assert(message)] {message} => op(1, 0).decided_by(..), none();
    "print" [OpKind::Print(parts)] {parts} => op(ANY, 0).with(Observable), none();

    // Operations of tile IR, by their own mnemonics.
    elements
    [OpKind::Compute(element)] {element} =>
        op(ANY, ANY).with(Pure | Speculatable | Repeatable | Splittable), none();
    [OpKind::Ptx(element)] {element} =>
        op(ANY, ANY).with(Observable | GlobalAccess)
            .with_if(element.opcode == MiscOp::PtxPure.into(), Pure),
        if element.opcode == MiscOp::Ptx.into() { order() } else { none() };
}

impl OpKind {
    /// Returns the operation that runs an operation of tile IR element by element.
    fn from_element(element: ElementOp) -> Self {
        if element.opcode == MiscOp::Ptx.into() || element.opcode == MiscOp::PtxPure.into() {
            Self::Ptx(element)
        } else {
            Self::Compute(element)
        }
    }
}

fn ids(partials: &Partials) -> impl Iterator<Item = BufferId> + '_ {
    partials.buffers.iter().copied()
}
