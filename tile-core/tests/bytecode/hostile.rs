//! Files that nobody meant.

use crate::assemble::{Parts, RETURN};
use crate::common::LOC;
use crate::samples::modules;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, read, write};
use tile_core::ops::ControlFlowOp;
use tile_core::types::Scalar;

/// A small deterministic generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }
}

#[test]
fn hostile_bytes_give_an_error_and_never_a_panic() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut accepted, mut refused) = (0, 0);
    for (_, module) in modules() {
        for version in [Version::V13_1, Version::V13_4] {
            let bytes = write(&module, version).expect("it is valid");
            for len in 0..bytes.len() {
                assert!(read(&bytes[..len]).is_err(), "truncated to {len}");
            }
            for _ in 0..3000 {
                let mut bytes = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    bytes[at] = match random.below(4) {
                        0 => 0xff,
                        1 => bytes[at].wrapping_add(1),
                        2 => bytes[at] ^ (1 << random.below(8)),
                        _ => (random.next() & 0xff) as u8,
                    };
                }
                match read(&bytes) {
                    Ok(_) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} and {refused}");
}

/// An `if` in an `if`, so that regions nest `depth` deep.
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
    // What another writer might make of it: a true condition, then `if`s.
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
