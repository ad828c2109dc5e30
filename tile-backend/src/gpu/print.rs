//! The text form of the GPU IR, for dumps and tests.

use super::{
    Arrivals, BlockId, BlockOrder, Clusters, Dependents, Expectation, Handshake, Kernel,
    LongestFirst, Op, OpKind, ParamKind, Piece, Printed, Reach, SharedMatrix, StoreEnd, StoreWait,
    Strips, Ty, ValueId,
};
use std::fmt::Write;
use tile_core::ir::Attr;
use tile_core::verify::ptx_pack;

/// The text of a kernel: layouts, buffers, then one operation per line.
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
            self.line(1, "blocks take positions in turn");
        }
        if kernel.parts > 1 {
            self.line(1, &format!("tiles in {} parts", kernel.parts));
        }
        if kernel.clusters == Clusters::Pairs {
            self.line(1, "clusters of 2, or 1");
        }
        match kernel.block_order {
            BlockOrder::Fixed | BlockOrder::Free => {}
            BlockOrder::Strips(Strips { log2_blocks }) => {
                self.line(1, &format!("blocks in strips of {}", 1_u64 << log2_blocks));
            }
            BlockOrder::LongestFirst(LongestFirst { axis, rises }) => {
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
            let slots = match buffer.slots {
                1 => String::new(),
                slots => format!(" in {slots} slots"),
            };
            self.line(
                1,
                &format!(
                    "buffer ${} : {layout} of {}, {} bytes{slots} at {offset}",
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

fn of_handshake(handshake: Handshake) -> String {
    let Handshake {
        filled,
        free,
        reach,
    } = handshake;
    format!(
        "(${}, ${}){}",
        filled.index(),
        free.index(),
        of_reach(reach)
    )
}

fn of_reach(reach: Reach) -> &'static str {
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
        OpKind::Positions => "positions".to_owned(),
        OpKind::Position => "position".to_owned(),
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
        OpKind::Rescale(op) => format!("rescale {}", op.def().mnemonic),
        OpKind::WaitRescaled(op) => format!("wait_rescaled {}", op.def().mnemonic),
        OpKind::Registers(sources) => {
            let sources: Vec<String> = sources.iter().map(|r| r.0.to_string()).collect();
            format!("registers [{}]", sources.join(" "))
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
        OpKind::Transpose(matrix) => format!(
            "transpose ${} to ${}",
            matrix.from.index(),
            matrix.to.index()
        ),
        OpKind::CopyAsync(copy) => format!(
            "copy_async ${} {} vector={} by #{}{}{}",
            copy.buffer.index(),
            super::print_memory::roots(copy.from.roots()),
            copy.from.vector_elements(),
            copy.layout.index(),
            if copy.is_ahead { " ahead" } else { "" },
            copy.from.caching().to_text()
        ),
        OpKind::CommitCopies => "commit_copies".to_owned(),
        OpKind::WaitCopies(left) => format!("wait_copies {left}"),
        OpKind::InitBarriers(barriers, arrivals) => {
            let of_warps = match arrivals {
                Arrivals::One => "",
                Arrivals::PerWarp => " per warp",
                Arrivals::PerWarpOfCluster => " per warp of cluster",
            };
            format!("init_barriers ${}{of_warps}", barriers.index())
        }
        OpKind::DropBarriers(barriers) => format!("drop_barriers ${}", barriers.index()),
        OpKind::ExpectTensors(Expectation { barriers, bytes }) => {
            format!("expect_tensors ${} {bytes}", barriers.index())
        }
        OpKind::CopyTensor(copy) => format!(
            "copy_tensor !{} ${} {} by ${}{}{}{}",
            copy.map,
            copy.buffer.index(),
            super::print_memory::roots(&copy.tile.roots),
            copy.barriers.index(),
            of_reach(copy.reach),
            if copy.is_ahead { " ahead" } else { "" },
            copy.tile.caching.to_text()
        ),
        OpKind::CopyBulk(copy) => format!(
            "copy_bulk ${} {} by ${}{}{}{}",
            copy.buffer.index(),
            super::print_memory::roots(&copy.tile.roots),
            copy.barriers.index(),
            match copy.tile.padding.unwrap_or(0) {
                0 => String::new(),
                bits => format!(" pad {bits:#x}"),
            },
            if copy.is_ahead { " ahead" } else { "" },
            copy.tile.caching.to_text()
        ),
        OpKind::WaitTensors(barriers) => format!("wait_tensors ${}", barriers.index()),
        OpKind::Produce => "produce".to_owned(),
        OpKind::WaitFree(handshake) => format!("wait_free {}", of_handshake(*handshake)),
        OpKind::EndRing(handshake) => format!("end_ring {}", of_handshake(*handshake)),
        OpKind::Free(handshake) => format!("free {}", of_handshake(*handshake)),
        OpKind::FenceAsync => "fence_async".to_owned(),
        OpKind::StoreTensor(store) => format!(
            "store_tensor !{} ${} {}{}",
            store.map,
            store.buffer.index(),
            super::print_memory::roots(&store.tile.roots),
            if store.corner.iter().all(|&first| first == 0) {
                String::new()
            } else {
                format!(" at {:?}", store.corner)
            }
        ),
        OpKind::WaitStores(StoreWait { buffer, end, left }) => {
            let end = match end {
                StoreEnd::Read => "",
                StoreEnd::Written => " written",
            };
            let left = match left {
                0 => String::new(),
                left => format!(" left={left}"),
            };
            format!("wait_stores ${}{end}{left}", buffer.index())
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
        OpKind::MmaLoop(product) => {
            let factors: Vec<_> = product.buffers().collect();
            format!("mma_loop {}", buffers(&factors))
        }
        OpKind::Wgmma(product) => {
            let matrix = |matrix: &SharedMatrix| {
                let turned = if matrix.is_turned { "'" } else { "" };
                format!("${}{turned}", matrix.buffer.index())
            };
            let lhs = product.lhs.as_ref().map_or("registers".to_owned(), matrix);
            let promoted = if product.is_promoted { " promoted" } else { "" };
            let open = match product.open {
                0 => String::new(),
                1 => " open".to_owned(),
                most => format!(" open={most}"),
            };
            let kind = format!("{:?}", product.kind).to_lowercase();
            format!(
                "wgmma {kind} {lhs} {}{promoted}{open}",
                matrix(&product.rhs)
            )
        }
        OpKind::Alternate(what) => format!("alternate {what:?}").to_lowercase(),
        OpKind::WaitProducts(0) => "wait_products".to_owned(),
        OpKind::WaitProducts(left) => format!("wait_products left={left}"),
        OpKind::ReduceWarp(plan) => format!("reduce_warp lanes={:?}", plan.lane_masks),
        OpKind::StorePartials(partials) => {
            let reach = of_reach(partials.reach);
            format!("store_partials {}{reach}", buffers(&partials.buffers))
        }
        OpKind::CombinePartials(partials) => {
            let reach = of_reach(partials.reach);
            format!("combine_partials {}{reach}", buffers(&partials.buffers))
        }
        OpKind::ExchangeInWarps => "exchange_in_warps".to_owned(),
        OpKind::ExchangeByMemory(buffer) => format!("exchange_by_memory ${}", buffer.index()),
        OpKind::ScanWarp(step) => format!("scan_warp {}", scan(step)),
        OpKind::ScanAcross(partials, step) => {
            format!("scan_across {} {}", scan(step), buffers(&partials.buffers))
        }
        OpKind::Merge(merge) => match &merge.at {
            Some(at) => format!("merge slice={} at={at:?}", merge.slice),
            None => format!("merge slice={}", merge.slice),
        },
        OpKind::Pick(pick) => format!("pick slices={:?}", pick.counts),
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

/// Attributes that change what an element-wise operation computes.
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
