//! Tests that messages about invalid products name the field.

use tile_sim::FaultKind;

use super::{Case, PLAIN, prepare};
use crate::tcgen05_run::{Major, Swizzle};

/// Runs a case after instructions that change its operands. `%d1` and `%d2` are the matrix
/// descriptors, `%r1` and the following registers are the addresses of D, A, metadata and scale
/// factors, and `%r3` is the instruction descriptor.
fn fault(case: &Case, change: &str, expected: &str) {
    let (mut machine, _) = prepare(case);
    let (operands, product) = machine.body.rsplit_once('\n').unwrap();
    machine.body = format!("{operands}\n{change}\n{product}");
    let fault = machine.run().expect_err(expected);
    let FaultKind::TensorMemory(message) = &fault.kind else {
        panic!("{fault}");
    };
    assert!(message.contains(expected), "{message}, not: {expected}");
}

/// Combines the instruction descriptor with `bits` by exclusive or.
fn flip(case: &Case, bits: u32, expected: &str) {
    fault(case, &format!("xor.b32 %r3, %r3, {bits};"), expected);
}

const INTEGERS: Case = Case {
    kind: "i8",
    a: "s8",
    b: "s8",
    d: "s32",
    ..PLAIN
};

const SCALED: Case = Case {
    kind: "mxf8f6f4",
    a: "e4m3",
    b: "e4m3",
    ..PLAIN
};

const FOUR: Case = Case {
    kind: "mxf4nvf4",
    a: "e2m1",
    b: "e2m1",
    blocks: ".scale_vec::4X",
    ..PLAIN
};

const STATIONARY: Case = Case {
    ws: true,
    n: 64,
    ..PLAIN
};

const SPARSE: Case = Case {
    sparse: true,
    ..PLAIN
};

const PAIR: Case = Case { group: 2, ..PLAIN };

#[test]
fn fields_of_instruction_descriptors() {
    flip(
        &PLAIN,
        1,
        "the sparsity selector (bits 0-1) is 1 and must be 0 for a dense A",
    );
    flip(
        &PLAIN,
        1 << 2,
        "A is sparse (bit 2), which requires `tcgen05.mma.sp`",
    );
    flip(&SPARSE, 1 << 2, "dense A (bit 2)");
    flip(&PLAIN, 1 << 3, "bit 3 must be 0 for `.kind::f16`");
    flip(&PLAIN, 2 << 4, "the type of D (bits 4-5) is 3");
    flip(&INTEGERS, 1 << 4, "the type of D (bits 4-5) is 3");
    flip(&PLAIN, 1 << 6, "bit 6 must be 0");
    flip(&PLAIN, 2 << 7, "the type of A (bits 7-9) is 2");
    flip(&PLAIN, 3 << 10, "the type of B (bits 10-12) is 3");
    flip(&INTEGERS, 1 << 13, "bits 13-14 must be 0 for `.kind::i8`");
    flip(&PLAIN, 1 << 23, "bit 23 must be 0");
    flip(&PLAIN, 1 << 29, "bit 29 must be 0");
    flip(
        &PLAIN,
        1 << 30,
        "a maximum shift (bits 30-31) requires `.ws`",
    );
    flip(&PLAIN, 4 << 17, "N (bits 17-22) is 0");
    flip(&PLAIN, 32 << 17, "N (bits 17-22) is 288");
    flip(&PLAIN, 8 << 24, "M (bits 24-28) is 0 and must be 64 or 128");
    flip(
        &PAIR,
        4 << 24,
        "M (bits 24-28) is 192 and must be 128 or 256",
    );
    flip(
        &PAIR,
        1 << 17,
        "N (bits 17-22) is 40 and must be a multiple of 16",
    );
    flip(
        &STATIONARY,
        1 << 17,
        "N (bits 17-22) is 72 and must be 64, 128 or 256",
    );
    flip(
        &STATIONARY,
        16 << 24,
        "M (bits 24-28) is 384 and must be 32 or 64 or 128",
    );
    let integers = Case { n: 48, ..INTEGERS };
    flip(
        &integers,
        1 << 17,
        "N (bits 17-22) is 56 and must be a multiple of 16",
    );
    let half = Case { d: "f16", ..PLAIN };
    flip(&half, 1 << 7, "D is of F16 (bits 4-5) but A of BF16");
    let bytes = Case {
        b_layout: (Major::Mn, Swizzle::By128),
        ..INTEGERS
    };
    flip(
        &bytes,
        7 << 17,
        "N (bits 17-22) is 24 and must be a multiple of 16",
    );
}

