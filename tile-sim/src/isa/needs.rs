//! Requirements on the target and the PTX version: the "PTX ISA Notes" and "Target ISA Notes" of
//! each instruction, beyond PTX 7.0 and `sm_70`.
//!
//! A rule matches an opcode and modifiers at any position after it. An instruction must meet every
//! rule that matches.

use crate::parse::target::{Target, Version};

/// The requirement of instructions with certain opcodes and modifiers.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Matches one of these opcodes; an empty list matches any.
    opcodes: &'static [&'static str],
    /// Matches if all of these modifiers are present.
    modifiers: &'static [&'static str],
    pub(crate) version: (u8, u8),
    pub(crate) targets: &'static [Target],
}

const fn rule(
    opcodes: &'static [&'static str],
    modifiers: &'static [&'static str],
    version: (u8, u8),
    targets: &'static [Target],
) -> Rule {
    Rule {
        opcodes,
        modifiers,
        version,
        targets,
    }
}

const SM_75: &[Target] = &[Target::from(75)];
const SM_80: &[Target] = &[Target::from(80)];
const SM_86: &[Target] = &[Target::from(86)];
const SM_89: &[Target] = &[Target::from(89)];
const SM_90: &[Target] = &[Target::from(90)];
const SM_100: &[Target] = &[Target::from(100)];
const SM_70: &[Target] = &[Target::from(70)];
const SM_90A: &[Target] = &[Target::only(90)];
/// The targets with `redux` on floating-point numbers.
const FAMILY_100: &[Target] = &[Target::family(100), Target::only(100)];
const TENSOR_MEMORY: &[Target] = &[
    Target::only(100),
    Target::only(101),
    Target::family(100),
    Target::family(101),
];
/// The targets with `.scale_vec` and with sparse products of 4-bit elements.
const TENSOR_BLOCKS: &[Target] = TENSOR_SHIFT;
/// The targets with integer products.
const TENSOR_INTEGERS: &[Target] = &[Target::only(100), Target::only(101)];
/// The targets with `tcgen05.shift`.
const TENSOR_SHIFT: &[Target] = &[Target::only(100), Target::only(101), Target::only(103)];
/// The targets with `tcgen05.ld.red`.
const TENSOR_REDUCTION: &[Target] = &[Target::only(101), Target::family(101), Target::family(103)];
/// The targets with `setmaxnreg` and `tensormap.replace`.
const ACCELERATED: &[Target] = &[
    Target::only(90),
    Target::only(100),
    Target::only(120),
    Target::family(100),
    Target::family(101),
    Target::family(120),
];

const ADDS: &[&str] = &["add", "sub", "mul"];
const EXTREMES: &[&str] = &["min", "max"];
const ACCESSES: &[&str] = &["ld", "st"];
const ATOMICS: &[&str] = &["atom", "red"];

