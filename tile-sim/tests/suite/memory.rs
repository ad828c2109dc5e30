//! Tests of loads, stores and atomics in all forms: the values that they read and write.

use std::fmt::Write as _;

use crate::support::{run, run_on};

/// Returns a word of the pattern that is copied.
fn word(index: u32) -> u32 {
    0x8142_0384u32.wrapping_mul(index + 1)
}

fn register(bits: u32, number: usize) -> String {
    let class = match bits {
        64 => "d",
        32 => "r",
        _ => "h",
    };
    format!("%{class}{number}")
}

/// Tests that `load`, of `count` elements of `bits` bits, reads the words of `a` from index 16 on,
/// which nothing writes.
fn loads(target: &str, load: &str, bits: u32, count: usize) {
    let registers: Vec<_> = (5..5 + count).map(|n| register(bits, n)).collect();
    let mut value = registers.join(", ");
    if count > 1 {
        value = format!("{{{value}}}");
    }
    let mut body =
        format!("ld.param.u64 %d1, [d]; ld.param.u64 %d2, [a]; {load} {value}, [%d2+64];");
    let bytes = bits / 8;
    for (index, register) in (0..).zip(&registers) {
        let offset = index * bytes;
        let _ = write!(body, "st.global.b{bits} [%d1+{offset}], {register};");
    }
    let words = run_on(target, &body, 1, 0).unwrap_or_else(|fault| panic!("{load}: {fault}"));
    let words = words.iter().flat_map(|word| word.to_le_bytes());
    let expected = (16..).flat_map(|word: u32| word.to_le_bytes());
    let size = bytes as usize * count;
    assert!(words.take(size).eq(expected.take(size)), "{load}");
}

/// Tests that `load` followed by `store`, of `count` elements of `bits` bits, copies exactly these
/// elements.
fn copies(load: &str, store: &str, bits: u32, count: usize) {
    copies_on("sm_90a", load, store, bits, count);
}

/// Does the same as [`copies`] for another target.
fn copies_on(target: &str, load: &str, store: &str, bits: u32, count: usize) {
    let registers: Vec<_> = (5..5 + count).map(|n| register(bits, n)).collect();
    let mut value = registers.join(", ");
    if count > 1 {
        value = format!("{{{value}}}");
    }
    let base = |form: &str| {
        if form.contains(".shared") {
            "%r1"
        } else {
            "%d1"
        }
    };
    let hint = |form: &str| {
        if form.contains("cache_hint") {
            ", %d9"
        } else {
            ""
        }
    };
    let mut body = "ld.param.u64 %d1, [d]; mov.u32 %r1, dynamic; mov.b64 %d9, 0;".to_owned();
    for index in 0..8 {
        let (offset, word) = (4 * index, word(index));
        let _ = write!(
            body,
            "st.global.u32 [%d1+{offset}], {word}; st.shared.u32 [%r1+{offset}], {word}; st.shared.u32 [%r1+{}], 0;",
            64 + offset
        );
    }
    let _ = write!(
        body,
        "{load} {value}, [{}]{};\n{store} [{}+64], {value}{};",
        base(load),
        hint(load),
        base(store),
        hint(store)
    );
    if store.contains(".shared") {
        for offset in (64..96).step_by(4) {
            let _ = write!(
                body,
                "ld.shared.u32 %r2, [%r1+{offset}]; st.global.u32 [%d1+{offset}], %r2;"
            );
        }
    }
    let words = run_on(target, &body, 1, 256);
    let words = words.unwrap_or_else(|fault| panic!("{load}, {store}: {fault}"));
    let bytes = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let (from, to) = (bytes(&words[..8]), bytes(&words[16..24]));
    let size = bits as usize / 8 * count;
    assert_eq!(from[..size], to[..size], "{load}, {store}");
    assert!(to[size..].iter().all(|&byte| byte == 0), "{load}, {store}");
}

fn bits_of(ty: &str) -> u32 {
    ty[1..].parse().unwrap()
}

