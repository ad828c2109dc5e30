//! Sets `cfg(unoptimized)` for a build without optimization, in which the interpreter's loops are shared
//! (`src/interp/loops.rs`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
}
