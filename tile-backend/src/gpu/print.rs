//! The text form of the GPU IR, for dumps and tests.

use super::{
    Arrivals, BlockId, Clusters, ElementOp, GroupedRaster, Kernel, LptOrder, Op, ParamKind, Piece,
    PipelineBarriers, Printed, RasterOrder, Reach, ScanStep, SharedMatrix, Ty, ValueId,
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
                kernel.launch.num_warps,
                match kernel.launch.producer_warps {
                    0 => String::new(),
                    producers => format!(" producers={producers}"),
                },
                kernel.launch.blocks_per_multiprocessor,
                kernel.shared.bytes
            ),
        );
        if kernel.launch.is_persistent {
            self.line(1, "persistent");
        }
        if kernel.launch.blocks_per_tile > 1 {
            self.line(
                1,
                &format!("{} blocks per work tile", kernel.launch.blocks_per_tile),
            );
        }
        if kernel.launch.clusters == Clusters::Pairs {
            self.line(1, "clusters of 2, or 1");
        }
        match kernel.launch.raster_order {
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
        line.push_str(&op.kind.to_text());
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

pub(super) fn pipeline_barriers(pipeline_barriers: PipelineBarriers) -> String {
    let PipelineBarriers {
        full: filled,
        empty: free,
        reach,
    } = pipeline_barriers;
    format!(
        "(${}, ${}){}",
        filled.index(),
        free.index(),
        self::reach(reach)
    )
}

pub(super) fn reach(reach: Reach) -> &'static str {
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

/// Returns the text of the attributes of an element-wise operation.
pub(super) fn element_attrs(element: &ElementOp) -> String {
    element.attrs.iter().flatten().map(attr).collect()
}

/// Returns the attributes of a text in PTX.
pub(super) fn ptx_text(element: &ElementOp) -> String {
    let Some(Attr::Str(text)) = element.attr("text") else {
        return String::new();
    };
    match ptx_pack(element) {
        1 => format!("{text:?}"),
        pack => format!("{text:?} pack = {pack}"),
    }
}

pub(super) fn arrivals(arrivals: Arrivals) -> &'static str {
    match arrivals {
        Arrivals::One => "",
        Arrivals::PerWarp => " per warp",
        Arrivals::PerClusterWarp => " per warp of cluster",
    }
}

/// Returns the first element of a subtile, unless it is that of the tile.
pub(super) fn corner(corner: &[u64]) -> String {
    if corner.iter().all(|&first| first == 0) {
        return String::new();
    }
    format!(" at {corner:?}")
}

pub(super) fn shared_matrix(matrix: SharedMatrix) -> String {
    let turned = flag(matrix.is_transposed, "'");
    format!("${}{turned}", matrix.buffer.index())
}

/// Returns `word` if the flag is set.
pub(super) fn flag(is_set: bool, word: &'static str) -> &'static str {
    if is_set { word } else { "" }
}

/// Returns items with a space between two.
pub(super) fn list(items: impl IntoIterator<Item: ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(" ")
}

pub(super) fn scan(step: &ScanStep) -> String {
    let lanes = step.plan.lanes();
    let direction = if step.reverse { "reverse " } else { "" };
    format!("{direction}lanes={lanes}")
}

pub(super) fn pieces(pieces: &[Piece]) -> String {
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

/// Returns the text of an attribute that changes what an element-wise operation computes, and nothing for
/// others.
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
