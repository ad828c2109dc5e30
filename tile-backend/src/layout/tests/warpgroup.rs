//! Tests layouts against the figures of the PTX ISA, "Asynchronous Warpgroup Level Matrix
//! Multiply-Accumulate Instructions", written out as formulas.

use super::super::warpgroup::{MAX_COLUMNS, ROWS};
use super::*;

/// Returns the row and column of `d[i]` of an accumulator of one instruction ("WGMMA Accumulator").
fn ptx_d(thread: u64, i: u64) -> (u64, u64) {
    let (warp, lane) = (thread / 32, thread % 32);
    let row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
    let column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
    (row, column)
}

/// Returns the row and column of element `i` of the four words of A in registers ("WGMMA .m64nNk16 register
/// fragment layout for matrix A"), two or four elements to a word.
fn ptx_a(per_word: u64, thread: u64, i: u64) -> (u64, u64) {
    let (warp, lane) = (thread / 32, thread % 32);
    let word = i / per_word;
    let row = 16 * warp + lane / 4 + 8 * (word % 2);
    let column = per_word * (lane % 4) + i % per_word + 4 * per_word * (word / 2);
    (row, column)
}

fn element_at(layout: &LinearLayout, thread: u64, register: u64) -> (u64, u64) {
    let number = |value: u64| u32::try_from(value).expect("small");
    let (warp, lane) = (number(thread / 32), number(thread % 32));
    let coordinates = layout.apply(Location::thread(Register(number(register)), lane, warp));
    (coordinates[0], coordinates[1])
}

#[test]
fn accumulators_are_those_of_instructions_side_by_side() {
    for (rows, columns, warps) in [
        (64, 8, 4),
        (64, 256, 4),
        (128, 64, 4),
        (128, 256, 8),
        (64, 64, 8),
        (256, 512, 16),
    ] {
        let whole = shape(&[rows, columns]);
        let groups = Warpgroups::choose(&whole, warps).expect("enough rows");
        assert_eq!(groups.m * groups.n * 4, warps);
        let layout = groups.accumulator(&whole);
        assert!(layout.is_surjective());
        let part = (rows / u64::from(groups.m), columns / u64::from(groups.n));
        for group in 0..u64::from(warps / 4) {
            let start = (
                group % u64::from(groups.m) * part.0,
                group / u64::from(groups.m) * part.1,
            );
            for thread in 0..128 {
                for register in 0..layout.num_registers() as u64 {
                    // The registers of successive instructions follow one another, along columns first.
                    let width = part.1.min(MAX_COLUMNS);
                    let each = width / 2;
                    let (number, i) = (register / each, register % each);
                    let across = part.1 / width;
                    let (row, column) = ptx_d(thread, i);
                    let expected = (
                        start.0 + number / across * ROWS + row,
                        start.1 + number % across * width + column,
                    );
                    assert_eq!(
                        element_at(&layout, group * 128 + thread, register),
                        expected
                    );
                }
            }
        }
        assert_eq!(Warpgroups::from_accumulator(&layout), Some(groups));
    }
}

#[test]
fn too_few_rows_columns_or_warps_are_no_work_for_warpgroups() {
    assert_eq!(Warpgroups::choose(&shape(&[32, 64]), 4), None);
    assert_eq!(Warpgroups::choose(&shape(&[64, 64]), 2), None);
    assert_eq!(Warpgroups::choose(&shape(&[64, 8]), 8), None);
    assert_eq!(Warpgroups::choose(&shape(&[2, 64, 64]), 4), None);
}

#[test]
fn left_operands_in_registers_are_those_of_instructions() {
    for (bits, depth) in [(16, 64), (32, 8), (8, 128)] {
        let per_word = 32 / u64::from(bits);
        let whole = shape(&[128, depth]);
        let groups = Warpgroups { m: 2, n: 2 };
        let layout = groups.left(&whole, bits).expect("deep enough");
        let each = 4 * per_word;
        for thread in 0..512 {
            for register in 0..layout.num_registers() as u64 {
                let (row, column) = ptx_a(per_word, thread % 128, register % each);
                let start = (thread / 128 % 2 * 64, register / each * 8 * per_word);
                let expected = (start.0 + row, start.1 + column);
                assert_eq!(element_at(&layout, thread, register), expected);
            }
        }
        assert_eq!(groups.left(&shape(&[128, 4 * per_word]), bits), None);
    }
}

