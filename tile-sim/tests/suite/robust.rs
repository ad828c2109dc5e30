//! Property tests: any text is parsed quickly and without a panic.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tile_sim::Module;

/// Generates pieces of valid and of invalid texts.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        ".version 8.8",
        ".target sm_90a",
        ".address_size 64",
        ".visible",
        ".extern",
        ".entry k",
        ".func f",
        ".func (.reg .b32 r) g (.param .b32 p)",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        ":",
        "|",
        "@",
        "!",
        "+",
        "-",
        "~",
        "*",
        "/",
        "%",
        "?",
        "=",
        "==",
        "<<",
        ".reg .b32 %r<9>;",
        ".reg .v4 .f32 %v;",
        ".reg .b128 %q;",
        ".reg .pred %p;",
        ".param .b64 a",
        ".shared .align 16 .b8 s[16];",
        ".global .u64 t = generic(t)+8;",
        ".const .b8 c[2] = {0xff(t), 1};",
        "call (%r1), f, (%r2);",
        "call f;",
        "ret;",
        "bra L;",
        "L:",
        "T: .branchtargets L;",
        "P: .callprototype _ ();",
        ".loc 1 2 3, function_name L, inlined_at 1 2 3",
        ".file 1 \"a\"",
        ".section .debug_str { L: .b8 65, 0 }",
        ".pragma \"x\";",
        ".alias f, g;",
        "%r1",
        "%v",
        "%v.x",
        "%q",
        "%tid.x",
        "WARP_SZ",
        "0x7fffffffffffffff",
        "18446744073709551615",
        "99999999999999999999",
        "0f3F800000",
        "0d7ff0000000000000",
        "1.5e+3",
        "0b2",
        "add.u32 %r1, %r2, %r3;",
        "ld.global.v4.f32 %v, [%r1+4];",
        "cp.async.bulk.tensor.2d [s], [t, {%r1, %r2}], [s];",
        "mov.b128 %q, {%r1, %r2};",
        "\"",
        "/*",
        "*/",
        "//",
        "\n",
        "\0",
        "é",
    ];
    prop_oneof![
        12 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_panic(pieces in prop::collection::vec(piece(), 0..60), headed in any::<bool>()) {
        let head = ".version 8.8 .target sm_90a .address_size 64 .visible .entry k() { .reg .b32 %r<9>;";
        let text = format!("{} {}", if headed { head } else { "" }, pieces.join(" "));
        if let Err(error) = Module::parse(&text) {
            prop_assert!(error.line >= 1);
            prop_assert!(!error.message.is_empty());
        }
    }
}

/// Returns a kernel of about `bytes` bytes in the style of LLVM.
fn long(bytes: usize) -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {\n\
         .reg .pred %p<9>; .reg .b32 %r<100000>; .reg .b64 %rd<100000>;\n",
    );
    let mut number = 1;
    while text.len() < bytes {
        let next = 1 + number % 99_990;
        let _ = write!(
            text,
            "$L__BB0_{number}:\n\tld.global.b32 \t%r{next}, [%rd{next}+16];\n\
             \tmad.lo.s32 \t%r{}, %r{next}, {number}, %r{next};\n\tsetp.gt.s32 \t%p1, %r{next}, 9;\n\
             \t@%p1 bra \t$L__BB0_{number};\n\tst.global.b32 \t[%rd{next}], %r{next};\n",
            next + 1
        );
        number += 1;
    }
    text + "ret;\n}\n"
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    // The bound allows for an unoptimized build on a busy machine.
    let time = |bytes| {
        let text = long(bytes);
        let times = (0..3).map(|_| {
            let start = Instant::now();
            Module::parse(&text).unwrap();
            start.elapsed()
        });
        times.min().unwrap()
    };
    let (short, long) = (time(200_000), time(1_600_000));
    let bound = short.max(Duration::from_millis(5)) * 8 * 4;
    assert!(long < bound, "200 kB in {short:?}, 1.6 MB in {long:?}");
}

/// Run with `cargo test --release -p tile-sim --test suite five_megabytes -- --ignored
/// --nocapture`.
#[test]
#[ignore = "a measurement, of an optimized build"]
fn five_megabytes_are_read_within_a_second() {
    let text = long(5_000_000);
    let start = Instant::now();
    Module::parse(&text).unwrap();
    let elapsed = start.elapsed();
    assert!(
        elapsed < Duration::from_secs(1),
        "{} bytes in {elapsed:?}",
        text.len()
    );
}
