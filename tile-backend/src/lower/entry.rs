//! Lowers one entry, after choosing the numbers of warps and blocks that share its tiles.

use super::access::{self, AccessLayouts};
use super::assign::{Assignment, Inputs};
use super::cluster_split::ClusterSplitPlan;
use super::index_range::grid_bounds;
use super::mma_strategy::{MatmulChains, is_matmul};
use super::{Lowering, Scope, ScopeKind, hints, raster_order, supported, variables};
use crate::analysis::divisibility::Divisibility;
use crate::analysis::provenance::Provenance;
use crate::analysis::tokens::TokenOrder;
use crate::gpu::{self, Kernel, RasterOrder, Roots};
use crate::options::{DisabledPasses, HostMaps, KernelOptions};
use crate::remarks::Remarks;
use crate::schedule::Explanation;
use crate::schedule::estimate::Estimate;
use crate::schedule::warps::Work;
use crate::target::Arch;
use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{BlockId, Op, OpId, ValueId};
use tile_core::ops::{MemoryOp, Opcode, ViewOp};
use tile_core::types::Element;

/// Lowers one entry; `None` if an error was reported.
pub(super) fn lower(
    module: &Module,
    entry: OpId,
    arch: Arch,
    kernel_options: KernelOptions,
    chosen: &dyn Fn(&str) -> Option<u32>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Option<Kernel> {
    let body = module.region_block(entry, 0)?;
    let ops = module.walk(body);
    let unknown = supported::unknown(module, &ops);
    for op in &unknown {
        diagnostics.error(
            Diagnostic::error(
                Code::UnsupportedByTarget,
                op.loc,
                format!("{} is no operation that GPUs can run", supported::what(op)),
            )
            .help("flatten structured loops, and take operations of other dialects out"),
        );
    }
    let op = module.op(entry);
    let name = op.sym_name();
    let is_named = is_identifier(&name);
    if !is_named {
        diagnostics.error(
            Diagnostic::error(
                Code::UnsupportedByTarget,
                op.loc,
                format!("PTX cannot name a kernel `{}`", name.escape_debug()),
            )
            .note("a name in PTX is made of ASCII letters, digits, `_` and `$`, and does not start with a digit"),
        );
    }
    if !unknown.is_empty() || !is_named {
        return None;
    }
    let divisibility = Divisibility::analyze(module, entry);
    let provenance = Provenance::analyze(module, body, &ops, kernel_options.noalias);
    let written = written(module, &provenance, &ops);
    remarks.about(&name, arch);
    remarks.explanation.begin(&name);
    let schedule = kernel_options.schedule.or(hints::hints(op, arch, remarks));
    let kernel_options = KernelOptions {
        schedule,
        ..kernel_options
    };
    let latencies = hints::latencies(module, &ops, arch, remarks);
    let chains = MatmulChains::find(module, &ops);
    // A chain of matmuls limits the number of warps over which it can be split, so chains are found before
    // registers are estimated.
    let estimate = Estimate::analyze(module, body, chains.max_warps(module).is_some(), arch);
    let cluster_split = ClusterSplitPlan::choose(module, &ops, &estimate, arch, kernel_options);
    let entry = Entry {
        module,
        op,
        body,
        ops: &ops,
        divisibility: &divisibility,
        provenance: &provenance,
        written: &written,
        chains: &chains,
        estimate: &estimate,
        latencies: &latencies,
        arch,
        kernel_options,
        chosen: chosen(&name),
    };
    let mut exchange = None;
    if cluster_split.blocks_per_tile() > 1 {
        // A reduction in order would have to move elements between blocks, unless tiles are loaded in that
        // order. Try this only if the ordinary layouts fail.
        for has_ordered_reductions in [false, true] {
            let kernel = entry.lower(
                cluster_split.blocks_per_tile(),
                has_ordered_reductions,
                &mut remarks.explanation,
                diagnostics,
            )?;
            if gpu::can_split(&kernel) {
                cluster_split.remark_split(op.loc, remarks);
                return Some(kernel);
            }
            let prevented_by = gpu::first_unsplittable(&kernel).map(|id| kernel.op(id).loc);
            exchange = exchange.or(prevented_by);
        }
    }
    cluster_split.remark_not_split(exchange, remarks);
    entry.lower(1, false, &mut remarks.explanation, diagnostics)
}

/// An entry, and the results of its analyses.
struct Entry<'a> {
    module: &'a Module,
    op: &'a Op,
    body: BlockId,
    ops: &'a [OpId],
    divisibility: &'a Divisibility,
    provenance: &'a Provenance,
    written: &'a Roots,
    chains: &'a MatmulChains,
    estimate: &'a Estimate<'a>,
    latencies: &'a FxHashMap<OpId, u32>,
    arch: Arch,
    kernel_options: KernelOptions,
    /// The number of warps of a block that the caller has chosen, if any.
    chosen: Option<u32>,
}

