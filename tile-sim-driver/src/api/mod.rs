//! The functions of `cuda.h`, by their object. Each file declares them with `api!`, which exports them and lists
//! them with their names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Declares the variant of a function whose default stream is that of the thread, if it has one, and its row.
macro_rules! variant {
    (fn $($function:tt)*) => {};
    (@ $suffix:ident fn $name:ident($($argument:ident: $ty:ty),*)) => {
        #[doc = concat!("`", stringify!($name), "_", stringify!($suffix), "` of `cuda.h`.")]
        ///
        /// # Safety
        /// Pointers must be null or valid as `cuda.h` requires.
        #[expect(non_snake_case, reason = "the names of `cuda.h`")]
        #[unsafe(export_name = concat!(stringify!($name), "_", stringify!($suffix)))]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> crate::result::CUresult {
            // SAFETY: the caller promised the same.
            crate::state::per_thread(|| unsafe { super::$name($($argument),*) })
        }
    };
    (address $name:ident) => { None };
    (address @ $suffix:ident $name:ident) => {
        Some(|| per_thread::$name as *const () as usize)
    };
}

/// Declares functions: exports each under its name, and adds it to `FUNCTIONS`. A number in brackets is the first
/// version of CUDA for which `cuGetProcAddress` gives the function, if there are several with the name. After `@` is
/// the suffix of the variant whose default stream is that of the thread.
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident $([$since:literal])? $(@$suffix:ident)? ($($argument:ident: $ty:ty),* $(,)?) $body:block)+) => {
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

        /// The variants of functions of this file whose default stream is that of the thread.
        pub mod per_thread {
            #[allow(unused_imports, reason = "some files have no variants")]
            use super::*;

            $(variant! { $(@$suffix)? fn $name($($argument: $ty),*) })+
        }

        /// The functions of this file.
        pub(in crate::api) const FUNCTIONS: &[crate::api::Function] = &[$(crate::api::Function {
            name: stringify!($name),
            since: 0 $(+ $since)?,
            address: || $name as *const () as usize,
            per_thread: variant!(address $(@$suffix)? $name),
        }),+];
    };
}

/// Declares functions like [`exports!`], which `cudarc` declares too.
macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident $([$since:literal])? $(@$suffix:ident)? ($($argument:ident: $ty:ty),* $(,)?) $body:block)+) => {
        exports! {
            $($(#[$doc])* fn $name $([$since])? $(@$suffix)? ($($argument: $ty),*) $body)+
        }

        /// The types of the functions of this file here and in `cudarc`.
        #[cfg(test)]
        pub(in crate::api) fn signatures() -> Vec<crate::api::tests::Pair> {
            use crate::api::tests::Signature;
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
pub mod library;
pub mod memory;
pub mod module;
pub mod nvml;
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
    /// The address of the variant whose default stream is that of the thread, if there is one.
    pub(crate) per_thread: Option<fn() -> usize>,
}

impl Function {
    /// Returns the name in programs, such as `cuMemAlloc`.
    pub fn base(&self) -> &'static str {
        base(self.name)
    }

    /// Returns `true` if there is a variant whose default stream is that of the thread, with `_ptsz` or `_ptds` at the
    /// end of its name.
    pub fn has_variant(&self) -> bool {
        self.per_thread.is_some()
    }
}

/// Returns the name in programs of a symbol.
pub(crate) fn base(name: &'static str) -> &'static str {
    match name.rsplit_once("_v") {
        Some((base, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Returns the functions that do what `cuda.h` says, by what they are about.
pub fn groups() -> [(&'static str, &'static [Function]); 21] {
    [
        ("Initialization, errors, devices", device::FUNCTIONS),
        ("Contexts and peers", context::FUNCTIONS),
        ("Modules and functions", module::FUNCTIONS),
        ("Libraries and kernels", library::FUNCTIONS),
        ("Memory", memory::FUNCTIONS),
        ("Copies and fills", copy::FUNCTIONS),
        ("Memory in stream order, pools", pool::FUNCTIONS),
        ("Streams", stream::FUNCTIONS),
        ("Events", event::FUNCTIONS),
        ("Launches", launch::FUNCTIONS),
        ("Graphs", graph::FUNCTIONS),
        ("Nodes of graphs", graph::node::FUNCTIONS),
        ("Executable graphs", graph::exec::FUNCTIONS),
        ("Captures", graph::capture::FUNCTIONS),
        ("Occupancy", occupancy::FUNCTIONS),
        ("Tensor maps", tensor_map::FUNCTIONS),
        ("Addresses of functions", procs::FUNCTIONS),
        ("Earlier versions: graphs", graph::older::FUNCTIONS),
        ("Earlier versions: others", older::FUNCTIONS),
        ("Clocks (of `nvml.h`)", nvml::FUNCTIONS),
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

/// Returns `true` for a function that NVIDIA's driver does not have.
pub(crate) fn is_for_tests(name: &str) -> bool {
    name.starts_with("tileSim")
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
    let known = all
        .filter(|function| function.since <= version && !crate::inject::is_hidden(function.name));
    known.max_by_key(|function| function.since).copied()
}

#[cfg(test)]
mod tests;
