//! Op table rows that only tests may use.

use super::def::{AttrKind, Effects, Version, attr, op, optional_attr};
use super::table::define_ops;

define_ops! {
    /// Operations of test builds of the dialect.
    pub enum TestingOp {
        /// An entry that may return values and take tiles of any shape.
        Func = op("testing$func", 0x3001, Version::V13_1)
            .attrs(&[attr("sym_name", AttrKind::Str), attr("function_type", AttrKind::Type), optional_attr("optimization_hints", AttrKind::Hints)])
            .regions(1)
            .effects(Effects::Write)
            .custom("$sym_name $function_type (`optimization_hints` `=` $optimization_hints)? region");
    }
}
