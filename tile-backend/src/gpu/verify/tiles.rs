//! Verifies layout conversions, scans and operations on slices.

use super::super::{Kernel, LayoutId, Op, OpKind, ValueId};
use crate::layout::{Conversion, LinearLayout, classify};

/// Returns the errors of one operation.
pub(super) fn errors(kernel: &Kernel, op: &Op) -> Vec<&'static str> {
    let mut errors = Vec::new();
    let mut check = |holds: bool, text: &'static str| {
        if !holds {
            errors.push(text);
        }
    };
    let id = |value: &ValueId| kernel.ty(*value).layout();
    let layout = |value: &ValueId| id(value).map(|id| kernel.layout(id));
    let registers = |value: &ValueId| layout(value).map_or(1, LinearLayout::num_registers);
    let one_layout = |values: &[ValueId]| {
        let ids: Vec<Option<LayoutId>> = values.iter().map(id).collect();
        ids.windows(2).all(|pair| pair[0] == pair[1])
    };
    let scalars = |values: &[ValueId]| -> Vec<_> {
        values
            .iter()
            .map(|&value| kernel.ty(value).scalar())
            .collect()
    };
    match &op.kind {
        OpKind::ConvertLayoutShuffle => {
            let (source, result) = (&op.args[0], &op.results[0]);
            let bits = kernel
                .ty(*source)
                .scalar()
                .map_or(0, |scalar| scalar.bytes() * 8);
            let bits = u32::try_from(bits).expect("an element has few bits");
            // Shuffles move data only between the lanes of one warp.
            let plan = layout(source)
                .zip(layout(result))
                .and_then(|(from, to)| classify(from, to, bits.max(1)));
            check(
                matches!(plan, Some(Conversion::WarpShuffle(_))),
                "`convert_layout_shuffle` between warps",
            );
        }
        OpKind::ConvertLayoutShared(buffer) => {
            let fits = kernel.rounds(op, *buffer).is_some();
            check(fits, "`convert_layout_shared` between warps");
        }
        OpKind::ScanWarp(step) => {
            // Totals are needed only for an axis that is spread over warps; the next step combines them.
            let count = op.args.len();
            let totals = if step.plan.reduce.warps.is_some() {
                count
            } else {
                0
            };
            check(
                op.results.len() == count + totals,
                "wrong number of results of `scan_warp`",
            );
            check(
                one_layout(&op.args),
                "operands of `scan_warp` differ in layout",
            );
            let (prefixes, totals) = op.results.split_at(count.min(op.results.len()));
            check(
                scalars(prefixes) == scalars(&op.args)
                    && prefixes.iter().all(|value| id(value) == id(&op.args[0])),
                "prefixes of `scan_warp` differ from its operands",
            );
            let of_plan = |value: &ValueId| layout(value) == Some(&step.plan.reduce.result);
            check(
                totals.iter().all(of_plan),
                "totals of `scan_warp` differ from the plan",
            );
        }
        OpKind::ScanAcross(partials, step) => {
            check(
                step.plan.reduce.warps.is_some(),
                "`scan_across` of one warp",
            );
            check(
                partials.buffers.len() == op.args.len(),
                "`scan_across` needs a buffer per operand",
            );
            check(
                op.results.len() == op.args.len()
                    && one_layout(&op.args)
                    && one_layout(&op.results),
                "operands of `scan_across` differ in layout",
            );
        }
        OpKind::InsertSlice(merge) => {
            let result = op.results.first();
            let rank = result
                .and_then(layout)
                .map_or(0, |layout| layout.shape().rank());
            let indices = if merge.at.is_some() { 0 } else { rank };
            check(
                op.args.len() == 2 + indices,
                "wrong number of indices of `insert_slice`",
            );
            check(
                merge.slice.rank() == rank,
                "a slice of another rank than its tile",
            );
            let Some((result, [tile, part, ..])) =
                result.zip(op.args.get(..2).and_then(|args| args.first_chunk::<2>()))
            else {
                return errors;
            };
            let count = registers(result);
            // The plan must have an entry for every register of the result, both for the tile and for the
            // slice.
            check(
                merge.tile.len() == count && merge.part.len() == count,
                "`insert_slice` misses a register",
            );
            check(
                merge
                    .tile
                    .iter()
                    .all(|register| register.index() < registers(tile))
                    && merge
                        .part
                        .iter()
                        .all(|register| register.index() < registers(part)),
                "`insert_slice` names a register that does not exist",
            );
        }
        OpKind::ExtractSlice(pick) => {
            let slices: u64 = pick.counts.iter().product();
            check(
                pick.sources.len() as u64 == slices,
                "`extract_slice` misses a slice",
            );
            let Some((result, source)) = op.results.first().zip(op.args.first()) else {
                return errors;
            };
            check(
                pick.sources.iter().all(|sources| {
                    sources.len() == registers(result)
                        && sources
                            .iter()
                            .all(|register| register.index() < registers(source))
                }),
                "`extract_slice` names a register that does not exist",
            );
        }
        OpKind::LoadSlice(buffer) => {
            let memory = kernel
                .buffer(*buffer)
                .layout
                .map(|id| kernel.layout(id).shape());
            let slice = op.results.first().and_then(layout).map(LinearLayout::shape);
            // The indices may be any numbers, since the slice is read from memory rather than selected among
            // registers.
            let stages = usize::from(kernel.buffer(*buffer).stages > 1);
            let fits = memory.zip(slice).is_some_and(|(memory, slice)| {
                memory.rank() == slice.rank()
                    && memory.rank() + stages == op.args.len()
                    && memory
                        .axes()
                        .all(|axis| slice.size(axis) <= memory.size(axis))
            });
            check(fits, "`load_slice` of no slice of the buffer");
        }
        OpKind::Repack => {
            // A tf32 is held in 32 bits, although it uses fewer.
            let bits = |value: &ValueId| {
                kernel.ty(*value).scalar().map_or(0, |scalar| match scalar {
                    tile_core::Scalar::TF32 => 32,
                    other => other.bits() as usize,
                })
            };
            let (source, result) = (&op.args[0], &op.results[0]);
            check(
                registers(source) * bits(source) == registers(result) * bits(result),
                "`repack` changes the number of bits",
            );
        }
        _ => {}
    }
    errors
}
