//! Tests of the CUDA side on the first GPU, or on a simulated one. Without either, every case is ignored, and the
//! reason is printed.

mod cases;
#[path = "../sim_driver/mod.rs"]
mod sim_driver;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use tile_kernel::Device;

#[expect(clippy::print_stdout, reason = "the reason why cases are ignored")]
pub(crate) fn main() -> ExitCode {
    if let Some(code) = sim_driver::run_again() {
        return code;
    }
    let arguments = Arguments::from_args();
    let missing = Device::cuda(0).err();
    if let Some(reason) = &missing {
        println!("ignored without a GPU: {reason}");
    }
    let trial = |&(name, case): &(&'static str, cases::Case)| {
        let run = move || {
            let device = Device::cuda(0).map_err(Failed::from)?;
            case(device).map_err(Failed::from)
        };
        Trial::test(name, run).with_ignored_flag(missing.is_some())
    };
    libtest_mimic::run(&arguments, cases::ALL.iter().map(trial).collect()).exit_code()
}
