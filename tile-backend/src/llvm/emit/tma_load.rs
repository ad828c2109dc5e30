//! Emits TMA loads (`cp.async.bulk.tensor`) and the mbarriers that count their bytes.
//!
//! In: tensor maps as parameters, a tile's indices, a stage of a circular buffer. Out: instructions under a
//! predicate that holds in the first thread of the block, without branches. They are inline assembly, since
//! LLVM's copies to `shared::cta` need PTX 8.6 and have no predicate.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::code::AsmEffect;
use super::{Emitter, Result};
use crate::gpu::{
    Arrivals, BARRIER_BYTES, BufferId, ExpectTx, GlobalAxis, Op, Reach, TmaLoad, ValueId,
};
use crate::layout::Axis;
use crate::llvm::passes::ask_for;
use crate::target::PtxVersion;

/// The lowest PTX version with TMA loads.
pub(super) const TENSOR_PTX: PtxVersion = PtxVersion::new(8, 0);

/// The bound of coordinates and extents. Larger numbers become negative coordinates, where no element exists.
const COORDINATES: u64 = 1 << 31;

/// The threads whose accesses before an arrival are ordered before the accesses that follow a wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The threads of the block.
    Block,
    /// The threads of the cluster.
    Cluster,
}

/// A TMA load of a tile that is being issued.
pub(super) struct BegunCopy<'ctx> {
    whether: IntValue<'ctx>,
    /// The address of the stage.
    to: PointerValue<'ctx>,
    map: PointerValue<'ctx>,
    barrier: PointerValue<'ctx>,
    /// The coordinates of the tile's first element, innermost axis first.
    firsts: Vec<IntValue<'ctx>>,
    /// The L2 cache policy, if any.
    policy: Option<IntValue<'ctx>>,
}

/// One box of the tile.
pub(super) struct BoxPart<'ctx> {
    /// The byte offset of the box in the stage.
    pub(super) start: IntValue<'ctx>,
    /// The coordinates of the box in the tile, innermost axis first.
    pub(super) corner: Vec<IntValue<'ctx>>,
}

