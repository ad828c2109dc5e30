//! Tests `tcgen05.cp` in every form: the destination of each element of shared memory.

use tile_sim::FaultKind;

use crate::random::Random;
use crate::tcgen05_run::{Machine, Major, Matrix, Swizzle};

const SWIZZLES: [Swizzle; 5] = [
    Swizzle::None,
    Swizzle::By32,
    Swizzle::By64,
    Swizzle::By128,
    Swizzle::By128Of32,
];

/// Returns the destination lanes of row `row` (PTX ISA, `tcgen05.cp`: warps 0 to 3 have 32 lanes
/// each).
fn lanes(shape: &str, row: usize) -> Vec<usize> {
    let (warp, lane) = (row / 32, row % 32);
    let lanes_of_warps =
        |warps: &[usize], lane: usize| warps.iter().map(|warp| 32 * warp + lane).collect();
    match shape {
        "128x256b" | "128x128b" => vec![row],
        "4x256b" => vec![32 * row],
        // Warps 0 and 2 have the first half, 1 and 3 the second.
        "64x128b.warpx2::02_13" => lanes_of_warps(&[[0, 2], [1, 3]][warp], lane),
        // Warps 0 and 1 have the first half, 2 and 3 the second.
        "64x128b.warpx2::01_23" => lanes_of_warps(&[[0, 1], [2, 3]][warp], lane),
        "32x128b.warpx4" => lanes_of_warps(&[0, 1, 2, 3], lane),
        other => panic!("no shape {other}"),
    }
}

struct Case {
    shape: &'static str,
    format: &'static str,
    swizzle: Swizzle,
    /// The number of blocks.
    group: usize,
    /// The lane of the address.
    first: usize,
    before: usize,
}

impl Case {
    fn machine(&self) -> (Machine, Vec<Vec<u32>>) {
        let Case {
            shape,
            format,
            swizzle,
            group,
            first,
            before,
        } = *self;
        let mut random = Random::new(shape.len() as u64 + 7 * format.len() as u64);
        let size = shape.split(['x', '.']).next().unwrap();
        let rows: usize = size.parse().unwrap();
        let bytes = if shape.contains("256b") { 32 } else { 16 };
        // Sixteen packed elements in 16 bytes, and their expansion.
        let (bits, expand): (usize, fn(u64) -> u64) = match format {
            ".b8x16.b6x16_p32" => (6, |element| element),
            ".b8x16.b4x16_p64" => (4, |element| element << 2),
            _ => (8, |element| element),
        };
        let matrix = Matrix {
            major: Major::K,
            swizzle,
            bits,
            per: 16,
            extent: rows,
            depth: bytes,
            base: 2048,
            before,
        };
        let column = 4;
        let mut machine = Machine::new(group, 16, &mut random);
        let mut expected = Vec::new();
        for block in 0..group {
            let mut tensor = machine.tensor[block].clone();
            for row in 0..rows {
                for index in 0..bytes {
                    let element = random.bits() & ((1 << bits) - 1);
                    matrix.write(&mut machine.shared[block], row, index, element);
                    for lane in lanes(shape, row) {
                        let cell = (first + lane) * machine.columns + column + index / 4;
                        let shift = 8 * (index % 4);
                        tensor[cell] = tensor[cell] & !(0xff << shift)
                            | u32::try_from(expand(element)).unwrap() << shift;
                    }
                }
            }
            expected.push(tensor);
        }
        machine.body = format!(
            "add.u32 %r1, %t, {address}; mov.b64 %d1, {descriptor}; add.u64 %d1, %d1, %units;
             tcgen05.cp.cta_group::{group}.{shape}{format} [%r1], %d1;",
            address = first << 16 | column,
            descriptor = matrix.descriptor(),
        );
        (machine, expected)
    }

    fn check(&self) {
        let (machine, expected) = self.machine();
        machine.check(&expected, &format!("{:?}", self.swizzle));
    }
}

