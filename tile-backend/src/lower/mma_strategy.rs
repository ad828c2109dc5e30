//! Chooses how a matmul is computed: the instruction, and the split of the matmul over the warps.
//!
//! Input: a matmul of the module. Output: a [`MmaStrategy`], which the assignment of layouts and the lowering
//! both use.
//!
//! - Types that tensor cores multiply and add as the dialect specifies use tensor cores. f32, which tensor
//!   cores would round, is computed element by element, as are matmuls whose K is less than half of the
//!   instruction's.
//! - In a flat matmul, the instruction's 16 rows are along the longer axis of the result.
//! - For MN-major operands of 8 bits, the rows of the left or the columns of the right operand are
//!   renumbered, so that `ldmatrix` can transpose them.
//! - In a chain of matmuls, the result of one is the left operand of the next. Each warp then holds whole
//!   rows, so that the result becomes the operand without leaving its registers.

use super::access::ViewFacts;
use super::assign::{is_elementwise, out_shape, tile_shape};
use crate::gpu::{MmaKind, MmaScaled, Side, transposed};
use crate::layout::{
    Axis, InDim, LinearLayout, MmaInstruction, MmaWarps, OutShape, SwizzleAtoms, Transposition,
    Warpgroups, can_interleave, interleaved,
};
use crate::target::{Arch, Feature};
use rustc_hash::FxHashSet;
use tile_core::ir::{Attr, Op, OpId, Signedness, ValueId};
use tile_core::ops::{CoreOp, FloatOp, IntegerOp, MemoryOp, Opcode, ViewOp};
use tile_core::{Module, Scalar};

/// Maximum number of operations that are followed from an operand back to the matmuls from which it is
/// computed.
const MAX_CHAIN: usize = 64;

/// Returns `true` if the operation is a matmul.
pub(crate) fn is_matmul(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Float(FloatOp::MmaF | FloatOp::MmaFScaled) | Opcode::Integer(IntegerOp::MmaI)
    )
}

/// The matmuls of an entry that are in chains.
#[derive(Debug, Default)]
pub(crate) struct MatmulChains(FxHashSet<OpId>);

impl MatmulChains {
    /// Finds the chains of matmuls among `ops`.
    pub(crate) fn find(module: &Module, ops: &[OpId]) -> Self {
        let mut chained = FxHashSet::default();
        for &id in ops {
            let op = module.op(id);
            if !is_matmul(op.opcode) {
                continue;
            }
            let sources = sources(module, op.operand("lhs"));
            if !sources.is_empty() {
                chained.insert(id);
                chained.extend(sources);
            }
        }
        Self(chained)
    }

    /// Returns `true` if `matmul` is in a chain.
    pub(crate) fn contains(&self, matmul: OpId) -> bool {
        self.0.contains(&matmul)
    }

    /// Returns the maximum number of warps with which each warp has whole rows of all matmuls in chains;
    /// `None` without chains.
    pub(crate) fn max_warps(&self, module: &Module) -> Option<u32> {
        let rows = self.0.iter().filter_map(|&id| {
            let shape = tile_shape(module, module.op(id).result())?;
            let rows = shape[shape.len() - 2].unsigned_abs();
            u32::try_from(rows / 16).ok()
        });
        rows.min().map(|most| most.max(1))
    }
}

/// Returns the matmuls from whose results `value` is computed by element-wise operations.
fn sources(module: &Module, value: ValueId) -> Vec<OpId> {
    let mut open = vec![value];
    let mut seen = FxHashSet::default();
    let mut sources = Vec::new();
    while let Some(value) = open.pop() {
        let Some(id) = module.defining_op(value) else {
            continue;
        };
        if seen.len() >= MAX_CHAIN || !seen.insert(id) {
            continue;
        }
        let op = module.op(id);
        if is_matmul(op.opcode) {
            sources.push(id);
        } else if is_elementwise(op.opcode) {
            open.extend(&op.operands);
        }
    }
    sources
}