const RULES: &[Rule] = &[
    // Types.
    rule(&[], &["bf16"], (7, 0), SM_80),
    rule(&[], &["bf16x2"], (7, 0), SM_80),
    rule(&[], &["tf32"], (7, 0), SM_80),
    rule(ADDS, &["bf16"], (7, 8), SM_90),
    rule(ADDS, &["bf16x2"], (7, 8), SM_90),
    rule(&["add", "sub", "mul", "fma"], &["f32x2"], (8, 6), SM_100),
    rule(&["add", "min", "max"], &["s16x2"], (8, 0), SM_90),
    rule(&["add", "min", "max"], &["u16x2"], (8, 0), SM_90),
    rule(EXTREMES, &["f16"], (7, 0), SM_80),
    rule(EXTREMES, &["f16x2"], (7, 0), SM_80),
    rule(EXTREMES, &["NaN"], (7, 0), SM_80),
    rule(EXTREMES, &["xorsign"], (7, 2), SM_86),
    rule(EXTREMES, &["relu"], (8, 0), SM_90),
    rule(&["fma", "cvt"], &["relu"], (7, 0), SM_80),
    rule(&["fma"], &["oob"], (8, 1), SM_90),
    rule(&["tanh"], &["f32"], (7, 0), SM_75),
    rule(&["tanh", "ex2"], &["f16"], (7, 0), SM_75),
    rule(&["tanh", "ex2"], &["f16x2"], (7, 0), SM_75),
    rule(&["tanh", "ex2"], &["bf16"], (7, 8), SM_90),
    rule(&["tanh", "ex2"], &["bf16x2"], (7, 8), SM_90),
    rule(&["set", "setp"], &["bf16"], (7, 8), SM_90),
    rule(&["set", "setp"], &["bf16x2"], (7, 8), SM_90),
    // Conversions.
    rule(&["cvt"], &["f16x2", "f32"], (7, 0), SM_80),
    rule(&["cvt"], &["bf16", "u8"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "s8"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "u16"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "s16"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "u32"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "s32"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "u64"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "s64"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "f16"], (7, 8), SM_90),
    rule(&["cvt"], &["bf16", "f64"], (7, 8), SM_90),
    rule(&["cvt"], &["e4m3x2"], (7, 8), SM_89),
    rule(&["cvt"], &["e5m2x2"], (7, 8), SM_89),
    rule(&["cvt"], &["rn", "tf32"], (7, 8), SM_90),
    rule(&["cvt"], &["rz", "tf32"], (7, 8), SM_90),
    rule(&["cvt"], &["satfinite", "tf32"], (8, 1), SM_80),
    rule(&["cvt"], &["satfinite", "rn", "tf32"], (8, 6), SM_100),
    rule(&["cvt"], &["satfinite", "rz", "tf32"], (8, 6), SM_100),
    // State spaces and scopes.
    rule(&[], &["cluster"], (7, 8), SM_90),
    rule(&[], &["shared::cluster"], (7, 8), SM_90),
    rule(&[], &["shared::cta"], (7, 8), SM_70),
    rule(&["ld"], &["param::entry"], (8, 3), SM_70),
    rule(&["st", "ld"], &["param::func"], (8, 3), SM_70),
    rule(&["cvta"], &["param"], (7, 7), SM_70),
    rule(&["isspacep"], &["param"], (7, 7), SM_70),
    rule(&["cvta", "isspacep"], &["param::entry"], (8, 3), SM_70),
    // Caches.
    rule(&[], &["L1::evict_normal"], (7, 4), SM_70),
    rule(&[], &["L1::evict_unchanged"], (7, 4), SM_70),
    rule(&[], &["L1::evict_first"], (7, 4), SM_70),
    rule(&[], &["L1::evict_last"], (7, 4), SM_70),
    rule(&[], &["L1::no_allocate"], (7, 4), SM_70),
    rule(&[], &["L2::64B"], (7, 4), SM_75),
    rule(&[], &["L2::128B"], (7, 4), SM_75),
    rule(&[], &["L2::256B"], (7, 4), SM_80),
    rule(&[], &["L2::cache_hint"], (7, 4), SM_80),
    rule(&["prefetch"], &["L2::evict_last"], (7, 4), SM_80),
    rule(&["prefetch"], &["L2::evict_normal"], (7, 4), SM_80),
    rule(&["prefetch"], &["tensormap"], (8, 0), SM_90),
    rule(ACCESSES, &["v8", "b32"], (8, 8), SM_100),
    rule(ACCESSES, &["v8", "u32"], (8, 8), SM_100),
    rule(ACCESSES, &["v8", "s32"], (8, 8), SM_100),
    rule(ACCESSES, &["v8", "f32"], (8, 8), SM_100),
    rule(ACCESSES, &["v4", "b64"], (8, 8), SM_100),
    rule(ACCESSES, &["v4", "u64"], (8, 8), SM_100),
    rule(ACCESSES, &["v4", "s64"], (8, 8), SM_100),
    rule(ACCESSES, &["v4", "f64"], (8, 8), SM_100),
    rule(ACCESSES, &["b128"], (8, 3), SM_70),
    // Atomics.
    rule(ATOMICS, &["bf16"], (7, 8), SM_90),
    rule(ATOMICS, &["bf16x2"], (7, 8), SM_90),
    rule(ATOMICS, &["v2"], (8, 1), SM_90),
    rule(ATOMICS, &["v4"], (8, 1), SM_90),
    rule(ATOMICS, &["v8"], (8, 1), SM_90),
    rule(&["atom"], &["b128"], (8, 3), SM_90),
    // Memory order.
    rule(&["fence"], &["^acquire"], (8, 6), SM_90),
    rule(&["fence"], &["^release"], (8, 6), SM_90),
    rule(&["fence"], &["proxy"], (7, 5), SM_70),
    rule(&["fence"], &["proxy", "async"], (8, 0), SM_90),
    rule(&["fence"], &["mbarrier_init"], (8, 0), SM_90),
    rule(&["barrier"], &["cta"], (7, 8), SM_70),
    rule(&["mbarrier"], &[], (7, 0), SM_80),
    rule(&["mbarrier"], &["release"], (8, 0), SM_80),
    rule(&["mbarrier"], &["acquire"], (8, 0), SM_80),
    rule(&["mbarrier"], &["arrive", "relaxed"], (8, 6), SM_90),
    rule(&["mbarrier"], &["arrive_drop", "relaxed"], (8, 6), SM_90),
    rule(&["mbarrier"], &["test_wait", "relaxed"], (8, 6), SM_90),
    rule(&["mbarrier"], &["try_wait", "relaxed"], (8, 6), SM_90),
    rule(&["mapa", "getctarank"], &[], (7, 8), SM_90),
    rule(&["griddepcontrol"], &[], (7, 8), SM_90),
    rule(&["setmaxnreg"], &[], (8, 0), ACCELERATED),
    // Warp-level exchanges.
    rule(&["redux"], &[], (7, 0), SM_80),
    rule(&["redux"], &["f32"], (8, 6), FAMILY_100),
    rule(&["elect"], &[], (8, 0), SM_90),
    // Copies.
    rule(&["cp"], &[], (7, 0), SM_80),
    rule(&["cp"], &["bulk"], (8, 0), SM_90),
    rule(&["tensormap"], &[], (8, 3), ACCELERATED),
    rule(&["multimem"], &[], (8, 1), SM_90),
    // Matrix instructions.
    rule(&["ldmatrix"], &[], (6, 5), SM_75),
    rule(&["movmatrix"], &[], (7, 8), SM_75),
    rule(&["stmatrix"], &[], (7, 8), SM_90),
    rule(&["mma"], &["m16n8k16"], (7, 0), SM_80),
    rule(&["mma"], &["m16n8k32"], (7, 0), SM_80),
    rule(&["mma"], &["f64"], (7, 0), SM_80),
    rule(&["mma"], &["e4m3"], (8, 4), SM_89),
    rule(&["mma"], &["e5m2"], (8, 4), SM_89),
    rule(&["wgmma"], &[], (8, 0), SM_90A),
    rule(&["tcgen05"], &[], (8, 6), TENSOR_MEMORY),
    rule(&["tcgen05"], &["kind::i8"], (8, 6), TENSOR_INTEGERS),
    rule(&["tcgen05"], &["kind::mxf4nvf4"], (8, 7), TENSOR_MEMORY),
    rule(&["tcgen05"], &["sp", "kind::mxf4"], (8, 6), TENSOR_BLOCKS),
    rule(
        &["tcgen05"],
        &["sp", "kind::mxf4nvf4"],
        (8, 7),
        TENSOR_BLOCKS,
    ),
    rule(&["tcgen05"], &["scale_vec::1X"], (8, 6), TENSOR_BLOCKS),
    rule(&["tcgen05"], &["scale_vec::2X"], (8, 6), TENSOR_BLOCKS),
    rule(&["tcgen05"], &["scale_vec::4X"], (8, 6), TENSOR_BLOCKS),
    rule(&["tcgen05"], &["block16"], (8, 8), TENSOR_MEMORY),
    rule(&["tcgen05"], &["block32"], (8, 8), TENSOR_MEMORY),
    rule(&["tcgen05"], &["^shift"], (8, 6), TENSOR_SHIFT),
    rule(&["tcgen05"], &["^ld", "red"], (8, 8), TENSOR_REDUCTION),
];

