//! The text form of the GPU IR, for dumps and tests.

use super::{
    Arrivals, BlockId, Clusters, Dependents, ExpectTx, GroupedRaster, Kernel, LptOrder, Op, OpKind,
    ParamKind, Piece, PipelineBarriers, Printed, RasterOrder, Reach, SharedMatrix, TmaStoreWait,
    TmaStoreWaitKind, Ty, ValueId,
};
use std::fmt::Write;
use tile_core::ir::Attr;
use tile_core::verify::ptx_pack;

/// Returns the text of a kernel: layouts, buffers, then one operation per line.
pub fn to_text(kernel: &Kernel) -> String {
    let mut printer = Printer {
        kernel,
        text: String::new(),
    };
    printer.kernel();
    printer.text
}

struct Printer<'k> {
    kernel: &'k Kernel,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = depth * 2);
    }

    fn kernel(&mut self) {
        let kernel = self.kernel;
        self.line(
            0,
            &format!(
                "kernel @{} warps={}{} blocks={} shared={} {{",
                kernel.name,
                kernel.num_warps,
                match kernel.producer_warps {
                    0 => String::new(),
                    producers => format!(" producers={producers}"),
                },
                kernel.blocks_per_multiprocessor,
                kernel.shared_bytes
            ),
        );
        if kernel.is_persistent {
            self.line(1, "persistent");
        }
        if kernel.blocks_per_tile > 1 {
            self.line(
                1,
                &format!("{} blocks per work tile", kernel.blocks_per_tile),
            );
        }
        if kernel.clusters == Clusters::Pairs {
            self.line(1, "clusters of 2, or 1");
        }
        match kernel.raster_order {
            RasterOrder::Fixed | RasterOrder::Any => {}
            RasterOrder::Grouped(GroupedRaster { log2_blocks }) => {
                self.line(1, &format!("grouped raster of {}", 1_u64 << log2_blocks));
            }
            RasterOrder::Lpt(LptOrder { axis, rises }) => {
                let more = if rises { "more" } else { "less" };
                let order = format!("longest blocks first: {more} work further along axis {axis}");
                self.line(1, &order);
            }
        }
        for (id, layout) in kernel.layouts() {
            let text = layout.to_string();
            for (index, part) in text.lines().enumerate() {
                let head = if index == 0 {
                    format!("#{} = ", id.index())
                } else {
                    "     ".to_owned()
                };
                self.line(1, &format!("{head}{part}"));
            }
        }
        for id in kernel.buffer_ids() {
            let buffer = kernel.buffer(id);
            let layout = buffer
                .layout
                .map_or_else(|| "partials".to_owned(), |id| format!("#{}", id.index()));
            let offset = buffer
                .offset_bytes
                .map_or_else(|| "?".to_owned(), |offset| offset.to_string());
            let stages = match buffer.stages {
                1 => String::new(),
                stages => format!(" in {stages} stages"),
            };
            self.line(
                1,
                &format!(
                    "buffer ${} : {layout} of {}, {} bytes{stages} at {offset}",
                    id.index(),
                    buffer.element,
                    buffer.bytes
                ),
            );
        }
        for variable in &kernel.variables {
            let line = super::print_memory::variable(variable);
            self.line(1, &line);
        }
        for (number, arena) in kernel.arenas.iter().enumerate() {
            let line = super::print_memory::arena(number, arena);
            self.line(1, &line);
        }
        for param in &kernel.params {
            let kind = match param.kind {
                ParamKind::Pointer {
                    pointee,
                    access,
                    align_bytes,
                    is_unique,
                } => {
                    let aliasing = if is_unique { "" } else { " raw" };
                    format!("ptr<{pointee}> {access:?} align={align_bytes}{aliasing}")
                        .to_lowercase()
                }
                ParamKind::Scalar(scalar) => scalar.to_string(),
            };
            self.line(1, &format!("{} = param {kind}", value(param.value)));
        }
        for (number, map) in kernel.maps.iter().enumerate() {
            self.line(1, &format!("!{number} = map {}", map.to_text()));
        }
        self.block(kernel.body(), 1);
        self.line(0, "}");
    }

    fn block(&mut self, block: BlockId, depth: usize) {
        for &op in &self.kernel.block(block).ops {
            self.op(self.kernel.op(op), depth);
        }
    }

    fn op(&mut self, op: &Op, depth: usize) {
        let mut line = String::new();
        if !op.results.is_empty() {
            let _ = write!(line, "{} = ", values(&op.results));
        }
        line.push_str(&kind(&op.kind));
        if !op.args.is_empty() {
            let _ = write!(line, " {}", values(&op.args));
        }
        if !op.results.is_empty() {
            let types: Vec<String> = op.results.iter().map(|&v| self.ty(v)).collect();
            let _ = write!(line, " : {}", types.join(", "));
        }
        if op.blocks.is_empty() {
            self.line(depth, &line);
            return;
        }
        for (index, &block) in op.blocks.iter().enumerate() {
            let head = if index == 0 { line.as_str() } else { "} else" };
            let args = &self.kernel.block(block).args;
            let args = if args.is_empty() {
                String::new()
            } else {
                let args: Vec<String> = args
                    .iter()
                    .map(|&v| format!("{}: {}", value(v), self.ty(v)))
                    .collect();
                format!(" ({})", args.join(", "))
            };
            self.line(depth, &format!("{head}{args} {{"));
            self.block(block, depth + 1);
        }
        self.line(depth, "}");
    }

    fn ty(&self, value: ValueId) -> String {
        match self.kernel.ty(value) {
            Ty::Uniform(scalar) => scalar.to_string(),
            Ty::Pointer(pointee) => format!("ptr<{pointee}>"),
            Ty::Distributed { element, layout } => {
                let shape = self.kernel.layout(layout).shape().sizes();
                let dims = shape
                    .iter()
                    .flat_map(|dim| [dim.to_string(), "x".to_owned()]);
                let dims: String = dims.collect();
                format!("{dims}{element} #{}", layout.index())
            }
        }
    }
}

