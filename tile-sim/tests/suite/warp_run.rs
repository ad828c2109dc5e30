//! Runs one instruction in one block, with registers that are given lane by lane.

use std::fmt::Write;

use tile_sim::{Arg, Counters, Fault, Launch, Memory, Module, Options};

use crate::random::Random;

/// One value per lane.
pub(crate) type Row = [u64; 32];

/// Registers `%{name}0`, `%{name}1`, ... of 32 or 64 bits.
pub(crate) struct Registers<'a> {
    pub(crate) name: &'a str,
    pub(crate) wide: bool,
    pub(crate) rows: &'a [Row],
}

/// Formats `{%a0, %a1}`.
pub(crate) fn vector(name: &str, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|index| format!("%{name}{index}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Runs [`run_block`] with one warp.
pub(crate) fn run(
    body: &str,
    inputs: &[Registers<'_>],
    dests: usize,
    dest_wide: bool,
    shared: &[u8],
) -> Result<(Vec<Row>, Vec<u8>, Counters), Fault> {
    run_block(1, body, inputs, dests, dest_wide, shared)
}

/// Runs `body` between loads of `inputs` and stores of the registers `%d`. Shared memory is
/// initialized with `shared`, at the address in `%base`. Returns the final contents of `%d` and of
/// shared memory.
///
/// The rows are those of all warps for the first register, then for the second, and so on.
pub(crate) fn run_block(
    warps: usize,
    body: &str,
    inputs: &[Registers<'_>],
    dests: usize,
    dest_wide: bool,
    shared: &[u8],
) -> Result<(Vec<Row>, Vec<u8>, Counters), Fault> {
    let stride = 128 * warps;
    assert_eq!(shared.len() % stride, 0, "each lane copies words");
    let (version, target) = if body.contains("wgmma") {
        ("8.8", "sm_90a")
    } else if body.contains("redux") {
        ("8.8", "sm_100a")
    } else {
        ("9.1", "sm_120a")
    };
    let mut text = format!(".version {version} .target {target} ");
    text.push_str(
        ".address_size 64
         .extern .shared .align 1024 .b8 dynamic[];
         .visible .entry k(.param .u64 in, .param .u64 out, .param .u64 from, .param .u64 to) {
           .reg .b32 %lane, %thread, %base, %word, %at; .reg .b64 %in, %out, %from, %to, %own; .reg .pred %p<8>;\n",
    );
    let bits = |wide| if wide { "b64" } else { "b32" };
    for input in inputs {
        let count = (input.rows.len() / warps).max(1);
        writeln!(text, ".reg .{} %{}<{count}>;", bits(input.wide), input.name).unwrap();
    }
    writeln!(text, ".reg .{} %d<{}>;", bits(dest_wide), dests.max(1)).unwrap();
    text += "mov.u32 %lane, %laneid; mov.u32 %thread, %tid.x; mov.u32 %base, dynamic;
             mul.wide.u32 %own, %thread, 8;
             ld.param.u64 %in, [in]; add.u64 %in, %in, %own;
             ld.param.u64 %out, [out]; add.u64 %out, %out, %own;
             mul.wide.u32 %own, %thread, 4; mad.lo.u32 %at, %thread, 4, %base;
             ld.param.u64 %from, [from]; add.u64 %from, %from, %own;
             ld.param.u64 %to, [to]; add.u64 %to, %to, %own;\n";
    for offset in (0..shared.len()).step_by(stride) {
        writeln!(
            text,
            "ld.global.b32 %word, [%from+{offset}]; st.shared.b32 [%at+{offset}], %word;"
        )
        .unwrap();
    }
    text += "bar.sync 0;\n";
    let mut bytes = Vec::new();
    for input in inputs {
        for (index, rows) in input.rows.chunks(warps).enumerate() {
            let (bits, name, offset) = (bits(input.wide), input.name, bytes.len());
            writeln!(text, "ld.global.{bits} %{name}{index}, [%in+{offset}];").unwrap();
            bytes.extend(rows.iter().flatten().flat_map(|word| word.to_le_bytes()));
        }
    }
    text += body;
    text += "\n";
    for index in 0..dests {
        let bits = bits(dest_wide);
        writeln!(
            text,
            "st.global.{bits} [%out+{}], %d{index};",
            index * 256 * warps
        )
        .unwrap();
    }
    text += "bar.sync 0;\n";
    for offset in (0..shared.len()).step_by(stride) {
        writeln!(
            text,
            "ld.shared.b32 %word, [%at+{offset}]; st.global.b32 [%to+{offset}], %word;"
        )
        .unwrap();
    }
    text += "ret; }";
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{body}"));
    let mut memory = Memory::new();
    let input = memory.alloc_with(&bytes, 16);
    let out = memory.alloc(dests * 256 * warps, 16);
    let from = memory.alloc_with(shared, 16);
    let to = memory.alloc(shared.len(), 16);
    let launch = Launch::new("k")
        .threads(u32::try_from(32 * warps).unwrap())
        .dynamic_shared_bytes(u32::try_from(shared.len()).unwrap())
        .args([input, out, from, to].map(Arg::from));
    let counters = crate::support::launch(&module, &launch, &mut memory, &Options::default())?;
    let rows = memory.bytes(out).unwrap().chunks(256);
    let rows = rows
        .map(|row| {
            std::array::from_fn(|lane| {
                u64::from_le_bytes(row[8 * lane..8 * lane + 8].try_into().unwrap())
            })
        })
        .collect();
    Ok((rows, memory.bytes(to).unwrap().to_vec(), counters))
}

/// Decodes the bits of an element, from the definition of its format.
pub(crate) fn number(ty: &str, bits: u64) -> f64 {
    let float = |exponent_bits: u32, mantissa_bits: u32| {
        let bias = (1i32 << (exponent_bits - 1)) - 1;
        let exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
        let fraction = (bits & ((1 << mantissa_bits) - 1)) as f64 / f64::from(1 << mantissa_bits);
        let magnitude = if exponent == 0 {
            fraction * 2f64.powi(1 - bias)
        } else {
            (1.0 + fraction) * 2f64.powi(exponent - bias)
        };
        if bits >> (exponent_bits + mantissa_bits) & 1 == 1 {
            -magnitude
        } else {
            magnitude
        }
    };
    match ty {
        "f16" => half::f16::from_bits(bits as u16).to_f64(),
        "bf16" => half::bf16::from_bits(bits as u16).to_f64(),
        "tf32" | "f32" => f64::from(f32::from_bits(bits as u32)),
        "f64" => f64::from_bits(bits),
        "e4m3" => float(4, 3),
        "e5m2" => float(5, 2),
        "e3m2" => float(3, 2),
        "e2m3" => float(2, 3),
        "e2m1" => float(2, 1),
        "s8" => f64::from(bits as u8 as i8),
        "u8" => f64::from(bits as u8),
        "s4" => f64::from((bits as u8) << 4) / 16.0 - if bits & 8 != 0 { 16.0 } else { 0.0 },
        "u4" => (bits & 15) as f64,
        "b1" => (bits & 1) as f64,
        "s32" => f64::from(bits as u32 as i32),
        other => panic!("no type {other}"),
    }
}

/// Draws an element for which sums of products are exact in `f64`.
pub(crate) fn element(ty: &str, random: &mut Random) -> u64 {
    let next = random.bits();
    let sign = next >> 63;
    match ty {
        // Exponents within four of zero, and all bits of the mantissa.
        "f16" => sign << 15 | (13 + next % 5) << 10 | next >> 8 & 0x3ff,
        "bf16" => sign << 15 | (125 + next % 5) << 7 | next >> 8 & 0x7f,
        "tf32" => sign << 31 | (125 + next % 5) << 23 | (next >> 8 & 0x3ff) << 13,
        // Integers: sums of their products are exact in any order.
        "f64" => ((next >> 8 & 0xffff) as f64 - 32768.0).to_bits(),
        // Without NaN and infinity, and small enough that sums of halves stay finite.
        "e4m3" => sign << 7 | next % 0x50,
        "e5m2" => sign << 7 | 0x28 + next % 0x20,
        "e3m2" | "e2m3" => next & 0x3f,
        "e2m1" | "s4" | "u4" => next & 15,
        "s8" | "u8" => next & 0xff,
        "b1" => next & 1,
        "f32" => ((next >> 8 & 0xffff) as f32 / 256.0 - 128.0)
            .to_bits()
            .into(),
        "s32" => next & 0xffff_ffff,
        other => panic!("no type {other}"),
    }
}

/// Returns the bits of a sum in its type.
pub(crate) fn sum_bits(ty: &str, sum: f64) -> u64 {
    match ty {
        "f16" => {
            // `half` may round twice; this selects the nearest of the neighbors, ties to even.
            let near = half::f16::from_f64(sum).to_bits();
            let error = |bits: u16| (half::f16::from_bits(bits).to_f64() - sum).abs();
            assert!(sum.abs() < 65504.0, "{sum} is no sum of halves");
            [near, near.wrapping_sub(1), near.wrapping_add(1)]
                .into_iter()
                .filter(|&bits| half::f16::from_bits(bits).is_finite())
                .min_by(|&x, &y| error(x).total_cmp(&error(y)).then((x & 1).cmp(&(y & 1))))
                .map_or(u64::from(near), u64::from)
        }
        "f32" => u64::from((sum as f32).to_bits()),
        "f64" => sum.to_bits(),
        "s32" => sum as i64 as u64 & 0xffff_ffff,
        other => panic!("no type {other}"),
    }
}
