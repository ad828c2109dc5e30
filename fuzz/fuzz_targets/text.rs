//! Fuzzes text, which is parsed, verified, printed and written. Valid modules must round-trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_core::testing::survive_text;

fuzz_target!(|source: &str| {
    if let Err(fault) = survive_text(source) {
        panic!("{fault}");
    }
});