/// A way to compute a matmul.
#[derive(Clone, Debug)]
pub(crate) enum MmaStrategy {
    /// By `mma.sync`.
    Fragments {
        /// The types of the instruction.
        kind: MmaKind,
        /// `true` if the instruction computes the transposed matmul.
        swapped: bool,
        /// `true` if the instruction is the one with half of the usual K.
        is_half: bool,
        /// `true` per operand if its rows or columns are renumbered; see [`crate::gpu::Mma`].
        interleaved: (bool, bool),
        /// The layouts of both operands and the accumulator.
        layouts: Box<[LinearLayout; 3]>,
    },
    /// By block-scaled `mma.sync`, with the layouts of both operands, the accumulator, and the scales of both
    /// operands.
    Scaled(MmaScaled, Box<[LinearLayout; 5]>),
    /// By `wgmma`.
    Warpgroups(Box<WgmmaOperands>),
    /// Element by element, with this layout of the accumulator.
    Elements(Box<LinearLayout>),
}

/// The operands of a `wgmma`.
#[derive(Clone, Debug)]
pub(crate) struct WgmmaOperands {
    /// The types of the instruction.
    pub(crate) kind: MmaKind,
    /// The layout of the accumulator.
    pub(crate) accumulator: LinearLayout,
    /// The left operand.
    pub(crate) lhs: Operand,
    /// The right operand.
    pub(crate) rhs: SwizzledOperand,
    /// `true` if threads add partial sums in f32 registers (two-level accumulation).
    pub(crate) has_two_level_accumulation: bool,
}

impl WgmmaOperands {
    /// Returns `true` if shared memory holds two stages of both operands and of their copies that are
    /// transposed. Otherwise loops could not prefetch, and a `wgmma` that waits for loads is slower than an
    /// `mma.sync` that does not.
    fn fits(&self, arch: Arch) -> bool {
        let lhs = match &self.lhs {
            Operand::Shared(lhs) => Some(lhs),
            Operand::Fragments(_) => None,
        };
        let bytes = u64::from(self.kind.element_bits() / 8);
        let operands = || lhs.into_iter().chain([&self.rhs]);
        let size = |of: &SwizzledOperand| of.memory.shape().num_elements() * bytes;
        let tiles: u64 = operands().map(size).sum();
        let mn_major: u64 = operands()
            .filter(|of| of.mn_major.is_some())
            .map(size)
            .sum();
        mn_major == 0 || 2 * (tiles + mn_major) <= u64::from(arch.shared_bytes_per_block())
    }
}

/// The left operand of a `wgmma`.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// In registers, with this layout.
    Fragments(LinearLayout),
    /// In shared memory.
    Shared(SwizzledOperand),
}

/// An operand in shared memory, as `wgmma` reads it.
#[derive(Clone, Debug)]
pub(crate) struct SwizzledOperand {
    /// The value that is stored: the operand or its transpose.
    pub(crate) stored: ValueId,
    /// `true` if the stored value is the transpose of the operand.
    pub(crate) is_transposed: bool,
    /// The layout in shared memory.
    pub(crate) memory: LinearLayout,
    /// The alignment in bytes.
    pub(crate) align_bytes: u64,
    /// The MN-major form from which the operand is transposed in shared memory, if any.
    pub(crate) mn_major: Option<Box<MnMajorOperand>>,
}

/// An MN-major operand in shared memory, with elements that `wgmma` can only read K-major.
#[derive(Clone, Debug)]
pub(crate) struct MnMajorOperand {
    /// The layout in shared memory.
    pub(crate) memory: LinearLayout,
    /// The alignment in bytes.
    pub(crate) align_bytes: u64,
}

