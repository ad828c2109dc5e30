//! Remarks on LPT order, in which work tiles with more iterations start first, regardless of the hardware's
//! order.

use super::{Kind, Remark, Remarks};
use crate::gpu::{Kernel, RasterOrder};
use crate::schedule::Target;

pub(crate) fn remark_on_raster_order(kernel: &Kernel, _: Target, remarks: &mut Remarks) {
    let RasterOrder::Lpt(order) = kernel.launch.raster_order else {
        return;
    };
    remarks.add(|| {
        let axis = ["first", "second", "third"][usize::from(order.axis)];
        let more = if order.rises { "more" } else { "fewer" };
        let why = format!("loops have {more} iterations further along the {axis} axis of the grid");
        Remark::new(
            Kind::Chosen,
            kernel.loc,
            "longest-processing-time-first (LPT) tile order",
        )
        .note(why)
        .note("the last work tiles are short, so all multiprocessors finish at about the same time")
    });
}