/// Special registers with requirements, by the prefix of their names.
const REGISTERS: &[(&str, (u8, u8), u16)] = &[
    ("%cluster", (7, 8), 90),
    ("%nclusterid", (7, 8), 90),
    ("%is_explicit_cluster", (7, 8), 90),
    ("%aggr_smem_size", (8, 1), 90),
    ("%current_graph_exec", (8, 0), 50),
    ("%reserved_smem_offset", (7, 6), 80),
];

/// Returns the PTX version and the target that a special register requires, if it requires more
/// than the minimum.
pub(crate) fn of_register(name: &str) -> Option<((u8, u8), u16)> {
    let register = REGISTERS
        .iter()
        .find(|(prefix, ..)| name.starts_with(prefix));
    register.map(|&(_, version, min)| (version, min))
}

/// Returns the rules that this version and target do not meet.
pub(crate) fn unmet(version: Version, target: Target) -> Vec<&'static Rule> {
    let met = |rule: &&Rule| {
        let (major, minor) = rule.version;
        version >= Version { major, minor } && rule.targets.iter().any(|&need| target.has(need))
    };
    RULES.iter().filter(|rule| !met(rule)).collect()
}

impl Rule {
    /// Returns `true` if the rule matches an instruction of these words.
    pub(crate) fn fits(&self, path: &[String]) -> bool {
        let (opcode, modifiers) = (path[0].as_str(), &path[1..]);
        (self.opcodes.is_empty() || self.opcodes.contains(&opcode))
            && self
                .modifiers
                .iter()
                .all(|&modifier| match modifier.strip_prefix('^') {
                    Some(first) => modifiers.first().is_some_and(|given| given == first),
                    None => modifiers.iter().any(|given| given == modifier),
                })
    }
}