impl MmaStrategy {
    /// Chooses how to compute the matmul `op`.
    pub(crate) fn choose(
        module: &Module,
        op: &Op,
        is_chained: bool,
        num_warps: u32,
        arch: Arch,
    ) -> Self {
        let shape = |slot| out_shape(tile_shape(module, op.operand(slot)).expect("of rank 2 or 3"));
        let (lhs, rhs, acc) = (shape("lhs"), shape("rhs"), shape("acc"));
        if op.opcode == FloatOp::MmaFScaled.into() && arch.has(Feature::BlockScaledMmaSync) {
            let shapes = [
                lhs,
                rhs,
                acc.clone(),
                shape("lhs_scale"),
                shape("rhs_scale"),
            ];
            if let Some(scaled) = scaled(module, op, shapes.each_ref(), is_chained, num_warps) {
                return scaled;
            }
            return MmaStrategy::Elements(Box::new(elements(&acc, num_warps)));
        }
        if arch.has(Feature::Wgmma)
            && let Some(matmul) = wgmma_operands(module, op, [&lhs, &acc], num_warps)
            && matmul.fits(arch)
        {
            return MmaStrategy::Warpgroups(Box::new(matmul));
        }
        let fragments = kind(module, op).and_then(|kind| {
            // In a chain, each warp needs whole rows, which a transposed accumulator would not provide.
            let swapped = is_flat(&acc, kind) && !is_chained;
            let shapes = [&lhs, &rhs, &acc];
            // The instruction with half of K is for matmuls whose K is too small for the other.
            let (is_half, layouts) = [false, true].into_iter().find_map(|is_half| {
                let instruction = kind.instruction(is_half)?;
                let layouts = fragments(instruction, shapes, swapped, is_chained, num_warps)?;
                Some((is_half, layouts))
            })?;
            let layouts = layouts.map(|layout| layout.unique_registers().0);
            Some((kind, swapped, is_half, layouts))
        });
        match fragments {
            Some((kind, swapped, is_half, layouts)) => {
                let (layouts, interleaved) = if is_chained || kind.element_bits() != 8 {
                    (layouts, (false, false))
                } else {
                    with_neighbours(module, op, layouts)
                };
                MmaStrategy::Fragments {
                    kind,
                    swapped,
                    is_half,
                    interleaved,
                    layouts: Box::new(layouts),
                }
            }
            None => MmaStrategy::Elements(Box::new(elements(&acc, num_warps))),
        }
    }

    /// Returns the layout of the accumulator and the result.
    pub(crate) fn accumulator(&self) -> &LinearLayout {
        match self {
            MmaStrategy::Fragments { layouts, .. } => &layouts[2],
            MmaStrategy::Scaled(_, layouts) => &layouts[2],
            MmaStrategy::Warpgroups(matmul) => &matmul.accumulator,
            MmaStrategy::Elements(layout) => layout,
        }
    }
}

/// Returns the operands of a `wgmma`, if there are enough warps and rows, and both operands have a form that
/// the instruction reads, or can be stored in one. The instruction can read types of other than 16 bits only
/// K-major, so MN-major operands of these types are transposed in shared memory.
///
/// Tensor cores add products of f8 with fewer bits than f32 has. Unless the operation allows that
/// (`fast_acc`), a sum of the tensor cores covers only a short part of K, and the threads add these partial
/// sums.
fn wgmma_operands(
    module: &Module,
    op: &Op,
    [lhs, acc]: [&OutShape; 2],
    num_warps: u32,
) -> Option<WgmmaOperands> {
    let kind = kind(module, op)?;
    let is_known = match kind {
        MmaKind::F16 | MmaKind::BF16 | MmaKind::TF32 | MmaKind::F16AccF16 | MmaKind::I8 { .. } => {
            true
        }
        // An f16 accumulator is excluded for f8: its sums would have even fewer bits.
        MmaKind::E4M3 | MmaKind::E5M2 => {
            let sum = module.ty(op.operand("acc")).as_number_tile();
            sum.is_some_and(|(scalar, _)| scalar == Scalar::F32)
        }
        MmaKind::F64 => false,
    };
    let groups = Warpgroups::choose(acc, num_warps).filter(|_| is_known)?;
    let fragments = groups.left(lhs, kind.element_bits())?;
    let rhs = swizzled_operand(module, op.operand("rhs"), Side::Right, kind, num_warps)?;
    let value = op.operand("lhs");
    // A loaded operand is read from shared memory, to which TMA or asynchronous copies write it. A computed
    // operand is already in registers.
    let lhs = if is_loaded(module, value) {
        Operand::Shared(swizzled_operand(
            module,
            value,
            Side::Left,
            kind,
            num_warps,
        )?)
    } else {
        Operand::Fragments(fragments.unique_registers().0)
    };
    Some(WgmmaOperands {
        kind,
        accumulator: groups.accumulator(acc).unique_registers().0,
        lhs,
        rhs,
        has_two_level_accumulation: matches!(kind, MmaKind::E4M3 | MmaKind::E5M2)
            && !op.has_flag("fast_acc"),
    })
}