#[test]
fn fields_of_instruction_descriptors_with_scale_factors() {
    flip(&SCALED, 1, "bits 0-1 must be 0 for `.kind::mxf8f6f4`");
    flip(&SCALED, 1 << 3, "bit 3 must be 0");
    flip(
        &SCALED,
        1 << 23,
        "the type of scale factors (bit 23) is UE4M3",
    );
    flip(&SCALED, 1 << 31, "bit 31 must be 0");
    flip(&SCALED, 8 << 24, "M (bits 24-28) is 0 and must be 128");
    flip(
        &FOUR,
        1 << 4,
        "the ID of the scale factors of B (bits 4-5) is 1 and must be a multiple of 4",
    );
    flip(
        &FOUR,
        2 << 29,
        "the ID of the scale factors of A (bits 29-30) is 2 and must be a multiple of 4",
    );
    flip(&FOUR, 1 << 12, "bit 12 must be 0");
    flip(&FOUR, 1 << 16, "bits 15-16 must be 0 for `.kind::mxf4nvf4`");
    flip(&FOUR, 4 << 7, "the type of A (bits 7-9) is 5");
    flip(&FOUR, 1 << 31, "K is 96 (bit 31), which only `sm_103a` has");
    let pairs = Case {
        kind: "mxf4",
        blocks: "",
        ..FOUR
    };
    flip(&pairs, 1 << 29, "is 1 and must be a multiple of 2");
    let narrow = Case {
        a: "e3m2",
        ..SCALED
    };
    flip(
        &narrow,
        1 << 15,
        "A is transposed (bit 15), but elements of 4 and 6 bits cannot be",
    );
    fault(
        &SCALED,
        "add.u32 %r5, %r5, 0x10000;",
        "scale factors begin at lane 1 and must begin at lane 0",
    );
    let long = Case {
        long: true,
        m: 256,
        group: 2,
        sparse: false,
        kind: "mxf4",
        blocks: "",
        ..FOUR
    };
    flip(&long, 1 << 3, "bit 3 must be 0");
}

#[test]
fn matrix_descriptors() {
    fault(
        &PLAIN,
        "xor.b64 %d1, %d1, 0x400000000000;",
        "A: the matrix descriptor",
    );
    fault(
        &PLAIN,
        "xor.b64 %d2, %d2, 0x400000000000;",
        "B: the matrix descriptor",
    );
    fault(
        &PLAIN,
        "or.b64 %d2, %d2, 0x10000000000000;",
        "which only `sm_103a` has",
    );
    // The row of 32 bytes begins in the last 16 bytes of its 128-byte line.
    fault(&PLAIN, "add.u64 %d1, %d1, 7;", "leaves its 128-byte");
    let words = Case {
        kind: "tf32",
        a: "tf32",
        b: "tf32",
        ..PLAIN
    };
    flip(
        &words,
        1 << 15,
        "A: a transposed matrix of 32-bit elements requires the 128-byte swizzle",
    );
    let halves = Case {
        b_layout: (Major::K, Swizzle::By128Of32),
        ..PLAIN
    };
    flip(
        &halves,
        1 << 16,
        "B: a transposed matrix cannot use the 128-byte swizzle",
    );
}

#[test]
fn places_in_tensor_memory() {
    fault(
        &PLAIN,
        "add.u32 %r1, %r1, 0x100000;",
        "D begins at lane 16 and must begin at 0",
    );
    let halved = Case {
        m: 64,
        a_in_tensor: true,
        ..PLAIN
    };
    fault(
        &halved,
        "add.u32 %r1, %r1, 0x80000;",
        "D begins at lane 8 and must begin at 0 or 16",
    );
    fault(
        &halved,
        "add.u32 %r2, %r2, 0x100000;",
        "A and D must begin at the same lane",
    );
    let sparse = Case { m: 64, ..SPARSE };
    fault(
        &sparse,
        "add.u32 %r4, %r4, 0x100000;",
        "the metadata and D must begin at the same lane",
    );
    fault(
        &PLAIN,
        "add.u32 %r1, %r1, 500;",
        "there are 128 lanes of 512 columns",
    );
    flip(
        &halved,
        1 << 15,
        "an A in tensor memory cannot be transposed",
    );
    let shifted = Case {
        a_in_tensor: true,
        ashift: true,
        ..PLAIN
    };
    flip(&shifted, 12 << 24, "`.ashift` needs an M of 128 or 256");
}

#[test]
fn metadata_that_name_no_places() {
    let (mut machine, _) = prepare(&SPARSE);
    let columns = super::columns(&SPARSE);
    *machine.cell(0, 5, columns.metadata) = 0x5555_5555;
    let fault = machine.run().unwrap_err();
    let FaultKind::TensorMemory(message) = &fault.kind else {
        panic!("{fault}");
    };
    assert!(
        message.contains("metadata in lane 5 have 0b0101"),
        "{message}"
    );
    assert!(message.contains("in the operation of line"), "{message}");
}

#[test]
fn zero_column_masks() {
    let case = Case {
        zero: Some((0, 0)),
        ..STATIONARY
    };
    let change = |bits: u64| format!("or.b64 %d3, %d3, {bits};");
    fault(&case, &change(1 << 36), "bits 36-38 and 62-63 must be 0");
    fault(&case, &change(1 << 62), "bits 36-38 and 62-63 must be 0");
    fault(
        &case,
        &change(8 << 56),
        "the shift (bits 56-61) is 8 and at most 0",
    );
}

#[test]
fn a_pair_of_blocks_is_there() {
    let (mut machine, _) = prepare(&PLAIN);
    machine.body = machine.body.replace("mma.cta_group::1", "mma.cta_group::2");
    let fault = machine.run().unwrap_err();
    assert!(fault.to_string().contains("`.cta_group::2`"), "{fault}");
}