#[test]
fn vectors_are_copied() {
    for space in ["", ".global", ".shared"] {
        for ty in ["u8", "u16", "u32", "u64", "f32", "f64"] {
            let vector = format!("{space}.v2.{ty}");
            copies(
                &format!("ld{vector}"),
                &format!("st{vector}"),
                bits_of(ty),
                2,
            );
        }
        for ty in ["u8", "u16", "u32", "f32"] {
            let vector = format!("{space}.v4.{ty}");
            copies(
                &format!("ld{vector}"),
                &format!("st{vector}"),
                bits_of(ty),
                4,
            );
        }
    }
    copies("ldu.global.v4.u32", "st.global.v4.u32", 32, 4);
}

#[test]
fn orders_and_scopes_do_not_change_values() {
    for space in ["", ".global", ".shared"] {
        for order in ["weak", "volatile"] {
            let form = format!("{order}{space}.u32");
            copies(&format!("ld.{form}"), &format!("st.{form}"), 32, 1);
        }
        for scope in ["cta", "cluster", "gpu", "sys"] {
            for (load, store) in [("relaxed", "relaxed"), ("acquire", "release")] {
                for ty in ["u32", "b64", "f32"] {
                    let load = format!("ld.{load}.{scope}{space}.{ty}");
                    let store = format!("st.{store}.{scope}{space}.{ty}");
                    copies(&load, &store, bits_of(ty), 1);
                }
            }
        }
    }
    for space in ["", ".global"] {
        let form = format!("mmio.relaxed.sys{space}.u32");
        copies(&format!("ld.{form}"), &format!("st.{form}"), 32, 1);
    }
}

#[test]
fn hints_do_not_change_values() {
    for space in ["", ".global"] {
        for operator in ["ca", "cg", "cs", "lu", "cv"] {
            copies(&format!("ld{space}.{operator}.u32"), "st.u32", 32, 1);
        }
        for operator in ["wb", "cg", "cs", "wt"] {
            copies("ld.u32", &format!("st{space}.{operator}.u32"), 32, 1);
        }
        for ty in ["u8", "u32", "b64", "f32"] {
            let store = format!("st.{ty}");
            copies(&format!("ldu{space}.{ty}"), &store, bits_of(ty), 1);
        }
    }
    for hint in ["normal", "unchanged", "first", "last"].map(|name| format!("evict_{name}")) {
        let hinted = format!("global.L1::{hint}.u32");
        copies(&format!("ld.{hinted}"), &format!("st.{hinted}"), 32, 1);
    }
    let plain = "global.L1::no_allocate.u32";
    copies(&format!("ld.{plain}"), &format!("st.{plain}"), 32, 1);
    let policy = "global.L2::cache_hint.u32";
    copies(&format!("ld.{policy}"), &format!("st.{policy}"), 32, 1);
    let both = "ld.global.L1::evict_last.L2::cache_hint.v2.f32";
    copies(both, "st.v2.f32", 32, 2);
}

#[test]
fn vectors_of_256_bits_are_copied() {
    for (ty, count) in [("b64", 4), ("f64", 4), ("b32", 8), ("f32", 8)] {
        let vector = format!("global.v{count}.{ty}");
        let (load, store) = (format!("ld.{vector}"), format!("st.{vector}"));
        copies_on("sm_100a", &load, &store, bits_of(ty), count);
    }
    for hint in ["evict_last", "evict_normal", "evict_first"] {
        let load = format!("ld.global.L2::{hint}.v8.b32");
        copies_on("sm_100a", &load, "st.global.v8.b32", 32, 8);
    }
}

#[test]
fn what_does_not_change_is_loaded_through_any_cache() {
    for operator in ["", ".ca", ".cg", ".cs"] {
        for ty in ["u8", "u32", "b64", "f32"] {
            let load = format!("ld.global{operator}.nc.{ty}");
            loads("sm_80", &load, bits_of(ty), 1);
        }
    }
    loads("sm_80", "ld.global.nc.v4.f32", 32, 4);
    for cache in ["", ".nc"] {
        for hint in [
            "evict_normal",
            "evict_unchanged",
            "evict_first",
            "evict_last",
            "no_allocate",
        ] {
            loads("sm_80", &format!("ld.global{cache}.L1::{hint}.u32"), 32, 1);
        }
        for size in ["64B", "128B", "256B"] {
            loads("sm_80", &format!("ld.global{cache}.L2::{size}.u32"), 32, 1);
        }
        let both = format!("ld.global{cache}.L1::no_allocate.L2::256B.v4.u32");
        loads("sm_80", &both, 32, 4);
    }
}