/// The source of the elements of a matrix.
struct Origin {
    value: ValueId,
    /// `true` if the axes of the value with more than one element are exchanged.
    is_transposed: bool,
}

/// Returns the value that equals a matrix except for the order of its axes and for axes of one element.
fn origin(module: &Module, matrix: ValueId) -> Origin {
    let mut value = matrix;
    // The axes of `value` that are the rows and the columns of the matrix.
    let mut axes = [0, 1];
    while let Some(op) = module.defining_op(value).map(|id| module.op(id)) {
        let source = |axes: [usize; 2]| -> Option<[usize; 2]> {
            match op.opcode {
                Opcode::Core(CoreOp::Permute) => {
                    let of = op.permutation();
                    let [rows, columns] = axes.map(|axis| usize::try_from(of[axis]).ok());
                    Some([rows?, columns?])
                }
                Opcode::Core(CoreOp::Reshape) => {
                    let to = long_axes(tile_shape(module, op.result())?);
                    let from = long_axes(tile_shape(module, op.operand("source"))?);
                    let size = |(_, size): &(usize, i64)| *size;
                    if !from.iter().map(size).eq(to.iter().map(size)) {
                        return None;
                    }
                    let [rows, columns] = axes.map(|axis| {
                        let index = to.iter().position(|(other, _)| *other == axis)?;
                        Some(from[index].0)
                    });
                    Some([rows?, columns?])
                }
                _ => None,
            }
        };
        let Some(source_axes) = source(axes) else {
            break;
        };
        axes = source_axes;
        value = op.operand("source");
    }
    Origin {
        value,
        is_transposed: axes[0] > axes[1],
    }
}

/// Returns the axes with more than one element, each with its extent.
fn long_axes(shape: &[i64]) -> Vec<(usize, i64)> {
    let axes = shape.iter().copied().enumerate();
    axes.filter(|(_, size)| *size > 1).collect()
}

/// Returns `true` if an operand comes directly from memory.
fn is_loaded(module: &Module, value: ValueId) -> bool {
    let stored = origin(module, value).value;
    module.defining_op(stored).is_some_and(|id| {
        matches!(
            module.op(id).opcode,
            Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
        )
    })
}

/// Returns how an operand is stored so that `wgmma` can read it; `None` if it cannot be stored so.
fn swizzled_operand(
    module: &Module,
    value: ValueId,
    side: Side,
    kind: MmaKind,
    num_warps: u32,
) -> Option<SwizzledOperand> {
    let Origin {
        value: stored,
        is_transposed,
    } = origin(module, value);
    let whole = out_shape(tile_shape(module, stored)?);
    let shape = if whole.rank() == 2 {
        whole.clone()
    } else {
        whole.without_unit_axes()
    };
    if shape.rank() != 2 {
        return None;
    }
    let depth = side.depth(2).0;
    let depth = Axis(if is_transposed { 1 - depth } else { depth });
    let bytes = u64::from(kind.element_bits() / 8);
    // The axis that is contiguous in memory stays contiguous in shared memory, so that copies move whole
    // vectors. A computed operand is stored K-major, which `wgmma` can read for every type.
    let along = if is_loaded(module, stored) {
        let contiguous = contiguous_axis(module, stored);
        contiguous.map_or(Axis(1), |axis| {
            let before = |other: &Axis| other.0 < axis.0 && whole.size(*other) > 1;
            Axis(if whole.rank() == 2 {
                axis.0
            } else {
                whole.axes().filter(before).count().min(1)
            })
        })
    } else {
        depth
    };
    let is_mn_major = along != depth && kind.element_bits() != 16;
    let atoms = SwizzleAtoms::widest(&shape, if is_mn_major { depth } else { along }, bytes)?;
    let memory = atoms.layout(&shape, bytes);
    let mn_major = if is_mn_major {
        let atoms = SwizzleAtoms::widest(&shape, along, bytes)?;
        let from = atoms.layout(&shape, bytes);
        Transposition::choose(&from, &memory, kind.element_bits(), num_warps)?;
        Some(Box::new(MnMajorOperand {
            memory: from.reshape(whole.clone()),
            align_bytes: atoms.align_bytes(),
        }))
    } else {
        None
    };
    Some(SwizzledOperand {
        stored,
        is_transposed,
        memory: memory.reshape(whole),
        align_bytes: atoms.align_bytes(),
        mn_major,
    })
}

