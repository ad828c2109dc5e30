//! Fuzzes PTX: any text is parsed or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_sim::Module;

fuzz_target!(|source: &str| {
    let _ = Module::parse(source);
});
