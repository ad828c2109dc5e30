//! Samples the exportable tests: one of each kind, chosen by a seed.
//!
//! Names are of one kind if they differ only in numbers and in the architecture, such as
//! `warp_specialization/plain_by_8_stages_3_pairs` and `warp_specialization/plain_by_4_stages_5_pairs`, or
//! all of `generated/N`. A sample therefore contains each file, each kernel of a sweep and each case with a
//! name of its own.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;
use tile_backend::target::Arch;

use super::export::{family, instruction, rank};
use super::support::local_trial;

/// Returns the name without the architecture. Words that are numbers are also removed, except in the name of
/// a file.
fn kind(name: &str) -> String {
    let name = name.split_once("::").map_or(name, |(name, _)| name);
    let is_between = |letter: char| !letter.is_ascii_alphanumeric();
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    let is_file = name[file..].contains(".mlir");
    let (name, file) = name.split_at(if is_file { file } else { name.len() });
    let words = name.split_inclusive(is_between).map(|word| {
        let letters = word.trim_end_matches(is_between);
        let is_number =
            !letters.is_empty() && letters.chars().all(|letter| letter.is_ascii_digit());
        if is_number {
            word.replacen(letters, "#", 1)
        } else {
            word.to_owned()
        }
    });
    words.chain([file.to_owned()]).collect()
}

/// Chooses one name of each kind.
pub(crate) fn chosen<'a>(names: impl Iterator<Item = &'a str>, seed: u64) -> BTreeSet<String> {
    let mut kinds: BTreeMap<String, (u64, &str)> = BTreeMap::new();
    for name in names {
        let ranked = (rank(seed, name.as_bytes()), name);
        let least = kinds.entry(kind(name)).or_insert(ranked);
        *least = ranked.min(*least);
    }
    kinds
        .into_values()
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Families of trials that run every combination of stages, trips, warps and blocks. They take most of the
/// time of all tests.
const SWEEPS: [&str; 10] = [
    "attention",
    "bulk",
    "cluster_split",
    "clusters",
    "persistent",
    "epilogue_subtiles",
    "warp_specialization",
    "memory_bound_loops",
    "tma",
    "warpgroups",
];

/// Returns the name with `#` in place of each number.
fn without_numbers(name: &str) -> String {
    let mut shape = String::new();
    for letter in name.chars() {
        if !letter.is_ascii_digit() {
            shape.push(letter);
        } else if !shape.ends_with('#') {
            shape.push('#');
        }
    }
    shape
}

/// Architectures whose matrix instructions are those of a warp. A file about a form that only some of them have
/// says which.
const SIBLINGS: [Arch; 3] = [Arch::SM_80, Arch::SM_89, Arch::SM_120A];

/// Returns `true` if the file `name` has the same test on a sibling of `arch`, and only that one runs.
pub(crate) fn is_left_to_sibling(name: &str, source: &str, arch: Arch) -> bool {
    let Some(number) = SIBLINGS.iter().position(|sibling| *sibling == arch) else {
        return false;
    };
    let names_one = source
        .lines()
        .take_while(|line| line.starts_with("//"))
        .any(|line| SIBLINGS.iter().any(|one| line.contains(&one.to_string())));
    let chosen = rank(0, name.as_bytes()) % SIBLINGS.len() as u64;
    !names_one && chosen != number as u64
}

/// Removes trials of sweeps: of those that differ in numbers alone, one of five stays; of the others whose
/// name has a number, about one of three. They are always the same ones.
pub(crate) fn thin_out(trials: &mut Vec<Trial>) {
    let dropped = thinned_out(trials.iter().map(Trial::name));
    trials.retain(|trial| !dropped.contains(trial.name()));
}

/// Returns the names that [`thin_out`] removes. They depend on the set of names only.
fn thinned_out<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let mut groups: BTreeMap<String, Vec<(u64, &str)>> = BTreeMap::new();
    for name in names.filter(|name| SWEEPS.contains(&family(name).as_str())) {
        let ranked = (rank(0, name.as_bytes()), name);
        groups
            .entry(without_numbers(name))
            .or_default()
            .push(ranked);
    }
    let mut dropped = BTreeSet::new();
    for (shape, mut group) in groups {
        group.sort_unstable();
        let kept = match group[..] {
            [(rank, _)] if shape.contains('#') => usize::from(rank.is_multiple_of(3)),
            _ => group.len().div_ceil(5),
        };
        dropped.extend(
            group
                .into_iter()
                .skip(kept)
                .map(|(_, name)| name.to_owned()),
        );
    }
    dropped
}

/// Checks what [`thin_out`] leaves of the given names.
fn thins_out(names: &BTreeSet<String>) -> Result<(), String> {
    let dropped = thinned_out(names.iter().map(String::as_str));
    if thinned_out(names.iter().rev().map(String::as_str)) != dropped {
        return Err("the order of names matters".to_owned());
    }
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for name in names {
        let is_sweep = SWEEPS.contains(&family(name).as_str());
        let is_kept = !dropped.contains(name);
        if !is_sweep && !is_kept {
            return Err(format!("`{name}` is of no sweep and is dropped"));
        }
        if is_sweep {
            let (count, kept) = groups.entry(without_numbers(name)).or_default();
            *count += 1;
            *kept += usize::from(is_kept);
        }
    }
    for family_name in SWEEPS {
        let of_family = groups
            .iter()
            .filter(|(shape, _)| family(shape) == family_name);
        let kept: usize = of_family.map(|(_, (_, kept))| kept).sum();
        if kept == 0 {
            return Err(format!("nothing of `{family_name}` is left"));
        }
    }
    let (mut alone, mut alone_kept) = (0, 0);
    for (shape, (count, kept)) in groups {
        if count == 1 && shape.contains('#') {
            alone += 1;
            alone_kept += kept;
        } else if kept != count.div_ceil(5) {
            return Err(format!("{kept} of {count} of `{shape}` are left"));
        }
    }
    if !(alone / 4..=alone / 2).contains(&alone_kept) {
        return Err(format!(
            "{alone_kept} of {alone} names of their own are left"
        ));
    }
    Ok(())
}

