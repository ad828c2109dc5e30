//! Bytecode: writing, reading back, hostile input, NVIDIA's tools.

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/tools.rs"]
mod tools;

mod assemble;
mod corpus;
mod file_tests;
mod hostile;
mod oracle;
mod reader;
mod refusals;
mod round_trip;
mod samples;
