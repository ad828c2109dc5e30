//! Malformed bytecode files.

use crate::assemble::{Parts, RETURN};
use crate::common::LOC;
use crate::samples::{corpus, modules};
use rayon::prelude::*;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, read, write};
use tile_core::ops::ControlFlowOp;
use tile_core::testing::Random;
use tile_core::types::Scalar;

/// Returns files of another producer and of our own, in the oldest and the newest version.
fn samples() -> Vec<Vec<u8>> {
    const VERSIONS: [Version; 2] = [Version::V13_1, Version::V13_4];
    let ours = modules()
        .into_iter()
        .flat_map(|(name, module)| VERSIONS.map(|version| write(&module, version).expect(name)));
    let theirs = corpus()
        .into_iter()
        .filter(|sample| VERSIONS.contains(&sample.version))
        .map(|sample| sample.bytes);
    theirs.chain(ours).collect()
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    samples().par_iter().for_each(|bytes| {
        for len in 0..bytes.len() {
            let error = read(&bytes[..len]).expect_err("a part");
            assert!(error.offset.is_some_and(|offset| offset <= len), "{error}");
        }
    });
}

#[test]
fn a_changed_byte_gives_a_module_or_an_error_with_its_place() {
    let count =
        |(taken, refused), (more_taken, more_refused)| (taken + more_taken, refused + more_refused);
    let (taken, refused) = samples()
        .par_iter()
        .map(|bytes| {
            let mut random = Random::new(0x1234_5678_9abc_def1 ^ bytes.len() as u64);
            let mut bytes = bytes.clone();
            let (mut taken, mut refused) = (0, 0);
            for index in 0..bytes.len() {
                let before = bytes[index];
                let bit = 1 << random.below(8);
                for byte in [before ^ bit, (random.bits() & 0xff) as u8] {
                    bytes[index] = byte;
                    match read(&bytes) {
                        Ok(_) => taken += 1,
                        Err(error) => {
                            refused += 1;
                            let place = error.offset.expect("a place in the file");
                            assert!(place <= bytes.len(), "{error}");
                        }
                    }
                }
                bytes[index] = before;
            }
            (taken, refused)
        })
        .reduce(|| (0, 0), count);
    assert!(taken > 1000 && refused > 1000, "{taken} and {refused}");
}

#[test]
fn several_changes_give_a_module_or_an_error() {
    samples().par_iter().for_each(|bytes| {
        let mut random = Random::new(0xdead_beef ^ bytes.len() as u64);
        for _ in 0..500 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(3) {
                let index = random.below(bytes.len());
                bytes[index] = (random.bits() & 0xff) as u8;
            }
            // Every module that was read must be writable and readable again.
            let Ok(module) = read(&bytes) else { continue };
            let Ok(written) = write(&module, Version::V13_4) else {
                continue;
            };
            let back = read(&written).expect("what is written can be read");
            assert_eq!(write(&back, Version::V13_4), Ok(written));
        }
    });
}

/// Makes a module of `if`s whose regions nest `depth` deep.
fn nested(depth: usize) -> Module {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    let condition = b.splat(Scalar::I1, 1, &[], LOC);
    let mut blocks = Vec::new();
    for _ in 1..depth {
        let op = b.op(ControlFlowOp::If, LOC).args(&[condition]).finish();
        let block = b.add_region_block(op);
        blocks.push(b.set_block(block));
    }
    for block in blocks.into_iter().rev() {
        b.terminate(ControlFlowOp::Yield, &[], LOC);
        b.set_block(block);
    }
    b.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

#[test]
fn regions_nest_128_deep_and_no_deeper() {
    let bytes = write(&nested(128), Version::V13_1).expect("it is valid");
    read(&bytes).expect("it is valid");
    let error = write(&nested(129), Version::V13_1).expect_err("too deep");
    assert_eq!(error.message, "regions are nested deeper than 128");
    // Another writer could produce this file: a condition that is true, then nested `if`s.
    let mut body = vec![0x10, 4, 1];
    for _ in 1..129 {
        body.extend_from_slice(&[0x32, 0, 0, 2, 1, 0, 2]);
    }
    body.pop();
    body.push(1);
    for _ in 1..129 {
        body.extend_from_slice(&[0x6d, 0, 0, 0]);
    }
    let file = Parts::new(1, &[&body, &RETURN]).file();
    let error = read(&file).expect_err("too deep");
    assert_eq!(error.message, "regions are nested deeper than 128");
}
