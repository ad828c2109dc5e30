//! Tests that invalid texts are refused with a line number, and never cause a panic.

use tile_sim::{Launch, Memory, Module, Options};

fn refused(body: &str) -> String {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {{\n.reg .b32 %r<4>; .reg .pred %p<2>; .reg .b64 %d<4>;\n{body}\n}}"
    );
    Module::parse(&text).unwrap_err().to_string()
}

#[test]
fn unknown_instructions_and_modifiers_are_named_with_their_line() {
    assert_eq!(
        refused("frobnicate.b32 %r1, %r2;"),
        "line 6: `frobnicate.b32`: unknown instruction"
    );
    assert_eq!(
        refused("add.fast.u32 %r1, %r2, %r3;"),
        "line 6: `add.fast.u32`: unknown modifier `.fast`"
    );
    assert_eq!(
        refused("add.u32.fast %r1, %r2, %r3;"),
        "line 6: `add.u32.fast`: unknown modifier `.fast`"
    );
    assert_eq!(
        refused("\nadd.u32 %r1, %r2;"),
        "line 7: `add.u32`: expected 3 operands, found 2"
    );
    assert_eq!(
        refused("add.u32 %r1, %r2, %r9;"),
        "line 6: `add.u32`: `%r9` is not declared"
    );
    assert_eq!(
        refused("add.u64 %d1, %d2, %r1;"),
        "line 6: `add.u64`: `%r1` is too narrow"
    );
    assert_eq!(
        refused("bra NOWHERE;"),
        "line 6: `bra`: label `NOWHERE` is not defined"
    );
    assert_eq!(
        refused("bar.red.xor.pred %p1, 0, %p1;"),
        "line 6: `bar.red.xor.pred`: unknown modifier `.xor`"
    );
    assert_eq!(
        refused("fma.f32 %r1, %r1, %r1, %r1;"),
        "line 6: `fma.f32`: a rounding is missing"
    );
    assert_eq!(
        refused("cp.async.bulk.commit_group;"),
        "line 6: `cp.async.bulk.commit_group`: needs `.target` sm_90 or later, found `sm_80`"
    );
}

/// The operands of these instructions have forms of their own, which must not hide the name.
#[test]
fn graphics_and_video_instructions_are_refused_by_name() {
    for (instruction, name, family) in [
        (
            "tex.2d.v4.f32.f32 {%r1, %r1, %r1, %r1}|%p1, [%d1, %d2, {%r1, %r2}];",
            "tex.2d.v4.f32.f32",
            "texture",
        ),
        (
            "tld4.r.2d.v4.f32.f32 {%r1, %r1, %r1, %r1}, [%d1, {%r1, %r2}];",
            "tld4.r.2d.v4.f32.f32",
            "texture",
        ),
        ("txq.width.b32 %r1, [%d1];", "txq.width.b32", "texture"),
        ("istypep.texref %p1, %d1;", "istypep.texref", "texture"),
        (
            "suld.b.1d.b32.trap %r1, [%d1, {%r2}];",
            "suld.b.1d.b32.trap",
            "surface",
        ),
        (
            "sust.b.1d.b32.trap [%d1, {%r2}], %r1;",
            "sust.b.1d.b32.trap",
            "surface",
        ),
        (
            "@%p1 sured.b.add.1d.u32.trap [%d1, {%r2}], %r1;",
            "sured.b.add.1d.u32.trap",
            "surface",
        ),
        ("suq.width.b32 %r1, [%d1];", "suq.width.b32", "surface"),
        (
            "vadd.u32.u32.u32 %r1, %r2.b0, %r3.h1;",
            "vadd.u32.u32.u32",
            "video",
        ),
        (
            "vmad.s32.s32.s32.shr7 %r1, %r2, -%r3, %r0;",
            "vmad.s32.s32.s32.shr7",
            "video",
        ),
        (
            "vset4.u32.u32.lt.add %r1, %r2, %r3, %r0;",
            "vset4.u32.u32.lt.add",
            "video",
        ),
        (
            "vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r0;",
            "vabsdiff4.u32.u32.u32.add",
            "video",
        ),
    ] {
        let message = refused(&format!("\n{instruction}"));
        let expected = format!("line 7: `{name}`: {family} instructions are not supported: ");
        assert!(message.starts_with(&expected), "{message}");
    }
    for kind in ["texref", "samplerref", "surfref"] {
        let text = format!(".version 8.0\n.target sm_80\n.address_size 64\n.global .{kind} t;");
        let message = Module::parse(&text).unwrap_err().to_string();
        let expected = "line 4: texture, sampler and surface variables are not supported";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert!(refused(&"{".repeat(100_000)).contains("nested too deep"));
    assert!(refused(&format!("mov.b32 %r1, {};", "{".repeat(100_000))).contains("nested too deep"));
}

/// Cuts, doubles and swaps pieces of a valid text.
#[test]
fn mutated_texts_do_not_panic() {
    let texts = [include_str!("ptx/loops.ptx")];
    let mut state = 7u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut parsed = 0;
    for round in 0..600 {
        let mut bytes = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..=below(2) {
            let (from, to) = (below(bytes.len()), below(bytes.len()));
            let length = below(12).min(bytes.len() - from.max(to));
            match below(4) {
                0 => drop(bytes.drain(from..from + length)),
                1 => bytes.copy_within(from..from + length, to),
                2 => bytes[from] = b" .%@{}[]|,;!-+0189abrsp\n\"/"[below(26)],
                _ => {
                    let piece = bytes[from..from + length].to_vec();
                    bytes.splice(to..to, piece);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let Ok(module) = Module::parse(&text) else {
            continue;
        };
        parsed += 1;
        let options = Options {
            max_instructions: 2000,
            ..Options::default()
        };
        for entry in module.entries() {
            let bytes = module.param_bytes(entry).unwrap();
            let args = bytes
                .iter()
                .map(|&bytes| tile_sim::Arg::bytes(&vec![1; bytes]));
            let threads = module.required_threads(entry).unwrap_or([32, 1, 1]);
            let launch = Launch::new(entry)
                .block(threads)
                .args(args)
                .dynamic_shared_bytes(256);
            let _ = module.launch(&launch, &mut Memory::new(), &options);
        }
    }
    assert!(
        parsed > 60,
        "only {parsed} of 600 could be read: the mutations are too wild"
    );
}