/// Returns the strategy that computes a block-scaled matmul by `mma.sync`; `None` if K is less than the
/// instruction's.
fn scaled(
    module: &Module,
    op: &Op,
    shapes: [&OutShape; 5],
    is_chained: bool,
    num_warps: u32,
) -> Option<MmaStrategy> {
    let element = |slot| {
        let tile = module.ty(op.operand(slot)).as_number_tile();
        tile.map(|(scalar, _)| scalar)
    };
    let depth = |shape: &OutShape| shape.size(Axis(shape.rank() - 1));
    let mma = MmaScaled {
        elements: [element("lhs")?, element("rhs")?],
        scale: element("lhs_scale")?,
        block: depth(shapes[0]) / depth(shapes[3]),
    };
    let warps = split(mma.instruction(), shapes[2], is_chained, num_warps);
    let layouts = mma.layouts(shapes, warps)?;
    let layouts = layouts.map(|layout| layout.unique_registers().0);
    Some(MmaStrategy::Scaled(mma, Box::new(layouts)))
}

/// Returns the layouts of 8-bit operands and of the accumulator, and which operands are interleaved. The left
/// operand is interleaved along its rows if these are adjacent in memory, and the right operand along its
/// columns.
fn with_neighbours(
    module: &Module,
    op: &Op,
    [mut lhs, mut rhs, mut acc]: [LinearLayout; 3],
) -> ([LinearLayout; 3], (bool, bool)) {
    let rank = acc.shape().rank();
    let (row, column) = (Axis(rank - 2), Axis(rank - 1));
    let runs_along = |slot, axis| contiguous_axis(module, op.operand(slot)) == Some(axis);
    let rows = runs_along("lhs", row) && can_interleave(&acc, row);
    let columns = runs_along("rhs", column) && can_interleave(&acc, column);
    if rows {
        (lhs, acc) = (interleaved(&lhs, row), interleaved(&acc, row));
    }
    if columns {
        (rhs, acc) = (interleaved(&rhs, column), interleaved(&acc, column));
    }
    ([lhs, rhs, acc], (rows, columns))
}

/// Returns the axis along which the elements of a tile were adjacent in memory, if the tile was loaded
/// through a view.
fn contiguous_axis(module: &Module, value: ValueId) -> Option<Axis> {
    let op = module.op(module.defining_op(value)?);
    match op.opcode {
        Opcode::View(ViewOp::LoadViewTko) => ViewFacts::contiguous_axis(module, op.operand("view")),
        Opcode::Core(CoreOp::Permute) => {
            let source = contiguous_axis(module, op.operand("source"))?;
            let is_source = |axis: &_| usize::try_from(*axis) == Ok(source.0);
            let position = op.permutation().iter().position(is_source);
            position.map(Axis)
        }
        _ => None,
    }
}

/// Returns `true` per operand if its elements are signed integers.
pub(super) fn signs(op: &Op) -> (bool, bool) {
    let is_signed = |name| matches!(op.attr(name), Some(Attr::Signedness(Signedness::Signed)));
    if op.opcode != IntegerOp::MmaI.into() {
        return (false, false);
    }
    (is_signed("signedness_lhs"), is_signed("signedness_rhs"))
}