/// Checks that the sample of the given names has every file, kernel of a sweep and kind, under any seed.
fn covers(names: &BTreeSet<String>, files: &[String], kernels: &[String]) -> Result<(), String> {
    let kinds: BTreeSet<String> = names.iter().map(|name| kind(name)).collect();
    let mut samples = BTreeSet::new();
    for seed in 0..20 {
        let chosen = chosen(names.iter().map(String::as_str), seed);
        let actual: BTreeSet<String> = chosen.iter().map(|name| kind(name)).collect();
        if actual != kinds || chosen.len() != kinds.len() {
            return Err(format!(
                "seed {seed}: {} of {} kinds",
                chosen.len(),
                kinds.len()
            ));
        }
        let missing = |wanted: &[String], matches: &dyn Fn(&str, &str) -> bool| {
            let is_missing = |wanted: &&String| {
                !chosen
                    .iter()
                    .any(|name| matches(name.as_str(), wanted.as_str()))
            };
            wanted.iter().find(is_missing).cloned()
        };
        let is_file =
            |name: &str, file: &str| name.split_once("::").is_some_and(|(name, _)| name == file);
        if let Some(file) = missing(files, &is_file) {
            return Err(format!("seed {seed}: {file} is not there"));
        }
        let is_of = |name: &str, kernel: &str| name.starts_with(&format!("sweep/{kernel}/"));
        if let Some(kernel) = missing(kernels, &is_of) {
            return Err(format!("seed {seed}: {kernel} is not there"));
        }
        samples.insert(chosen);
    }
    if samples.len() < 20 {
        return Err("seeds choose the same".to_owned());
    }
    Ok(())
}

/// Returns the tests that check samples of `names`, the exportable tests.
pub(crate) fn trials(
    names: BTreeSet<String>,
    files: Vec<String>,
    kernels: Vec<String>,
) -> Vec<Trial> {
    let cover = move || covers(&names, &files, &kernels);
    let one = local_trial("sample/has_each_kind_file_and_kernel_once", cover);
    let other = local_trial(
        "sample/kinds_differ_in_more_than_numbers",
        kinds_differ_in_more_than_numbers,
    );
    let third = local_trial(
        "sample/instructions_have_their_names",
        instructions_have_their_names,
    );
    vec![one, other, third]
}

/// Returns a test of [`thin_out`] on all trials.
pub(crate) fn thinning_trial(trials: &[Trial]) -> Trial {
    let names: BTreeSet<String> = (trials.iter())
        .map(|trial| trial.name().to_owned())
        .collect();
    local_trial("sample/sweeps_are_thinned_out_evenly", move || {
        thins_out(&names)
    })
}

fn instructions_have_their_names() -> Result<(), String> {
    for (line, name) in [
        ("\tex2.approx.ftz.f32 \t%r1, %r2;", Some("ex2.approx.ftz")),
        ("\t@%p1 bra \t$L__BB0_2;", Some("bra")),
        (
            "\tcp.async.bulk.tensor.2d.shared::cluster.global [%r1];",
            Some("cp.async.bulk.tensor"),
        ),
        (
            "\tmma.sync.aligned.m16n8k16.row.col.f32 {%r1};",
            Some("mma.sync.aligned"),
        ),
        ("\tadd.s32 \t%r1, %r2, 1;", Some("add")),
        ("\tret;", Some("ret")),
        ("$L__BB0_2:", None),
        ("\t.reg .b32 \t%r<5>;", None),
        ("// %bb.0: a comment;", None),
        ("}", None),
    ] {
        let actual = instruction(line);
        if actual.as_deref() != name {
            return Err(format!("{line}: {actual:?}"));
        }
    }
    Ok(())
}

fn kinds_differ_in_more_than_numbers() -> Result<(), String> {
    for (name, other, are_same) in [
        ("generated/1", "generated/22", true),
        ("tma/stages_2/a.mlir", "tma/stages_6/a.mlir", true),
        ("tma/stages_2/a.mlir", "tma/stages_2/b.mlir", false),
        ("a/b.mlir::sm_80", "a/b.mlir::sm_90a", true),
        ("a/rank_1.mlir", "a/rank_2.mlir", false),
        (
            "memory_bound_loops/sum_f32_1x64",
            "memory_bound_loops/sum_f16_1x64",
            false,
        ),
        ("elements/addf", "elements/addi", false),
        (
            "sweep/product_f16/stages_2_warpgroups_1",
            "sweep/product_f16/stages_4_warpgroups_2",
            true,
        ),
    ] {
        if (kind(name) == kind(other)) != are_same {
            return Err(format!(
                "{name} and {other}: {} and {}",
                kind(name),
                kind(other)
            ));
        }
    }
    Ok(())
}