/// Returns the first `count` words of `d` after a kernel has run. Before it runs, word `i` of `a`
/// is `i`.
fn left(target: &str, body: &str, count: usize) -> Vec<u32> {
    let body = format!("ld.param.u64 %d0, [a]; ld.param.u64 %d1, [d]; {body}");
    let words = run_on(target, &body, 1, 256).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    words[..count].to_vec()
}

#[test]
fn elements_that_nobody_wants_are_not_loaded() {
    let load = "ld.global.v4.b32 {%r1, _, %r2, _}, [%d0+16]; st.global.v2.u32 [%d1], {%r1, %r2};";
    assert_eq!(left("sm_90", load, 3), [4, 6, 0]);
}

#[test]
fn parameters_of_entries_are_loaded() {
    let load =
        "ld.param::entry.u64 %d2, [a]; ld.global.u32 %r1, [%d2+20]; st.global.u32 [%d1], %r1;";
    assert_eq!(left("sm_90", load, 1), [5]);
}

#[test]
fn numbers_of_128_bits_move() {
    let moves = ".reg .b128 %q<4>; mov.u64 %d2, 0x123456789; mov.u64 %d3, 0xabcdef0123;
         mov.b128 %q1, {%d2, %d3}; mov.b128 %q2, %q1; mov.b128 {%d4, %d5}, %q2;
         st.global.v2.u64 [%d1], {%d5, %d4}; ld.global.b128 %q3, [%d0+32]; st.global.b128 [%d1+16], %q3;";
    assert_eq!(
        left("sm_90", moves, 9),
        [0xcdef_0123, 0xab, 0x2345_6789, 1, 8, 9, 10, 11, 0]
    );
    let atomics = ".reg .b128 %q<4>; mov.u64 %d2, 5; mov.u64 %d3, 6; mov.b128 %q1, {%d2, %d3};";
    for space in ["", ".global"] {
        let exchange = format!(
            "{atomics} atom{space}.exch.b128 %q2, [%d0], %q1; st.global.b128 [%d1], %q2;
             ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%d0]; st.global.v4.u32 [%d1+16], {{%r1, %r2, %r3, %r4}};"
        );
        assert_eq!(left("sm_90", &exchange, 8), [0, 1, 2, 3, 5, 0, 6, 0]);
        // Compares once with the value in memory, and once with another value.
        for (low, after) in [
            (0x1_0000_0000u64, [5, 0, 6, 0]),
            (0x1_0000_0001, [0, 1, 2, 3]),
        ] {
            let swap = format!(
                "{atomics} mov.u64 %d4, {low}; mov.u64 %d5, 0x300000002; mov.b128 %q3, {{%d4, %d5}};
                 atom{space}.cas.b128 %q2, [%d0], %q3, %q1; st.global.b128 [%d1], %q2;
                 ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%d0]; st.global.v4.u32 [%d1+16], {{%r1, %r2, %r3, %r4}};"
            );
            let actual = left("sm_90", &swap, 8);
            assert_eq!(actual[..4], [0, 1, 2, 3]);
            assert_eq!(actual[4..], after, "{low:#x}");
        }
    }
}

#[test]
fn caches_are_told_and_nothing_changes() {
    let mut hints = Vec::new();
    for space in ["", ".global", ".local"] {
        for level in ["L1", "L2"] {
            // A local address is that of a variable.
            let (before, address) = if space == ".local" {
                (".local .b32 own;", "own")
            } else {
                ("", "%d0")
            };
            hints.push(format!("{before} prefetch{space}.{level} [{address}];"));
        }
    }
    for hint in ["evict_last", "evict_normal"] {
        hints.push(format!("prefetch.global.L2::{hint} [%d0];"));
    }
    hints.push("prefetchu.L1 [%d0];".into());
    for space in ["", ".global"] {
        hints.push(format!("applypriority{space}.L2::evict_normal [%d0], 128;"));
        // This makes the contents of the 128 bytes undefined; the bytes after them are unchanged.
        hints.push(format!("discard{space}.L2 [%d0], 128;"));
        hints.push(format!(
            "createpolicy.range{space}.L2::evict_last.L2::evict_unchanged.b64 %d9, [%d0], 128, 256;"
        ));
    }
    hints.push("mov.u32 %r9, 128; cp.async.bulk.prefetch.L2.global [%d0], %r9;".into());
    hints.push("mov.u32 %r9, 128; mov.u64 %d9, 0; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%d0], %r9, %d9;".into());
    for hint in hints {
        let body = format!(
            "{hint} ld.global.v2.u32 {{%r1, %r2}}, [%d0+128]; st.global.v2.u32 [%d1], {{%r1, %r2}};"
        );
        assert_eq!(left("sm_90", &body, 3), [32, 33, 0], "{hint}");
    }
    for body in [
        "discard.global.L2 [%d0+4], 128;",
        "discard.L2 [%d0+4096], 128;",
    ] {
        let body = format!("ld.param.u64 %d0, [a]; {body}");
        run(&body, 1, 0).unwrap_err();
    }
}