/// Converts a number that is known to be small, because tiles are small.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("a tile is small")
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Prefetches the tensor maps of the kernel.
    pub(super) fn prefetch_maps(&self) {
        for map in 0..self.kernel.maps.len() {
            ask_for(&self.code.module, TENSOR_PTX);
            let args = [self.is_first_thread().into(), self.map(map).into()];
            let text = "@$0 prefetch.tensormap [$1];";
            self.code.asm(text, "b,l", &[], &args, AsmEffect::Memory);
        }
    }

    pub(super) fn init_mbarriers(&self, barriers: BufferId, who: Arrivals) {
        ask_for(&self.code.module, TENSOR_PTX);
        let first = self.is_first_thread();
        let arrivals = match who {
            Arrivals::One => 1,
            Arrivals::PerWarp | Arrivals::PerClusterWarp => self.kernel.launch.num_warps,
        };
        let arrivals = self.code.i32(arrivals);
        let arrivals = match who {
            Arrivals::One | Arrivals::PerWarp => arrivals,
            Arrivals::PerClusterWarp => self.code.mul(arrivals, self.cluster_size()),
        };
        for barrier in self.barriers(barriers) {
            let args = [first.into(), barrier.into(), arrivals.into()];
            let text = "@$0 mbarrier.init.shared::cta.b64 [$1], $2;";
            self.code.asm(text, "b,r,r", &[], &args, AsmEffect::Memory);
        }
        let text = "@$0 fence.mbarrier_init.release.cluster;";
        let args = [first.into()];
        self.code.asm(text, "b", &[], &args, AsmEffect::Memory);
        // Every thread executes this fence: it orders the thread's own writes to shared memory before TMA
        // loads.
        let text = "fence.proxy.async.shared::cta;";
        self.code.asm(text, "", &[], &[], AsmEffect::Memory);
    }

    pub(super) fn invalidate_mbarriers(&self, barriers: BufferId) {
        let first = self.is_first_thread();
        for barrier in self.barriers(barriers) {
            let args = [first.into(), barrier.into()];
            let text = "@$0 mbarrier.inval.shared::cta.b64 [$1];";
            self.code.asm(text, "b,r", &[], &args, AsmEffect::Memory);
        }
    }

    pub(super) fn arrive_expect_tx(&self, op: &Op, expected: ExpectTx) {
        let whether = self.is_begun(op.args[0]);
        let barrier = self.barrier_of(expected.barriers, self.int(op.args[1]));
        let constant = self.code.i32(expected.bytes);
        let copies = op.args[2..].iter().map(|&bytes| self.int(bytes));
        let bytes = copies.fold(constant, |sum, bytes| self.code.add(sum, bytes));
        let args = [whether.into(), barrier.into(), bytes.into()];
        let text = "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], $2;";
        self.code.asm(text, "b,r,r", &[], &args, AsmEffect::Memory);
    }

    /// Waits until the phase of an mbarrier is complete.
    pub(super) fn wait_phase(
        &self,
        barriers: BufferId,
        stage: IntValue<'ctx>,
        parity: IntValue<'ctx>,
        scope: Scope,
    ) {
        let barrier = self.barrier_of(barriers, stage);
        let args = [barrier.into(), parity.into()];
        let order = match scope {
            Scope::Block => "",
            Scope::Cluster => ".acquire.cluster",
        };
        let text = format!(
            "{{\n\
             .reg .pred over;\n\
             AGAIN:\n\
             mbarrier.try_wait.parity{order}.shared::cta.b64 over, [$0], $1;\n\
             @!over bra AGAIN;\n\
             }}"
        );
        self.code.asm(&text, "r,r", &[], &args, AsmEffect::Memory);
    }

    pub(super) fn tma_load(&mut self, op: &Op, copy: &TmaLoad) -> Result<()> {
        ask_for(&self.code.module, TENSOR_PTX);
        let Some(boxes) = copy.boxes(self.kernel) else {
            return Err(self.unsupported("a buffer that no boxes fill", op.loc));
        };
        let stage = self.int(op.args[1]);
        let start = self.stage_start(copy.buffer, Some(stage));
        let barrier = self.barrier_of(copy.barriers, stage);
        let map = self.map(copy.map);
        let whether = self.is_begun(op.args[0]);
        let axes = copy.tile.axes.iter().zip(&op.args[2..]);
        let firsts: Vec<_> = axes
            .map(|(axis, &index)| self.first(*axis, index))
            .collect();
        let parts: Vec<BoxPart<'ctx>> = boxes
            .starts
            .iter()
            .map(|(bytes, corner)| {
                let along = |axis: Axis| self.code.i32(narrow(corner[axis.0]));
                let corner = boxes.axes.iter();
                BoxPart {
                    start: self.code.i32(narrow(*bytes)),
                    corner: corner.map(|&(axis, _)| along(axis)).collect(),
                }
            })
            .collect();
        let firsts = boxes.axes.iter().map(|&(axis, _)| firsts[axis.0]);
        let begun = BegunCopy {
            whether,
            to: start,
            map,
            barrier,
            firsts: firsts.collect(),
            policy: self.code.policy(copy.tile.caching),
        };
        match copy.reach {
            Reach::Block => parts
                .iter()
                .for_each(|part| self.copy_box(&begun, part, None)),
            Reach::Cluster => self.multicast_load(&begun, &parts),
        }
        Ok(())
    }

    /// Issues the copy of a box under the predicate of the tile. It is multicast to the blocks in the mask
    /// `blocks`, if there is one.
    pub(super) fn copy_box(
        &self,
        copy: &BegunCopy<'ctx>,
        part: &BoxPart<'ctx>,
        blocks: Option<u16>,
    ) {
        let BegunCopy {
            whether,
            to,
            map,
            barrier,
            firsts,
            policy,
        } = copy;
        let code = &self.code;
        let rank = firsts.len();
        let places: Vec<String> = (0..rank).map(|axis| format!("${}", 4 + axis)).collect();
        let (multicast, mask) = match blocks {
            None => ("", String::new()),
            Some(_) => (".multicast::cluster", format!(", ${}", 4 + rank)),
        };
        let operands = 4 + rank + usize::from(blocks.is_some());
        let (hint, last) = match policy {
            None => ("", String::new()),
            Some(_) => (".L2::cache_hint", format!(", ${operands}")),
        };
        let text = format!(
            "@$0 cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes{multicast}{hint} \
             [$1], [$2, {{{}}}], [$3]{mask}{last};",
            places.join(", ")
        );
        let mut constraints = format!("b,r,l,r{}", ",r".repeat(rank));
        let to = code.offset(*to, part.start);
        let mut args: Vec<BasicValueEnum<'ctx>> = vec![
            (*whether).into(),
            to.into(),
            (*map).into(),
            (*barrier).into(),
        ];
        let corner = firsts.iter().zip(&part.corner);
        args.extend(corner.map(|(&first, &corner)| BasicValueEnum::from(code.add(first, corner))));
        if let Some(blocks) = blocks {
            constraints.push_str(",h");
            args.push(code.cx.i16_type().const_int(blocks.into(), false).into());
        }
        if let Some(policy) = policy {
            constraints.push_str(",l");
            args.push((*policy).into());
        }
        code.asm(&text, &constraints, &[], &args, AsmEffect::Memory);
    }

    /// Computes the first coordinate of a tile along an axis. The coordinate is negative for a tile beyond
    /// the largest extent, where no element exists.
    pub(super) fn first(&self, axis: GlobalAxis, index: ValueId) -> IntValue<'ctx> {
        let code = &self.code;
        let index = self.int(index);
        let ty = index.get_type();
        let bound = ty.const_int(COORDINATES.div_ceil(axis.step), false);
        let exists = code.compare(IntPredicate::ULT, index, bound);
        let index = code.select(exists, index, bound).into_int_value();
        let index = code.unsigned(index, code.cx.i32_type());
        code.mul(index, code.cx.i32_type().const_int(axis.step, false))
    }

    /// Computes whether this thread issues the copies: it is the first thread, and `whether` holds.
    fn is_begun(&self, whether: ValueId) -> IntValue<'ctx> {
        self.code.and(self.int(whether), self.is_first_thread())
    }

    pub(super) fn map(&self, number: usize) -> PointerValue<'ctx> {
        let position = u32::try_from(self.kernel.params.len() + number).expect("few");
        let param = self.code.function().get_nth_param(position);
        param
            .expect("maps are parameters after the others")
            .into_pointer_value()
    }

    fn barriers(&self, barriers: BufferId) -> impl Iterator<Item = PointerValue<'ctx>> {
        let count = self.kernel.buffer(barriers).bytes / BARRIER_BYTES;
        (0..count).map(move |stage| self.barrier_of(barriers, self.code.i32(stage)))
    }

    pub(super) fn barrier_of(
        &self,
        barriers: BufferId,
        stage: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let bytes = self.code.mul_nuw(stage, self.code.i32(BARRIER_BYTES));
        self.code.offset(self.buffer_start(barriers), bytes)
    }
}
