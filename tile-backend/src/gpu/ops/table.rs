//! The rows.
//!
//! `kind => row, effects, (text of the attributes);`. The compiler asks for a row for every kind.

use super::super::print::{
    arrivals, corner, element_attrs, flag, list, pieces, pipeline_barriers, ptx_text, reach, scan,
    shared_matrix,
};
use super::super::print_memory::{access, roots};
use super::super::{
    Access, BufferId, Dependents, ExpectTx, MemoryKind, OpKind, Partials, Reach, TmaStoreWait,
    TmaStoreWaitKind,
};
use super::Trait::{
    BlockBarrier, Broadcast, ClusterExchange, ControlFlow, Mma, Observable, PerThread, Pure,
    Repeatable, Speculatable, Splittable, Terminator, WarpPrivate,
};
use super::{
    ANY, Completion, Count, Effects, Row, Touch, all, mbarriers, memory, none, op, order, reads,
    writes,
};
use std::fmt::{self, Write as _};
use tile_core::ops::MiscOp;

macro_rules! define_rows {
    ($($pattern:pat => $row:expr, $effects:expr, ($($text:tt)*);)+) => {
        impl OpKind {
            /// Returns the row of the operation.
            #[expect(unused_variables, reason = "not every column depends on every attribute")]
            pub(crate) fn row(&self) -> Row {
                match self { $($pattern => $row,)+ }
            }

            /// Returns what the operation itself reads and writes.
            #[expect(unused_variables, reason = "not every column depends on every attribute")]
            pub(crate) fn effects(&self) -> Effects {
                match self { $($pattern => $effects,)+ }
            }

            /// Writes the text of the attributes.
            pub(super) fn write_attributes(&self, text: &mut String) -> fmt::Result {
                match self { $($pattern => write!(text, $($text)*),)+ }
            }
        }
    };
}

