//! Tests that the decoder accepts the same matrix and warp instructions as `ptxas`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use tile_sim::Module;

use crate::warp_run::vector;

/// Returns the assemblers of `cargo xtask setup`, by their path in its folder.
fn assemblers() -> Vec<PathBuf> {
    let from = |variable: &str, rest: &str| {
        let value = std::env::var_os(variable).filter(|value| !value.is_empty());
        value.map(|root| Path::new(&root).join(rest))
    };
    let cache = from("TILE_KERNEL_CACHE", "")
        .or_else(|| from("XDG_CACHE_HOME", "tile-kernel"))
        .or_else(|| from("HOME", ".cache/tile-kernel"));
    let paths: Vec<PathBuf> = cache
        .into_iter()
        .flat_map(|cache| {
            ["bin/ptxas", "tileir/bin/ptxas"].map(|tool| cache.join("tools/current").join(tool))
        })
        .filter(|tool| tool.is_file())
        .collect();
    if paths.is_empty() {
        let required = std::env::var_os("TILE_REQUIRE_TOOLS").is_some();
        let reason = "`ptxas` is not installed (run `cargo xtask setup`)";
        assert!(!required, "{reason}");
        #[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
        {
            eprintln!("skipped: {reason}");
        }
    }
    paths
}

fn head(version: &str, target: &str) -> String {
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k() {{\n\
         .reg .b32 %r<300>; .reg .f32 %f<300>; .reg .f64 %d<64>; .reg .b64 %q<64>; .reg .pred %p<9>; .reg .b16 %h<9>;\n"
    )
}

/// Numbers the texts of this process.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Returns the error of an assembler for each line; `None` if it accepts the line.
fn verdicts(tool: &Path, version: &str, target: &str, lines: &[String]) -> Vec<Option<String>> {
    let mut verdicts = vec![None; lines.len()];
    let mut left: Vec<usize> = (0..lines.len()).collect();
    let head = head(version, target);
    let first = head.matches('\n').count() + 1;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("tile-sim-forms-{}-{number}.ptx", std::process::id());
    let file = std::env::temp_dir().join(name);
    // The assembler reports some errors only after others were removed.
    loop {
        let body: Vec<&str> = left.iter().map(|&line| lines[line].as_str()).collect();
        std::fs::write(&file, format!("{head}{}\nret;\n}}\n", body.join("\n"))).unwrap();
        let output = Command::new(tool)
            .args([&format!("-arch={target}"), "-O0", "-o", "/dev/null"])
            .arg(&file)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        let mut errors = BTreeMap::new();
        for line in text.lines() {
            let Some((_, rest)) = line.split_once(", line ") else {
                continue;
            };
            let Some((number, message)) = rest.split_once(';') else {
                continue;
            };
            if let Ok(number) = number.parse::<usize>()
                && (message.contains("error") || message.contains("fatal"))
                && (first..first + left.len()).contains(&number)
            {
                errors
                    .entry(number - first)
                    .or_insert_with(|| message.to_owned());
            }
        }
        if errors.is_empty() && left.len() == 1 && !output.status.success() {
            verdicts[left[0]] = Some(text);
            break;
        }
        if errors.is_empty() {
            // The remaining lines may exceed the registers of one kernel.
            break;
        }
        for (&index, message) in &errors {
            verdicts[left[index]] = Some(message.clone());
        }
        let mut index = 0;
        left.retain(|_| {
            index += 1;
            !errors.contains_key(&(index - 1))
        });
    }
    std::fs::remove_file(&file).unwrap();
    verdicts
}

/// Compares forms that assemblers expand to internal code. Since errors name lines of that code,
/// all accepted lines are assembled together, and a sample of the refused lines individually.
pub(crate) fn compare_expanded(lines: &BTreeSet<String>, settings: &[(&str, &str)]) {
    for tool in assemblers() {
        for &(version, target) in settings {
            let parses = |line: &&String| {
                let text = format!("{}{line}\nret;\n}}\n", head(version, target));
                Module::parse(&text).is_ok()
            };
            let (taken, refused): (Vec<&String>, Vec<&String>) = lines.iter().partition(parses);
            let taken: Vec<String> = taken.into_iter().cloned().collect();
            let verdicts_of_taken = verdicts(&tool, version, target, &taken);
            for (line, verdict) in taken.iter().zip(verdicts_of_taken) {
                assert_eq!(verdict, None, "{target} {line}");
            }
            let step = refused.len() / 30 + 1;
            for line in refused.into_iter().step_by(step) {
                let verdict = verdicts(&tool, version, target, std::slice::from_ref(line));
                let wrong = format!("{target} {line}: ptxas takes it");
                assert!(verdict[0].is_some(), "{wrong}");
            }
        }
    }
}

/// Compares the decoder with every assembler on `lines`.
fn compare(lines: &BTreeSet<String>, settings: &[(&str, &str)]) {
    let lines: Vec<String> = lines.iter().cloned().collect();
    let mut wrong = Vec::new();
    let mut accepted = 0;
    for (number, tool) in assemblers().into_iter().enumerate() {
        for &(version, target) in settings {
            // The older assembler supports one of several targets.
            if number == 0 && settings.len() > 1 && target != "sm_90a" {
                continue;
            }
            for (line, verdict) in lines.iter().zip(verdicts(&tool, version, target, &lines)) {
                let text = format!("{}{line}\nret;\n}}\n", head(version, target));
                let ours = Module::parse(&text).err().map(|error| error.to_string());
                accepted += usize::from(verdict.is_none());
                if ours.is_none() != verdict.is_none() {
                    wrong.push(format!(
                        "{target} {line}: ptxas {verdict:?}, found {ours:?}"
                    ));
                }
            }
        }
    }
    assert!(accepted > 0 || assemblers().is_empty(), "nothing is taken");
    let count = wrong.len();
    wrong.truncate(40);
    assert!(
        wrong.is_empty(),
        "{count} of {}:\n{}",
        lines.len(),
        wrong.join("\n")
    );
}

pub(crate) const TARGETS: [(&str, &str); 4] = [
    ("8.7", "sm_80"),
    ("8.7", "sm_89"),
    ("8.7", "sm_90a"),
    ("8.7", "sm_120a"),
];

fn bits(ty: &str) -> usize {
    match ty {
        "f64" => 64,
        "tf32" | "f32" | "s32" => 32,
        "f16" | "bf16" => 16,
        "s4" | "u4" => 4,
        "b1" => 1,
        _ => 8,
    }
}

fn registers(ty: &str) -> &'static str {
    match ty {
        "f64" => "d",
        "f32" => "f",
        _ => "r",
    }
}

