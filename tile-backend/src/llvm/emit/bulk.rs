//! Emits bulk copies to shared memory (`cp.async.bulk`), and stores of the padding after the copied bytes.
//!
//! In: the coordinates of a tile, a stage of a circular buffer and its barrier. Out: a branch for the first
//! warp, in which one lane issues a copy for each row inside the tensor. If parts of the tile are outside,
//! all lanes iterate over the tile's vectors of 16 bytes, and store those that no copy writes:
//!
//! ```text
//!   if warp == 0 & whether {
//!     if elect { for each row that exists: cp.async.bulk }
//!     if the tile is cut {
//!       for each vector of the lane that is not copied {
//!         its elements where they exist, else padding => shared memory
//!       }
//!       fence.proxy.async; bar.warp.sync
//!     }
//!   }
//! ```
//!
//! The fence orders these stores before later copies to the same bytes. The barrier orders them before the
//! arrival of the first lane that follows.
//!
//! One lane issues all copies, rather than one lane per row: unless the compiler can prove that a single
//! thread is active, it serializes the copies in a loop over the active threads, which takes longer than
//! adding a stride.

use inkwell::IntPredicate;
use inkwell::types::IntType;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::code::{AsmEffect, element_bytes};
use super::masked::Modifiers;
use super::tma_load::TENSOR_PTX;
use super::{Emitter, Result};
use crate::gpu::{BULK_BYTES, BulkCopy, Op};
use crate::layout::{Axis, Runs};
use crate::llvm::intrinsics::Intrinsic;
use crate::llvm::passes::ask_for;

/// Maximum number of rows that are copied by unrolled instructions; more rows are copied in a loop.
const MAX_UNROLLED_ROWS: u64 = 4;

/// The number of lanes of a warp.
const LANES: u32 = 32;

/// A tile that is being copied, described by values that are uniform in the block.
struct Rows<'ctx> {
    /// The type of element counts.
    width: IntType<'ctx>,
    base: PointerValue<'ctx>,
    /// The offset of the tile in elements.
    start: IntValue<'ctx>,
    /// The axes that distinguish rows, in the order of [`Runs::axes`].
    axes: Vec<Along<'ctx>>,
    /// The number of elements of a row that exist; `None` if all of them always exist.
    length: Option<IntValue<'ctx>>,
    /// The number of bytes of a row that a copy writes.
    copied: IntValue<'ctx>,
    /// `true` if the whole tile exists; `None` if it always exists.
    is_whole: Option<IntValue<'ctx>>,
    /// The address of the stage.
    to: PointerValue<'ctx>,
    barrier: PointerValue<'ctx>,
    /// The L2 cache policy.
    policy: Option<IntValue<'ctx>>,
}

