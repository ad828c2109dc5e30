//! Remarks on GPU IR: layout conversions through shared memory, barriers, pipelined loads, and operations
//! that the target has no instruction for.

use super::access::accesses;
use super::{Kind, Remark, Remarks, pipelining};
use crate::gpu::{
    AtomicKind, BlockId, BufferId, Clusters, Copied, GlobalTile, Kernel, MemoryKind, MmaKind, Op,
    OpId, OpKind, Reach, SECTOR_BYTES, Ty, WarpAccess, each,
};
use crate::layout::{Axis, LinearLayout};
use crate::schedule::Target;
use crate::target::{Arch, Feature};
use tile_core::ir::AtomicRmwMode;
use tile_core::ops::{ConversionOp, FloatOp, Opcode};
use tile_core::{Loc, Module, Scalar};

/// Adds remarks on a finished kernel and its entry.
pub(crate) fn remark_on_kernel(
    module: &Module,
    kernel: &Kernel,
    target: Target,
    remarks: &mut Remarks,
) {
    let arch = target.arch;
    remarks.about(&kernel.name, arch);
    let mut entries = module.entries();
    if let Some(entry) = entries.find(|&id| *module.op(id).sym_name() == *kernel.name) {
        accesses(module, entry, kernel.launch.num_warps, arch, remarks);
    }
    let mut visit = Visit {
        kernel,
        arch,
        remarks,
    };
    visit.block(kernel.body(), 0);
}

/// Adds remarks on loads in loops that are not prefetched.
pub(crate) fn remark_on_pipelining(kernel: &Kernel, _: Target, remarks: &mut Remarks) {
    pipelining::loads(kernel, remarks);
    stages(kernel, remarks);
}

/// Adds remarks on circular buffers with fewer stages than requested.
fn stages(kernel: &Kernel, remarks: &mut Remarks) {
    let Some(asked) = kernel.requests.options.stages.filter(|&asked| asked > 1) else {
        return;
    };
    // Circular buffers that are filled from another one do not count.
    let is_transposed = |id: BufferId| {
        let mut ops = kernel.op_ids().map(|id| &kernel.op(id).kind);
        ops.any(|kind| matches!(kind, OpKind::TransposeShared(matrix) if matrix.to == id))
    };
    let circular_buffers = kernel.buffer_ids().filter(|&id| !is_transposed(id));
    let held = circular_buffers.map(|id| kernel.buffer(id).stages);
    let held = held.filter(|&stages| stages > 1).min().unwrap_or(1);
    if held < asked {
        remarks.add(|| {
            let message = format!("{asked} stages were requested, and there are {held}");
            Remark::new(Kind::Hint, kernel.loc, message)
                .note("software pipelining needs a loop with loads that can be prefetched, at least as many iterations, and shared memory for the stages")
        });
    }
}

/// Adds remarks on clusters with TMA multicast, and on requests for clusters that could not be followed.
pub(crate) fn remark_on_clusters(kernel: &Kernel, _: Target, remarks: &mut Remarks) {
    let mut copies: Vec<Reach> = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        if let OpKind::TmaLoad(copy) = &kernel.op(id).kind {
            copies.push(copy.reach);
        }
    });
    match (kernel.launch.clusters, kernel.requests.options.cluster) {
        (Clusters::Pairs, hint) => {
            let shared = copies.iter().filter(|&&reach| reach == Reach::Cluster);
            let (shared, total) = (shared.count(), copies.len());
            remarks.add(|| {
                let message = "two neighboring blocks form a cluster and multicast tiles to each other (TMA)";
                let note = format!("{shared} of {total} TMA loads are multicast; without the cluster, a block loads every tile itself");
                let remark = Remark::new(Kind::Chosen, kernel.loc, message).note(note);
                match hint {
                    Some(3..) => remark.note("clusters have two blocks"),
                    _ => remark,
                }
            });
        }
        (Clusters::Single, Some(2..)) if kernel.launch.blocks_per_tile == 1 => remarks.add(|| {
            Remark::new(Kind::Hint, kernel.loc, "clusters were requested, and there are none")
                .note("TMA multicast needs a matmul loop with tensor maps in which one operand and the trip count do not depend on the first grid axis")
        }),
        (Clusters::Single, _) => {}
    }
}

struct Visit<'a> {
    kernel: &'a Kernel,
    arch: Arch,
    remarks: &'a mut Remarks,
}