fn pipeline_barriers_text(pipeline_barriers: PipelineBarriers) -> String {
    let PipelineBarriers {
        full: filled,
        empty: free,
        reach,
    } = pipeline_barriers;
    format!(
        "(${}, ${}){}",
        filled.index(),
        free.index(),
        reach_text(reach)
    )
}

fn reach_text(reach: Reach) -> &'static str {
    match reach {
        Reach::Block => "",
        Reach::Cluster => " of cluster",
    }
}

fn value(id: ValueId) -> String {
    format!("%{}", id.index())
}

fn values(ids: &[ValueId]) -> String {
    let ids: Vec<String> = ids.iter().map(|&id| value(id)).collect();
    ids.join(", ")
}

pub(super) fn kind(kind: &OpKind) -> String {
    match kind {
        OpKind::Constant(bits) => format!("constant {bits:#x}"),
        OpKind::ConstantEach(data) => format!("constant_each {}", data.scalar()),
        OpKind::BlockId(axis) => format!("block_id {axis}"),
        OpKind::GridSize(axis) => format!("grid_size {axis}"),
        OpKind::WorkTileRange => "work_tile_range".to_owned(),
        OpKind::WorkTileCoordinates => "work_tile_coordinates".to_owned(),
        OpKind::Splat => "splat".to_owned(),
        OpKind::ToUniform => "to_uniform".to_owned(),
        OpKind::Coordinate(axis) => format!("coordinate {}", axis.0),
        OpKind::Compute(op) => {
            let attrs: String = op.attrs.iter().flatten().map(attr).collect();
            format!("{}{attrs}", op.def().mnemonic)
        }
        OpKind::Ptx(op) => match op.attr("text") {
            Some(Attr::Str(text)) => {
                let pack = match ptx_pack(op) {
                    1 => String::new(),
                    pack => format!(" pack = {pack}"),
                };
                format!("{} {text:?}{pack}", op.def().mnemonic)
            }
            _ => op.def().mnemonic.to_owned(),
        },
        OpKind::LazyRescale(op) => format!("lazy_rescale {}", op.def().mnemonic),
        OpKind::WaitWgmmaAndRescale(op) => format!("wait_wgmma_and_rescale {}", op.def().mnemonic),
        OpKind::PermuteRegisters(sources) => {
            let sources: Vec<String> = sources.iter().map(|r| r.0.to_string()).collect();
            format!("permute_registers [{}]", sources.join(" "))
        }
        OpKind::LoadGlobal(tile) => {
            format!(
                "load_global {} vector={}{}{}",
                super::print_memory::roots(&tile.roots),
                tile.vector_elements,
                if tile.by_owners { " by_owners" } else { "" },
                tile.caching.to_text()
            )
        }
        OpKind::Pad(tile) => format!("pad {:#x}", tile.padding.unwrap_or(0)),
        OpKind::StoreGlobal(tile) => {
            format!(
                "store_global {} vector={}",
                super::print_memory::roots(&tile.roots),
                tile.vector_elements
            )
        }
        OpKind::Memory(memory) => super::print_memory::memory(memory),
        OpKind::StoreShared(buffer) => format!("store_shared ${}", buffer.index()),
        OpKind::StoreMatrix(buffer) => format!("store_matrix ${}", buffer.index()),
        OpKind::LoadShared(buffer) => format!("load_shared ${}", buffer.index()),
        OpKind::LoadMatrix(buffer) => format!("load_matrix ${}", buffer.index()),
        OpKind::TransposeShared(matrix) => format!(
            "transpose_shared ${} to ${}",
            matrix.from.index(),
            matrix.to.index()
        ),
        OpKind::CopyAsync(copy) => format!(
            "copy_async ${} {} vector={} by #{}{}{}",
            copy.buffer.index(),
            super::print_memory::roots(copy.from.roots()),
            copy.from.vector_elements(),
            copy.layout.index(),
            if copy.is_prefetch { " prefetch" } else { "" },
            copy.from.caching().to_text()
        ),
        OpKind::CommitGroup => "commit_group".to_owned(),
        OpKind::WaitGroup(left) => format!("wait_group {left}"),
        OpKind::InitMbarriers(barriers, arrivals) => {
            let of_warps = match arrivals {
                Arrivals::One => "",
                Arrivals::PerWarp => " per warp",
                Arrivals::PerClusterWarp => " per warp of cluster",
            };
            format!("init_mbarriers ${}{of_warps}", barriers.index())
        }
        OpKind::InvalidateMbarriers(barriers) => {
            format!("invalidate_mbarriers ${}", barriers.index())
        }
        OpKind::ArriveExpectTx(ExpectTx { barriers, bytes }) => {
            format!("arrive_expect_tx ${} {bytes}", barriers.index())
        }
        OpKind::TmaLoad(copy) => format!(
            "tma_load !{} ${} {} by ${}{}{}{}",
            copy.map,
            copy.buffer.index(),
            super::print_memory::roots(&copy.tile.roots),
            copy.barriers.index(),
            reach_text(copy.reach),
            if copy.is_prefetch { " prefetch" } else { "" },
            copy.tile.caching.to_text()
        ),
        OpKind::BulkCopy(copy) => format!(
            "bulk_copy ${} {} by ${}{}{}{}",
            copy.buffer.index(),
            super::print_memory::roots(&copy.tile.roots),
            copy.barriers.index(),
            match copy.tile.padding.unwrap_or(0) {
                0 => String::new(),
                bits => format!(" pad {bits:#x}"),
            },
            if copy.is_prefetch { " prefetch" } else { "" },
            copy.tile.caching.to_text()
        ),
        OpKind::ConsumerWait(barriers) => format!("consumer_wait ${}", barriers.index()),
        OpKind::WarpSpecialize => "warp_specialize".to_owned(),
        OpKind::ProducerAcquire(pipeline_barriers) => format!(
            "producer_acquire {}",
            pipeline_barriers_text(*pipeline_barriers)
        ),
        OpKind::ProducerTail(pipeline_barriers) => format!(
            "producer_tail {}",
            pipeline_barriers_text(*pipeline_barriers)
        ),
        OpKind::ConsumerRelease(pipeline_barriers) => format!(
            "consumer_release {}",
            pipeline_barriers_text(*pipeline_barriers)
        ),
        OpKind::FenceProxyAsync => "fence_proxy_async".to_owned(),
        OpKind::TmaStore(store) => format!(
            "tma_store !{} ${} {}{}",
            store.map,
            store.buffer.index(),
            super::print_memory::roots(&store.tile.roots),
            if store.corner.iter().all(|&first| first == 0) {
                String::new()
            } else {
                format!(" at {:?}", store.corner)
            }
        ),
        OpKind::WaitTmaStores(TmaStoreWait { buffer, end, left }) => {
            let end = match end {
                TmaStoreWaitKind::Read => "",
                TmaStoreWaitKind::Written => " written",
            };
            let left = match left {
                0 => String::new(),
                left => format!(" left={left}"),
            };
            format!("wait_tma_stores ${}{end}{left}", buffer.index())
        }
        OpKind::Barrier => "barrier".to_owned(),
        OpKind::ClusterBarrier => "cluster_barrier".to_owned(),
        OpKind::Mma(mma) => {
            let swapped = if mma.swapped { " swapped" } else { "" };
            let half = if mma.is_half { " half" } else { "" };
            let interleaved = match mma.interleaved {
                (false, false) => "",
                (true, false) => " rows_interleaved",
                (false, true) => " columns_interleaved",
                (true, true) => " interleaved",
            };
            format!("mma {:?}{half}{swapped}{interleaved}", mma.kind).to_lowercase()
        }
        OpKind::MmaScaled(mma) => {
            let [a, b] = mma.elements;
            format!("mma_scaled {a} {b} {} by {}", mma.scale, mma.block)
        }
        OpKind::MmaLoop(mma) => {
            let factors: Vec<_> = mma.buffers().collect();
            format!("mma_loop {}", buffers(&factors))
        }
        OpKind::Wgmma(mma) => {
            let matrix = |matrix: &SharedMatrix| {
                let turned = if matrix.is_transposed { "'" } else { "" };
                format!("${}{turned}", matrix.buffer.index())
            };
            let lhs = mma.lhs.as_ref().map_or("registers".to_owned(), matrix);
            let promoted = if mma.has_two_level_accumulation {
                " two_level"
            } else {
                ""
            };
            let in_flight = match mma.in_flight {
                0 => String::new(),
                1 => " in_flight".to_owned(),
                most => format!(" in_flight={most}"),
            };
            let kind = format!("{:?}", mma.kind).to_lowercase();
            format!(
                "wgmma {kind} {lhs} {}{promoted}{in_flight}",
                matrix(&mma.rhs)
            )
        }
        OpKind::PingPong(what) => format!("ping_pong {what:?}").to_lowercase(),
        OpKind::WaitWgmma(0) => "wait_wgmma".to_owned(),
        OpKind::WaitWgmma(left) => format!("wait_wgmma left={left}"),
        OpKind::ReduceWarp(plan) => format!("reduce_warp lanes={:?}", plan.lane_masks),
        OpKind::StorePartials(partials) => {
            let reach = reach_text(partials.reach);
            format!("store_partials {}{reach}", buffers(&partials.buffers))
        }
        OpKind::CombinePartials(partials) => {
            let reach = reach_text(partials.reach);
            format!("combine_partials {}{reach}", buffers(&partials.buffers))
        }
        OpKind::ConvertLayoutShuffle => "convert_layout_shuffle".to_owned(),
        OpKind::ConvertLayoutShared(buffer) => format!("convert_layout_shared ${}", buffer.index()),
        OpKind::ScanWarp(step) => format!("scan_warp {}", scan(step)),
        OpKind::ScanAcross(partials, step) => {
            format!("scan_across {} {}", scan(step), buffers(&partials.buffers))
        }
        OpKind::InsertSlice(merge) => match &merge.at {
            Some(index) => format!("insert_slice slice={} at={index:?}", merge.slice),
            None => format!("insert_slice slice={}", merge.slice),
        },
        OpKind::ExtractSlice(pick) => format!("extract_slice slices={:?}", pick.counts),
        OpKind::LoadSlice(buffer) => format!("load_slice ${}", buffer.index()),
        OpKind::Repack => "repack".to_owned(),
        OpKind::For { unsigned } => if *unsigned { "for unsigned" } else { "for" }.to_owned(),
        OpKind::Loop => "loop".to_owned(),
        OpKind::If => "if".to_owned(),
        OpKind::Yield => "yield".to_owned(),
        OpKind::Continue => "continue".to_owned(),
        OpKind::Break => "break".to_owned(),
        OpKind::Assert(message) => format!("assert {message:?}"),
        OpKind::Print(pieces) => format!("print [{}]", pieces_text(pieces)),
        OpKind::LoadElement { buffer, offset } => {
            format!("load_element ${} + {offset}", buffer.index())
        }
        OpKind::Dependents(Dependents::Wait) => "wait_for_dependencies".to_owned(),
        OpKind::Dependents(Dependents::Launch) => "launch_dependents".to_owned(),
        OpKind::AliasFence => "alias_fence".to_owned(),
        OpKind::Return => "return".to_owned(),
    }
}

