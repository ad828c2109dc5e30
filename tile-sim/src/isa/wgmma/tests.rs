use super::descriptor::{Descriptor, Major, Malformed, Operand};
use super::product::{Multiplicand, Operands, Product};
use crate::isa::mma::element::{Element, Overflow, Packing, Sum};

/// Computes `Swizzle<bits, 4, 3>` of `CuTe`, on byte addresses.
fn swizzle(bits: u32, address: u64) -> u64 {
    let mask = ((1 << bits) - 1) << 7;
    address ^ (address & mask) >> 3
}

fn descriptor(start: u64, leading: u64, stride: u64, mode: u64) -> u64 {
    start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62
}

/// The worked examples of the PTX ISA, "Canonical Layouts": exact layouts in the notation of
/// `CuTe`, `((...), (...)):((...), (...))` in elements.
#[test]
fn exact_layouts_of_the_isa() {
    struct Example {
        major: Major,
        element: Element,
        /// The extents and strides of the row mode.
        row: &'static [(usize, usize)],
        k: &'static [(usize, usize)],
        leading: usize,
        stride: usize,
        swizzle: u32,
        mode: u64,
    }
    let examples = [
        Example {
            major: Major::K,
            element: Element::Tf32,
            row: &[(8, 4), (2, 32)],
            k: &[(4, 1), (4, 64)],
            leading: 64,
            stride: 32,
            swizzle: 0,
            mode: 0,
        },
        // The part of K in one swizzled row.
        Example {
            major: Major::K,
            element: Element::Tf32,
            row: &[(8, 8), (2, 64)],
            k: &[(4, 1), (2, 4)],
            leading: 4,
            stride: 64,
            swizzle: 1,
            mode: 3,
        },
        Example {
            major: Major::Mn,
            element: Element::Bf16,
            row: &[(8, 1), (1, 8), (2, 64)],
            k: &[(8, 8), (2, 128)],
            leading: 128,
            stride: 64,
            swizzle: 0,
            mode: 0,
        },
        Example {
            major: Major::Mn,
            element: Element::Bf16,
            row: &[(8, 1), (2, 8), (2, 128)],
            k: &[(8, 16), (2, 256)],
            leading: 128,
            stride: 256,
            swizzle: 1,
            mode: 3,
        },
        Example {
            major: Major::Mn,
            element: Element::Bf16,
            row: &[(8, 1), (4, 8), (2, 256)],
            k: &[(8, 32), (2, 512)],
            leading: 256,
            stride: 512,
            swizzle: 2,
            mode: 2,
        },
        // The row of the table for 128 bytes, in both directions.
        Example {
            major: Major::Mn,
            element: Element::Bf16,
            row: &[(8, 1), (8, 8), (2, 2048)],
            k: &[(8, 64), (2, 512)],
            leading: 2048,
            stride: 512,
            swizzle: 3,
            mode: 1,
        },
        Example {
            major: Major::K,
            element: Element::Bf16,
            row: &[(8, 64), (3, 512)],
            k: &[(8, 1), (8, 8)],
            leading: 8,
            stride: 512,
            swizzle: 3,
            mode: 1,
        },
    ];
    for example in examples {
        let packing = Packing::new(example.element);
        let bytes = packing.bits / 8;
        let size = |parts: &[(usize, usize)]| parts.iter().map(|part| part.0).product::<usize>();
        let offset = |parts: &[(usize, usize)], mut index: usize| {
            parts.iter().fold(0, |offset, (extent, stride)| {
                let here = index % extent;
                index /= extent;
                offset + here * stride
            })
        };
        let (rows, depth) = (size(example.row), size(example.k));
        let in_bytes = |elements: usize| (elements * bytes) as u64;
        let bits = descriptor(
            0x4000,
            in_bytes(example.leading),
            in_bytes(example.stride),
            example.mode,
        );
        let operand = Operand::new(bits, example.major, packing, rows, depth).unwrap();
        for row in 0..rows {
            for k in 0..depth {
                let elements = offset(example.row, row) + offset(example.k, k);
                let want = swizzle(example.swizzle, 0x4000 + in_bytes(elements));
                assert_eq!(operand.address(row, k), (want, 0), "mode {}", example.mode);
            }
        }
    }
}

