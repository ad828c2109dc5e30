//! The order in which blocks start, where it is not the hardware's for their lengths.

use super::{Kind, Remark, Remarks};
use crate::gpu::{BlockOrder, Kernel};

pub(super) fn block_order(kernel: &Kernel, remarks: &mut Remarks) {
    let BlockOrder::LongestFirst(order) = kernel.block_order else {
        return;
    };
    remarks.add(|| {
        let axis = ["first", "second", "third"][usize::from(order.axis)];
        let more = if order.rises { "more" } else { "fewer" };
        let why = format!("loops have {more} iterations further along the {axis} axis of the grid");
        Remark::new(
            Kind::Chosen,
            kernel.loc,
            "blocks with more to do start first",
        )
        .note(why)
        .note("so the last ones are short, and all multiprocessors end at about the same time")
    });
}
