//! Runs a test program again with the simulated driver, `tile-sim-driver`, if there is no GPU.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use tile_kernel::Device;

/// The library of the driver, which cargo builds beside the test program.
const LIBRARY: &str = "libtile_sim_driver.so";

/// Returns the path of the library, if this program is where cargo built it.
pub(crate) fn library() -> Option<PathBuf> {
    let folder = env::current_exe().ok()?.parent()?.to_owned();
    let path = folder.join(LIBRARY);
    path.exists().then_some(path)
}

/// Returns a command that runs a program with the simulated driver.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Option<Command> {
    let mut command = Command::new(program);
    command.env("TILE_DEVICE", "simdriver");
    command.env("TILE_SIM_DRIVER", library()?);
    Some(command)
}

/// Runs this program again with the simulated driver, and returns its exit status. Returns `None` if that is not
/// possible, or not needed: because there is a GPU, or because this is the second run.
pub(crate) fn run_again() -> Option<ExitCode> {
    if Device::cuda(0).is_ok() || env::var_os("TILE_SIM_DRIVER").is_some() {
        return None;
    }
    let again = command(env::current_exe().ok()?);
    // `cargo xtask test` requires everything that it builds: without the driver, every case would be ignored.
    assert!(
        again.is_some() || env::var_os("TILE_REQUIRE_TOOLS").is_none(),
        "`{LIBRARY}` is not beside this program"
    );
    let mut again = again?;
    let status = again.args(env::args_os().skip(1)).status().ok()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}
