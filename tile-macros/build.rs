//! Exists so that cargo gives the macro an `OUT_DIR`, beside which finished artifacts
//! are kept.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
