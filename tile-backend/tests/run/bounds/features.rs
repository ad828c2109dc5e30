//! Counts the features of the kernels of a run, and checks that none is missing.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::ops::Range;

use tile_backend::internals::gpu;
use tile_backend::session::{Artifact, KernelOptions};
use tile_backend::target::Arch;
use tile_core::ir::Module;
use tile_core::types::Scalar;

use super::super::mutation::lowered_with_options;
use super::case::{Access, Case, FAMILIES, Family, Kind, Trips, Work};
use super::{TARGETS, kernel_options};

/// Instructions: the name as a feature, the name in the GPU IR, and the prefixes in PTX, separated by `|`,
/// where a star is the rank of a tensor.
const INSTRUCTIONS: [(&str, &str, &str); 7] = [
    ("copy_async", "copy_async ", "cp.async.ca.|cp.async.cg."),
    (
        "bulk_copy",
        "bulk_copy ",
        "cp.async.bulk.shared::cluster.global",
    ),
    (
        "tma_load",
        "tma_load ",
        "cp.async.bulk.tensor.*d.shared::cluster.global",
    ),
    (
        "tma_store",
        "tma_store ",
        "cp.async.bulk.tensor.*d.global.shared::cta",
    ),
    ("wgmma", " wgmma ", "wgmma.mma_async."),
    ("mma", " mma ", "mma.sync."),
    ("mma_loop", " mma_loop ", ""),
];

/// Properties of views of tensors.
const VIEWS: [&str; 5] = ["partition", "strided", "gather", "permuted", "narrowed"];

/// Returns the GPU IR instructions of a kernel.
fn instructions(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
) -> Result<Vec<&'static str>, String> {
    let text = gpu::to_text(&lowered_with_options(module, arch, kernel_options)?);
    let present = INSTRUCTIONS
        .iter()
        .filter(|(_, present, _)| text.contains(present));
    Ok(present.map(|(name, ..)| *name).collect())
}

/// Checks that the compiled PTX has exactly the copy and store instructions that the GPU IR has.
pub(super) fn check(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
    artifact: &Artifact,
) -> Result<(), String> {
    let present = instructions(module, arch, kernel_options)?;
    let [(_, ptx)] = artifact.ptx.as_slice() else {
        return Err("there is no PTX of one architecture".to_owned());
    };
    for (name, _, start) in INSTRUCTIONS {
        let mut ways = (1..=5).flat_map(|rank| {
            let ways = start.split('|');
            ways.map(move |way| way.replace('*', &rank.to_string()))
        });
        let is_in_ptx = ways.any(|way| ptx.contains(&way));
        let is_own = present.contains(&name);
        // `mma_loop` becomes ordinary arithmetic, as does `mma` of a few elements.
        let is_copy = !name.starts_with("mma");
        if is_copy && is_own != is_in_ptx {
            return Err(format!(
                "`{name}` is {}in the GPU IR, and {}in PTX:\n{ptx}",
                if is_own { "" } else { "not " },
                if is_in_ptx { "" } else { "not " }
            ));
        }
    }
    Ok(())
}

/// Returns the properties of a view.
fn views(access: &Access) -> Vec<&'static str> {
    let kind = match access.view.kind {
        Kind::Partition => "partition",
        Kind::Strided(_) => "strided",
        Kind::Gather(..) => "gather",
    };
    let mut views = vec![kind];
    if access.view.is_permuted() {
        views.push("permuted");
    }
    if access.view.is_narrow {
        views.push("narrowed");
    }
    views
}

/// Returns the features of a kernel that do not depend on the target.
fn of_case(case: &Case) -> Vec<String> {
    let family = format!("{:?}", case.family).to_lowercase();
    let variant = if case.is_general { "general" } else { "fast" };
    let mut features = vec![format!("{family}, {variant}")];
    for access in &case.inputs {
        for view in views(access) {
            features.push(format!("{family}, loads {view}"));
            features.push(format!("{variant}, loads {view}"));
        }
        features.push(format!("loads {}", access.scalar));
    }
    for view in views(&case.output) {
        features.push(format!("{variant}, stores {view}"));
    }
    features.push(format!("stores {}", case.output.scalar));
    features.push(format!("indices {}", case.index));
    features.push(match case.trips {
        Trips::Once => format!("{family}, once"),
        Trips::Given => format!("{family}, beyond the tiles"),
        Trips::Counted => format!("{family}, over the tiles"),
    });
    if case.is_ahead {
        features.push(format!("{family}, loads of the next iteration"));
    }
    match &case.work {
        Work::Same | Work::Permuted(_) => {}
        Work::Unpacked(scalar) => features.push(format!("unpack to {scalar}")),
        Work::Packed => features.push("pack".to_owned()),
        Work::Product(product) => features.push(format!(
            "product of {} in {}",
            case.inputs[0].scalar, product.sum
        )),
    }
    features.sort();
    features.dedup();
    features
}

