//! Fuzzes modules. The input selects a module, which must be valid, and mutations of its arena,
//! which must not cause a crash.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_core::testing::{
    DebugLocations, GenerateOptions, Survival, generate_from_bytes, mutate_from_bytes, survive,
};

fuzz_target!(|data: &[u8]| {
    let options = GenerateOptions {
        ops: 12,
        debug: DebugLocations::Any,
        discardable: true,
        testing: true,
        ..GenerateOptions::default()
    };
    // The last bytes select the mutations.
    let (module, mutations) = data.split_at(data.len() - data.len().min(32));
    let mut module = generate_from_bytes(module, &options);
    assert_eq!(survive(&module), Ok(Survival::Valid));
    mutate_from_bytes(&mut module, mutations);
    if let Err(fault) = survive(&module) {
        panic!("{fault}");
    }
});