/// Returns the kind of MMA for the types of a matmul; `None` if tensor cores do not support them.
fn kind(module: &Module, op: &Op) -> Option<MmaKind> {
    let element = |slot| {
        module
            .ty(op.operand(slot))
            .as_number_tile()
            .map(|(scalar, _)| scalar)
    };
    if op.opcode == FloatOp::MmaFScaled.into() {
        return None;
    }
    let (lhs_signed, rhs_signed) = signs(op);
    match (element("lhs")?, element("acc")?) {
        (Scalar::F16, Scalar::F32) => Some(MmaKind::F16),
        (Scalar::F16, Scalar::F16) => Some(MmaKind::F16AccF16),
        (Scalar::BF16, Scalar::F32) => Some(MmaKind::BF16),
        (Scalar::TF32, Scalar::F32) => Some(MmaKind::TF32),
        (Scalar::F8E4M3FN, _) => Some(MmaKind::E4M3),
        (Scalar::F8E5M2, _) => Some(MmaKind::E5M2),
        (Scalar::F64, Scalar::F64) => Some(MmaKind::F64),
        (Scalar::I8, Scalar::I32) => Some(MmaKind::I8 {
            lhs_signed,
            rhs_signed,
        }),
        _ => None,
    }
}

/// Returns `true` if the result has fewer rows than the instruction, and more columns than rows.
fn is_flat(acc: &OutShape, kind: MmaKind) -> bool {
    let [.., rows, columns] = acc.sizes()[..] else {
        return false;
    };
    let instruction = kind.instruction(false);
    instruction.is_some_and(|instruction| rows < instruction.m() && columns > rows)
}

/// Returns the layouts of both operands and the accumulator; `None` if K is less than the instruction's.
fn fragments(
    instruction: MmaInstruction,
    [lhs, rhs, acc]: [&OutShape; 3],
    swapped: bool,
    is_chained: bool,
    num_warps: u32,
) -> Option<[LinearLayout; 3]> {
    if swapped {
        let [a, b, c] = [rhs, lhs, acc].map(turned);
        let [a, b, c] = plain_fragments(instruction, [&a, &b, &c], is_chained, num_warps)?;
        return Some([transposed(&b), transposed(&a), transposed(&c)]);
    }
    plain_fragments(instruction, [lhs, rhs, acc], is_chained, num_warps)
}

fn plain_fragments(
    instruction: MmaInstruction,
    [a, b, c]: [&OutShape; 3],
    is_chained: bool,
    num_warps: u32,
) -> Option<[LinearLayout; 3]> {
    let warps = split(instruction, c, is_chained, num_warps);
    Some([
        instruction.operand_a(a, warps)?,
        instruction.operand_b(b, warps)?,
        instruction.accumulator(c, warps)?,
    ])
}

/// Returns the reason why a matmul is computed without tensor cores; `None` if it uses them.
pub(crate) fn without_tensor_cores(
    module: &Module,
    op: &Op,
    is_chained: bool,
    num_warps: u32,
    arch: Arch,
) -> Option<&'static str> {
    let matmul = MmaStrategy::choose(module, op, is_chained, num_warps, arch);
    if !matches!(matmul, MmaStrategy::Elements(_)) {
        return None;
    }
    Some(if kind(module, op).is_some() {
        "the factors are less deep than an instruction of the tensor cores"
    } else if op.opcode == FloatOp::MmaFScaled.into() {
        "the factors have scales of their own, and the target has no instruction for them"
    } else {
        "tensor cores round operands of this type"
    })
}

/// Returns the number of warps that hold a copy of each fragment of an operand of a tensor-core matmul: 0 if
/// the operand is not in registers, and `None` without tensor cores.
pub(crate) fn operand_replication(
    module: &Module,
    op: &Op,
    side: Side,
    is_chained: bool,
    num_warps: u32,
    arch: Arch,
) -> Option<u32> {
    let shape = |slot| Some(out_shape(tile_shape(module, op.operand(slot))?));
    if arch.has(Feature::Wgmma)
        && let Some(matmul) =
            wgmma_operands(module, op, [&shape("lhs")?, &shape("acc")?], num_warps)
    {
        let is_in_registers = side == Side::Left && matches!(matmul.lhs, Operand::Fragments(_));
        return Some(u32::from(is_in_registers));
    }
    let (rows, columns) = split_of(module, op, is_chained, num_warps)?;
    Some(match side {
        Side::Left => columns,
        Side::Right => rows,
    })
}

