//! Compares accepted and refused forms with ptxas, and their results with an oracle.

use std::collections::HashMap;

use tile_sim::{Arg, Launch, Memory, Module, Options};

use crate::random::Random;

/// Returns a kernel for one target, with registers of every width, around one instruction.
fn text(version: &str, target: &str, form: &str) -> String {
    let wide = if form.contains("%q") {
        ".reg .b128 %q<9>;"
    } else {
        ""
    };
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .visible .entry k(.param .u64 o) {{\n\
         .reg .pred %p<9>; .reg .b8 %c<9>; .reg .b16 %h<19>; .reg .b32 %r<39>; .reg .b64 %d<9>;\n\
         {wide}\n{form}\nret;\n}}\n"
    )
}

#[test]
fn forms_on_registers_are_those_of_ptxas() {
    let corpus = include_str!("forms/arithmetic.tsv");
    let mut wrong = Vec::new();
    for line in corpus.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [target, version, form] = fields[..] else {
            panic!("`{line}` does not have three fields");
        };
        let parse = |version, target| Module::parse(&text(version, target, form));
        if target == "-" {
            if parse("9.0", "sm_100a").is_ok() {
                wrong.push(format!("{form}: taken, though ptxas refuses it"));
            }
            continue;
        }
        if let Err(error) = parse(version, target) {
            wrong.push(format!("{form} for {target}: {error}"));
        }
        if target != "sm_70" && parse("9.0", "sm_70").is_ok() {
            wrong.push(format!("{form}: taken for sm_70, though it needs {target}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} forms:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The number of operand values, as in `oracle.py`.
const CASES: usize = 256;

#[rustfmt::skip]
const SPECIAL: [u64; 101] = [
    0x0, 0x1, 0x2, 0x3, 0x7, 0x8,
    0xf, 0x1f, 0x20, 0x21, 0x3f, 0x40,
    0x64, 0x7f, 0x80, 0xff, 0x7f, 0x80,
    0x7fff, 0x8000, 0x8001, 0xffff, 0x7fff_ffff, 0x8000_0000,
    0x8000_0001, 0xffff_ffff, 0xffff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff, 0x3c00,
    0xc000, 0x7bff, 0x400, 0x3ff, 0x8001, 0x7c00,
    0xfc00, 0x7e00, 0x7ff7, 0x3f80, 0xbf80, 0x7f7f,
    0x80, 0x7f, 0x7f80, 0xff80, 0x7fc0, 0x3c00_bc00,
    0x7c00_fc00, 0x7e00_3c00, 0x8000_0000, 0x3f80_bf80, 0xff80_7fc0, 0x03ff_8001,
    0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0x4020_0000, 0xc060_0000, 0x7f7f_ffff,
    0xff7f_ffff, 0x0080_0000, 0x007f_ffff, 0x8000_0001, 0x7f80_0000, 0xff80_0000,
    0x7fc0_0000, 0x4b80_0001, 0x4f00_0000, 0xcf00_0000, 0x4f80_0000, 0x5f00_0000,
    0x477f_e000, 0x477f_f000, 0x3380_0000, 0x3dcc_cccd, 0x3f7f_ffff, 0x4049_0fdb,
    0x43e0_0000, 0x43e8_0000, 0x4760_0000, 0x3e80_0000, 0x0040_0000, 0x0040_0001,
    0x3ff0_0000_0000_0000, 0xbff0_0000_0000_0000, 0x4004_0000_0000_0000, 0x7fef_ffff_ffff_ffff, 0x0010_0000_0000_0000, 0x000f_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000, 0x7ff8_0000_0000_0000, 0x41df_ffff_ffe0_0000, 0xc1e0_0000_0000_0000, 0x43e0_0000_0000_0000,
    0x47ef_ffff_efff_ffff, 0x36a0_0000_0000_0000, 0x40ef_fc00_0000_0000, 0x3fb9_9999_9999_999a, 0x3810_0000_0000_0000,
];

/// Generates the values of one operand, as `oracle.py` does.
fn operands(slot: usize) -> Vec<u64> {
    let mut random = Random::new(0x0123_4567 + slot as u64 * 0x9e37_79b9);
    (0..CASES)
        .map(|_| match random.below(8) {
            0..4 => SPECIAL[random.below(SPECIAL.len() as u64) as usize],
            4..6 => random.below(256),
            _ => random.bits(),
        })
        .collect()
}

/// Returns the registers in a text in order, each once.
fn registers(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (start, _) in text.match_indices('%') {
        let name = &text[start..start + 3];
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Splits a form into its destination and its other operands.
fn parts(form: &str) -> (&str, &str) {
    let operands = form.split_once(' ').unwrap().1;
    let end = match operands.strip_prefix('{') {
        Some(vector) => vector.find('}').unwrap() + 1,
        None => operands.find(',').unwrap(),
    };
    operands.split_at(end)
}

fn load(name: &str, slot: usize) -> String {
    let offset = 8 * slot;
    match &name[1..2] {
        "p" => format!(
            "ld.global.b32 %r38, [%d7+{offset}]; and.b32 %r38, %r38, 1; setp.ne.b32 {name}, %r38, 0;"
        ),
        "c" => format!("ld.global.u8 {name}, [%d7+{offset}];"),
        "h" => format!("ld.global.b16 {name}, [%d7+{offset}];"),
        "r" => format!("ld.global.b32 {name}, [%d7+{offset}];"),
        _ => format!("ld.global.b64 {name}, [%d7+{offset}];"),
    }
}

fn store(name: &str, slot: usize) -> String {
    let offset = 8 * slot;
    match &name[1..2] {
        "p" => format!("selp.b32 %r38, 1, 0, {name}; st.global.b32 [%d8+{offset}], %r38;"),
        "c" => format!("st.global.b8 [%d8+{offset}], {name};"),
        "h" => format!("st.global.b16 [%d8+{offset}], {name};"),
        "r" => format!("st.global.b32 [%d8+{offset}], {name};"),
        _ => format!("st.global.b64 [%d8+{offset}], {name};"),
    }
}

/// Returns the results of a form for all operand values, in the order of `oracle.py`.
fn results(target: &str, version: &str, form: &str) -> Vec<u64> {
    let (dest, rest) = parts(form);
    let (dests, sources) = (registers(dest), registers(rest));
    let opcode = form.split(['.', ' ']).next().unwrap();
    let takes = matches!(opcode, "addc" | "subc" | "madc");
    let sets = form.split(' ').next().unwrap().contains(".cc.");
    let stride = 8 * (sources.len() + 1);
    let loads: String = (0..)
        .zip(&sources)
        .map(|(slot, name)| load(name, slot))
        .collect();
    let mut outs: Vec<String> = (0..)
        .zip(&dests)
        .map(|(slot, name)| store(name, slot))
        .collect();
    let carry_in = if takes {
        let offset = 8 * sources.len();
        format!(
            "ld.global.b32 %r37, [%d7+{offset}]; and.b32 %r37, %r37, 1; add.cc.u32 %r37, %r37, -1;"
        )
    } else {
        String::new()
    };
    if sets {
        let offset = 8 * outs.len();
        outs.push(format!(
            "addc.u32 %r37, 0, 0; st.global.b32 [%d8+{offset}], %r37;"
        ));
    }
    let out_stride = 8 * outs.len();
    let body = format!(
        "mov.u32 %r36, %tid.x;\n ld.param.u64 %d7, [o]; ld.param.u64 %d8, [q];\n\
         mad.wide.u32 %d7, %r36, {stride}, %d7; mad.wide.u32 %d8, %r36, {out_stride}, %d8;\n\
         {loads}\n{carry_in}\n{form}\n{}",
        outs.concat(),
    );
    let text =
        text(version, target, &body).replace("k(.param .u64 o)", "k(.param .u64 o, .param .u64 q)");
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let columns: Vec<Vec<u64>> = (0..=sources.len()).map(operands).collect();
    let input: Vec<u8> = (0..CASES)
        .flat_map(|case| {
            columns
                .iter()
                .flat_map(move |column| column[case].to_le_bytes())
        })
        .collect();
    let mut memory = Memory::new();
    let input = memory.alloc_with(&input, 16);
    let output = memory.alloc(CASES * out_stride, 16);
    let launch = Launch::new("k")
        .threads(CASES as u32)
        .args([input, output].map(Arg::from));
    crate::support::launch(&module, &launch, &mut memory, &Options::default())
        .unwrap_or_else(|fault| panic!("{form}: {fault}"));
    let bytes = memory.bytes(output).unwrap().chunks(8);
    bytes
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// Compares every form with `oracle.py`, which implements the PTX ISA on exact numbers.
#[test]
fn forms_on_registers_compute_what_the_ptx_isa_says() {
    let values: HashMap<&str, &str> = include_str!("forms/values.tsv")
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(digest, form)| (form, digest))
        .collect();
    let (mut wrong, mut right) = (Vec::new(), 0);
    for line in include_str!("forms/arithmetic.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let Some(&expected) = values.get(fields[2]) else {
            continue;
        };
        // The digest is computed as in `oracle.py`.
        let digest =
            results(fields[0], fields[1], fields[2])
                .iter()
                .fold(0u64, |digest, result| {
                    let mixed = (digest ^ result).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    mixed ^ mixed >> 29
                });
        if format!("{digest:016x}") == expected {
            right += 1;
        } else {
            wrong.push(fields[2]);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} forms:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(
        right,
        values.len(),
        "a form with values is none that ptxas takes"
    );
}