const PLAIN: Case = Case {
    shape: "128x256b",
    format: "",
    swizzle: Swizzle::None,
    group: 1,
    first: 0,
    before: 0,
};

const SHAPES: [&str; 6] = [
    "128x256b",
    "4x256b",
    "128x128b",
    "64x128b.warpx2::02_13",
    "64x128b.warpx2::01_23",
    "32x128b.warpx4",
];

#[test]
fn rows_go_to_the_lanes_of_each_shape_from_every_layout() {
    for shape in SHAPES {
        for swizzle in SWIZZLES {
            Case {
                shape,
                swizzle,
                ..PLAIN
            }
            .check();
        }
    }
}

#[test]
fn elements_are_expanded() {
    for shape in SHAPES {
        for format in [".b8x16.b6x16_p32", ".b8x16.b4x16_p64"] {
            Case {
                shape,
                format,
                swizzle: Swizzle::By128,
                ..PLAIN
            }
            .check();
        }
    }
}

#[test]
fn both_blocks_of_a_pair_copy_their_own() {
    for shape in SHAPES {
        Case {
            shape,
            group: 2,
            swizzle: Swizzle::By64,
            ..PLAIN
        }
        .check();
    }
}

/// Copies to the last lane of each quarter too, as kernels do after a `tcgen05.shift`.
#[test]
fn four_rows_begin_at_any_lane_of_a_quarter() {
    for first in [1, 31] {
        Case {
            shape: "4x256b",
            first,
            ..PLAIN
        }
        .check();
    }
}

#[test]
fn a_copy_may_begin_within_a_swizzled_line() {
    for before in [2, 4, 6] {
        Case {
            swizzle: Swizzle::By128,
            before,
            ..PLAIN
        }
        .check();
    }
}

#[test]
fn a_base_offset_means_nothing_without_swizzling() {
    // Triton writes bits 7 to 9 of the address there.
    let (mut machine, expected) = PLAIN.machine();
    let offset = "or.b64 %d1, %d1, 0x8000000000000; tcgen05.cp";
    machine.body = machine.body.replace("tcgen05.cp", offset);
    machine.check(&expected, "with a base offset");
}

#[test]
fn the_multicast_stands_before_or_behind_the_shape() {
    let case = Case {
        shape: "32x128b.warpx4",
        ..PLAIN
    };
    let (mut machine, expected) = case.machine();
    machine.body = machine.body.replace(case.shape, "warpx4.32x128b");
    machine.check(&expected, "Triton's order");
}

#[test]
fn descriptors_without_meaning_are_faults_that_name_the_field() {
    let (machine, _) = PLAIN.machine();
    let good = machine.body.clone();
    let fault = |change: &str, expected: &str| {
        let (mut machine, _) = PLAIN.machine();
        machine.body = good.replace("tcgen05.cp", &format!("{change} tcgen05.cp"));
        let fault = machine.run().unwrap_err();
        let FaultKind::TensorMemory(message) = &fault.kind else {
            panic!("{fault}");
        };
        assert!(message.contains(expected), "{message}");
    };
    fault("xor.b64 %d1, %d1, 0x8000;", "bits 14-15 and 30-31");
    fault("xor.b64 %d1, %d1, 0x400000000000;", "bits 46-48 are 0b000");
    fault("or.b64 %d1, %d1, 0x20000000000000;", "bits 53-60 are 0x1");
    for (mode, text) in [(3u64, "is 3;"), (5, "is 5;"), (7, "is 7;")] {
        fault(&format!("or.b64 %d1, %d1, {};", mode << 61), text);
    }
    fault("or.b64 %d1, %d1, 0x10000000000000;", "only `sm_103a` has");
    fault("add.u32 %r1, %r1, 0x10000;", "lanes 1..129");
    fault("add.u32 %r1, %r1, 512;", "columns 516..524");
}