/// Returns the numbers of warps along the rows and the columns of a tensor-core matmul.
fn split_of(module: &Module, op: &Op, is_chained: bool, num_warps: u32) -> Option<(u32, u32)> {
    let kind = kind(module, op)?;
    let instruction = MmaInstruction::for_element_bits(kind.element_bits())?;
    let acc = out_shape(tile_shape(module, op.operand("acc"))?);
    if is_flat(&acc, kind) && !is_chained {
        let warps = split(instruction, &turned(&acc), is_chained, num_warps);
        return Some((warps.n, warps.m));
    }
    let warps = split(instruction, &acc, is_chained, num_warps);
    Some((warps.m, warps.n))
}

/// Returns the shape with rows and columns exchanged.
fn turned(shape: &OutShape) -> OutShape {
    let mut log2 = shape.log2_sizes().to_vec();
    let rank = log2.len();
    log2.swap(rank - 2, rank - 1);
    OutShape::from_log2(log2)
}

/// Splits an accumulator over the warps. The matrices of a batch are distributed first. Each matrix is then
/// split into whole rows if `whole_rows`, and otherwise into parts that are as square as the fragments allow.
fn split(
    instruction: MmaInstruction,
    acc: &OutShape,
    whole_rows: bool,
    num_warps: u32,
) -> MmaWarps {
    let sizes = acc.sizes();
    let (batch, rows, columns) = match sizes[..] {
        [rows, columns] => (1, rows, columns),
        [batch, rows, columns] => (batch, rows, columns),
        _ => unreachable!("verified: of rank 2 or 3"),
    };
    let mut warps = MmaWarps {
        batch: num_warps.min(u32::try_from(batch).unwrap_or(u32::MAX)),
        m: 1,
        n: 1,
    };
    while warps.batch * warps.m * warps.n < num_warps {
        let part_rows = rows / u64::from(warps.m);
        let part_columns = columns / u64::from(warps.n);
        let tall = part_rows > instruction.m();
        if (whole_rows || part_rows >= part_columns) && tall || part_columns <= MmaInstruction::N {
            warps.m *= 2;
        } else {
            warps.n *= 2;
        }
    }
    warps
}

/// Returns the layout of an accumulator that is computed element by element. A thread holds up to 4 x 4
/// neighbours, so that it reads their operands in vectors.
fn elements(shape: &OutShape, num_warps: u32) -> LinearLayout {
    let rank = shape.rank();
    let (batch, row, column) = (
        (rank == 3).then_some(Axis(0)),
        Axis(rank - 2),
        Axis(rank - 1),
    );
    let bits = |axis: Axis| (0..shape.log2_size(axis)).map(move |bit| (axis, bit));
    let mut rows: Vec<u64> = bits(row)
        .map(|(axis, bit)| shape.on_axis(axis, 1 << bit))
        .collect();
    let mut columns: Vec<u64> = bits(column)
        .map(|(axis, bit)| shape.on_axis(axis, 1 << bit))
        .collect();
    let mut batches: Vec<u64> = batch
        .into_iter()
        .flat_map(bits)
        .map(|(axis, bit)| shape.on_axis(axis, 1 << bit))
        .collect();
    let take = |from: &mut Vec<u64>, most: usize| -> Vec<u64> {
        from.drain(..from.len().min(most)).collect()
    };
    let warp_bits = num_warps.ilog2() as usize;
    // With 4 x 4 registers, each value that is read from shared memory is used four times.
    let mut register_bits = (shape.total_bits() as usize).saturating_sub(5 + warp_bits);
    let mut registers = Vec::new();
    for from in [&mut columns, &mut rows] {
        let taken = take(from, register_bits.min(2));
        register_bits -= taken.len();
        registers.extend(taken);
    }
    let mut lanes = take(&mut columns, 3);
    for from in [&mut rows, &mut columns, &mut batches] {
        lanes.extend(take(from, 5 - lanes.len()));
    }
    lanes.resize(5, 0);
    let mut warps = Vec::new();
    for from in [&mut batches, &mut rows, &mut columns] {
        warps.extend(take(from, warp_bits - warps.len()));
    }
    warps.resize(warp_bits, 0);
    registers.extend(columns.into_iter().chain(rows).chain(batches));
    LinearLayout::new(
        shape.clone(),
        [
            (InDim::Register, registers),
            (InDim::Lane, lanes),
            (InDim::Warp, warps),
        ],
    )
}
