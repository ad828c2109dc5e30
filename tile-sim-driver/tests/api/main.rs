//! The driver through its C interface, as a program that loads `libcuda.so` uses it: what each function does, and the
//! errors that the CUDA Driver API documents.
//!
//! The program starts itself again with the library in `LD_LIBRARY_PATH`. Each case has a context of its own.

#![expect(
    clippy::undocumented_unsafe_blocks,
    clippy::borrow_as_ptr,
    reason = "every call of the driver is one; the cases pass valid pointers, or wrong ones that it must refuse"
)]
#![expect(
    clippy::wildcard_imports,
    clippy::unused_self,
    reason = "cases name many functions of the driver; what they call takes a context, which is current"
)]

mod captures;
mod contexts;
mod copies;
mod devices;
mod events;
mod faults;
mod gpu;
mod graphs;
mod host_accesses;
mod launches;
mod libraries;
mod memory;
mod modules;
mod nodes;
mod nvml;
mod occupancy;
mod peers;
mod pools;
mod procs;
mod races;
#[path = "../shared/mod.rs"]
mod shared;
mod streams;
mod tensor_maps;
mod uninitialized;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

use gpu::Gpu;

/// A case, by name.
pub(crate) type Case = (&'static str, fn(&Gpu));

/// The variable that tells the second run.
const SECOND: &str = "TILE_SIM_DRIVER_TESTS";

pub(crate) fn main() -> ExitCode {
    if env::var_os(SECOND).is_none() {
        return again();
    }
    let groups = [
        ("devices", devices::CASES),
        ("contexts", contexts::CASES),
        ("memory", memory::CASES),
        ("pools", pools::CASES),
        ("copies", copies::CASES),
        ("streams", streams::CASES),
        ("events", events::CASES),
        ("modules", modules::CASES),
        ("libraries", libraries::CASES),
        ("launches", launches::CASES),
        ("occupancy", occupancy::CASES),
        ("graphs", graphs::CASES),
        ("nodes", nodes::CASES),
        ("captures", captures::CASES),
        ("tensor_maps", tensor_maps::CASES),
        ("peers", peers::CASES),
        ("faults", faults::CASES),
        ("races", races::CASES),
        ("uninitialized", uninitialized::CASES),
        ("host_accesses", host_accesses::CASES),
        ("procs", procs::CASES),
        ("nvml", nvml::CASES),
    ];
    let trials = groups.into_iter().flat_map(|(group, cases)| {
        cases.iter().map(move |&(name, case)| {
            Trial::test(format!("{group}::{name}"), move || {
                let gpu = Gpu::new(0);
                case(&gpu);
                Ok(())
            })
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Runs this program again with the library, which cargo built beside it.
fn again() -> ExitCode {
    let program = env::current_exe().expect("this test has a path");
    let library = program.with_file_name("libtile_sim_driver.so");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
    fs::create_dir_all(&folder).expect("cargo made the folder around it");
    for name in ["libcuda.so.1", "libcuda.so"] {
        let link = folder.join(name);
        // Removes that of an earlier run.
        let _removed = fs::remove_file(&link);
        symlink(&library, &link).expect("a link");
    }
    let status = Command::new(program)
        .args(env::args_os().skip(1))
        .env(SECOND, "1")
        .env("LD_LIBRARY_PATH", folder)
        .env("TILE_SIM_DEVICES", "h100*2,a100")
        .status()
        .expect("it runs once already");
    ExitCode::from(u8::from(!status.success()))
}