define_rows! {
    // Values.
    OpKind::Constant(bits) => op("constant", 0, 1).with(Pure | Speculatable | Repeatable | Splittable),
        none(), ("{bits:#x}");
    OpKind::ConstantEach(data) => op("constant_each", 0, 1).with(Pure | Speculatable | Splittable),
        none(), ("{}", data.scalar());
    OpKind::BlockId(axis) => op("block_id", 0, 1).with(Speculatable | Repeatable | Splittable),
        none(), ("{axis}");
    OpKind::GridSize(axis) => op("grid_size", 0, 1).with(Speculatable | Repeatable | Splittable),
        none(), ("{axis}");
    OpKind::WorkTileRange => op("work_tile_range", 0, 3).with(Repeatable),
        none(), ("");
    OpKind::WorkTileCoordinates => op("work_tile_coordinates", 1, 3).with(Speculatable | Repeatable),
        none(), ("");
    OpKind::Splat => op("splat", 1, 1).with(Pure | Speculatable | Splittable),
        none(), ("");
    OpKind::ToUniform => op("to_uniform", 1, 1).with(Splittable),
        none(), ("");
    OpKind::Coordinate(axis) => op("coordinate", 0, 1).with(Pure | Speculatable | Splittable),
        none(), ("{}", axis.0);
    OpKind::Compute(element) => op(element.def().mnemonic, ANY, ANY)
            .with(Pure | Speculatable | Repeatable | Splittable),
        none(), ("{}", element_attrs(element));
    OpKind::LazyRescale(element) => op("lazy_rescale", 2, 1).with(Pure),
        none(), ("{}", element.def().mnemonic);
    OpKind::PermuteRegisters(sources) => op("permute_registers", 1, 1)
            .with(Pure | Speculatable | Splittable),
        none(), ("[{}]", list(sources.iter().map(|source| source.0)));
    OpKind::Repack => op("repack", 1, 1).with(Pure),
        none(), ("");
    OpKind::InsertSlice(slice) => op("insert_slice", Count::at_least(2), 1),
        none(), ("slice={}{}", slice.slice, match &slice.at {
            Some(index) => format!(" at={index:?}"),
            None => String::new(),
        });
    OpKind::ExtractSlice(slice) => op("extract_slice", 1 + slice.counts.len(), 1),
        none(), ("slices={:?}", slice.counts);

    // Global memory.
    OpKind::LoadGlobal(tile) => op("load_global", 1 + 3 * tile.axes.len(), 1).with(Splittable),
        memory((tile.access == Access::Write).then_some(Touch::Read)),
        ("{} vector={}{}{}", roots(&tile.roots), tile.vector_elements, flag(tile.by_owners, " by_owners"),
            tile.caching.to_text());
    OpKind::StoreGlobal(tile) => op("store_global", 2 + 3 * tile.axes.len(), 0).with(Splittable),
        memory(Some(Touch::Write)), ("{} vector={}", roots(&tile.roots), tile.vector_elements);
    OpKind::Pad(tile) => op("pad", 2 + 3 * tile.axes.len(), 1),
        none(), ("{:#x}", tile.padding.unwrap_or(0));
    OpKind::Memory(MemoryKind::AddressOf) => op("address_of", ANY, ANY)
            .with(Speculatable | Splittable | Observable),
        none(), ("");
    OpKind::Memory(MemoryKind::PointerAt) => op("pointer_at", ANY, ANY)
            .with(Speculatable | Splittable | Observable),
        none(), ("");
    OpKind::Memory(MemoryKind::Offset { bytes }) => op("offset", ANY, ANY)
            .with(Speculatable | Splittable | Observable),
        none(), ("bytes={bytes}");
    OpKind::Memory(MemoryKind::VariableAddress(number)) => op("variable_address", ANY, ANY)
            .with(Splittable | Observable),
        none(), ("{number}");
    OpKind::Memory(MemoryKind::LocalAddress(buffer)) => op("local_address", ANY, ANY)
            .with(Splittable | Observable),
        none(), ("${}", buffer.index());
    OpKind::Memory(MemoryKind::ArenaAddress(number)) => op("arena_address", ANY, ANY)
            .with(Splittable | Observable),
        none(), ("{number}");
    OpKind::Memory(MemoryKind::Load(tile)) => op("load", ANY, ANY).with(Splittable | Observable)
            .with_if(tile.by_owners || tile.is_strong(), PerThread),
        all([
            memory((!tile.is_constant).then_some(Touch::Read)),
            if tile.is_strong() { order() } else { none() },
        ]),
        ("{}", access(tile));
    OpKind::Memory(MemoryKind::Store(tile)) => op("store", ANY, ANY).with(Splittable | Observable),
        memory(Some(Touch::Write)), ("{}", access(tile));
    OpKind::Memory(MemoryKind::Atomic(tile, update)) => op("atomic", ANY, ANY)
            .with(Splittable | Observable | PerThread),
        memory(Some(Touch::Write)), ("{} {}", update.name(), access(tile));
    OpKind::Dependents(Dependents::Wait) => op("wait_for_dependencies", 0, 0).with(Observable),
        order(), ("");
    OpKind::Dependents(Dependents::Launch) => op("launch_dependents", 0, 0).with(Observable),
        order(), ("");
    OpKind::AliasFence => op("alias_fence", 0, 0).with(Observable),
        order(), ("");

    // Shared memory.
    OpKind::StoreShared(buffer) => op("store_shared", 1, 0),
        writes([*buffer]), ("${}", buffer.index());
    OpKind::StoreMatrix(buffer) => op("store_matrix", 1, 0),
        writes([*buffer]), ("${}", buffer.index());
    OpKind::LoadShared(buffer) => op("load_shared", Count::between(0, 1), 1).with(Broadcast),
        reads([*buffer]), ("${}", buffer.index());
    OpKind::LoadMatrix(buffer) => op("load_matrix", Count::between(0, 1), 1).with(Broadcast),
        reads([*buffer]), ("${}", buffer.index());
    OpKind::LoadSlice(buffer) => op("load_slice", ANY, 1),
        reads([*buffer]), ("${}", buffer.index());
    OpKind::LoadElement { buffer, offset } => op("load_element", 1, 1),
        reads([*buffer]), ("${} + {offset}", buffer.index());
    OpKind::TransposeShared(matrix) => op("transpose_shared", Count::between(0, 2), 0),
        all([reads([matrix.from]), writes([matrix.to])]),
        ("${} to ${}", matrix.from.index(), matrix.to.index());
    OpKind::ConvertLayoutShuffle => op("convert_layout_shuffle", 1, 1).with(Splittable),
        none(), ("");
    OpKind::ConvertLayoutShared(buffer) => op("convert_layout_shared", 1, 1).with(WarpPrivate),
        writes([*buffer]), ("${}", buffer.index());
    OpKind::Barrier => op("barrier", 0, 0).with(Splittable | BlockBarrier),
        none(), ("");
    OpKind::ClusterBarrier => op("cluster_barrier", 0, 0).with(Splittable | BlockBarrier),
        none(), ("");

    // Asynchronous copies.
    OpKind::CopyAsync(copy) => op("copy_async", 2 + copy.from.num_operands(), 0)
            .completes_by(Completion::CopyGroup),
        all([writes([copy.buffer]), memory(copy.from.may_change().then_some(Touch::Read))]),
        ("${} {} vector={} by #{}{}{}", copy.buffer.index(), roots(copy.from.roots()),
            copy.from.vector_elements(), copy.layout.index(), flag(copy.is_prefetch, " prefetch"),
            copy.from.caching().to_text());
    OpKind::CommitGroup => op("commit_group", 0, 0),
        none(), ("");
    OpKind::WaitGroup(left) => op("wait_group", 0, 0),
        none(), ("{left}");
    OpKind::InitMbarriers(barriers, count) => op("init_mbarriers", 0, 0),
        mbarriers(*barriers, Touch::Write),
        ("${}{}", barriers.index(), arrivals(*count));
    OpKind::InvalidateMbarriers(barriers) => op("invalidate_mbarriers", 0, 0),
        mbarriers(*barriers, Touch::Write), ("${}", barriers.index());
    OpKind::ArriveExpectTx(ExpectTx { barriers, bytes }) => op("arrive_expect_tx", ANY, 0),
        none(), ("${} {bytes}", barriers.index());
    OpKind::TmaLoad(copy) => op("tma_load", ANY, 0).completes_by(Completion::Mbarriers(copy.barriers)),
        writes([copy.buffer]),
        ("!{} ${} {} by ${}{}{}{}", copy.map, copy.buffer.index(), roots(&copy.tile.roots),
            copy.barriers.index(), reach(copy.reach), flag(copy.is_prefetch, " prefetch"),
            copy.tile.caching.to_text());
    // The issuing warp need not contain the thread that initialized the mbarriers, so a barrier must
    // separate the initialization from the copy.
    OpKind::BulkCopy(copy) => op("bulk_copy", ANY, 1).completes_by(Completion::Mbarriers(copy.barriers)),
        all([writes([copy.buffer]), mbarriers(copy.barriers, Touch::Read)]),
        ("${} {} by ${}{}{}{}", copy.buffer.index(), roots(&copy.tile.roots), copy.barriers.index(),
            match copy.tile.padding.unwrap_or(0) {
                0 => String::new(),
                bits => format!(" pad {bits:#x}"),
            },
            flag(copy.is_prefetch, " prefetch"), copy.tile.caching.to_text());
    OpKind::ConsumerWait(barriers) => op("consumer_wait", 2, 0),
        mbarriers(*barriers, Touch::Read), ("${}", barriers.index());
    OpKind::FenceProxyAsync => op("fence_proxy_async", 0, 0),
        none(), ("");
    OpKind::TmaStore(store) => op("tma_store", ANY, 0).completes_by(Completion::StoreGroup),
        all([reads([store.buffer]), memory(Some(Touch::Write))]),
        ("!{} ${} {}{}", store.map, store.buffer.index(), roots(&store.tile.roots), corner(&store.corner));
    // The store may read the buffer until this wait ends.
    OpKind::WaitTmaStores(TmaStoreWait { buffer, end, left }) => op("wait_tma_stores", 0, 0),
        reads([*buffer]),
        ("${}{}{}", buffer.index(), flag(*end == TmaStoreWaitKind::Written, " written"), left_in_flight(*left));

    // Warp specialization.
    OpKind::WarpSpecialize => op("warp_specialize", 0, 0).with_blocks(Count::exactly(1))
            .with(ControlFlow | BlockBarrier),
        none(), ("");
    OpKind::ProducerAcquire(barriers) => op("producer_acquire", 2, 0),
        none(), ("{}", pipeline_barriers(*barriers));
    OpKind::ProducerTail(barriers) => op("producer_tail", 2, 0),
        none(), ("{}", pipeline_barriers(*barriers));
    OpKind::ConsumerRelease(barriers) => op("consumer_release", 1, 0),
        none(), ("{}", pipeline_barriers(*barriers));
    OpKind::PingPong(turn) => op("ping_pong", 0, 0),
        none(), ("{}", format!("{turn:?}").to_lowercase());

    // Matrices.
    OpKind::Mma(mma) => op("mma", 3, 1).with(Mma),
        none(), ("{}{}{}{}", format!("{:?}", mma.kind).to_lowercase(), flag(mma.is_half, " half"),
            flag(mma.swapped, " swapped"), match mma.interleaved {
                (false, false) => "",
                (true, false) => " rows_interleaved",
                (false, true) => " columns_interleaved",
                (true, true) => " interleaved",
            });
    OpKind::MmaScaled(mma) => op("mma_scaled", 5, 1).with(Mma),
        none(), ("{} {} {} by {}", mma.elements[0], mma.elements[1], mma.scale, mma.block);
    OpKind::MmaLoop(mma) => op("mma_loop", Count::at_least(1), 1).with(Mma),
        reads(mma.buffers()), ("{}", buffers(mma.buffers()));
    OpKind::Wgmma(mma) => op("wgmma", Count::at_least(mma.values()), 1).with(Mma)
            .completes_by(Completion::WgmmaGroup),
        reads(mma.buffers()),
        ("{} {} {}{}{}", format!("{:?}", mma.kind).to_lowercase(),
            mma.lhs.map_or("registers".to_owned(), shared_matrix), shared_matrix(mma.rhs),
            flag(mma.has_two_level_accumulation, " two_level"), match mma.in_flight {
                0 => String::new(),
                1 => " in_flight".to_owned(),
                most => format!(" in_flight={most}"),
            });
    OpKind::WaitWgmma(left) => op("wait_wgmma", Count::between(1, 2), 1),
        none(), ("{}", left_in_flight(*left));
    OpKind::WaitWgmmaAndRescale(element) => op("wait_wgmma_and_rescale", Count::between(2, 3), 1),
        none(), ("{}", element.def().mnemonic);

    // Reductions and scans.
    OpKind::ReduceWarp(plan) => op("reduce_warp", Count::at_least(1), ANY).with_blocks(Count::exactly(1))
            .with(Splittable),
        none(), ("lanes={:?}", plan.lane_masks);
    OpKind::StorePartials(partials) => op("store_partials", partials.buffers.len(), 0).with(Splittable)
            .with_if(partials.reach == Reach::Cluster, ClusterExchange),
        writes(ids(partials)), ("{}{}", buffers(ids(partials)), reach(partials.reach));
    OpKind::CombinePartials(partials) => op("combine_partials", 0, partials.buffers.len())
            .with_blocks(Count::exactly(1)).with(Splittable | Broadcast)
            .with_if(partials.reach == Reach::Cluster, ClusterExchange),
        reads(ids(partials)), ("{}{}", buffers(ids(partials)), reach(partials.reach));
    OpKind::ScanWarp(step) => op("scan_warp", Count::at_least(1), ANY).with_blocks(Count::exactly(1)),
        none(), ("{}", scan(step));
    OpKind::ScanAcross(partials, step) => op("scan_across", Count::at_least(1), Count::at_least(1))
            .with_blocks(Count::exactly(1)),
        reads(ids(partials)), ("{} {}", scan(step), buffers(ids(partials)));

    // Control flow.
    OpKind::For { unsigned } => op("for", Count::at_least(3), ANY).with_blocks(Count::exactly(1))
            .with(ControlFlow | Splittable),
        none(), ("{}", flag(*unsigned, "unsigned"));
    OpKind::Loop => op("loop", ANY, ANY).with_blocks(Count::exactly(1)).with(ControlFlow | Splittable),
        none(), ("");
    OpKind::If => op("if", 1, ANY).with_blocks(Count::between(1, 2)).with(ControlFlow | Splittable),
        none(), ("");
    OpKind::Yield => op("yield", ANY, 0).with(Terminator | Splittable),
        none(), ("");
    OpKind::Continue => op("continue", ANY, 0).with(Terminator | Splittable),
        none(), ("");
    OpKind::Break => op("break", ANY, 0).with(Terminator | Splittable),
        none(), ("");
    OpKind::Return => op("return", 0, 0).with(Terminator | Splittable),
        none(), ("");

    // What the host sees, and text in PTX.
    OpKind::Assert(message) => op("assert", 1, 0),
        none(), ("{message:?}");
    OpKind::Print(parts) => op("print", ANY, 0).with(Observable),
        none(), ("[{}]", pieces(parts));
    OpKind::Ptx(element) => op(element.def().mnemonic, ANY, ANY).with(Observable)
            .with_if(element.opcode == MiscOp::PtxPure.into(), Pure),
        if element.opcode == MiscOp::Ptx.into() { order() } else { none() },
        ("{}", ptx_text(element));
}

fn ids(partials: &Partials) -> impl Iterator<Item = BufferId> + '_ {
    partials.buffers.iter().copied()
}

fn buffers(ids: impl Iterator<Item = BufferId>) -> String {
    list(ids.map(|id| format!("${}", id.index())))
}

fn left_in_flight(left: u32) -> String {
    match left {
        0 => String::new(),
        left => format!(" left={left}"),
    }
}
