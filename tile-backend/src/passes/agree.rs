//! Makes threads agree on what each of them has read for itself.
//!
//! In: a kernel without addresses of buffers and without barriers. Out: the same, in which one
//! thread per element gives all others that hold the element what it has read, through shared
//! memory, where [`crate::analysis::uniform`] finds that they may differ. A value that is only
//! stored stays: whoever stores an element has read it.

use crate::analysis::uniform::{is_held_by_several, reads_what_may_change};
use crate::gpu::{BlockId, Buffer, Kernel, Op, OpId, OpKind, Ty, ValueId};
use crate::layout::{InDim, LinearLayout, OutShape, row_major};

/// Inserts the exchange.
pub fn agree(kernel: &mut Kernel) {
    agree_on(kernel, reads_what_may_change);
}

fn agree_on(kernel: &mut Kernel, is_source: impl Fn(&Kernel, &Op) -> bool + Copy) {
    block(kernel, kernel.body(), is_source);
}

fn block(kernel: &mut Kernel, id: BlockId, is_source: impl Fn(&Kernel, &Op) -> bool + Copy) {
    let mut index = 0;
    while let Some(&op) = kernel.block(id).ops.get(index) {
        for nested in kernel.op(op).blocks.clone() {
            block(kernel, nested, is_source);
        }
        index += 1;
        if !is_source(kernel, kernel.op(op)) {
            continue;
        }
        for value in kernel.op(op).results.clone() {
            if is_held_by_several(kernel, value) && !is_only_stored(kernel, value) {
                let ops = exchange(kernel, value);
                let at = index..index;
                index += ops.len();
                kernel.block_mut(id).ops.splice(at, ops);
            }
        }
    }
}

/// Whether `value` is nothing but what is stored.
fn is_only_stored(kernel: &Kernel, value: ValueId) -> bool {
    kernel.op_ids().all(|id| {
        let op = kernel.op(id);
        let from = usize::from(matches!(op.kind, OpKind::StoreGlobal(_)));
        op.args.iter().skip(from).all(|&arg| arg != value)
    })
}

/// Operations after which every use of `value` is one of what its owner has.
fn exchange(kernel: &mut Kernel, value: ValueId) -> Vec<OpId> {
    let loc = kernel.value(value).loc;
    let ty = kernel.ty(value);
    let element = ty.scalar().expect("memory holds no pointers");
    let layout = match ty {
        Ty::Distributed { layout, .. } => kernel.layout(layout).clone(),
        Ty::Uniform(_) | Ty::Pointer(_) => everywhere(kernel.num_warps),
    };
    let shape = layout.shape().clone();
    let memory = row_major(&shape, &shape.row_major_order());
    let bytes = shape.num_elements() * element.bytes() as u64;
    let layout = kernel.add_layout(layout);
    let memory = kernel.add_layout(memory);
    let buffer = kernel.add_buffer(Buffer {
        element,
        bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        slots: 1,
        align_bytes: 16,
        layout: Some(memory),
        offset_bytes: None,
    });
    let tile = Ty::Distributed { element, layout };
    let mut ops = Vec::new();
    let mut add = |kernel: &mut Kernel, kind: OpKind, args: &[ValueId], results: &[Ty]| {
        let op = kernel.add_op(kind, args, results, &[], loc);
        ops.push(op);
        kernel.op(op).results.first().copied()
    };
    let known = kernel.num_ops();
    let is_uniform = ty.layout().is_none();
    let own = if is_uniform {
        add(kernel, OpKind::Splat, &[value], &[tile]).expect("a splat has a result")
    } else {
        value
    };
    add(kernel, OpKind::StoreShared(buffer), &[own], &[]);
    let mut one = add(kernel, OpKind::LoadShared(buffer), &[], &[tile]);
    if is_uniform {
        one = add(
            kernel,
            OpKind::ToUniform,
            &one.map_or_else(Vec::new, |v| vec![v]),
            &[ty],
        );
    }
    let one = one.expect("a load has a result");
    kernel.replace_uses(value, one, known);
    ops
}

/// The layout of one element that every thread holds.
fn everywhere(num_warps: u32) -> LinearLayout {
    let lanes = LinearLayout::replicated(InDim::Lane, 5, 0);
    let warps = LinearLayout::replicated(InDim::Warp, num_warps.ilog2(), 0);
    debug_assert_eq!(lanes.shape(), &OutShape::new(&[]).expect("a rank-0 shape"));
    lanes.product(&warps)
}

#[cfg(test)]
mod tests {
    use super::agree_on;
    use crate::analysis::uniform::Uniformity;
    use crate::gpu::{Kernel, Op, OpKind, Ty, ValueId};
    use tile_core::{Loc, Scalar};

    /// What stands here for a load that other blocks may race with: the position of the block.
    fn is_source(_: &Kernel, op: &Op) -> bool {
        matches!(op.kind, OpKind::BlockId(_))
    }

    fn undecided(kernel: &Kernel) -> Vec<ValueId> {
        Uniformity::with_sources(kernel, is_source).undecided(kernel)
    }

    /// `loop (c = source) { if c { break } continue 0 }`.
    fn waiting() -> Kernel {
        let mut kernel = Kernel::new("waiting", 4, Loc::UNKNOWN);
        let (i1, body, loc) = (Ty::Uniform(Scalar::I1), kernel.body(), Loc::UNKNOWN);
        let source = kernel.push(body, OpKind::BlockId(0), &[], &[i1], &[], loc);
        let source = kernel.op(source).results[0];
        let (around, inside) = (kernel.add_block(), kernel.add_block());
        let carried = kernel.add_block_arg(around, i1, loc);
        kernel.push(inside, OpKind::Break, &[], &[], &[], loc);
        kernel.push(around, OpKind::If, &[carried], &[], &[inside], loc);
        let zero = kernel.push(around, OpKind::Constant(0), &[], &[i1], &[], loc);
        let zero = kernel.op(zero).results[0];
        kernel.push(around, OpKind::Continue, &[zero], &[], &[], loc);
        kernel.push(body, OpKind::Loop, &[source], &[], &[around], loc);
        kernel
    }

    #[test]
    fn what_decides_control_flow_is_read_by_one_thread() {
        let mut kernel = waiting();
        assert_eq!(undecided(&kernel).len(), 1);
        agree_on(&mut kernel, is_source);
        assert_eq!(undecided(&kernel), Vec::new());
        let kinds: Vec<String> = kernel.block(kernel.body()).ops[1..5]
            .iter()
            .map(|&op| format!("{:?}", kernel.op(op).kind))
            .collect();
        let names = ["Splat", "StoreShared", "LoadShared", "ToUniform"];
        for (kind, name) in kinds.iter().zip(names) {
            assert!(kind.starts_with(name), "{kinds:?}");
        }
        assert_eq!(crate::gpu::verify(&kernel), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_racy_stays() {
        let mut kernel = waiting();
        let before = crate::gpu::to_text(&kernel);
        agree_on(&mut kernel, |_, _| false);
        assert_eq!(crate::gpu::to_text(&kernel), before);
    }
}