/// An axis that distinguishes rows.
struct Along<'ctx> {
    stride: IntValue<'ctx>,
    size: u64,
    /// The number of coordinates that exist; `None` if all of them always exist.
    limit: Option<IntValue<'ctx>>,
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("a tile is small")
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn bulk_copy(&mut self, op: &Op, copy: &BulkCopy) -> Result<()> {
        ask_for(&self.code.module, TENSOR_PTX);
        let Some(runs) = copy.runs(self.kernel) else {
            return Err(self.unsupported("a buffer that is not made of rows", op.loc));
        };
        let rows = self.rows(op, copy, &runs);
        let bytes = self.bytes_of(&rows);
        self.define(op.results[0], vec![bytes.into()]);

        let code = &self.code;
        let is_first = code.compare(IntPredicate::EQ, self.thread.warp, code.i32(0));
        let is_begun = code.and(self.int(op.args[0]), is_first);
        let after = code.new_block("begun");
        let begin = code.new_block("begin");
        code.branch(is_begun, begin, after);
        code.builder.position_at_end(begin);
        self.begin_rows(&rows, &runs, copy);
        if let Some(is_whole) = rows.is_whole {
            let code = &self.code;
            let cut = code.new_block("cut");
            code.branch(is_whole, after, cut);
            code.builder.position_at_end(cut);
            self.pad_rows(&rows, &runs, copy);
            self.fence_proxy_async();
            let all_lanes = self.code.i32(u32::MAX).into();
            self.code.nvvm(Intrinsic::BarrierWarp, &[all_lanes]);
        }
        self.code.go_to(after);
        self.code.builder.position_at_end(after);
        Ok(())
    }

    /// Evaluates `op.args`: a condition, a stage, the base, and for each axis its index, extent and stride.
    fn rows(&self, op: &Op, copy: &BulkCopy, runs: &Runs) -> Rows<'ctx> {
        let (code, tile) = (&self.code, &copy.tile);
        let width = code.int(if tile.fits_32_bits { 32 } else { 64 });
        let mut start = width.const_zero();
        let mut is_whole = Vec::new();
        let mut axes = Vec::new();
        for (of_tile, of_axis) in tile.axes.iter().zip(op.args[3..].chunks_exact(3)) {
            let [index, extent, stride] =
                [0, 1, 2].map(|operand| code.unsigned(self.int(of_axis[operand]), width));
            let is_along = tile.contiguous == Some(Axis(axes.len()));
            let stride = if is_along {
                width.const_int(1, false)
            } else {
                stride
            };
            let first = code.mul(index, width.const_int(of_tile.step, false));
            start = code.add(start, code.mul(first, stride));
            let limit = code.cut(of_tile, index, extent, first).map(|cut| {
                is_whole.push(cut.is_whole);
                cut.limit
            });
            axes.push(Along {
                stride,
                size: of_tile.size,
                limit,
            });
        }
        let contiguous = tile.contiguous.expect("verified: rows have neighbours");
        let length = axes[contiguous.0].limit;
        let bytes = element_bytes(tile.element);
        let copied = match length {
            None => code.i32(narrow(runs.length) * bytes),
            Some(length) => {
                let exist = code.mul_nuw(length, code.i32(bytes));
                let has_whole = tile.has_whole_vectors(BULK_BYTES / u64::from(bytes));
                if has_whole {
                    exist
                } else {
                    code.and(exist, code.i32(!(narrow(BULK_BYTES) - 1)))
                }
            }
        };
        let mut by_axis: Vec<Option<Along<'ctx>>> = axes.into_iter().map(Some).collect();
        let taken = runs.axes.iter().map(|&(axis, _)| {
            let along = by_axis[axis.0].take();
            along.expect("an axis has one place")
        });
        let stage = self.int(op.args[1]);
        Rows {
            width,
            base: self.pointer(op.args[2]),
            start,
            axes: taken.collect(),
            length,
            copied,
            is_whole: code.all(is_whole),
            to: self.stage_start(copy.buffer, Some(stage)),
            barrier: self.barrier_of(copy.barriers, stage),
            policy: code.policy(tile.caching),
        }
    }

    /// Computes the number of bytes that the copies of all rows write.
    fn bytes_of(&self, rows: &Rows<'ctx>) -> IntValue<'ctx> {
        let code = &self.code;
        let counts = rows.axes.iter().map(|along| {
            let size = code.i32(narrow(along.size));
            along.limit.unwrap_or(size)
        });
        counts.fold(rows.copied, |bytes, count| code.mul(bytes, count))
    }

    /// Issues the copies in one lane.
    fn begin_rows(&self, rows: &Rows<'ctx>, runs: &Runs, copy: &BulkCopy) {
        let code = &self.code;
        let elected = code.nvvm(Intrinsic::Elect, &[code.i32(u32::MAX).into()])[1];
        let mut holds = vec![elected.into_int_value()];
        if rows.length.is_some() {
            holds.push(code.compare(IntPredicate::NE, rows.copied, code.i32(0)));
        }
        let after = code.new_block("rows_begun");
        let alone = code.new_block("alone");
        let holds = code.all(holds).expect("there is a condition");
        code.branch(holds, alone, after);
        code.builder.position_at_end(alone);
        if runs.count <= MAX_UNROLLED_ROWS {
            for number in 0..runs.count {
                let number = code.i32(narrow(number));
                self.begin_row(rows, runs, copy, number);
            }
        } else {
            let count = code.i32(narrow(runs.count));
            self.count_to(code.i32(0), code.i32(1), count, |number| {
                self.begin_row(rows, runs, copy, number);
            });
        }
        code.go_to(after);
        code.builder.position_at_end(after);
    }

    fn begin_row(&self, rows: &Rows<'ctx>, runs: &Runs, copy: &BulkCopy, number: IntValue<'ctx>) {
        let code = &self.code;
        let bytes = element_bytes(copy.tile.element);
        let (elements, exists) = self.row(rows, number);
        let from = self.in_memory(rows, elements, bytes);
        let run_bytes = code.i32(narrow(runs.length) * bytes);
        let to = code.offset(rows.to, code.mul_nuw(number, run_bytes));
        let mut args: Vec<BasicValueEnum<'ctx>> = vec![
            to.into(),
            from.into(),
            rows.copied.into(),
            rows.barrier.into(),
        ];
        let mut constraints = "r,l,r,r".to_owned();
        let (mut hint, mut last) = ("", String::new());
        if let Some(policy) = rows.policy {
            (hint, last) = (".L2::cache_hint", ", $4".to_owned());
            constraints.push_str(",l");
            args.push(policy.into());
        }
        let guard = exists.map_or(String::new(), |exists| {
            constraints.push_str(",b");
            args.push(exists.into());
            format!("@${} ", args.len() - 1)
        });
        let text = format!(
            "{guard}cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{hint} \
             [$0], [$1], $2, [$3]{last};"
        );
        code.asm(&text, &constraints, &[], &args, AsmEffect::Memory);
    }

    /// Computes the offset of a row in elements, and whether the row exists; `None` if it always exists.
    fn row(
        &self,
        rows: &Rows<'ctx>,
        number: IntValue<'ctx>,
    ) -> (IntValue<'ctx>, Option<IntValue<'ctx>>) {
        let code = &self.code;
        let mut elements = rows.start;
        let mut exists = Vec::new();
        let (mut shift, axes) = (0, rows.axes.len());
        for (index, along) in rows.axes.iter().enumerate() {
            let mut coordinate = code.lshr(number, code.i32(shift));
            if index + 1 < axes {
                coordinate = code.and(coordinate, code.i32(narrow(along.size - 1)));
            }
            shift += along.size.ilog2();
            let further = code.mul(code.unsigned(coordinate, rows.width), along.stride);
            elements = code.add(elements, further);
            exists.extend(
                along
                    .limit
                    .map(|limit| code.compare(IntPredicate::ULT, coordinate, limit)),
            );
        }
        (elements, code.all(exists))
    }

    fn in_memory(
        &self,
        rows: &Rows<'ctx>,
        elements: IntValue<'ctx>,
        bytes: u32,
    ) -> PointerValue<'ctx> {
        let code = &self.code;
        let elements = code.unsigned(elements, code.cx.i64_type());
        code.offset(rows.base, code.mul(elements, code.i64(bytes.into())))
    }

    /// Stores the vectors that no copy writes. All lanes take part.
    fn pad_rows(&self, rows: &Rows<'ctx>, runs: &Runs, copy: &BulkCopy) {
        let (code, tile) = (&self.code, &copy.tile);
        let (scalar, bytes) = (tile.element, element_bytes(tile.element));
        let vector = narrow(BULK_BYTES);
        let per_row = narrow(runs.length) * bytes / vector;
        let count = code.i32(per_row * narrow(runs.count));
        let padding = code.constant(scalar, tile.padding.unwrap_or(0));
        let has_ragged_vectors = !tile.has_whole_vectors(BULK_BYTES / u64::from(bytes));
        self.count_to(self.thread.lane, code.i32(LANES), count, |number| {
            let row = code.lshr(number, code.i32(per_row.ilog2()));
            let offset = code.and(number, code.i32(per_row - 1));
            let offset = code.mul_nuw(offset, code.i32(vector));
            let (elements, exists) = self.row(rows, row);
            let is_in_front = code.compare(IntPredicate::ULT, offset, rows.copied);
            let is_copied = exists.map_or(is_in_front, |exists| code.and(exists, is_in_front));
            let after = code.new_block("stored");
            let store = code.new_block("store");
            code.branch(is_copied, after, store);
            code.builder.position_at_end(store);
            let first = code.lshr(offset, code.i32(bytes.ilog2()));
            let values = (0..vector / bytes).map(|element| {
                let Some(length) = rows.length.filter(|_| has_ragged_vectors) else {
                    return code.to_memory(padding, scalar);
                };
                let along = code.add(first, code.i32(element));
                let is_there = code.compare(IntPredicate::ULT, along, length);
                let is_there = exists.map_or(is_there, |exists| code.and(exists, is_there));
                let elements = code.add(elements, code.unsigned(along, rows.width));
                let from = self.in_memory(rows, elements, bytes);
                let modifiers = Modifiers::for_access(self.access(tile.access));
                let loaded = code.masked_load(from, is_there, scalar, &[padding], &modifiers);
                code.to_memory(loaded[0], scalar)
            });
            let values: Vec<BasicValueEnum<'ctx>> = values.collect();
            let to = code.offset(rows.to, code.mul_nuw(number, code.i32(vector)));
            code.store(code.pack(&values), to, vector);
            code.go_to(after);
            code.builder.position_at_end(after);
        });
    }

    /// Emits a loop that runs `body` for `first`, `first + step` and so on, while the number is less than
    /// `end`.
    fn count_to(
        &self,
        first: IntValue<'ctx>,
        step: IntValue<'ctx>,
        end: IntValue<'ctx>,
        body: impl FnOnce(IntValue<'ctx>),
    ) {
        let code = &self.code;
        let before = code.current_block();
        let after = code.new_block("counted");
        let inside = code.new_block("counting");
        let head = code.new_block("count");
        code.go_to(head);
        code.builder.position_at_end(head);
        let number = code.phi(&[(first.into(), before)]);
        let value = number.as_basic_value().into_int_value();
        let is_below = code.compare(IntPredicate::ULT, value, end);
        code.branch(is_below, inside, after);
        code.builder.position_at_end(inside);
        body(value);
        let next = code.add(value, step);
        number.add_incoming(&[(&next, code.current_block())]);
        code.go_to(head);
        code.builder.position_at_end(after);
    }
}
