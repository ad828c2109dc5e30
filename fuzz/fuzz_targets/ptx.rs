//! Fuzzes the PTX parser, which must accept or reject any text without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_sim::Module;

fuzz_target!(|source: &str| {
    let _ = Module::parse(source);
});
