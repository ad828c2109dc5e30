//! Loads, stores and atomics in all their forms: what they read and what they leave.

use std::fmt::Write as _;

use crate::support::run;

/// What the memory begins with.
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

/// `load` to `store`, of `count` elements of `bits`, copies as many bytes and no more.
fn copies(load: &str, store: &str, bits: u32, count: usize) {
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
        let (at, word) = (4 * index, word(index));
        let _ = write!(
            body,
            "st.global.u32 [%d1+{at}], {word}; st.shared.u32 [%r1+{at}], {word}; st.shared.u32 [%r1+{}], 0;",
            64 + at
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
        for at in (64..96).step_by(4) {
            let _ = write!(
                body,
                "ld.shared.u32 %r2, [%r1+{at}]; st.global.u32 [%d1+{at}], %r2;"
            );
        }
    }
    let (words, _) = run(&body, 1, 256).unwrap_or_else(|fault| panic!("{load}, {store}: {fault}"));
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

/// The value that comes back, and the one that stays, for one thread.
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
    let value = |at: usize| u64::from(words[at + 1]) << 32 | u64::from(words[at]);
    (value(2), value(4))
}

/// Of the type, the old value, the argument, and what stays.
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
    // 1 + 2, and both halves of pairs for themselves: 1 + 2, 2 + 2.
    ("add.noftz", "f16", 0x3c00, 0x4000, 0x4200),
    ("add.noftz", "bf16", 0x3f80, 0x4000, 0x4040),
    ("add.noftz", "f16x2", 0x4000_3c00, 0x4000_4000, 0x4400_4200),
    ("add.noftz", "bf16x2", 0x4000_3f80, 0x4000_4000, 0x4080_4040),
    // Beyond the largest number, and of infinities of both signs.
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
            let found = changed(&format!("atom{form}"), bits, old, &[arg]);
            assert_eq!(found, (old, new), "atom{form} of {old:#x}, {arg:#x}");
            if operation != "exch" {
                let found = changed(&format!("red{form}"), bits, old, &[arg]);
                assert_eq!(found.1, new, "red{form} of {old:#x}, {arg:#x}");
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