fn scan(step: &super::ScanStep) -> String {
    let lanes = step.plan.lanes();
    let direction = if step.reverse { "reverse " } else { "" };
    format!("{direction}lanes={lanes}")
}

fn pieces_text(pieces: &[Piece]) -> String {
    let texts: Vec<String> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => format!("\"{}\"", text.escape_ascii()),
            Piece::Value(value) => {
                let Printed {
                    flags,
                    bits,
                    letter,
                    prints: _,
                } = value;
                let bits = bits.map_or_else(String::new, |bits| format!("{{{bits}}}"));
                format!("{flags}{bits}{}", char::from(*letter))
            }
            Piece::Opening(sizes) => format!("opening{sizes:?}"),
            Piece::Closing { sizes, after } => format!("closing+{after}{sizes:?}"),
        })
        .collect();
    texts.join(" ")
}

fn buffers(ids: &[super::BufferId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("${}", id.index())).collect();
    ids.join(" ")
}

/// Returns the text of an attribute that changes what an element-wise operation computes, and an empty string
/// for others.
fn attr(attr: &Attr) -> String {
    match attr {
        Attr::Signedness(value) => format!(" {}", value.name()),
        Attr::Overflow(value) => match value.name() {
            "none" => String::new(),
            name => format!(" {name}"),
        },
        Attr::Rounding(value) => match value.name() {
            "nearest_even" | "full" => String::new(),
            name => format!(" {name}"),
        },
        Attr::Predicate(value) => format!(" {}", value.name()),
        Attr::Ordering(value) => format!(" {}", value.name()),
        Attr::Unit => " flag".to_owned(),
        _ => String::new(),
    }
}