#[test]
fn a_base_offset_moves_where_the_pattern_begins() {
    let packing = Packing::new(Element::Bf16);
    let bits = descriptor(0x4180, 16, 1024, 1);
    let plain = Operand::new(bits, Major::K, packing, 8, 64).unwrap();
    let moved = Operand::new(bits | 3 << 49, Major::K, packing, 8, 64).unwrap();
    // The rows of the pattern are counted from 1,024-byte boundaries, or from 0x4180.
    for (row, from_boundary, from_start) in [(0, 3, 0), (1, 4, 1), (4, 7, 4), (5, 0, 5)] {
        let address = 0x4180 + 128 * row as u64;
        assert_eq!(plain.address(row, 0), (address ^ from_boundary << 4, 0));
        assert_eq!(moved.address(row, 0), (address ^ from_start << 4, 0));
    }
}

#[test]
fn malformed_descriptors_are_named() {
    for bit in [14, 15, 30, 31, 46, 47, 48, 52, 60, 61] {
        let bits = 1 << bit;
        assert_eq!(Descriptor::parse(bits), Err(Malformed::Reserved(bits)));
    }
    assert_eq!(
        Descriptor::parse(1 << 49),
        Err(Malformed::BaseOffset(1 << 49))
    );
    let packing = Packing::new(Element::Bf16);
    // 64 bytes of K in 32-byte rows; an MN-major matrix that begins within an atom.
    let bits = descriptor(0, 16, 256, 3);
    assert!(Operand::new(bits, Major::K, packing, 8, 32).is_err());
    let bits = descriptor(32, 1024, 1024, 1);
    assert!(Operand::new(bits, Major::Mn, packing, 64, 16).is_err());
    assert!(Operand::new(bits, Major::Mn, packing, 48, 16).is_ok());
}

/// Checks that the ranges contain exactly the bytes that are read.
#[test]
fn ranges_are_what_is_read() {
    let product = |a_major, b_major| Product {
        n: 64,
        k: 16,
        a: Packing::new(Element::Bf16),
        b: Packing::new(Element::Bf16),
        d: Sum::F32,
        overflow: Overflow::Wrap,
        negated: false,
        a_major,
        b_major,
        sparse: None,
    };
    for (a_major, b_major) in [(Major::K, Major::Mn), (Major::Mn, Major::K)] {
        let product = product(a_major, b_major);
        let operands = Operands {
            a: Multiplicand::Shared(descriptor(0, 1024, 1024, 1)),
            b: descriptor(0x4000, 128, 1024, 0),
            metadata: None,
            accumulate: false,
        };
        for warp in 0..4 {
            let mut read = vec![false; 1 << 16];
            let mut sums = Vec::new();
            product.clear(&mut sums);
            let mut reader = |address: u64, _: &mut [u8; 16]| {
                read[address as usize..][..16].fill(true);
                Ok(())
            };
            let rhs = product.rhs(operands.b, &mut reader).unwrap();
            product
                .compute(warp, &operands, &rhs, &mut sums, &mut reader)
                .unwrap();
            let mut named = vec![false; 1 << 16];
            let of_a = product.reads_of_a(warp, &operands).unwrap();
            let of_b = product.reads_of_b(operands.b).unwrap();
            for ranges in [of_a, of_b] {
                assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
                for range in ranges {
                    named[range.start as usize..range.end as usize].fill(true);
                }
            }
            assert_eq!(read, named, "warp {warp}");
            // The warp reads 16 rows of A and all of B.
            let bytes = read.iter().filter(|read| **read).count();
            assert_eq!(bytes, (16 + 64) * 16 * 2);
        }
    }
}