#[derive(Clone, Copy)]
struct Mma<'a> {
    sparse: &'a str,
    m: usize,
    k: usize,
    layouts: &'a str,
    modifier: &'a str,
    types: [&'a str; 4],
    suffix: &'a str,
}

impl Mma<'_> {
    fn text(&self) -> String {
        let Self {
            sparse,
            m,
            k,
            layouts,
            modifier,
            types: [d, a, b, c],
            suffix,
        } = *self;
        let width = |ty| {
            if modifier.contains("mxf4") {
                4
            } else {
                bits(ty)
            }
        };
        let count = |elements: usize, width: usize| {
            (elements * width / 32 / if width == 64 { 64 } else { 32 }).max(1)
        };
        let stored = if sparse.is_empty() { k } else { k / 2 };
        let [mut na, mut nb] = [count(m * stored, width(a)), count(8 * k, width(b))];
        let [mut nc, mut nd] = [c, d].map(|ty| count(m * 8, bits(ty)));
        if m == 8 && k == 4 && a == "f16" {
            (na, nb) = (2, 2);
            [nc, nd] = [c, d].map(|ty| if ty == "f16" { 4 } else { 8 });
        }
        let wide = |ty| if ty == "f64" { "d" } else { "r" };
        let mut text = format!(
            "mma{sparse}.sync.aligned.m{m}n8k{k}{layouts}{modifier}.{d}.{a}.{b}.{c}{suffix} {}, {}, {}, {}",
            vector(registers(d), nd),
            vector(wide(a), na),
            vector(wide(b), nb),
            vector(registers(c), nc),
        );
        if !sparse.is_empty() {
            text += ", %r50, 0";
        }
        if modifier.contains("block_scale") {
            text += ", %r51, {0, 0}, %r52, {0, 0}";
        }
        text + ";"
    }
}

