//! Bytecode: writing, reading back, hostile input, NVIDIA's tools.

#[path = "../common/mod.rs"]
mod common;

mod assemble;
mod corpus;
mod hostile;
mod oracle;
mod reader;
mod round_trip;
mod samples;
