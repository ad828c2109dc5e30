//! The verifier, on what file tests cannot show: modules made in the arena,
//! drawn messages, and that every operation has its file test.

mod arena;
mod debug;
mod operations;
mod structure;
