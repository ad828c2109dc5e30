//! Compiles inline PTX through stages 8 to 11: the errors of ptxas, and the merged instructions.

use crate::build::Variant;
use crate::device_tests::canonical;
use crate::testing::front;
use tile_backend::session::{CompileOptions, Session, Times};
use tile_backend::target::Arch;
use tile_core::Diagnostics;

/// Returns the PTX of a kernel with this body for an architecture, or the reported errors.
fn ptx(body: &str, arch: Arch) -> Result<String, Vec<String>> {
    let source = format!(
        "fn k(x: &Tensor<f32, 1>, n: u32, out: &mut Tensor<f32, 1>) {{ let t = x.load([block_id(0)], [128]); {body} }}"
    );
    let expansion = front("", &source).unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let (_, module) = &expansion.artifacts[0][Variant::Fast as usize];
    let mut diagnostics = Diagnostics::new();
    let options = CompileOptions::new([arch]);
    let session = Session::without_cache();
    let canonical = canonical(module);
    let artifact = session.compile(&canonical, &options, &mut Times::new(), &mut diagnostics);
    if let Ok(artifact) = artifact {
        Ok(artifact.ptx.into_iter().map(|(_, text)| text).collect())
    } else {
        let faults = diagnostics.take().into_iter();
        Err(faults
            .map(|it| format!("{}: {}", it.message, it.notes.join("; ")))
            .collect())
    }
}

#[test]
fn ptxas_refuses_malformed_text_in_its_own_words() {
    for (text, expected) in [
        ("add.u33 {d}, {a}, 1;", "Unknown modifier '.u33'"),
        (
            "frobnicate {d}, {a};",
            "Not a name of any known instruction: 'frobnicate'",
        ),
        (
            "mov.u32 {d}, 1;\\naddd.u32 {d}, {a}, 1;",
            "it is line 2 of the text",
        ),
        ("add.u32 {d}, {a}, 1; {{", ""),
    ] {
        let body = format!(
            "unsafe {{ let d = ptx!(\"{text}\", d = out(u32), a = in(n)); out.store([block_id(0)], full([128], d as f32) + t); }}"
        );
        let faults = ptx(&body, Arch::SM_80).expect_err(text);
        assert!(
            faults[0].starts_with("`ptxas` refuses the text: "),
            "{text}: {faults:?}"
        );
        assert!(faults[0].contains(expected), "{text}: {faults:?}");
        assert!(
            faults[0].contains("the target is `sm_80`"),
            "{text}: {faults:?}"
        );
    }
}

#[test]
fn lines_of_a_text_keep_their_numbers_behind_registers_that_begin_with_a_value() {
    let body =
        "unsafe { let d = ptx!(\"add.u32 {d}, {d}, 1;\", \"addd.u32 {d}, {d}, 1;\", d = inout(n));
        out.store([block_id(0)], full([128], d as f32) + t); }";
    let faults = ptx(body, Arch::SM_80).expect_err("there is no `addd`");
    assert!(
        faults[0].contains("known instruction: 'addd'"),
        "{faults:?}"
    );
    assert!(faults[0].contains("it is line 2 of the text"), "{faults:?}");
}

#[test]
fn a_text_runs_once_for_the_elements_that_it_takes() {
    for (rows, element, text, pack) in [
        (1_usize, "u8", "xor.b16 {x}, {x}, 3;", 2),
        (1, "u8", "xor.b32 {x}, {x}, 3;", 4),
        (8, "u8", "xor.b16 {x}, {x}, 3;", 2),
        (8, "u8", "xor.b32 {x}, {x}, 3;", 4),
        (8, "i16", "xor.b32 {x}, {x}, 3;", 2),
        (1, "bf16", "xor.b32 {x}, {x}, 3;", 2),
        (
            8,
            "bf16",
            "xor.b32 {x[0]}, {x[0]}, 3; mov.b32 {x[1]}, 0;",
            4,
        ),
    ] {
        let body = format!(
            "let s = full([{rows}, 1], 1.0) * t.reshape([1, 128]);
            let s = unsafe {{ ptx!(\"{text}\", x = inout(s.cast::<{element}>()), options(pack = {pack})) }};
            out.store([block_id(0)], s.cast::<f32>().sum(0));"
        );
        let text = ptx(&body, Arch::SM_80).unwrap_or_else(|faults| panic!("{faults:?}"));
        let (_, rest) = text.split_once("ntid ").expect("the number of threads");
        let threads = rest.split([',', '\n']).next().map(str::trim);
        let threads: usize = threads.and_then(|it| it.parse().ok()).expect("a number");
        let runs = (128 * rows).div_ceil(threads * pack);
        assert_eq!(text.matches("; xor.b").count(), runs, "{text}");
        // The registers are not combined through local memory.
        assert!(!text.contains(".local"), "{text}");
    }
}

#[test]
fn what_a_target_lacks_is_refused_there_and_the_version_is_the_least() {
    let body = "unsafe { let d = ptx!(\"{{ .reg .pred p; elect.sync _|p, -1; selp.u32 {}, 1, 0, p; }}\", out(u32));
        out.store([block_id(0)], full([128], d as f32) + t); }";
    let faults = ptx(body, Arch::SM_80).expect_err("`elect` is of sm_90");
    assert!(faults[0].contains("sm_90 or higher"), "{faults:?}");
    let text = ptx(body, Arch::SM_90).expect("sm_90 has it");
    // `elect.sync` was introduced in PTX ISA 8.0.
    assert!(text.contains(".version 8.0"), "{text}");
}

#[test]
fn only_pure_texts_are_merged_and_left_out() {
    let twice = |options: &str| {
        let text = format!("ptx!(\"ex2.approx.f32 {{}}, {{}};\", out(f32), in(t){options})");
        let body = format!(
            "unsafe {{ let a = {text}; let b = {text}; let _ = {text}; out.store([block_id(0)], a + b); }}"
        );
        let text = ptx(&body, Arch::SM_80).unwrap_or_else(|faults| panic!("{faults:?}"));
        text.matches("ex2.approx.f32").count()
    };
    let (volatile, pure) = (twice(""), twice(", options(pure)"));
    assert!(pure > 0);
    assert_eq!(volatile, 3 * pure);
}