impl Visit<'_> {
    fn block(&mut self, block: BlockId, loops: usize) {
        for &id in &self.kernel.block(block).ops {
            self.op(id, loops);
        }
    }

    fn op(&mut self, id: OpId, loops: usize) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match &op.kind {
            OpKind::For { .. } | OpKind::Loop => {
                self.barriers(op);
                for &block in &op.blocks {
                    self.block(block, loops + 1);
                }
                return;
            }
            OpKind::If => {
                for &block in &op.blocks {
                    self.block(block, loops);
                }
                return;
            }
            OpKind::StoreShared(buffer) | OpKind::StoreMatrix(buffer) => {
                self.conversion(op, *buffer, loops);
            }
            OpKind::ConvertLayoutShared(buffer) => self.exchange(op, *buffer, loops),
            OpKind::StorePartials(partials) => self.reduction(op, &partials.buffers, loops),
            OpKind::LoadGlobal(tile) => self.global(op, tile, kernel.ty(op.results[0])),
            OpKind::StoreGlobal(tile) => self.global(op, tile, kernel.ty(op.args[0])),
            OpKind::CopyAsync(copy) => {
                let layout = kernel.layout(copy.layout).clone();
                if let Copied::Tile(tile) = &copy.from {
                    self.sectors(op.loc, tile, &layout);
                }
            }
            OpKind::Memory(MemoryKind::Atomic(tile, kind)) => {
                let is_sum = *kind == AtomicKind::Modify(AtomicRmwMode::AddF);
                if is_sum && tile.element == Scalar::BF16 && self.arch.capability() < 90 {
                    self.remarks.add(|| {
                        let message = "each update compares and swaps until it succeeds";
                        Remark::new(Kind::Serialized, op.loc, message)
                            .note("the target has no instruction that adds bf16 in memory")
                            .help("sum in f32 or f16")
                    });
                }
            }
            OpKind::Memory(MemoryKind::ArenaAddress(arena)) => {
                let bytes = kernel.arenas[*arena].bytes;
                self.remarks.add(|| {
                    let message = format!("{bytes} bytes of each block are in global memory");
                    Remark::new(Kind::LocalMemory, op.loc, message)
                        .note(
                            "it is more than shared memory is used for, or other blocks may see it",
                        )
                        .help("use less: 32 KiB of a block in all are shared memory")
                });
            }
            OpKind::Mma(mma) => self.mma(op, mma.kind),
            OpKind::Compute(element) => {
                self.small(op, element.opcode);
                self.half(op, element.opcode);
            }
            _ => {}
        }
        for &block in &op.blocks {
            self.block(block, loops);
        }
    }

    fn barriers(&mut self, op: &Op) {
        fn count(kernel: &Kernel, block: BlockId) -> usize {
            let ops = kernel.block(block).ops.iter().map(|&id| kernel.op(id));
            ops.map(|op| match op.kind {
                OpKind::Barrier => 1,
                OpKind::If => op.blocks.iter().map(|&block| count(kernel, block)).sum(),
                _ => 0,
            })
            .sum()
        }
        let barriers: usize = op
            .blocks
            .iter()
            .map(|&block| count(self.kernel, block))
            .sum();
        let warps = self.kernel.launch.num_warps;
        if barriers > 0 && warps > 1 {
            let times = if barriers == 1 {
                "once"
            } else {
                "several times"
            };
            self.remarks.add(|| {
                let message =
                    format!("all {warps} warps wait for each other {times} in every iteration");
                Remark::new(Kind::BarrierInLoop, op.loc, message)
                    .note(format!("there are {barriers} barriers in the body"))
            });
        }
    }

    fn conversion(&mut self, op: &Op, buffer: BufferId, loops: usize) {
        let kernel = self.kernel;
        let data = kernel.buffer(buffer);
        let is_matmul = kernel.op_ids().any(|id| {
            matches!(kernel.op(id).kind, OpKind::MmaLoop(_)) && kernel.op(id).kind.reads(buffer)
        });
        let reader = kernel.op_ids().find(|&id| kernel.op(id).kind.reads(buffer));
        let wanted = reader.and_then(|id| user(kernel, id));
        let is_factor =
            is_matmul || wanted.is_some_and(|id| matches!(kernel.op(id).kind, OpKind::Mma(_)));
        let bytes = data.bytes / data.stages;
        let wanted = wanted.map(|id| kernel.op(id).loc);
        self.remarks.add(|| {
            let message = format!(
                "{bytes} bytes go through shared memory for a layout conversion{}",
                often(loops)
            );
            let remark = Remark::new(Kind::Conversion, op.loc, message);
            let remark = match wanted.filter(|loc| !loc.is_unknown()) {
                Some(loc) => remark.note(format!(
                    "the other layout is needed at line {}, column {}",
                    loc.line(),
                    loc.column()
                )),
                None => remark,
            };
            if is_factor {
                remark.note("matmul operands go this way")
            } else {
                remark
            }
        });
    }

    fn exchange(&mut self, op: &Op, buffer: BufferId, loops: usize) {
        let bytes = self.kernel.buffer(buffer).bytes;
        self.remarks.add(|| {
            let message = format!(
                "{bytes} bytes go through shared memory for a layout conversion within warps{}",
                often(loops)
            );
            Remark::new(Kind::Conversion, op.loc, message)
        });
    }

    fn reduction(&mut self, op: &Op, buffers: &[BufferId], loops: usize) {
        let bytes: u32 = buffers
            .iter()
            .map(|&buffer| self.kernel.buffer(buffer).bytes)
            .sum();
        let warps = self.kernel.launch.num_warps;
        self.remarks.add(|| {
            let message = format!(
                "warps combine their results through {bytes} bytes of shared memory{}",
                often(loops)
            );
            Remark::new(Kind::Reduction, op.loc, message)
                .note(format!(
                    "the axis is spread over several of the {warps} warps"
                ))
                .help("give each warp whole rows: fewer warps, or more rows per tile")
        });
    }

    fn global(&mut self, op: &Op, tile: &GlobalTile, ty: Ty) {
        if let Some(layout) = ty.layout() {
            let layout = self.kernel.layout(layout).clone();
            self.sectors(op.loc, tile, &layout);
        }
    }

    /// Adds a remark if the first access of a warp touches more sectors than necessary.
    fn sectors(&mut self, loc: Loc, tile: &GlobalTile, layout: &LinearLayout) {
        let Some(contiguous) = tile.contiguous else {
            // Such an access is reported at the view.
            return;
        };
        if !self.remarks.is_wanted() {
            return;
        }
        let Some(WarpAccess { moved, useful }) = tile.first_access(layout) else {
            return;
        };
        let row = layout.shape().size(contiguous) * tile.element.bytes() as u64;
        if moved < 2 * useful.max(SECTOR_BYTES) {
            return;
        }
        self.remarks.add(|| {
            let message = format!("a warp moves {moved} bytes for {useful} that it wants");
            let remark = Remark::new(Kind::Scattered, loc, message);
            if row < SECTOR_BYTES {
                remark
                    .note(format!("rows of the tile are {row} bytes, and memory moves {SECTOR_BYTES} at once"))
                    .help("make the tile longer along the contiguous axis")
            } else {
                let Axis(axis) = contiguous;
                remark
                    .note(format!("memory is contiguous along axis {axis} of the tile, and the lanes of a warp run along another"))
                    .help("use smaller tiles, for which there is room to reorder them, or the transposed tensor")
            }
        });
    }

    fn mma(&mut self, op: &Op, kind: MmaKind) {
        let is_small = matches!(kind, MmaKind::E4M3 | MmaKind::E5M2);
        if is_small && !self.arch.has(Feature::NativeFp8MmaSync) {
            self.remarks.add(|| {
                let message = "this matmul is computed in f16";
                Remark::new(Kind::Emulated, op.loc, message)
                    .note("the target has no such instruction on f8 for single warps")
                    .help("use operands of f16 or bf16")
            });
        }
    }

    /// Adds remarks on functions of f16 and bf16 that are computed in f32.
    fn half(&mut self, op: &Op, opcode: Opcode) {
        let Opcode::Float(
            FloatOp::DivF
            | FloatOp::Sqrt
            | FloatOp::RSqrt
            | FloatOp::Exp
            | FloatOp::Exp2
            | FloatOp::Log
            | FloatOp::Log2
            | FloatOp::Pow
            | FloatOp::RemF
            | FloatOp::Sin
            | FloatOp::Cos
            | FloatOp::Tan
            | FloatOp::SinH
            | FloatOp::CosH
            | FloatOp::TanH
            | FloatOp::Atan2,
        ) = opcode
        else {
            return;
        };
        let scalar = self.kernel.ty(op.results[0]).scalar();
        if let Some(half @ (Scalar::F16 | Scalar::BF16)) = scalar {
            self.remarks.add(|| {
                let message = format!(
                    "`{}` of `{half}` is computed in f32, and rounded",
                    opcode.def().mnemonic
                );
                Remark::new(Kind::Emulated, op.loc, message)
                    .note("operands and result are converted each time")
                    .help(
                        "where several of these follow each other, compute in f32 and convert once",
                    )
            });
        }
    }

    /// Adds remarks on conversions of small floats.
    fn small(&mut self, op: &Op, opcode: Opcode) {
        let Opcode::Conversion(ConversionOp::FToF | ConversionOp::IToF | ConversionOp::FToI) =
            opcode
        else {
            return;
        };
        let values = op.args.iter().chain(&op.results);
        let mut scalars = values.filter_map(|&value| self.kernel.ty(value).scalar());
        let small = scalars.find(|scalar| matches!(scalar, Scalar::F8E4M3FN | Scalar::F8E5M2));
        if let Some(small) = small.filter(|_| !self.arch.has(Feature::Fp8Convert)) {
            self.remarks.add(|| {
                let message = format!("conversions of `{small}` are integer arithmetic");
                Remark::new(Kind::Emulated, op.loc, message)
                    .note("the target has no instruction for them")
                    .help("compile for `sm_89` and newer, or use f16")
            });
        }
    }
}

fn often(loops: usize) -> &'static str {
    if loops > 0 {
        ", in every iteration"
    } else {
        ""
    }
}

/// Returns the first operation that uses a result of `id`.
fn user(kernel: &Kernel, id: OpId) -> Option<OpId> {
    let results = &kernel.op(id).results;
    kernel.op_ids().find(|&other| {
        kernel
            .op(other)
            .args
            .iter()
            .any(|arg| results.contains(arg))
    })
}
