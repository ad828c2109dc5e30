//! The functions of `cuda.h`, by their object. Each file declares them with `api!`, which exports them and lists
//! them with their names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Declares functions: exports each under its name, and adds it to `FUNCTIONS`. A number in brackets is the first
/// version of CUDA for which `cuGetProcAddress` gives the function, if there are several with the name.
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident $([$since:literal])? ($($argument:ident: $ty:ty),* $(,)?) $body:block)+) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of `cuda.h`.")]
            $(#[$doc])*
            ///
            /// # Safety
            /// Pointers must be null or valid as `cuda.h` requires.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $ty),*) -> crate::result::CUresult {
                crate::enter(stringify!($name), || $body)
            }
        )+

        /// The functions of this file.
        pub(in crate::api) const FUNCTIONS: &[crate::api::Function] = &[$(crate::api::Function {
            name: stringify!($name),
            since: 0 $(+ $since)?,
            address: || $name as *const () as usize,
        }),+];
    };
}

/// Declares functions like [`exports!`], which `cudarc` declares too.
macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident $([$since:literal])? ($($argument:ident: $ty:ty),* $(,)?) $body:block)+) => {
        exports! {
            $($(#[$doc])* fn $name $([$since])? ($($argument: $ty),*) $body)+
        }

        /// The types of the functions of this file here and in `cudarc`.
        #[cfg(test)]
        pub(super) fn signatures() -> Vec<super::tests::Pair> {
            use super::tests::Signature;
            vec![$((
                stringify!($name),
                ($name as unsafe extern "C" fn($($ty),*) -> _).types(),
                (cudarc::driver::sys::$name as unsafe fn($(api!(@any $ty)),*) -> _).types(),
            )),+]
        }
    };
    (@any $ty:ty) => { _ };
}

pub mod context;
pub mod copy;
pub mod device;
pub mod event;
pub mod graph;
pub mod launch;
pub mod memory;
pub mod module;
pub mod occupancy;
pub mod older;
pub mod pool;
pub mod procs;
pub mod stream;
pub mod tensor_map;
pub mod testing;
pub mod unsupported;

/// A function that the library exports.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The symbol, such as `cuMemAlloc_v2`.
    pub name: &'static str,
    /// The first version of CUDA for which `cuGetProcAddress` gives this symbol.
    pub(crate) since: i32,
    pub(crate) address: fn() -> usize,
}

impl Function {
    /// Returns the name in programs, such as `cuMemAlloc`.
    pub fn base(&self) -> &'static str {
        match self.name.rsplit_once("_v") {
            Some((base, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => base,
            _ => self.name,
        }
    }
}

/// Returns the functions that do what `cuda.h` says, by what they are about.
pub fn groups() -> [(&'static str, &'static [Function]); 16] {
    [
        ("Initialization, errors, devices", device::FUNCTIONS),
        ("Contexts and peers", context::FUNCTIONS),
        ("Modules and functions", module::FUNCTIONS),
        ("Memory", memory::FUNCTIONS),
        ("Copies and fills", copy::FUNCTIONS),
        ("Memory in stream order, pools", pool::FUNCTIONS),
        ("Streams", stream::FUNCTIONS),
        ("Events", event::FUNCTIONS),
        ("Launches", launch::FUNCTIONS),
        ("Graphs and captures", graph::FUNCTIONS),
        ("Occupancy", occupancy::FUNCTIONS),
        ("Tensor maps", tensor_map::FUNCTIONS),
        ("Addresses of functions", procs::FUNCTIONS),
        ("Earlier versions: graphs", graph::older::FUNCTIONS),
        ("Earlier versions: others", older::FUNCTIONS),
        ("Tests of programs", testing::FUNCTIONS),
    ]
}

/// Returns the functions that do what `cuda.h` says.
pub fn functions() -> Vec<Function> {
    groups()
        .iter()
        .flat_map(|(_, functions)| *functions)
        .copied()
        .collect()
}

/// Returns the symbol that `cuGetProcAddress` gives for a name and a version of CUDA.
pub(crate) fn find(name: &str, version: i32) -> Option<Function> {
    static BY_BASE: LazyLock<BTreeMap<&str, Vec<Function>>> = LazyLock::new(|| {
        let mut map: BTreeMap<&str, Vec<Function>> = BTreeMap::new();
        for function in functions().into_iter().chain(unsupported::functions()) {
            map.entry(function.base()).or_default().push(function);
        }
        map
    });
    let all = BY_BASE.get(name)?.iter();
    let known = all.filter(|function| function.since <= version);
    known.max_by_key(|function| function.since).copied()
}

#[cfg(test)]
mod tests;