#[test]
fn products_of_a_warp() {
    let mut lines = BTreeSet::new();
    let floats = ["f16", "bf16", "tf32", "f64", "e4m3", "e5m2", "e2m1"];
    let integers = ["s8", "u8", "s4", "u4", "b1"];
    for sparse in ["", ".sp", ".sp::ordered_metadata"] {
        for m in [8, 16] {
            for k in [4, 8, 16, 32, 64, 128, 256] {
                let mut add = |modifier: &str, types: [&str; 4], suffix: &str| {
                    let layouts = ".row.col";
                    let mma = Mma {
                        sparse,
                        m,
                        k,
                        layouts,
                        modifier,
                        types,
                        suffix,
                    };
                    lines.insert(mma.text());
                };
                for a in floats {
                    for b in if bits(a) == 8 {
                        &floats[4..]
                    } else {
                        &floats[..2]
                    } {
                        for types in [
                            ["f32", a, b, "f32"],
                            ["f16", a, b, "f16"],
                            ["f32", a, b, "f16"],
                        ] {
                            add("", types, "");
                        }
                    }
                    add("", ["f32", a, a, "f32"], "");
                    add(".satfinite", ["f32", a, a, "f32"], "");
                    add("", ["f16", a, a, "f32"], "");
                }
                for modifier in ["", ".rn", ".rz", ".rm", ".rp", ".rna"] {
                    add(modifier, ["f64", "f64", "f64", "f64"], "");
                }
                for a in integers {
                    for b in integers {
                        add("", ["s32", a, b, "s32"], "");
                        add(".satfinite", ["s32", a, b, "s32"], "");
                    }
                }
                for suffix in [".xor.popc", ".and.popc", ".or.popc", ".xor"] {
                    add("", ["s32", "b1", "b1", "s32"], suffix);
                    add("", ["s32", "s8", "s8", "s32"], suffix);
                }
            }
        }
    }
    for layouts in [".row.row", ".row.col", ".col.row", ".col.col"] {
        for (m, k) in [(8, 4), (16, 8), (16, 16)] {
            for types in [
                ["f16", "f16", "f16", "f16"],
                ["f32", "f16", "f16", "f16"],
                ["f16", "f16", "f16", "f32"],
                ["f32", "f16", "f16", "f32"],
                ["f64", "f64", "f64", "f64"],
                ["s32", "s8", "s8", "s32"],
            ] {
                let (sparse, modifier, suffix) = ("", "", "");
                lines.insert(
                    Mma {
                        sparse,
                        m,
                        k,
                        layouts,
                        modifier,
                        types,
                        suffix,
                    }
                    .text(),
                );
            }
        }
    }
    compare(&lines, &TARGETS);
}

#[test]
fn products_of_narrow_floats_and_of_scaled_blocks() {
    let types = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];
    let mut lines = BTreeSet::new();
    for sparse in ["", ".sp", ".sp::ordered_metadata"] {
        for k in [16, 32, 64, 128] {
            for a in types {
                for b in types {
                    let mut add = |modifier: &str, types: [&str; 4], suffix: &str| {
                        let (m, layouts) = (16, ".row.col");
                        let mma = Mma {
                            sparse,
                            m,
                            k,
                            layouts,
                            modifier,
                            types,
                            suffix,
                        };
                        lines.insert(mma.text());
                    };
                    for d in ["f16", "f32"] {
                        add(".kind::f8f6f4", [d, a, b, d], "");
                    }
                    if a != b && a != "e4m3" {
                        continue;
                    }
                    add(".kind::f8f6f4", ["f32", a, b, "f16"], "");
                    for kind in [".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4"] {
                        for size in ["", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X"] {
                            for suffix in [".ue8m0", ".ue4m3"] {
                                let modifier = format!("{kind}.block_scale{size}");
                                add(&modifier, ["f32", a, b, "f32"], suffix);
                            }
                        }
                    }
                }
            }
        }
    }
    let scaled = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 \
         {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3}, %r9,";
    for selectors in [
        "{3, 1}, %r10, {3, 3}",
        "{%h0, %h1}, %r10, {%h2, %h3}",
        "{0}, %r10, {0}",
    ] {
        lines.insert(format!("{scaled} {selectors};"));
    }
    compare(&lines, &[("8.7", "sm_120a")]);
}

