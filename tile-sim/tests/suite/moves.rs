//! Tests of moves, address conversions, and vector registers.

use crate::support::{Width::B64, apply, apply_on, module, run};

#[test]
fn registers_of_128_bits_are_made_of_parts_and_taken_apart() {
    let case = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0];
    let one = |body: &str| {
        let body = format!(".reg .b128 %q<3>; {body}");
        apply(&body, B64, B64, &[case])[0]
    };
    assert_eq!(
        one("mov.b128 %q1, {%x, %y}; mov.b128 {%out, _}, %q1;"),
        case[0]
    );
    assert_eq!(
        one("mov.b128 %q1, {%x, %y}; mov.b128 %q2, %q1; mov.b128 {_, %out}, %q2;"),
        case[1]
    );
    let words =
        "mov.b128 %q1, {%x, %y}; mov.b128 {%r1, %r2, %r3, %r4}, %q1; mov.b64 %out, {%r4, %r1};";
    assert_eq!(one(words), 0x89ab_cdef_fedc_ba98);
    let swapped =
        "mov.b64 {%r1, %r2}, %x; mov.b128 %q1, {%r2, %r1, %r1, %r1}; mov.b128 {%out, _}, %q1;";
    assert_eq!(one(swapped), 0x89ab_cdef_0123_4567);
}

#[test]
fn addresses_go_from_their_space_to_generic_ones_and_back() {
    let (words, _) = run(
        ".shared .b32 s[4]; .local .b32 l[4];
         ld.param.u64 %d1, [d]; mov.u64 %d2, s; mov.u64 %d3, l; mov.b64 %d4, a;
         cvta.shared.u64 %d5, %d2; cvta.local.u64 %d6, %d3; cvta.param.u64 %d7, %d4; cvta.global.u64 %d8, %d1;
         mov.u32 %r1, 7; st.u32 [%d5], %r1; ld.shared.u32 %r2, [s]; st.global.u32 [%d1], %r2;
         mov.u32 %r1, 9; st.u32 [%d6+4], %r1; ld.local.u32 %r2, [l+4]; st.global.u32 [%d1+4], %r2;
         ld.u64 %d9, [%d7+24]; setp.eq.u64 %p0, %d9, %d1; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%d1+8], %r2;
         cvta.to.shared.u64 %d10, %d5; setp.eq.u64 %p0, %d10, %d2; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%d1+12], %r2;
         cvta.to.param.u64 %d10, %d7; setp.eq.u64 %p0, %d10, %d4; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%d1+16], %r2;
         isspacep.shared %p0, %d5; isspacep.shared::cluster %p1, %d5; isspacep.local %p2, %d5; isspacep.global %p3, %d5;
         selp.u32 %r2, 1, 0, %p0; selp.u32 %r3, 2, 0, %p1; selp.u32 %r4, 4, 0, %p2; selp.u32 %r5, 8, 0, %p3;
         add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; st.global.u32 [%d1+20], %r2;
         isspacep.param %p0, %d7; isspacep.local %p1, %d6; isspacep.global %p2, %d8; isspacep.shared::cta %p3, %d6;
         selp.u32 %r2, 1, 0, %p0; selp.u32 %r3, 2, 0, %p1; selp.u32 %r4, 4, 0, %p2; selp.u32 %r5, 8, 0, %p3;
         add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; st.global.u32 [%d1+24], %r2;",
        1,
        0,
    )
    .unwrap();
    assert_eq!(words[..7], [7, 9, 1, 1, 1, 3, 7]);
}

#[test]
fn registers_have_the_width_of_the_type() {
    let refused = |body: &str| {
        let result = std::panic::catch_unwind(|| module(body));
        let message = result.expect_err("it is refused");
        message
            .downcast_ref::<String>()
            .cloned()
            .unwrap_or_default()
    };
    assert!(refused("add.u32 %d1, %r1, %r2;").contains("`%d1` is too wide"));
    assert!(refused("add.u32 %r1, %d1, %r2;").contains("`%d1` is too wide"));
    assert!(refused("add.u64 %d1, %r1, %d2;").contains("`%r1` is too narrow"));
    // Loads, stores and conversions accept wider registers.
    module("cvt.u32.u16 %r1, %r2; cvt.u8.u32 %r1, %r2;");
}

