//! Has the linker refuse undefined symbols.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Shared libraries may have undefined symbols. A function of LLVM without a jump in `tile-backend` would be one,
    // and then the macro could not be loaded, or would call rustc's LLVM past the table of jumps.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg=-Wl,-z,defs");
    }
}