#[test]
fn products_of_a_warpgroup() {
    let mut lines = BTreeSet::new();
    let pairs = [
        ("f16", "f16"),
        ("f16", "bf16"),
        ("bf16", "bf16"),
        ("tf32", "tf32"),
        ("e4m3", "e5m2"),
        ("e5m2", "e5m2"),
        ("e4m3", "f16"),
        ("s8", "u8"),
        ("u8", "u8"),
        ("s8", "s4"),
        ("b1", "b1"),
        ("f64", "f64"),
    ];
    let mut add = |sparse: &str,
                   n: usize,
                   k: usize,
                   d: &str,
                   (a, b): (&str, &str),
                   middle: &str,
                   suffix: &str,
                   operands: &str| {
        let count = n / 2 * bits(d).min(32) / 32;
        lines.insert(format!(
            "wgmma.mma_async{sparse}.sync.aligned.m64n{n}k{k}{middle}.{d}.{a}.{b}{suffix} {}, {operands};",
            vector(registers(d), count.max(1)),
        ));
    };
    let operands = |sparse: &str, d: &str, a: &str, in_registers: bool| {
        let mut text = String::from(if in_registers {
            "{%r0,%r1,%r2,%r3}"
        } else {
            "%q0"
        });
        text += ", %q1";
        if !sparse.is_empty() {
            text += ", %r9, 0";
        }
        text += ", %p0";
        if d != "s32" {
            text += ", 1, 1";
        }
        if matches!(a, "f16" | "bf16") {
            text += if in_registers { ", 0" } else { ", 0, 0" };
        }
        text
    };
    for sparse in ["", ".sp"] {
        for pair in pairs {
            for d in ["f16", "f32", "s32"] {
                let suffixes: &[&str] = if pair.0 == "b1" {
                    &["", ".and.popc", ".xor.popc"]
                } else {
                    &[""]
                };
                for suffix in suffixes {
                    for k in [8, 16, 32, 64, 128, 256] {
                        for in_registers in [false, true] {
                            let operands = operands(sparse, d, pair.0, in_registers);
                            add(sparse, 16, k, d, pair, "", suffix, &operands);
                            add(sparse, 16, k, d, pair, ".satfinite", suffix, &operands);
                        }
                    }
                }
            }
        }
        for n in (4..=272).step_by(4) {
            for (pair, d, suffix) in [
                (("bf16", "bf16"), "f32", ""),
                (("e4m3", "e4m3"), "f16", ""),
                (("s8", "s8"), "s32", ""),
                (("b1", "b1"), "s32", ".and.popc"),
            ] {
                let k = 256 / bits(pair.0) * if sparse.is_empty() { 1 } else { 2 };
                let operands = operands(sparse, d, pair.0, false);
                add(sparse, n, k, d, pair, "", suffix, &operands);
            }
        }
    }
    for operands in [
        "%q0, %q1, 1, 1, 1, 0, 0",
        "%q0, %q1, 2, 1, 1, 0, 0",
        "%q0, %q1, !%p0, -1, -1, 1, 1",
        "%q0, %q1, %p0, 2, 1, 0, 0",
        "%q0, %q1, %p0, 1, 1, 2, 0",
        "%q0, %q1, %p0, 1, 1, 0",
        "%q0, %q1, %p0, 1, 1",
        "%q0, %q1, %p0",
        "%q0, %q1, %p0, %r0, 1, 0, 0",
        "{%r0,%r1,%r2,%r3}, %q1, %p0, 1, 1, 1",
        "{%r0,%r1,%r2,%r3}, %q1, %p0, 1, 1, 0, 0",
        "{%r0,%r1}, %q1, %p0, 1, 1, 1",
    ] {
        add("", 16, 16, "f32", ("f16", "f16"), "", "", operands);
    }
    for (selector, pair) in [
        (1, ("f16", "f16")),
        (2, ("f16", "f16")),
        (1, ("e4m3", "e4m3")),
    ] {
        let k = 512 / bits(pair.0);
        let trans = if k == 32 { ", 0, 0" } else { "" };
        let operands = format!("%q0, %q1, %r9, {selector}, %p0, 1, 1{trans}");
        add(".sp", 16, k, "f32", pair, "", "", &operands);
    }
    for line in [
        "wgmma.fence.sync.aligned;",
        "wgmma.fence;",
        "wgmma.commit_group.sync.aligned;",
        "wgmma.commit_group;",
        "wgmma.wait_group.sync.aligned 0;",
        "wgmma.wait_group.sync.aligned 7;",
        "wgmma.wait_group.sync.aligned %r0;",
        "wgmma.wait_group.sync.aligned;",
        "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite {%r0,%r1,%r2,%r3}, %q0, %q1, %p0;",
    ] {
        lines.insert(line.into());
    }
    compare(&lines, &[("8.7", "sm_90a")]);
}

