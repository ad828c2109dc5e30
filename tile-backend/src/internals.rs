//! The parts of the compiler, for the tests of this repository. They change without notice.

macro_rules! expose {
    ($($module:ident),*) => {
        $(
            pub mod $module {
                pub use crate::$module::*;
            }
        )*
    };
}

expose!(
    analysis, cache, cubin, fatbin, gpu, isolate, layout, llvm, lower, passes, ptx, remarks,
    schedule, stages, tools
);

pub use crate::stages::lower_for;
pub use crate::tools::Tool;
