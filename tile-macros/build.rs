//! Makes cargo set `OUT_DIR` for the macro, which locates the cache of finished artifacts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