#[test]
fn moves_of_matrices() {
    let mut lines = BTreeSet::new();
    lines.insert("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;".into());
    lines.insert("movmatrix.sync.aligned.m8n8.b16 %r0, %r1;".into());
    for shape in ["m8n8", "m16n16", "m8n16", "m16n8"] {
        for count in [1, 2, 4] {
            for trans in ["", ".trans"] {
                for space in ["", ".shared", ".shared::cta", ".global", ".shared::cluster"] {
                    for ty in ["b16", "b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64", "b32"] {
                        for registers in [count, 2 * count] {
                            let name = format!("sync.aligned.{shape}.x{count}{trans}{space}.{ty}");
                            let registers = vector("r", registers);
                            lines.insert(format!("ldmatrix.{name} {registers}, [%q0];"));
                            lines.insert(format!("stmatrix.{name} [%q0], {registers};"));
                        }
                    }
                }
            }
        }
    }
    lines.insert("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r0,%r1}, [%r2];".into());
    compare(
        &lines,
        &[
            ("8.7", "sm_80"),
            ("8.7", "sm_90a"),
            ("8.7", "sm_100a"),
            ("8.7", "sm_120a"),
        ],
    );
}

#[test]
fn exchanges_between_lanes() {
    let mut lines = BTreeSet::new();
    for sync in [".sync", ""] {
        for mode in ["up", "down", "bfly", "idx", "all"] {
            for ty in ["b32", "u32", "s32", "f32", "b64", "b16"] {
                for dest in ["%r0", "%r0|%p0", "_|%p0"] {
                    lines.insert(format!("shfl{sync}.{mode}.{ty} {dest}, %r1, %r2, 31, -1;"));
                }
            }
        }
        for mode in ["all", "any", "uni", "ballot"] {
            for (ty, dest) in [("pred", "%p0"), ("b32", "%r0")] {
                for src in ["%p1", "!%p1", "1"] {
                    let members = if sync.is_empty() { "" } else { ", %r1" };
                    lines.insert(format!("vote{sync}.{mode}.{ty} {dest}, {src}{members};"));
                }
            }
        }
        for mode in ["any", "all"] {
            for (ty, src) in [
                ("b32", "%r1"),
                ("b64", "%q1"),
                ("u32", "%r1"),
                ("b16", "%h1"),
            ] {
                for dest in ["%r0", "%r0|%p0", "_|%p0"] {
                    lines.insert(format!("match.{mode}{sync}.{ty} {dest}, {src}, -1;"));
                }
            }
        }
        for op in ["add", "min", "max", "and", "or", "xor", "inc"] {
            for ty in ["u32", "s32", "b32", "u64", "u16"] {
                lines.insert(format!("redux{sync}.{op}.{ty} %r0, %r1, %r2;"));
            }
            for modifier in ["", ".abs", ".NaN", ".abs.NaN", ".NaN.abs"] {
                lines.insert(format!("redux{sync}.{op}{modifier}.f32 %f0, %f1, %r2;"));
                lines.insert(format!("redux{sync}.{op}{modifier}.s32 %r0, %r1, %r2;"));
            }
        }
        for dest in ["%r0|%p0", "_|%p0", "%r0", "%p0"] {
            lines.insert(format!("elect{sync} {dest}, %r1;"));
        }
        for ty in ["b32", "u32", "b64"] {
            lines.insert(format!("activemask{sync}.{ty} %r0;"));
        }
    }
    compare(
        &lines,
        &[("8.7", "sm_80"), ("8.7", "sm_90a"), ("8.7", "sm_100a")],
    );
}