#[test]
fn policies_are_hints_of_loads() {
    let mut policies: Vec<String> = [
        "evict_last",
        "evict_normal",
        "evict_first",
        "evict_unchanged",
    ]
    .iter()
    .map(|hint| format!("createpolicy.fractional.L2::{hint}.b64 %d9, 1.0;"))
    .collect();
    for behind in ["", ".L2::evict_unchanged"] {
        policies.push(format!(
            "createpolicy.fractional.L2::evict_last{behind}.b64 %d9;"
        ));
    }
    // A policy in the format of CUDA's access property.
    policies.push("mov.u64 %d8, 0; createpolicy.cvt.L2.b64 %d9, %d8;".into());
    for policy in policies {
        let body = format!(
            "{policy} ld.global.L2::cache_hint.u32 %r1, [%d0+28], %d9; st.global.u32 [%d1], %r1;
             ld.global.nc.L2::cache_hint.u32 %r1, [%d0+32], %d9; st.global.u32 [%d1+4], %r1;
             red.global.add.L2::cache_hint.u32 [%d1], %r1, %d9;"
        );
        assert_eq!(left("sm_90", &body, 3), [15, 8, 0], "{policy}");
    }
}

/// Tests that each element is reduced individually.
#[test]
fn vectors_are_reduced_element_by_element() {
    // The elements are 1.5 * index in each type; the operands are 4 - index.
    let bits = |ty: &str, value: f64| -> u32 {
        match ty {
            "f32" => (value as f32).to_bits(),
            "f16" => half::f16::from_f64(value).to_bits().into(),
            _ => half::bf16::from_f64(value).to_bits().into(),
        }
    };
    let cases = [
        ("f32", "", 2, 1),
        ("f32", "", 4, 1),
        ("f16", ".noftz", 2, 1),
        ("f16", ".noftz", 4, 1),
        ("f16", ".noftz", 8, 1),
        ("bf16", ".noftz", 2, 1),
        ("bf16", ".noftz", 4, 1),
        ("bf16", ".noftz", 8, 1),
        ("f16", ".noftz", 2, 2),
        ("f16", ".noftz", 4, 2),
        ("bf16", ".noftz", 2, 2),
        ("bf16", ".noftz", 4, 2),
    ];
    for (ty, rounding, vector, packed) in cases {
        for op in ["add", "min", "max"] {
            if ty == "f32" && op != "add" {
                continue;
            }
            let size = if ty == "f32" { 4 } else { 2 };
            let old = |element: usize| 1.5 * element as f64;
            let with = |element: usize| 4.0 - element as f64;
            let new = |element: usize| match op {
                "add" => old(element) + with(element),
                "min" => old(element).min(with(element)),
                _ => old(element).max(with(element)),
            };
            let total = vector * packed;
            let pack = |value: &dyn Fn(usize) -> f64| -> Vec<u32> {
                let per_word = 4 / size;
                (0..total / per_word)
                    .map(|word| {
                        (0..per_word).fold(0, |sum, part| {
                            sum | bits(ty, value(word * per_word + part)) << (part * 16)
                        })
                    })
                    .collect()
            };
            let suffix = if packed == 2 { "x2" } else { "" };
            let class = if size * packed == 4 { "r" } else { "h" };
            for keeps in [true, false] {
                let words = pack(&with);
                let mut body = String::new();
                for (index, word) in (0..).zip(pack(&old)) {
                    let _ = write!(body, "st.global.u32 [%d1+{}], {word};", 4 * index);
                }
                let mut registers = Vec::new();
                for element in 0..vector {
                    if class == "r" {
                        let _ = write!(body, "mov.b32 %r{element}, {};", words[element]);
                    } else {
                        let half = words[element / 2] >> (element % 2 * 16) & 0xffff;
                        let _ = write!(body, "mov.b16 %h{element}, {half};");
                    }
                    registers.push(format!("%{class}{element}"));
                }
                let value = registers.join(", ");
                let name = format!("global.{op}{rounding}.v{vector}.{ty}{suffix}");
                if keeps {
                    let dest: Vec<_> = (0..vector)
                        .map(|element| format!("%{class}{}", 8 + element))
                        .collect();
                    let _ = write!(
                        body,
                        "atom.{name} {{{}}}, [%d1], {{{value}}};",
                        dest.join(", ")
                    );
                    for (element, register) in dest.iter().enumerate() {
                        let (offset, bits) = (64 + element * size * packed, 8 * size * packed);
                        let _ = write!(body, "st.global.b{bits} [%d1+{offset}], {register};");
                    }
                } else {
                    let _ = write!(body, "red.{name} [%d1], {{{value}}};");
                }
                let actual = left("sm_90", &body, 32);
                let expected = pack(&new);
                assert_eq!(actual[..expected.len()], expected, "{name}");
                if keeps {
                    let before = pack(&old);
                    assert_eq!(actual[16..16 + before.len()], before, "{name}");
                }
            }
        }
    }
}

