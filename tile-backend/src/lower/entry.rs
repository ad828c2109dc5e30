//! Lowers one entry, with the first schedule that its operations allow ([`crate::schedule::lowering`]).

use super::access::{self, AccessLayouts};
use super::assign::{Assignment, Inputs};
use super::index_range::grid_bounds;
use super::mma_strategy::MatmulChains;
use super::{Lowering, Scope, ScopeKind, hints, supported, variables};
use crate::analysis::divisibility::Divisibility;
use crate::analysis::provenance::Provenance;
use crate::analysis::tokens::TokenOrder;
use crate::gpu::{self, Kernel, Roots};
use crate::options::KernelOptions;
use crate::remarks::Remarks;
use crate::schedule::cluster_split::ClusterSplitPlan;
use crate::schedule::estimate::Estimate;
use crate::schedule::retry::Feedback;
use crate::schedule::{Explanation, LoweringSchedule, Refusal, lowering};
use crate::target::{Arch, Feature};
use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{BlockId, Op, OpId};
use tile_core::ops::{MemoryOp, Opcode, ViewOp};

/// Lowers one entry, and returns the kernel with the schedule that it has so far; `None` if an error was
/// reported.
pub(super) fn lower(
    module: &Module,
    entry: OpId,
    arch: Arch,
    kernel_options: KernelOptions,
    feedback: Feedback<'_>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Option<(Kernel, LoweringSchedule)> {
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
    let choice = lowering::Entry {
        name: &name,
        module,
        ops: &ops,
        provenance: &provenance,
        chains: &chains,
        estimate: &estimate,
        arch,
        options: kernel_options,
        feedback,
    };
    let entry = Entry {
        module,
        op,
        body,
        ops: &ops,
        divisibility: &divisibility,
        provenance: &provenance,
        written: &written,
        chains: &chains,
        latencies: &latencies,
        arch,
        kernel_options,
        choice: &choice,
    };
    let mut exchange = None;
    let lower = |schedule: &mut LoweringSchedule, explanation: &mut Explanation| {
        let kernel = entry.lower(schedule, explanation, diagnostics)?;
        if schedule.blocks_per_tile == 1 || gpu::can_split(&kernel) {
            return Some(Ok(kernel));
        }
        let prevented_by = gpu::first_unsplittable(&kernel).map(|id| kernel.op(id).loc);
        exchange = exchange.or(prevented_by);
        Some(Err(Refusal::Because(
            "an operation needs threads of one block",
        )))
    };
    let (kernel, schedule) = choice.choose(&cluster_split, &mut remarks.explanation, lower)?;
    if schedule.blocks_per_tile > 1 {
        cluster_split.remark_split(op.loc, remarks);
    } else {
        cluster_split.remark_not_split(exchange, remarks);
    }
    Some((kernel, schedule))
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
    latencies: &'a FxHashMap<OpId, u32>,
    arch: Arch,
    kernel_options: KernelOptions,
    choice: &'a lowering::Entry<'a>,
}

impl Entry<'_> {
    /// Lowers the kernel with a schedule, to which the stores are added.
    fn lower(
        &self,
        schedule: &mut LoweringSchedule,
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
        let num_warps = schedule.warps_per_tile();
        let mut access = AccessLayouts::choose(module, self.divisibility, ops, num_warps);
        if schedule.has_ordered_reductions {
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
        let store_rules = self.choice.store_rules(schedule, &access);
        let mut kernel = Kernel::new(&*op.sym_name(), num_warps, op.loc);
        kernel.launch.blocks_per_tile = schedule.blocks_per_tile;
        kernel.launch.blocks_per_multiprocessor = schedule.blocks_per_multiprocessor;
        kernel.launch.raster_order = schedule.raster_order;
        kernel.requests.options = kernel_options.schedule;
        kernel.launch.is_programmatic = kernel_options.schedule.programmatic_launch.is_some()
            && arch.has(Feature::DependentLaunch);
        kernel.variables = variables::variables(module, diagnostics);
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
            store_rules: &store_rules,
            stores: Vec::new(),
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
        let (kernel, stores) = (lowering.kernel, lowering.stores);
        schedule.add_stores(self.choice, stores, explanation);
        lowered.ok().map(|()| kernel)
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