/// Swizzles an address as the PTX ISA does ("Asynchronous Warpgroup Level Majorness and Swizzling"): bits
/// from 4 on become their XOR with bits from 7 on. Rows of 128, 64 and 32 bytes swizzle 3, 2 and 1 bits.
fn swizzled_address(address: u64, row_bytes: u64) -> u64 {
    let mask = match row_bytes {
        128 => 7,
        64 => 3,
        _ => 1,
    };
    address ^ (address >> 7 & mask) << 4
}

#[test]
fn panels_are_rows_swizzled_by_address() {
    for (rows, columns, bytes) in [
        (64, 64, 2),
        (8, 256, 2),
        (128, 32, 2),
        (64, 16, 2),
        (64, 128, 1),
        (16, 32, 1),
        (64, 32, 4),
        (64, 8, 4),
    ] {
        for fast in [Axis(0), Axis(1)] {
            let sizes = if fast == Axis(1) {
                [rows, columns]
            } else {
                [columns, rows]
            };
            let whole = shape(&sizes);
            let atoms = SwizzleAtoms::widest(&whole, fast, bytes).expect("wide enough");
            assert_eq!(atoms.row_bytes, (columns * bytes).min(128));
            let layout = atoms.layout(&whole, bytes);
            assert_eq!(SwizzleAtoms::from_layout(&layout, bytes), Some(atoms));
            let steps = atoms.steps(&whole, fast, bytes);
            assert!(!steps.is_transposed());
            for row in 0..rows {
                for column in 0..columns {
                    let start = steps.start_bytes(row, column);
                    let along = column * bytes;
                    let plain = along / atoms.row_bytes * rows * atoms.row_bytes
                        + row * atoms.row_bytes
                        + along % atoms.row_bytes;
                    assert_eq!(start, plain, "before it is swizzled");
                    let address = swizzled_address(plain, atoms.row_bytes);
                    let offset = u32::try_from(address / bytes).expect("small");
                    let actual = layout.apply(Location::offset(offset));
                    let expected = if fast == Axis(1) {
                        [row, column]
                    } else {
                        [column, row]
                    };
                    assert_eq!(actual[..], expected);
                }
            }
        }
    }
}

#[test]
fn rows_that_are_too_short_or_too_few_make_no_panels() {
    assert_eq!(SwizzleAtoms::widest(&shape(&[64, 8]), Axis(1), 2), None);
    assert_eq!(SwizzleAtoms::widest(&shape(&[4, 64]), Axis(1), 2), None);
    let plain = row_major(&shape(&[64, 64]), &COLUMNS_FIRST);
    assert_eq!(SwizzleAtoms::from_layout(&plain, 2), None);
}

#[test]
fn descriptors_have_the_fields_of_the_figure() {
    let whole = shape(&[64, 128]);
    let atoms = SwizzleAtoms::widest(&whole, Axis(1), 2).expect("wide enough");
    let deep = atoms.steps(&whole, Axis(1), 2);
    assert_eq!(deep.descriptor(), 1 << 16 | (1024 >> 4) << 32 | 1 << 62);
    // An MN-major matrix with K of 64 consists of consecutive atoms of 64 rows of 128 bytes.
    let across = atoms.steps(&whole, Axis(0), 2);
    assert!(across.is_transposed());
    let expected = (8192 >> 4) << 16 | (1024 >> 4) << 32 | 1 << 62;
    assert_eq!(across.descriptor(), expected);
    let narrow = shape(&[64, 16]);
    let atoms = SwizzleAtoms::widest(&narrow, Axis(1), 2).expect("wide enough");
    let steps = atoms.steps(&narrow, Axis(1), 2);
    assert_eq!(steps.descriptor(), 1 << 16 | (256 >> 4) << 32 | 3 << 62);
    assert_eq!(atoms.align_bytes(), 256);
}
