//! Runs single instructions over arrays of operands.
#![allow(dead_code, reason = "each test file uses a part")]

use tile_sim::{Arg, Counters, Fault, FaultKind, Launch, Memory, Module, Options};

use crate::random::Random;

/// Runs a kernel whose results are compared with an oracle, and records the executed instructions.
pub(crate) fn launch(
    module: &Module,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
) -> Result<Counters, Fault> {
    let result = module.launch(launch, memory, options);
    match &result {
        Ok(counters) => crate::executed::record(module, launch.entry(), counters),
        // The expected result of such a kernel is the fault.
        Err(Fault {
            kind: FaultKind::Trap,
            ..
        }) => crate::executed::record_line("trap"),
        Err(_) => {}
    }
    result
}

/// Returns a module with a kernel `k` whose parameters `a`, `b`, `c`, `d` are addresses.
pub(crate) fn module(body: &str) -> Module {
    module_for("sm_90a", body)
}

/// Returns the same module for another target.
pub(crate) fn module_for(target: &str, body: &str) -> Module {
    let text = format!(
        ".version 8.8\n.target {target}\n.address_size 64\n.extern .shared .align 1024 .b8 dynamic[];\n\
         .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{\n\
         .reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b64 %d<32>;\n{body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The number of bits per element of each register class in `apply`.
#[derive(Clone, Copy)]
pub(crate) enum Width {
    B16,
    B32,
    B64,
}

impl Width {
    fn bytes(self) -> usize {
        match self {
            Self::B16 => 2,
            Self::B32 => 4,
            Self::B64 => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::B16 => "b16",
            Self::B32 => "b32",
            Self::B64 => "b64",
        }
    }
}

fn pack(values: &[u64], width: Width) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes()[..width.bytes()].to_vec())
        .collect()
}

fn unpack(bytes: &[u8], width: Width) -> Vec<u64> {
    bytes
        .chunks(width.bytes())
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect()
}

/// Runs `body`, which computes `%out` from `%x`, `%y` and `%z`, once for each triple.
pub(crate) fn apply(body: &str, inputs: Width, output: Width, triples: &[[u64; 3]]) -> Vec<u64> {
    apply_on("sm_90a", body, inputs, output, triples)
}

/// Does the same for another target.
pub(crate) fn apply_on(
    target: &str,
    body: &str,
    inputs: Width,
    output: Width,
    triples: &[[u64; 3]],
) -> Vec<u64> {
    let (from, to) = (inputs.name(), output.name());
    let module = module_for(
        target,
        &format!(
            ".reg .{from} %x, %y, %z; .reg .{to} %out;
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 32, %r0;
         mul.wide.u32 %d0, %r0, {size}; mul.wide.u32 %d1, %r0, {out};
         ld.param.u64 %d2, [a]; add.u64 %d2, %d2, %d0; ld.global.{from} %x, [%d2];
         ld.param.u64 %d2, [b]; add.u64 %d2, %d2, %d0; ld.global.{from} %y, [%d2];
         ld.param.u64 %d2, [c]; add.u64 %d2, %d2, %d0; ld.global.{from} %z, [%d2];
         {body}
         ld.param.u64 %d2, [d]; add.u64 %d2, %d2, %d1; st.global.{to} [%d2], %out;",
            size = inputs.bytes(),
            out = output.bytes(),
        ),
    );
    let blocks = triples.len().div_ceil(32);
    let mut memory = Memory::new();
    let mut args = Vec::new();
    for operand in 0..3 {
        let mut values: Vec<u64> = triples.iter().map(|triple| triple[operand]).collect();
        values.resize(blocks * 32, 1);
        args.push(memory.alloc_with(&pack(&values, inputs), 16));
    }
    let out = memory.alloc(blocks * 32 * output.bytes(), 16);
    args.push(out);
    let launch = Launch::new("k")
        .grid([u32::try_from(blocks).unwrap(), 1, 1])
        .threads(32)
        .args(args.into_iter().map(Arg::from));
    self::launch(&module, &launch, &mut memory, &Options::default())
        .unwrap_or_else(|fault| panic!("{body}: {fault}"));
    let mut results = unpack(memory.bytes(out).unwrap(), output);
    results.truncate(triples.len());
    results
}