#[test]
fn memory_holds_values_of_128_bits() {
    let case = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0];
    let one = |body: &str| {
        let body = format!(".reg .b128 %q<3>; .local .align 16 .b8 s[32]; {body}");
        apply(&body, B64, B64, &[case])[0]
    };
    let stored = "mov.b128 %q1, {%x, %y}; st.local.b128 [s+16], %q1;";
    assert_eq!(
        one(&format!("{stored} ld.local.b64 %out, [s+16];")),
        case[0]
    );
    assert_eq!(
        one(&format!("{stored} ld.local.b64 %out, [s+24];")),
        case[1]
    );
    let loaded = "ld.local.b128 %q2, [s+16]; mov.b128 {_, %out}, %q2;";
    assert_eq!(one(&format!("{stored} {loaded}")), case[1]);
    // A narrower value is extended with zeros, or with its sign.
    for (ty, expected) in [("s8", !0), ("u8", 0), ("b64", 0)] {
        let loaded = format!("ld.local.{ty} %q2, [s+23]; mov.b128 {{_, %out}}, %q2;");
        let loaded = if ty == "b64" {
            loaded.replace("s+23", "s+24")
        } else {
            loaded
        };
        let stored = stored.replace("{%x, %y}", "{%y, %y}");
        assert_eq!(one(&format!("{stored} {loaded}")), expected, "{ty}");
    }
    let narrow = "mov.b128 %q1, {%x, %y}; st.local.u64 [s], %y; st.local.u32 [s], %q1; ld.local.b64 %out, [s];";
    assert_eq!(one(narrow), 0xfedc_ba98_89ab_cdef);
}

#[test]
fn devices_are_read_and_written_as_memory_is() {
    let body = "st.mmio.relaxed.sys.global.u32 [%d1], 5; ld.mmio.relaxed.sys.u32 %r2, [%d1]; st.global.u32 [%d1+4], %r2;";
    let (words, _) = run(&format!("ld.param.u64 %d1, [d]; {body}"), 1, 0).unwrap();
    assert_eq!(words[..2], [5, 5]);
}

#[test]
fn bulk_stores_clear_shared_memory() {
    let body = |size: u32, offset: u32| {
        format!(
            ".shared .align 16 .b8 s[64]; mov.b64 %d9, {size}; mov.b64 %out, 0; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;
             st.shared.v2.b64 [s], {{%x, %x}}; st.shared.v2.b64 [s+16], {{%x, %x}};
             st.bulk.weak.shared::cta [s+8], %d9, 0; ld.shared.b64 %out, [s+{offset}]; END:"
        )
    };
    let word_at = |offset| apply_on("sm_100a", &body(16, offset), B64, B64, &[[7, 0, 0]])[0];
    assert_eq!(
        [word_at(0), word_at(8), word_at(16), word_at(24)],
        [7, 0, 0, 7]
    );
}

#[test]
fn addresses_of_32_bits_are_generic_ones() {
    let body = "mov.u32 %r1, 4096; isspacep.shared %p0, %r1; isspacep.global %p1, %r1;
         selp.u32 %r2, 1, 0, %p0; selp.u32 %r3, 2, 0, %p1; add.u32 %r2, %r2, %r3; st.global.u32 [%d1], %r2;";
    let (words, _) = run(&format!("ld.param.u64 %d1, [d]; {body}"), 1, 0).unwrap();
    assert_eq!(words[0], 2);
}

#[test]
fn variables_are_named_in_their_space() {
    for (body, cure) in [
        ("ld.u64 %d1, [a];", "write `.param`"),
        (".shared .b32 s; ld.global.u32 %r1, [s];", "write `.shared`"),
        (".shared .b32 s; cvta.local.u64 %d1, s;", "write `.shared`"),
        (".local .b32 l; st.shared.u32 [l], %r1;", "write `.local`"),
    ] {
        let result = std::panic::catch_unwind(|| module(body));
        let message = result.expect_err("it is refused");
        let message = message
            .downcast_ref::<String>()
            .cloned()
            .unwrap_or_default();
        assert!(message.contains(cure), "{body}: {message}");
    }
}
