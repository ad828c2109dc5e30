//! Text: parse, verify, print, write; what is valid comes back as it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_core::testing::survive_text;

fuzz_target!(|source: &str| {
    if let Err(fault) = survive_text(source) {
        panic!("{fault}");
    }
});