/// Returns the old and the new value of an element that one thread updates atomically.
fn changed(form: &str, bits: u32, old: u64, args: &[u64]) -> (u64, u64) {
    let memory = if bits == 32 || bits == 64 { bits } else { 16 };
    let base = if form.contains(".shared") {
        "%r1"
    } else {
        "%d1"
    };
    let mut body = "ld.param.u64 %d1, [d]; mov.u32 %r1, dynamic;".to_owned();
    let registers: Vec<_> = (5..8).map(|n| register(memory, n)).collect();
    let mut operands = String::new();
    for (register, arg) in registers[1..].iter().zip(args) {
        let _ = write!(body, "mov.b{memory} {register}, {arg};");
        let _ = write!(operands, ", {register}");
    }
    let result = &registers[0];
    let _ = write!(
        body,
        "mov.b{memory} {result}, {old}; st.b{memory} [%d1], {result}; st.shared.b{memory} [%r1], {result};"
    );
    let to = if form.starts_with("atom") {
        format!("{result}, ")
    } else {
        String::new()
    };
    let _ = write!(
        body,
        "{form} {to}[{base}]{operands};\nst.b{memory} [%d1+8], {result};"
    );
    let load = if base == "%r1" {
        "ld.shared"
    } else {
        "ld.global"
    };
    let _ = write!(
        body,
        "{load}.b{memory} {result}, [{base}]; st.b{memory} [%d1+16], {result};"
    );
    let (words, _) = run(&body, 1, 64).unwrap_or_else(|fault| panic!("{form}: {fault}"));
    let value = |index: usize| u64::from(words[index + 1]) << 32 | u64::from(words[index]);
    (value(2), value(4))
}

/// Operation, type, old value, operand, new value.
type Case = (&'static str, &'static str, u64, u64, u64);

const MINUS_ONE: u64 = 0xffff_ffff;

