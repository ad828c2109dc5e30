//! Fuzzes bytecode, which is read, verified, written and printed. Valid modules must round-trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_core::testing::survive_bytes;

fuzz_target!(|bytes: &[u8]| {
    if let Err(fault) = survive_bytes(bytes) {
        panic!("{fault}");
    }
});