impl Entry<'_> {
    /// Lowers the kernel for `blocks_per_tile` blocks per work tile. If `has_ordered_reductions`, tiles with
    /// the shape of a reduction's operand are loaded in the order of its axis.
    fn lower(
        &self,
        blocks_per_tile: u32,
        has_ordered_reductions: bool,
        explanation: &mut Explanation,
        diagnostics: &mut Diagnostics,
    ) -> Option<Kernel> {
        let Self {
            module,
            op,
            body,
            ops,
            arch,
            kernel_options,
            ..
        } = *self;
        let options = kernel_options.schedule;
        let of_block = options.num_warps.or(self.chosen);
        let of_block = of_block.unwrap_or_else(|| self.choose_warps(blocks_per_tile, explanation));
        let num_warps = of_block * blocks_per_tile;
        let mut access = AccessLayouts::choose(module, self.divisibility, ops, num_warps);
        if has_ordered_reductions {
            access.order_for_reductions(module, ops);
        }
        let inputs = Inputs {
            module,
            ops,
            divisibility: self.divisibility,
            access: &access,
            chains: self.chains,
            num_warps,
            arch,
        };
        let assignment = Assignment::solve(&inputs);
        let mut kernel = Kernel::new(&*op.sym_name(), num_warps, op.loc);
        kernel.launch.blocks_per_tile = blocks_per_tile;
        // The number of threads of a multiprocessor limits the occupancy.
        let most = arch.threads_per_multiprocessor() / (32 * of_block);
        kernel.launch.blocks_per_multiprocessor = options.occupancy.unwrap_or(1).min(most);
        kernel.requests.options = options;
        kernel.variables = variables::variables(module, diagnostics);
        if blocks_per_tile == 1 && raster_order::is_any_order_allowed(module, self.provenance, ops)
        {
            let grouped_raster = raster_order::grouped_raster(module, ops);
            let grouped_raster = grouped_raster
                .filter(|_| !options.disabled.contains(DisabledPasses::GROUPED_RASTER));
            kernel.launch.raster_order =
                grouped_raster.map_or(RasterOrder::Any, RasterOrder::Grouped);
        }
        let tokens = TokenOrder::analyze(module, ops);
        kernel.order.paths = tokens.paths().clone();
        kernel.order.aliasing = self.provenance.aliasing().clone();
        let scope = Scope {
            block: kernel.body(),
            kind: ScopeKind::Straight,
            converted: FxHashMap::default(),
            stored: FxHashMap::default(),
        };
        let mut lowering = Lowering {
            module,
            arch,
            // The boxes of the host's tensor maps cover a tile of one block, so they do not fit a split work
            // tile.
            maps: if blocks_per_tile > 1 {
                HostMaps::None
            } else {
                kernel_options.maps
            },
            grid: grid_bounds(&module.block(body).args, kernel_options),
            kernel,
            provenance: self.provenance,
            tokens,
            divisibility: self.divisibility,
            access: &access,
            chains: self.chains,
            assignment: &assignment,
            body,
            written: self.written.clone(),
            uses: uses(module, ops),
            waits: ops
                .iter()
                .any(|&op| module.op(op).opcode == Opcode::Memory(MemoryOp::GdcWaitTko)),
            values: vec![None; module.num_values()],
            latencies: self.latencies.clone(),
            depth: Vec::new(),
            scopes: vec![scope],
            constants: FxHashMap::default(),
            diagnostics,
        };
        lowering.params(body, ops);
        let lowered = lowering.block(body);
        let kernel = lowering.kernel;
        lowered.ok().map(|()| kernel)
    }

    /// Returns the number of warps of a block if no option specifies one; see [`crate::schedule`].
    fn choose_warps(&self, blocks_per_tile: u32, explanation: &mut Explanation) -> u32 {
        let module = self.module;
        let bytes = |&value: &ValueId| {
            let tile = module.ty(value).as_tile()?;
            let bytes = match tile.element {
                Element::Ptr(_) => 8,
                Element::Scalar(scalar) => scalar.bytes() as u64,
            };
            Some(tile.num_elements().unsigned_abs().saturating_mul(bytes))
        };
        let results = self.ops.iter().flat_map(|&op| &module.op(op).results);
        let work = Work {
            estimate: self.estimate,
            largest_bytes: results.filter_map(bytes).max().unwrap_or(1),
            has_mma: self.ops.iter().any(|&op| is_matmul(module.op(op).opcode)),
            max_in_chain: self.chains.max_warps(module),
            blocks_per_tile,
        };
        let name = self.op.sym_name();
        work.choose(self.arch, self.kernel_options.schedule, &mut |candidate| {
            explanation.add_warps(&name, candidate);
        })
    }
}

/// Returns the objects that the entry may store to.
fn written(module: &Module, provenance: &Provenance, ops: &[OpId]) -> Roots {
    let mut written = Roots::new();
    for &op in ops {
        let op = module.op(op);
        let is_load = matches!(
            op.opcode,
            Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
        );
        if let Some(roots) = access::roots_of(module, provenance, op).filter(|_| !is_load) {
            written.extend(roots);
        }
    }
    written
}

/// Returns the number of uses of each value as an operand.
fn uses(module: &Module, ops: &[OpId]) -> Vec<u32> {
    let mut uses = vec![0; module.num_values()];
    for operand in ops.iter().flat_map(|&op| &module.op(op).operands) {
        uses[operand.index()] += 1;
    }
    uses
}

/// Returns `true` if PTX accepts `name`, and LLVM does not rewrite it, as it does names with `.` or `%`.
pub(super) fn is_identifier(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    name.bytes().all(legal) && name.starts_with(|first: char| !first.is_ascii_digit())
}