/// Compares `body` with a function of the same operands.
pub(crate) fn same(
    body: &str,
    inputs: Width,
    output: Width,
    triples: &[[u64; 3]],
    expected: impl Fn(u64, u64, u64) -> u64,
) {
    let actual = apply(body, inputs, output, triples);
    for (&[x, y, z], actual) in triples.iter().zip(actual) {
        let expected = expected(x, y, z);
        assert_eq!(
            actual, expected,
            "{body} of {x:#x}, {y:#x}, {z:#x}: {actual:#x}, not {expected:#x}"
        );
    }
}

/// Returns special values of 64, 32 or 16 bits in all pairs and some triples, and random values.
pub(crate) fn operands(count: usize, bits: u32) -> Vec<[u64; 3]> {
    let mask = u64::MAX >> (64 - bits);
    let sign = 1u64 << (bits - 1);
    let special = [
        0,
        1,
        2,
        7,
        31,
        32,
        33,
        63,
        64,
        sign,
        sign - 1,
        sign + 1,
        mask,
        mask - 1,
        mask >> 2,
        0x5555_5555_5555_5555 & mask,
    ];
    let mut random = Random::new(0x1234_5678);
    let mut next = || random.bits() & mask;
    let mut triples = Vec::new();
    for x in special {
        for y in special {
            triples.push([x, y, special[triples.len() % special.len()]]);
        }
    }
    triples.extend((0..count).map(|_| [next(), next(), next()]));
    triples
}

/// Returns special f32 numbers, and random ones of all magnitudes.
pub(crate) fn singles(count: usize) -> Vec<[u64; 3]> {
    let special = [
        0.0f32,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-45,
        f32::MAX,
        f32::MIN,
        16_777_217.0,
        0.1,
        3.0,
        1.000_000_1,
        2_147_483_648.0,
        -2_147_483_648.0,
        4_294_967_296.0,
        65504.0,
        65520.0,
        6e-8,
    ]
    .map(|value| u64::from(value.to_bits()));
    let mut triples = Vec::new();
    for x in special {
        for y in special {
            triples.push([x, y, special[triples.len() % special.len()]]);
        }
    }
    triples.extend(operands(count, 32));
    triples
}

pub(crate) const NAN32: u64 = 0x7fff_ffff;

pub(crate) fn bits32(value: f32) -> u64 {
    if value.is_nan() {
        NAN32
    } else {
        u64::from(value.to_bits())
    }
}

pub(crate) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Runs `body` once with a block of `threads` threads. `d` is an array of 1024 words.
pub(crate) fn run(body: &str, threads: u32, dynamic: u32) -> Result<(Vec<u32>, Counters), Fault> {
    run_seeded(body, threads, dynamic, 0)
}

/// Does the same as [`run`] for another target.
pub(crate) fn run_on(
    target: &str,
    body: &str,
    threads: u32,
    dynamic: u32,
) -> Result<Vec<u32>, Fault> {
    run_seeded_on(target, body, threads, dynamic, 0)
}

pub(crate) fn run_seeded_on(
    target: &str,
    body: &str,
    threads: u32,
    dynamic: u32,
    seed: u64,
) -> Result<Vec<u32>, Fault> {
    let module = module_for(target, body);
    Ok(run_module(&module, threads, dynamic, seed)?.0)
}

pub(crate) fn run_seeded(
    body: &str,
    threads: u32,
    dynamic: u32,
    seed: u64,
) -> Result<(Vec<u32>, Counters), Fault> {
    run_module(&module(body), threads, dynamic, seed)
}

fn run_module(
    module: &Module,
    threads: u32,
    dynamic: u32,
    seed: u64,
) -> Result<(Vec<u32>, Counters), Fault> {
    let mut memory = Memory::new();
    let source: Vec<u8> = (0..1024u32).flat_map(u32::to_le_bytes).collect();
    let a = memory.alloc_with(&source, 128);
    let out = memory.alloc(4096, 128);
    let launch = Launch::new("k")
        .threads(threads)
        .dynamic_shared_bytes(dynamic)
        .args([a, 0, 0, out].map(Arg::from));
    let options = Options {
        seed,
        max_instructions: 1 << 20,
        ..Options::default()
    };
    let counters = self::launch(module, &launch, &mut memory, &options)?;
    let words = memory.bytes(out).unwrap().chunks(4);
    Ok((
        words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect(),
        counters,
    ))
}
