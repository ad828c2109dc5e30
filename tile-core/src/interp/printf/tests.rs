//! Compares with the `printf` of the platform.

use super::{Conversion, Value};

fn printed(conversion: &str, value: &Value) -> Option<String> {
    let mut out = Vec::new();
    Conversion::parse(conversion)?.print(value, &mut out)?;
    Some(String::from_utf8(out).expect("it is ASCII"))
}

#[test]
fn what_c_leaves_undefined_is_refused() {
    for text in [
        "%5",
        "%",
        "%n",
        "%y",
        "%*d",
        "%.-3d",
        "%+-lhd",
        "%99999999d",
        "%S",
    ] {
        assert_eq!(Conversion::parse(text), None, "{text}");
    }
    let refused = [
        ("%d", Value::Float(1.0)),
        ("%f", Value::Integer(1, 1)),
        ("%s", Value::Integer(1, 1)),
        ("%p", Value::Float(1.0)),
        ("%f", Value::Address(1)),
    ];
    for (text, value) in refused {
        assert_eq!(printed(text, &value), None, "{text}");
    }
}

#[test]
fn a_text_ends_where_its_precision_says() {
    let text = Value::Text(b"tiles".to_vec());
    assert_eq!(printed("%s", &text).as_deref(), Some("tiles"));
    assert_eq!(printed("%7.3s|", &text), None);
    assert_eq!(printed("%7.3s", &text).as_deref(), Some("    til"));
    assert_eq!(printed("%-7s", &text).as_deref(), Some("tiles  "));
    assert_eq!(printed("%p", &Value::Address(0)).as_deref(), Some("(nil)"));
    assert_eq!(
        printed("%p", &Value::Address(0x1f)).as_deref(),
        Some("0x1f")
    );
}

#[test]
fn the_widest_fields_print() {
    for kind in ["f", "e", "g", "#g", "a", "F"] {
        let conversion = format!(
            "%{}32768.32768{}",
            &kind[..kind.len() - 1],
            &kind[kind.len() - 1..]
        );
        let text = printed(&conversion, &Value::Float(0.000_1)).expect("it is a conversion");
        assert!(text.len() >= 32768, "{conversion}");
    }
    let text = printed("%32768.32768d", &Value::Integer(-1, 1)).expect("it is a conversion");
    assert_eq!(text.len(), 32769);
    assert_eq!(printed("%32769d", &Value::Integer(-1, 1)), None);
}

#[test]
fn the_alternate_general_form_keeps_its_zeros() {
    let cases = [
        ("%#g", 1.0, "1.00000"),
        ("%#g", 999_999.5, "1.00000e+06"),
        ("%#.3g", 0.000_1, "0.000100"),
        ("%#.1g", 9.5, "1.e+01"),
        ("%#.0g", 2.0, "2."),
    ];
    for (conversion, number, expected) in cases {
        let actual = printed(conversion, &Value::Float(number));
        assert_eq!(
            actual.as_deref(),
            Some(expected),
            "{conversion} of {number}"
        );
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod of_the_platform {
    use super::{Value, printed};
    use crate::testing::Random;
    use std::ffi::CString;

    /// Formats one argument with `snprintf`.
    fn expected<T>(conversion: &str, argument: T) -> String {
        let format = CString::new(conversion).expect("no zero inside");
        let mut buffer = vec![0_u8; 2048];
        // SAFETY: the conversion takes one argument of this type, and the buffer is as long
        // as stated.
        let len = unsafe {
            libc::snprintf(
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                format.as_ptr(),
                argument,
            )
        };
        buffer.truncate(usize::try_from(len).expect("it prints"));
        String::from_utf8(buffer).expect("it is ASCII")
    }

    /// Draws flags, width and precision.
    fn middle(random: &mut Random<'_>) -> String {
        let mut text: String = ["-", "+", " ", "0", "#"]
            .into_iter()
            .filter(|_| random.below(4) == 0)
            .collect();
        if random.below(2) == 0 {
            text += &(1 + random.below(30)).to_string();
        }
        if random.below(2) == 0 {
            text += ".";
            if random.below(4) > 0 {
                text += &random.below(25).to_string();
            }
        }
        text
    }

    #[test]
    fn integers_print_as_there() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let number = random.bits() >> random.below(64) << random.below(8);
            let number = if random.below(20) == 0 { 0 } else { number };
            let middle = middle(&mut random);
            let kind = ["d", "i", "u", "o", "x", "X"][random.below(6)];
            let value = Value::Integer(number.cast_signed(), number);
            let conversion = format!("%{middle}ll{kind}");
            assert_eq!(
                printed(&conversion, &value),
                Some(expected(&conversion, number)),
                "{conversion} of {number}"
            );
            let length = ["hh", "h"][random.below(2)];
            let conversion = format!("%{middle}{length}{kind}");
            #[expect(clippy::cast_possible_truncation, reason = "what the platform reads")]
            let low = number as u32;
            assert_eq!(
                printed(&conversion, &value),
                Some(expected(&conversion, low)),
                "{conversion} of {number}"
            );
        }
    }

    #[test]
    fn floats_print_as_there() {
        let mut random = Random::new(2);
        let special = [
            0.0,
            0.5,
            1.5,
            2.5,
            0.125,
            1e15,
            123_456.5,
            9.5,
            99.5,
            999_999.5,
            0.000_1,
            0.000_099_999_95,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            f64::INFINITY,
            f64::NAN,
        ];
        for _ in 0..40_000 {
            let number = match random.below(4) {
                0 => special[random.below(special.len())],
                1 => f64::from_bits(random.bits()),
                // Multiples of 1/64 often lie half way between two printed numbers.
                2 => f64::from(u32::try_from(random.below(100_000)).expect("small")) / 64.0,
                _ => f64::from(u32::try_from(random.below(1000)).expect("small")) / 1000.0,
            };
            let number = if random.below(2) == 0 {
                -number
            } else {
                number
            };
            let kind = ["f", "F", "e", "E", "g", "G", "a", "A"][random.below(8)];
            let mut conversion = format!("%{}{kind}", middle(&mut random));
            if kind.eq_ignore_ascii_case("g") {
                // With `#`, glibc removes zeros if rounding adds a digit.
                conversion = conversion.replace('#', "");
            }
            assert_eq!(
                printed(&conversion, &Value::Float(number)),
                Some(expected(&conversion, number)),
                "{conversion} of {number:?}"
            );
        }
    }

    #[test]
    fn characters_print_as_there() {
        for character in b' '..=b'~' {
            let value = Value::Integer(i64::from(character), u64::from(character));
            for conversion in ["%c", "%5c", "%-5c"] {
                assert_eq!(
                    printed(conversion, &value),
                    Some(expected(conversion, u32::from(character)))
                );
            }
        }
    }
}
