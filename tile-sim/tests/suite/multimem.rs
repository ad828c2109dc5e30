//! Tests of `multimem`: loads, stores and reductions of all replicas.

use half::{bf16, f16};
use tile_sim::{Arg, Argument, Fault, FaultKind, Launch, Memory, Module, Options, RunOptions};

use crate::random::Random;

const THREADS: usize = 32;

/// The number of bytes per lane in all tests.
const PER_LANE: usize = 16;

fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.8\n.target sm_100a\n.address_size 64\n\
         .visible .entry k(.param .u64 replicas, .param .u64 values, .param .u64 out) {{\n\
         .reg .pred %p<4>; .reg .b8 %b<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n\
         mov.u32 %r0, %tid.x; mul.wide.u32 %d0, %r0, {PER_LANE};\n\
         ld.param.u64 %d1, [replicas]; add.u64 %d1, %d1, %d0;\n\
         ld.param.u64 %d2, [values]; add.u64 %d2, %d2, %d0;\n\
         ld.param.u64 %d3, [out]; add.u64 %d3, %d3, %d0;\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the final contents of the replicas and of `out`.
fn launch(
    body: &str,
    replicas: &[Vec<u8>],
    values: &[u8],
    seed: u64,
) -> Result<(Vec<Vec<u8>>, Vec<u8>), Fault> {
    launch_with(THREADS, body, replicas, values, seed)
}

fn launch_threads(
    threads: usize,
    body: &str,
    replicas: &[Vec<u8>],
    seed: u64,
) -> Result<(Vec<Vec<u8>>, Vec<u8>), Fault> {
    launch_with(threads, body, replicas, &[], seed)
}

fn launch_with(
    threads: usize,
    body: &str,
    replicas: &[Vec<u8>],
    values: &[u8],
    seed: u64,
) -> Result<(Vec<Vec<u8>>, Vec<u8>), Fault> {
    let mut memory = Memory::new();
    let bases: Vec<u64> = replicas
        .iter()
        .map(|bytes| memory.alloc_with(bytes, 128))
        .collect();
    let multicast = memory
        .multicast(&bases, replicas[0].len())
        .expect("they are allocated");
    let values = memory.alloc_with(values, 128);
    let out = memory.alloc(PER_LANE * THREADS, 128);
    let launch = Launch::new("k")
        .threads(threads as u32)
        .args([multicast, values, out].map(Arg::from));
    let options = Options {
        seed,
        ..Options::default()
    };
    crate::support::launch(&module(body), &launch, &mut memory, &options)?;
    let bytes = |address| memory.bytes(address).expect("allocated").to_vec();
    Ok((bases.into_iter().map(bytes).collect(), bytes(out)))
}

/// A type: its name, its size, and functions that encode and decode an element.
#[derive(Clone, Copy)]
struct Element {
    name: &'static str,
    bytes: usize,
}

const fn element(name: &'static str, bytes: usize) -> Element {
    Element { name, bytes }
}

/// Returns the register with number `index` for elements of `bytes` bytes.
fn register(bytes: usize, index: usize) -> String {
    let class = match bytes {
        1 => "b",
        2 => "h",
        4 => "r",
        _ => "d",
    };
    // The first registers hold addresses.
    let index = if bytes == 8 { index + 4 } else { index };
    format!("%{class}{index}")
}

/// Formats registers as an operand.
fn operand(bytes: usize, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|index| register(bytes, index)).collect();
    if count == 1 {
        names[0].clone()
    } else {
        format!("{{{}}}", names.join(", "))
    }
}

/// Loads or stores the registers one by one.
fn each(op: &str, address: &str, bytes: usize, count: usize) -> String {
    let line = |index| {
        let (register, offset) = (register(bytes, index), index * bytes);
        let bits = bytes * 8;
        if op == "ld" {
            format!("ld.global.b{bits} {register}, [{address}+{offset}];\n")
        } else {
            format!("st.global.b{bits} [{address}+{offset}], {register};\n")
        }
    };
    (0..count).map(line).collect()
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Decodes an 8-bit format by its definition: sign, exponent and mantissa.
fn byte_value(name: &str, bits: u8) -> f64 {
    let (mantissa_bits, bias) = if name.starts_with("e4m3") {
        (3, 7)
    } else {
        (2, 15)
    };
    let magnitude = i32::from(bits & 0x7f);
    let (exponent, mantissa) = (
        magnitude >> mantissa_bits,
        magnitude & ((1 << mantissa_bits) - 1),
    );
    let one = f64::from(1 << mantissa_bits);
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    let top = (1 << (7 - mantissa_bits)) - 1;
    if mantissa_bits == 3 && magnitude == 0x7f
        || mantissa_bits == 2 && exponent == top && mantissa != 0
    {
        return f64::NAN;
    }
    if mantissa_bits == 2 && exponent == top {
        return sign * f64::INFINITY;
    }
    let value = if exponent == 0 {
        f64::from(mantissa) / one * 2f64.powi(1 - bias)
    } else {
        (1.0 + f64::from(mantissa) / one) * 2f64.powi(exponent - bias)
    };
    sign * value
}

/// Returns the byte whose value is nearest, ties to even, saturating to the largest number.
fn byte_of(name: &str, value: f64) -> u8 {
    if value.is_nan() {
        return 0x7f;
    }
    // An infinite sum saturates too.
    let value = value.clamp(-1e9, 1e9);
    let finite = (0..0x7f).filter(|&bits| byte_value(name, bits).is_finite());
    let nearest = finite.min_by(|&a, &b| {
        let distance = |bits| (byte_value(name, bits) - value.abs()).abs();
        let even = |bits: u8| bits & 1;
        distance(a)
            .total_cmp(&distance(b))
            .then(even(a).cmp(&even(b)))
    });
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    nearest.expect("there are numbers") | sign
}

/// Reduces the elements of all replicas in order.
fn expected(operation: &str, accumulator: &str, name: &str, values: &[u64]) -> u64 {
    let name = name.trim_end_matches("x2").trim_end_matches("x4");
    let fold =
        |f: &dyn Fn(u64, u64) -> u64| values[1..].iter().fold(values[0], |sum, &x| f(sum, x));
    let float = |decode: &dyn Fn(u64) -> f64, to: &dyn Fn(f64) -> u64| {
        fold(&|a, b| {
            let (x, y) = (decode(a), decode(b));
            match operation {
                "add" => to(x + y),
                // The values contain no NaN, and -0 is less than +0.
                "min" => to(if x.total_cmp(&y).is_lt() { x } else { y }),
                _ => to(if x.total_cmp(&y).is_gt() { x } else { y }),
            }
        })
    };
    let single = |bits: u64| f32::from_bits(bits as u32);
    match (name, accumulator) {
        ("f16", "acc::f32") => {
            let sum = values.iter().map(|&x| f16::from_bits(x as u16).to_f32());
            f16::from_f32(sum.reduce(|a, b| a + b).unwrap())
                .to_bits()
                .into()
        }
        ("bf16", "acc::f32") => {
            let sum = values.iter().map(|&x| bf16::from_bits(x as u16).to_f32());
            bf16::from_f32(sum.reduce(|a, b| a + b).unwrap())
                .to_bits()
                .into()
        }
        ("e4m3" | "e5m2", "acc::f16") => {
            let sum = values
                .iter()
                .map(|&x| f16::from_f64(byte_value(name, x as u8)));
            let sum = sum
                .reduce(|a, b| f16::from_f64(a.to_f64() + b.to_f64()))
                .unwrap();
            byte_of(name, sum.to_f64()).into()
        }
        // Sums of two are exact in the wider type.
        ("f16", _) => float(&|x| f16::from_bits(x as u16).to_f64(), &|x| {
            f16::from_f64(x).to_bits().into()
        }),
        ("bf16", _) => float(&|x| bf16::from_bits(x as u16).to_f64(), &|x| {
            bf16::from_f64(x).to_bits().into()
        }),
        ("e4m3" | "e5m2", _) => float(&|x| byte_value(name, x as u8), &|x| byte_of(name, x).into()),
        ("f32", _) => fold(&|a, b| (single(a) + single(b)).to_bits().into()),
        ("f64", _) => fold(&|a, b| (f64::from_bits(a) + f64::from_bits(b)).to_bits()),
        _ => {
            let bits: u32 = name[1..].parse().expect("a width");
            let mask = u64::MAX >> (64 - bits);
            let signed = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
            let less = |a: u64, b: u64| {
                if name.starts_with('s') {
                    signed(a) < signed(b)
                } else {
                    a < b
                }
            };
            fold(&|a, b| match operation {
                "add" => a.wrapping_add(b) & mask,
                "and" => a & b,
                "or" => a | b,
                "xor" => a ^ b,
                "min" => {
                    if less(a, b) {
                        a
                    } else {
                        b
                    }
                }
                _ => {
                    if less(a, b) {
                        b
                    } else {
                        a
                    }
                }
            })
        }
    }
}

/// Returns the size of an element of a possibly packed type in bytes.
fn element_bytes(name: &str) -> usize {
    match name.trim_end_matches("x2").trim_end_matches("x4") {
        "e4m3" | "e5m2" => 1,
        "f16" | "bf16" => 2,
        other if other.ends_with("64") => 8,
        _ => 4,
    }
}

/// Generates numbers of moderate size and either sign, without NaN; for integers, any bits.
fn numbers(name: &str, seed: u64, count: usize) -> Vec<u8> {
    let bytes = element_bytes(name);
    let mut random = Random::new(seed);
    let mut next = || random.bits();
    let mut out = Vec::new();
    while out.len() < count {
        let draw = next();
        let fraction = (draw >> 40) as f64 / f64::from(1 << 20) - 8.0;
        let bits = match name.trim_end_matches("x2").trim_end_matches("x4") {
            "f16" => f16::from_f64(fraction).to_bits().into(),
            "bf16" => bf16::from_f64(fraction).to_bits().into(),
            "f32" => (fraction as f32).to_bits().into(),
            "f64" => fraction.to_bits(),
            // All numbers, including the largest; neither NaN nor infinity.
            "e4m3" => loop {
                let bits = next() & 0xff;
                if byte_value("e4m3", bits as u8).is_finite() {
                    break bits;
                }
            },
            "e5m2" => loop {
                let bits = next() & 0xff;
                if byte_value("e5m2", bits as u8).is_finite() {
                    break bits;
                }
            },
            _ => draw,
        };
        out.extend_from_slice(&bits.to_le_bytes()[..bytes]);
    }
    out
}

const INTEGERS: [Element; 4] = [
    element("u32", 4),
    element("s32", 4),
    element("u64", 8),
    element("s64", 8),
];

/// Returns all forms that load and reduce: operation, accumulator, type, registers.
fn loads() -> Vec<(&'static str, &'static str, Element, usize)> {
    let mut forms = Vec::new();
    for ty in INTEGERS {
        for operation in ["add", "min", "max"] {
            if operation != "add" || ty.name != "s64" {
                forms.push((operation, "", ty, 1));
            }
        }
    }
    for ty in [element("b32", 4), element("b64", 8)] {
        forms.extend(["and", "or", "xor"].map(|operation| (operation, "", ty, 1)));
    }
    forms.extend([1, 2, 4].map(|count| ("add", "", element("f32", 4), count)));
    forms.push(("add", "", element("f64", 8), 1));
    for (ty, counts) in [
        (element("f16", 2), &[2, 4, 8][..]),
        (element("bf16", 2), &[2, 4, 8]),
        (element("f16x2", 4), &[1, 2, 4]),
        (element("bf16x2", 4), &[1, 2, 4]),
        (element("e4m3", 1), &[4, 8]),
        (element("e5m2", 1), &[4, 8]),
        (element("e4m3x2", 2), &[2, 4, 8]),
        (element("e5m2x2", 2), &[2, 4, 8]),
        (element("e4m3x4", 4), &[1, 2, 4]),
        (element("e5m2x4", 4), &[1, 2, 4]),
    ] {
        for &count in counts {
            let accumulator = if ty.name.starts_with('e') {
                "acc::f16"
            } else {
                "acc::f32"
            };
            forms.push(("add", accumulator, ty, count));
            forms.extend(["add", "min", "max"].map(|operation| (operation, "", ty, count)));
        }
    }
    forms
}

#[test]
fn loads_reduce_all_replicas() {
    let forms = loads().into_iter().enumerate();
    let ordered = forms.flat_map(|(number, form)| {
        let other = [".weak", ".relaxed.gpu", ".acquire.sys"][number % 3];
        let strong = form.2.name == "f64" && other == ".weak";
        ["", if strong { ".relaxed.gpu" } else { other }].map(|order| (number, order, form))
    });
    for (number, order, (operation, accumulator, ty, count)) in ordered {
        let precision = if accumulator.is_empty() {
            String::new()
        } else {
            format!(".{accumulator}")
        };
        let vector = if count == 1 {
            String::new()
        } else {
            format!(".v{count}")
        };
        let instruction = format!(
            "multimem.ld_reduce{order}.global.{operation}{precision}{vector}.{} {}, [%d1];",
            ty.name,
            operand(ty.bytes, count)
        );
        let body = format!("{instruction}\n{}", each("st", "%d3", ty.bytes, count));
        let counts: &[u64] = if order.is_empty() {
            &[1, 2, 3, 5]
        } else {
            &[3]
        };
        for &replicas in counts {
            let contents: Vec<Vec<u8>> = (0..replicas)
                .map(|replica| numbers(ty.name, 7 * number as u64 + replica, PER_LANE * THREADS))
                .collect();
            let (after, out) = launch(&body, &contents, &[0; PER_LANE * THREADS], 0)
                .unwrap_or_else(|fault| panic!("{instruction}: {fault}"));
            assert_eq!(after, contents, "nothing is stored");
            let size = element_bytes(ty.name);
            for lane in 0..THREADS {
                for offset in (0..ty.bytes * count).step_by(size) {
                    let offset = lane * PER_LANE + offset;
                    let elements: Vec<u64> = contents
                        .iter()
                        .map(|bytes| word(&bytes[offset..offset + size]))
                        .collect();
                    let expected = expected(operation, accumulator, ty.name, &elements);
                    let actual = word(&out[offset..offset + size]);
                    assert_eq!(actual, expected, "{instruction} of {elements:x?}");
                }
            }
        }
    }
}

#[test]
fn stores_and_reductions_reach_all_replicas() {
    let mut forms = Vec::new();
    for (operation, accumulator, ty, count) in loads() {
        let is_byte = ty.name.starts_with('e');
        let is_float = ty.name.contains('f');
        if accumulator.is_empty() && !is_byte && (!is_float || operation == "add") {
            forms.push((operation, ty, count));
        }
        if accumulator.is_empty() {
            forms.push(("", ty, count));
        }
    }
    let forms = forms.into_iter().enumerate();
    let ordered = forms.flat_map(|form| [false, true].map(|ordered| (form, ordered)));
    for ((number, (operation, ty, count)), is_ordered) in ordered {
        let vector = if count == 1 {
            String::new()
        } else {
            format!(".v{count}")
        };
        let order = if operation.is_empty() {
            [".weak", ".relaxed.cta", ".release.gpu"][number % 3]
        } else {
            [".relaxed.cluster", ".relaxed.gpu", ".release.sys"][number % 3]
        };
        let order = if is_ordered { order } else { "" };
        let verb = if operation.is_empty() {
            "st".into()
        } else {
            format!("red{order}.global.{operation}")
        };
        let verb = if operation.is_empty() {
            format!("{verb}{order}.global")
        } else {
            verb
        };
        let instruction = format!(
            "multimem.{verb}{vector}.{} [%d1], {};",
            ty.name,
            operand(ty.bytes, count)
        );
        let body = format!("{}{instruction}", each("ld", "%d2", ty.bytes, count));
        let contents: Vec<Vec<u8>> = (0..3)
            .map(|replica| numbers(ty.name, 11 * number as u64 + replica, PER_LANE * THREADS))
            .collect();
        let values = numbers(ty.name, 1 << 40, PER_LANE * THREADS);
        let (after, _) = launch(&body, &contents, &values, 0)
            .unwrap_or_else(|fault| panic!("{instruction}: {fault}"));
        let size = element_bytes(ty.name);
        for (before, after) in contents.iter().zip(&after) {
            for offset in (0..PER_LANE * THREADS).step_by(size) {
                let [old, new, actual] =
                    [before, &values, after].map(|bytes| word(&bytes[offset..offset + size]));
                let expected = if offset % PER_LANE >= ty.bytes * count {
                    old
                } else if operation.is_empty() {
                    new
                } else {
                    expected(operation, "", ty.name, &[old, new])
                };
                assert_eq!(actual, expected, "{instruction} of {old:x}, {new:x}");
            }
        }
    }
}

/// All threads of all warps add to one word of each replica.
#[test]
fn reductions_of_threads_are_atomic() {
    for seed in 0..5 {
        let body =
            "ld.param.u64 %d1, [replicas]; mov.u32 %r1, 3; multimem.red.add.u32 [%d1+8], %r1;";
        let (after, _) =
            launch(body, &[vec![0; 512], vec![1; 512]], &[0; 512], seed).expect("no race");
        assert_eq!(word(&after[0][8..12]), 96);
        assert_eq!(word(&after[1][8..12]), 0x0101_0101 + 96);
    }
}

#[test]
fn addresses_without_replicas_are_faults() {
    let replicas = [vec![0; 512], vec![0; 512]];
    let fault = |body: &str| launch(body, &replicas, &[0; 512], 0).expect_err(body);
    for body in [
        "multimem.ld_reduce.add.u32 %r1, [%d2];",
        "multimem.st.b32 [%d2], %r0;",
        "multimem.red.add.u32 [%d2], %r0;",
    ] {
        let fault = fault(body);
        assert!(matches!(fault.kind, FaultKind::Multimem(_)), "{fault}");
        assert!(fault.to_string().contains("Memory::multicast"), "{fault}");
    }
    // One access is beyond the last byte, and one crosses it.
    let beyond = fault("multimem.ld_reduce.add.u32 %r1, [%d1+16];");
    assert!(
        beyond.to_string().contains("begins at byte 512 of 512"),
        "{beyond}"
    );
    assert_eq!(beyond.lane, Some(31));
    let misaligned = fault("multimem.ld_reduce.add.v2.f32 {%r1, %r2}, [%d1+4];");
    assert!(
        matches!(misaligned.kind, FaultKind::Misaligned { bytes: 8, .. }),
        "{misaligned}"
    );
    // The reverse direction.
    for body in [
        "ld.global.u32 %r1, [%d1];",
        "red.global.add.u32 [%d1], %r0;",
    ] {
        let fault = fault(body);
        assert!(
            matches!(fault.kind, FaultKind::OutOfBounds { .. }),
            "{fault}"
        );
        assert!(
            fault.to_string().contains("which only `multimem` takes"),
            "{fault}"
        );
    }
}

#[test]
fn accesses_of_replicas_race() {
    // One of the two warps executes the first half of the instructions.
    let text = |first: &str, second: &str| {
        format!(
            "ld.param.u64 %d1, [replicas]; setp.ge.u32 %p1, %r0, 32; @%p1 bra SECOND;
             setp.ne.u32 %p2, %r0, 0; @%p2 bra END; {first} bra END;
             SECOND: setp.ne.u32 %p2, %r0, 32; @%p2 bra END; {second} END: ret;"
        )
    };
    let store = "multimem.st.b32 [%d1+4], %r0;";
    let reduce = "multimem.red.add.u32 [%d1+4], %r0;";
    let load = "multimem.ld_reduce.add.u32 %r1, [%d1+4];";
    let strong = "multimem.ld_reduce.relaxed.gpu.add.u32 %r1, [%d1+4];";
    for (first, second, races) in [
        (store, store, true),
        (store, load, true),
        (reduce, load, true),
        (reduce, store, true),
        (reduce, reduce, false),
        (reduce, strong, false),
        (load, load, false),
    ] {
        for seed in 0..4 {
            let result = launch_threads(
                64,
                &text(first, second),
                &[vec![0; 512], vec![0; 512]],
                seed,
            );
            match result {
                Err(fault) => {
                    assert!(
                        races && matches!(fault.kind, FaultKind::Race { .. }),
                        "{first} {second} {fault}"
                    );
                }
                Ok(_) => assert!(!races, "{first} {second}"),
            }
        }
    }
}

/// One of two replicas is accessed by its own address.
#[test]
fn a_replica_races_with_what_is_done_to_all() {
    let text = ".version 8.1\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 all, .param .u64 one) {\n\
         .reg .pred %p1; .reg .b32 %r<4>; .reg .b64 %d<4>;\n\
         mov.u32 %r0, %tid.x; ld.param.u64 %d0, [all]; ld.param.u64 %d1, [one];\n\
         setp.eq.u32 %p1, %r0, 0; @%p1 multimem.st.u32 [%d0], %r0;\n\
         BARRIER setp.eq.u32 %p1, %r0, 32; @%p1 st.global.u32 [%d1], %r0; }";
    for (barrier, races) in [("", true), ("bar.sync 0;", false)] {
        let module = Module::parse(&text.replace("BARRIER", barrier)).expect("it is PTX");
        let mut memory = Memory::new();
        let bases = [memory.alloc(64, 16), memory.alloc(64, 16)];
        let multicast = memory.multicast(&bases, 64).expect("allocated");
        let launch = Launch::new("k")
            .threads(64)
            .args([multicast, bases[1]].map(Arg::from));
        let result = crate::support::launch(&module, &launch, &mut memory, &Options::default());
        assert_eq!(result.is_err(), races, "{barrier}");
        if let Err(fault) = result {
            assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        }
    }
}

#[test]
#[should_panic(expected = "aligned to 16 bytes")]
fn replicas_are_aligned() {
    let mut memory = Memory::new();
    let base = memory.alloc(64, 16);
    let _ = memory.multicast(&[base + 8], 8);
}

#[test]
fn replicas_are_allocated() {
    let mut memory = Memory::new();
    let base = memory.alloc(64, 16);
    memory.multicast(&[base], 64).expect("all of it");
    memory
        .multicast(&[base, base + 16], 64)
        .expect_err("the second ends before");
}

/// Tests bulk copies and reductions from shared memory to all replicas.
#[test]
fn bulk_copies_reach_all_replicas() {
    let words = |bytes: &[u8]| -> Vec<u32> {
        let words = bytes.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    };
    let kernel = |copy: &str, wait: &str| {
        format!(
            ".version 9.1\n.target sm_100\n.address_size 64\n\
             .visible .entry k(.param .u64 all) {{\n\
             .shared .align 16 .b8 tile[512]; .reg .pred %p<2>; .reg .b16 %h1; .reg .b32 %r<8>; .reg .b64 %d<4>;\n\
             mov.u32 %r0, %tid.x; ld.param.u64 %d0, [all]; mad.lo.u32 %r1, %r0, 4, tile;\n\
             mul.lo.u32 %r2, %r0, 17; st.shared.u32 [%r1], %r2;\n\
             fence.proxy.async.shared::cta; bar.sync 0;\n\
             setp.ne.u32 %p0, %r0, 0; @%p0 bra END; mov.u32 %r3, 256; mov.b16 %h1, 0x0ff0;\n\
             {copy}\n cp.async.bulk.commit_group; {wait} END: ret; }}"
        )
    };
    let before: Vec<Vec<u8>> = (0..3u8).map(|replica| vec![replica; 512]).collect();
    let launch = |text: &str, pick: fn(u64, u64) -> u64| {
        let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let mut memory = Memory::new();
        let bases: Vec<u64> = before
            .iter()
            .map(|bytes| memory.alloc_with(bytes, 128))
            .collect();
        let multicast = memory.multicast(&bases, 512).expect("allocated");
        let launch = Launch::new("k")
            .threads(128)
            .args([pick(multicast, bases[0])].map(Arg::from));
        crate::support::launch(&module, &launch, &mut memory, &Options::default())?;
        Ok::<_, Fault>(
            bases
                .iter()
                .map(|&base| words(memory.bytes(base).unwrap()))
                .collect::<Vec<_>>(),
        )
    };
    let wait = "cp.async.bulk.wait_group 0;";
    for (copy, f) in [
        (
            "multimem.cp.async.bulk.global.shared::cta.bulk_group",
            (|_, new, _| new) as fn(u32, u32, usize) -> u32,
        ),
        (
            "multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask",
            |old, new, index| {
                // The mask selects the middle eight of each 16 bytes.
                if matches!(index % 4, 1 | 2) { new } else { old }
            },
        ),
        (
            "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
            |old, new, _| old.wrapping_add(new),
        ),
        (
            "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32",
            |old, new, _| old ^ new,
        ),
        (
            "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32",
            |old, new, _| old.max(new),
        ),
    ] {
        let mask = if copy.ends_with("cp_mask") {
            ", %h1"
        } else {
            ""
        };
        let text = kernel(&format!("{copy} [%d0+128], [tile+64], %r3{mask};"), wait);
        let after = launch(&text, |multicast, _| multicast)
            .unwrap_or_else(|fault| panic!("{copy}: {fault}"));
        for (before, after) in before.iter().zip(after) {
            for (index, (old, actual)) in words(before).into_iter().zip(after).enumerate() {
                let expected = if (32..96).contains(&index) {
                    f(old, (index as u32 - 32 + 16) * 17, index)
                } else {
                    old
                };
                assert_eq!(actual, expected, "{copy} word {index}");
            }
        }
        let fault = launch(&text, |_, one| one).expect_err("a plain address");
        assert!(matches!(fault.kind, FaultKind::Multimem(_)), "{fault}");
        let text = kernel(&format!("{copy} [%d0+384], [tile+64], %r3{mask};"), wait);
        let fault = launch(&text, |multicast, _| multicast).expect_err("beyond the replicas");
        assert!(fault.to_string().contains("byte 384 of 512"), "{fault}");
        let text = kernel(&format!("{copy} [%d0], [tile], %r3{mask};"), "");
        let fault = launch(&text, |multicast, _| multicast).expect_err("not waited for");
        assert!(matches!(fault.kind, FaultKind::NotAwaited(_)), "{fault}");
    }
}

#[test]
fn run_takes_replicas() {
    let text = ".version 8.1\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 all, .param .u64 out) {\n\
         .reg .b32 %r<4>; .reg .b64 %d<4>;\n\
         ld.param.u64 %d0, [all]; ld.param.u64 %d1, [out];\n\
         multimem.ld_reduce.max.s32 %r0, [%d0+4]; st.global.u32 [%d1], %r0;\n\
         mov.u32 %r1, 9; multimem.st.u32 [%d0], %r1; }";
    let (mut first, mut second, mut out) = ([1, -5], [2, -3], [0]);
    let args = [
        Argument::replicas([&mut first[..], &mut second[..]]),
        Argument::in_out(&mut out),
    ];
    let report = tile_sim::run(text, "k", 1, 1, args, RunOptions::default()).expect("it is PTX");
    assert!(report.fault().is_none(), "{report}");
    assert_eq!((first, second, out), ([9, -5], [9, -3], [-3]));
}
