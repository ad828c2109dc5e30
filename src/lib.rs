//! GPU kernels in Rust, compiled during `cargo build`.
