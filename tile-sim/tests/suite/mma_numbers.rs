//! Tests the arithmetic of `mma`: all bit patterns of narrow formats, infinities, rounding modes.

use crate::mma::{Form, PLAIN, bits, issue, registers};
use crate::warp_run::{number, sum_bits};

/// `.f64` rounds each step with its modifier.
#[test]
fn doubles_round_in_their_direction() {
    let third = (1.0f64 / 3.0).to_bits();
    let one = 1.0f64.to_bits();
    // 1 + 1/3 * 1, four times over, in each direction.
    let step = |sum: f64, up: bool| {
        let near = sum + 1.0 / 3.0;
        // The exact sum is between two neighbors; the error shows which of them is below.
        let error = (1.0 / 3.0) - (near - sum);
        match (up, error > 0.0, error == 0.0) {
            (_, _, true) => near,
            (true, true, _) => near.next_up(),
            (false, false, _) => near.next_down(),
            _ => near,
        }
    };
    for (modifier, sign, up) in [
        (".rz", 1.0, false),
        (".rm", 1.0, false),
        (".rp", 1.0, true),
        (".rz", -1.0, false),
        (".rm", -1.0, true),
        (".rp", -1.0, false),
    ] {
        let form = Form {
            m: 8,
            k: 4,
            a: "f64",
            b: "f64",
            c: "f64",
            d: "f64",
            modifier,
            ..PLAIN
        };
        let want = (0..4).fold(1.0, |sum, _| step(sum, up)) * sign;
        let signed = |bits: u64| [(f64::from_bits(bits) * sign).to_bits(); 32];
        let actual = issue(
            &form,
            &[signed(third)],
            &[[one; 32]],
            &[signed(one); 2],
            2,
            "",
            &[],
        );
        assert_eq!(actual, [[want.to_bits(); 32]; 2], "{modifier} {sign}");
    }
}

/// Multiplies every bit pattern of every format of at most eight bits by one.
#[test]
fn all_patterns_of_narrow_formats() {
    // The number one in each format, or the integer.
    let one = |ty: &str| match ty {
        "e4m3" => 0x38,
        "e5m2" => 0x3c,
        "e3m2" => 0x0c,
        "e2m3" => 0x08,
        "e2m1" => 0x08,
        _ => 1,
    };
    let last = |ty: &str| match bits(ty) {
        8 => 256,
        _ => 16,
    };
    for ty in [
        "e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "s8", "u8", "s4", "u4",
    ] {
        let integer = matches!(ty, "s8" | "u8" | "s4" | "u4");
        let sum = if integer { "s32" } else { "f32" };
        let modifier = if integer { "" } else { ".kind::f8f6f4" };
        let form = Form {
            k: 32,
            a: ty,
            b: ty,
            c: sum,
            d: sum,
            modifier,
            ..PLAIN
        };
        let width = bits(ty);
        let [a_count, b_count, c_count] = form.elements();
        for first in (0..last(ty)).step_by(16) {
            // Only column 0 of A and row 0 of B are nonzero.
            let a = registers(a_count, width, |lane, i| {
                let (row, column) = form.a_place(lane, i);
                if column == 0 { first + row as u64 } else { 0 }
            });
            let b = registers(b_count, width, |lane, i| {
                let (row, _) = form.b_place(lane, i);
                if row == 0 { one(ty) } else { 0 }
            });
            let c = registers(c_count, 32, |_, _| 0);
            let actual = issue(&form, &a, &b, &c, 4, "", &[]);
            let want = registers(c_count, 32, |lane, i| {
                let pattern = first + Form::c_place(lane, i).0 as u64;
                let magnitude = pattern & 0x7f;
                let x = match ty {
                    "e4m3" if magnitude == 0x7f => return 0x7fff_ffff,
                    "e5m2" if magnitude > 0x7c => return 0x7fff_ffff,
                    "e5m2" if magnitude == 0x7c => f64::INFINITY.copysign(number("s8", pattern)),
                    "e2m1" => number(ty, pattern >> 2 & 15),
                    "e3m2" | "e2m3" => number(ty, pattern & 0x3f),
                    _ => number(ty, pattern),
                };
                // The zeros of the other products are positive.
                sum_bits(sum, x + 0.0)
            });
            assert_eq!(actual, want, "{ty} from {first:#x}");
        }
    }
}

#[test]
fn infinities_and_nan_come_through() {
    let (one, infinity, nan) = (0x3c00_3c00u64, 0x7c00_7c00u64, 0x7e00_7e00u64);
    for (a, b, want) in [
        (infinity, one, f32::INFINITY.to_bits()),
        (infinity, 0, 0x7fff_ffff),
        (nan, one, 0x7fff_ffff),
        (infinity, infinity | 0x8000_0000, 0x7fff_ffff),
        (
            infinity,
            infinity | 0x8000_8000,
            f32::NEG_INFINITY.to_bits(),
        ),
    ] {
        let actual = issue(
            &PLAIN,
            &[[a; 32]; 4],
            &[[b; 32]; 2],
            &[[0; 32]; 4],
            4,
            "",
            &[],
        );
        assert_eq!(actual, [[u64::from(want); 32]; 4]);
    }
}
