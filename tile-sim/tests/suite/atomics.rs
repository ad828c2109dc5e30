//! Tests of atomic operations: their forms, their effects, and their restrictions.

use tile_sim::Module;

use crate::support::run;

const START: &str = "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [d]; cvt.rn.f32.u32 %f0, %r0; mul.wide.u32 %d1, %r0, 16;
    add.u64 %d2, %d0, %d1; add.u64 %d3, %d0, 2048; setp.eq.u32 %p0, %r0, 0;\n";

fn text(body: &str) -> String {
    format!(".reg .f32 %f<8>;\n{START}{body}")
}

/// Returns the words at `d` after `threads` threads executed `body`.
fn words(body: &str, threads: u32) -> Vec<u32> {
    run(&text(body), threads, 512)
        .unwrap_or_else(|fault| panic!("{body}: {fault}"))
        .0
}

fn refused(instruction: &str) -> String {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {{\n\
         .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n{instruction};\nret;\n}}\n"
    );
    match Module::parse(&text) {
        Ok(_) => panic!("`{instruction}` is accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn modifiers_may_stand_in_any_order() {
    // The forms that ptxas 13.5 accepts.
    for form in [
        "atom.acq_rel.gpu.global.add.u32",
        "atom.global.gpu.acq_rel.add.u32",
        "atom.gpu.global.acq_rel.add.u32",
        "atom.global.acq_rel.gpu.add.u32",
        "atom.add.acq_rel.gpu.global.u32",
        "atom.acq_rel.global.add.u32",
        "atom.gpu.add.u32",
        "atom.add.u32",
    ] {
        let actual = words(&format!("{form} %r1, [%d0], 3;"), 40);
        assert_eq!(actual[0], 120, "{form}");
    }
    for form in [
        "red.global.gpu.relaxed.add.u32",
        "red.release.cta.global.add.u32",
    ] {
        assert_eq!(words(&format!("{form} [%d0], 3;"), 40)[0], 120, "{form}");
    }
    for (store, load) in [
        ("st.global.gpu.release.u32", "ld.global.gpu.acquire.u32"),
        ("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32"),
        ("st.global.release.gpu.u32", "ld.global.acquire.gpu.u32"),
    ] {
        let actual = words(
            &format!(
                "@%p0 {store} [%d0], 7; @%p0 {load} %r1, [%d0]; @%p0 st.global.u32 [%d0+4], %r1;"
            ),
            32,
        );
        assert_eq!(actual[..2], [7, 7], "{store}");
    }
}

#[test]
fn vectors_are_changed_element_by_element() {
    let body = "mov.f32 %f1, 0f3f800000; atom.global.add.v4.f32 {%f2, _, %f4, %f5}, [%d0], {%f1, %f0, %f1, %f0};";
    let actual = words(body, 32);
    assert_eq!(
        actual[..4]
            .iter()
            .map(|&bits| f32::from_bits(bits))
            .collect::<Vec<_>>(),
        [32.0, 496.0, 32.0, 496.0]
    );
    // Two halves, 1 and 2, in each word.
    let body = "red.global.add.noftz.v2.f16x2 [%d0], {%r1, %r1};";
    let actual = words(&format!("mov.b32 %r1, 0x40003c00; {body}"), 32);
    assert_eq!(actual[..2], [0x5400_5000; 2]);
    let body = "mov.b16 %h1, 0x3f80; mov.b16 %h2, 0xbf80; atom.global.max.noftz.v2.bf16 {%h3, %h4}, [%d0], {%h1, %h2};";
    assert_eq!(words(body, 1)[0], 0x3f80);
}

#[test]
fn single_precision_is_flushed_in_global_memory_only() {
    let small = "mov.b32 %f1, 0x00000001;";
    assert_eq!(
        words(&format!("{small} red.global.add.f32 [%d0], %f1;"), 4)[0],
        0
    );
    let shared = "mov.u32 %r2, dynamic; @%p0 st.shared.u32 [%r2], 0; bar.sync 0; red.shared.add.f32 [%r2], %f1;
        bar.sync 0; ld.shared.u32 %r3, [%r2]; @%p0 st.global.u32 [%d0], %r3;";
    assert_eq!(words(&format!("{small} {shared}"), 4)[0], 4);
    let half = "mov.b16 %h1, 1; red.global.add.noftz.f16 [%d0], %h1;";
    assert_eq!(words(half, 4)[0], 4);
}

#[test]
fn cache_policies_are_operands() {
    let body = "mov.b64 %d5, 0; atom.global.add.L2::cache_hint.u32 %r1, [%d0], 1, %d5;
        red.global.add.L2::cache_hint.v2.f32 [%d0+8], {%f0, %f0}, %d5;";
    let actual = words(body, 32);
    assert_eq!((actual[0], f32::from_bits(actual[2])), (32, 496.0));
}

#[test]
fn narrow_words_are_compared_and_swapped() {
    let body = "mov.b16 %h1, 0; mov.b16 %h2, 9; atom.global.cas.b16 %h3, [%d0+2], %h1, %h2;
        cvt.u32.u16 %r1, %h3; @%p0 st.global.u32 [%d0+4], %r1;";
    assert_eq!(words(body, 1)[..2], [9 << 16, 0]);
    assert_eq!(words(body, 32)[0], 9 << 16);
}

#[test]
fn values_of_128_bits_are_exchanged_and_compared() {
    // The low half alone does not decide: the second comparison fails in the high half.
    let body = ".reg .b128 %q<6>; mov.b64 %d5, 5; mov.b64 %d6, 6; mov.b64 %d7, 7; mov.b128 %q1, {%d5, %d6};
        @%p0 atom.global.exch.b128 %q2, [%d0], %q1; @!%p0 bra END;
        mov.b128 %q3, {%d5, %d7}; mov.b128 %q4, {%d7, %d7};
        atom.cas.b128 %q5, [%d0], %q3, %q4; mov.b128 {%d1, %d2}, %q5; st.global.v2.b64 [%d0+16], {%d1, %d2};
        atom.global.cas.b128 _, [%d0], %q1, %q4;
        ld.global.b128 %q5, [%d0]; st.global.b128 [%d0+32], %q5;
        atom.exch.b128 %q2, [%d0], %q3; mov.b128 {%d1, %d2}, %q2; st.global.v2.b64 [%d0+48], {%d2, %d1}; END:";
    assert_eq!(
        words(body, 32)[..16],
        [5, 0, 7, 0, 5, 0, 6, 0, 7, 0, 7, 0, 7, 0, 7, 0]
    );
    // Every thread of a block adds one to the high half, and no update is lost.
    let body = ".reg .b128 %q<6>; ld.relaxed.gpu.global.b128 %q1, [%d0];
        AGAIN: mov.b128 {%d5, %d6}, %q1; add.u64 %d6, %d6, 1; mov.b128 %q2, {%d5, %d6};
        atom.global.relaxed.gpu.cas.b128 %q3, [%d0], %q1, %q2; mov.b128 {%d7, %d8}, %q3; mov.b128 {%d5, %d6}, %q1;
        setp.eq.u64 %p1, %d6, %d8; mov.b128 %q1, %q3; @!%p1 bra AGAIN;";
    assert_eq!(words(body, 32)[..4], [0, 0, 32, 0]);
}

#[test]
fn the_type_may_stand_before_the_operation() {
    let body = "atom.global.v2.f32.add {%f1, %f2}, [%d0], {%f0, %f0};";
    assert_eq!(words(body, 32)[..2], [496.0f32.to_bits(); 2]);
}

#[test]
fn forms_that_ptxas_refuses_are_refused() {
    for (instruction, why) in [
        ("atom.add.s64 %d1, [%d0], %d2", "s64"),
        ("atom.min.f32 %f0, [%d0], %f1", "f32"),
        ("atom.global.min.noftz.f16 %h0, [%d0], %h1", "f16"),
        ("atom.global.add.f16 %h0, [%d0], %h1", "noftz"),
        ("atom.global.add.noftz.f32 %f0, [%d0], %f1", ".version"),
        (
            "atom.shared.add.v2.f32 {%f0, %f1}, [%d0], {%f0, %f1}",
            "space",
        ),
        (
            "atom.global.add.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%d0], {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}",
            "16 bytes",
        ),
        (
            "atom.global.add.v2.u32 {%r0, %r1}, [%d0], {%r0, %r1}",
            "u32",
        ),
        ("atom.and.u32 %r0, [%d0], %r1", "u32"),
        ("atom.exch.f32 %f0, [%d0], %f1", "f32"),
        (
            "atom.global.cas.L2::cache_hint.b32 %r0, [%d0], %r1, %r2, %d2",
            "policy",
        ),
        ("atom.local.add.u32 %r0, [%d0], %r1", "space"),
        ("atom.global.global.add.u32 %r0, [%d0], %r1", "twice"),
        ("red.acquire.gpu.global.add.f32 [%d0], %f0", "acquire"),
        ("red.exch.b32 [%d0], %r0", "destination"),
        ("ld.relaxed.global.b64 %d1, [%d0]", "scope"),
        ("ld.gpu.global.b64 %d1, [%d0]", "scope"),
        ("ld.release.gpu.global.b64 %d1, [%d0]", "release"),
    ] {
        let message = refused(instruction);
        assert!(message.contains(why), "{instruction}: {message}");
    }
}