const CASES: [Case; 33] = [
    ("and", "b32", 0xff00_ff00, 0xf0f0_f0f0, 0xf000_f000),
    ("or", "b32", 0xff00_ff00, 0xf0f0_f0f0, 0xfff0_fff0),
    ("xor", "b32", 0xff00_ff00, 0xf0f0_f0f0, 0x0ff0_0ff0),
    ("exch", "b32", 5, 6, 6),
    (
        "and",
        "b64",
        !0,
        0xf0f0_0000_0000_0001,
        0xf0f0_0000_0000_0001,
    ),
    ("or", "b64", 1 << 63, 1, 1 << 63 | 1),
    ("xor", "b64", !0, 1, !1),
    ("exch", "b64", 5, 1 << 40, 1 << 40),
    ("add", "u32", MINUS_ONE, 2, 1),
    ("add", "s32", 0x7fff_ffff, 1, 0x8000_0000),
    ("add", "u64", !0, 3, 2),
    ("add", "f32", 0x3f80_0000, 0x4000_0000, 0x4040_0000),
    (
        "add",
        "f64",
        0x3ff0_0000_0000_0000,
        0x4000_0000_0000_0000,
        0x4008_0000_0000_0000,
    ),
    ("inc", "u32", 4, 5, 5),
    ("inc", "u32", 5, 5, 0),
    ("inc", "u32", 6, 5, 0),
    ("dec", "u32", 5, 5, 4),
    ("dec", "u32", 0, 5, 5),
    ("dec", "u32", 6, 5, 5),
    ("min", "u32", MINUS_ONE, 1, 1),
    ("max", "u32", MINUS_ONE, 1, MINUS_ONE),
    ("min", "s32", MINUS_ONE, 1, MINUS_ONE),
    ("max", "s32", MINUS_ONE, 1, 1),
    ("min", "u64", !0, 1, 1),
    ("max", "u64", !0, 1, !0),
    ("min", "s64", !0, 1, !0),
    ("max", "s64", !0, 1, 1),
    // 1 + 2, and for pairs both halves individually: 1 + 2, 2 + 2.
    ("add.noftz", "f16", 0x3c00, 0x4000, 0x4200),
    ("add.noftz", "bf16", 0x3f80, 0x4000, 0x4040),
    ("add.noftz", "f16x2", 0x4000_3c00, 0x4000_4000, 0x4400_4200),
    ("add.noftz", "bf16x2", 0x4000_3f80, 0x4000_4000, 0x4080_4040),
    // Overflow to infinity, and infinity plus 1.
    ("add.noftz", "f16", 0x7bff, 0x7bff, 0x7c00),
    ("add.noftz", "bf16", 0x7f80, 0x3f80, 0x7f80),
];

#[test]
fn atomics_give_the_old_value_and_leave_the_new_one() {
    for (operation, ty, old, arg, new) in CASES {
        let bits = match ty {
            "f16x2" | "bf16x2" => 32,
            "bf16" => 16,
            ty => bits_of(ty),
        };
        for space in ["", ".global", ".shared"] {
            if space == ".shared" && operation == "add.noftz" {
                continue;
            }
            let form = format!("{space}.{operation}.{ty}");
            let actual = changed(&format!("atom{form}"), bits, old, &[arg]);
            assert_eq!(actual, (old, new), "atom{form} of {old:#x}, {arg:#x}");
            if operation != "exch" {
                let actual = changed(&format!("red{form}"), bits, old, &[arg]);
                assert_eq!(actual.1, new, "red{form} of {old:#x}, {arg:#x}");
            }
        }
    }
}

#[test]
fn what_is_equal_is_swapped() {
    for space in ["", ".global", ".shared"] {
        for bits in [16, 32, 64] {
            let form = format!("atom{space}.cas.b{bits}");
            assert_eq!(changed(&form, bits, 7, &[7, 9]), (7, 9), "{form}");
            assert_eq!(changed(&form, bits, 7, &[8, 9]), (7, 7), "{form}");
        }
    }
}

#[test]
fn atomics_of_every_order_and_scope_add() {
    for scope in ["cta", "cluster", "gpu", "sys"] {
        for order in ["", ".relaxed", ".acquire", ".release", ".acq_rel"] {
            let form = format!("{order}.{scope}.global.add.u32");
            assert_eq!(
                changed(&format!("atom{form}"), 32, 40, &[2]),
                (40, 42),
                "atom{form}"
            );
            if ["", ".relaxed", ".release"].contains(&order) {
                assert_eq!(
                    changed(&format!("red{form}"), 32, 40, &[2]).1,
                    42,
                    "red{form}"
                );
            }
        }
    }
    for space in ["cta", "cluster"] {
        let form = format!("atom.shared::{space}.add.u32");
        assert_eq!(changed(&form, 32, 40, &[2]), (40, 42), "{form}");
    }
}

#[test]
fn an_address_of_32_bits_wraps_with_its_offset() {
    let body = "ld.param.u64 %d1, [d]; mov.u32 %r1, dynamic; st.shared.u32 [%r1+8], 7;\
                sub.u32 %r2, %r1, 1048576; ld.shared.u32 %r3, [%r2+1048584];\
                st.global.u32 [%d1], %r3;";
    let (words, _) = run(body, 1, 64).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(words[0], 7);
}