/// Returns the features of a kernel on a target: its instructions, each combined with family and views.
fn of_target(case: &Case, instructions: &[&'static str]) -> Vec<String> {
    let variant = if case.is_general { "general" } else { "fast" };
    let family = format!("{:?}", case.family).to_lowercase();
    let mut features = Vec::new();
    for name in instructions {
        features.push(format!("{name}, {variant}"));
        features.push(format!("{name}, {family}"));
        let accesses = if *name == "tma_store" {
            std::slice::from_ref(&case.output)
        } else {
            &case.inputs
        };
        let views = accesses.iter().flat_map(views);
        features.extend(views.map(|view| format!("{name}, {view}")));
    }
    features.sort();
    features.dedup();
    features
}

/// Returns the features that must occur.
fn wanted() -> Vec<String> {
    let mut wanted = Vec::new();
    for family in FAMILIES {
        let name = format!("{family:?}").to_lowercase();
        for variant in ["fast", "general"] {
            wanted.push(format!("{name}, {variant}"));
        }
        for view in VIEWS {
            // A gather view has no tiles to count.
            if !(view == "gather" && family == Family::Counted) {
                wanted.push(format!("{name}, loads {view}"));
            }
        }
    }
    for variant in ["fast", "general"] {
        for view in VIEWS {
            wanted.push(format!("{variant}, loads {view}"));
            wanted.push(format!("{variant}, stores {view}"));
        }
    }
    for family in ["rows", "turned", "bits", "product", "scaled"] {
        wanted.push(format!("{family}, beyond the tiles"));
        if family != "turned" {
            wanted.push(format!("{family}, over the tiles"));
        }
    }
    for family in ["ahead", "bits", "product"] {
        wanted.push(format!("{family}, loads of the next iteration"));
    }
    let four = Scalar::F4E2M1FN;
    wanted.extend([
        format!("loads {four}"),
        format!("stores {four}"),
        "unpack to i4".to_owned(),
        format!("unpack to {four}"),
        "pack".to_owned(),
    ]);
    for index in ["i8", "i16", "i32", "i64"] {
        wanted.push(format!("indices {index}"));
    }
    for name in ["copy_async", "bulk_copy", "tma_load", "tma_store"] {
        for view in ["partition", "permuted", "narrowed"] {
            wanted.push(format!("{name}, {view}"));
        }
    }
    for feature in [
        "copy_async, strided",
        "copy_async, product",
        "tma_load, product",
        "tma_load, strided",
        "tma_store, product",
        "tma_store, strided",
        "mma, general",
        "wgmma, fast",
    ] {
        wanted.push(feature.to_owned());
    }
    wanted
}

/// Counts the features of the kernels of these seeds; fails if a required one is missing.
pub(super) fn all_occur(seeds: Range<u64>, is_shown: bool) -> Result<(), String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in seeds {
        let case = Case::new(seed);
        let module = case.module()?;
        let mut features = of_case(&case);
        for (arch, maps) in TARGETS {
            let present = instructions(&module, arch, kernel_options(&case, maps))
                .map_err(|fault| format!("seed {seed}, {arch}: {fault}\n{}", case.text()))?;
            features.extend(of_target(&case, &present));
        }
        features.sort();
        features.dedup();
        for feature in features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    if is_shown {
        for (feature, count) in &counts {
            writeln!(io::stdout(), "{count:5} {feature}").map_err(|error| error.to_string())?;
        }
    }
    let mut wanted = wanted();
    wanted.retain(|feature| !counts.contains_key(feature));
    if wanted.is_empty() {
        return Ok(());
    }
    Err(format!("no kernel has: {}", wanted.join("; ")))
}
