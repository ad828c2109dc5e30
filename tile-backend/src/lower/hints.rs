//! What an entry's optimization hints ask for.
//!
//! In: `optimization_hints`, per architecture, with `default` for the others. Out: the warps of a
//! block and the blocks that a multiprocessor has room for. A hint that is not followed is a
//! remark: it is advice, and says nothing of what a kernel computes.

use crate::target::Arch;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{Attr, HintValue, Op, OptimizationHints};

/// What hints ask for, as far as they are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// Warps of a block.
    pub(super) num_warps: Option<u32>,
    /// Blocks that must fit on a multiprocessor.
    pub(super) occupancy: Option<u32>,
}

/// Warps of a block that the dialect knows: others are brought into this range.
const WARPS: [u32; 2] = [4, 8];

/// Reads the hints of `entry`, and reports those that are not followed.
pub(super) fn hints(entry: &Op, arch: Arch, diagnostics: &mut Diagnostics) -> Hints {
    let mut found = Hints::default();
    let Some(Attr::Hints(hints)) = entry.attr("optimization_hints") else {
        return found;
    };
    for (key, value) in chosen(hints, arch) {
        let problem = match (key, number(value)) {
            ("num_worker_warps_per_cta", Some(warps @ 1..=32)) if warps.is_power_of_two() => {
                found.num_warps = Some(warps.clamp(WARPS[0], WARPS[1]));
                continue;
            }
            ("num_worker_warps_per_cta", _) => "it is a power of two up to 32",
            ("occupancy", Some(blocks @ 1..=32)) => {
                found.occupancy = Some(blocks);
                continue;
            }
            ("occupancy", _) => "it is a number from 1 to 32",
            ("num_cta_in_cga", Some(1)) => continue,
            ("num_cta_in_cga", _) => "every block is a cluster of its own",
            _ => "it is not known for an entry",
        };
        diagnostics.report(
            Diagnostic::remark(
                Code::UnsupportedByTarget,
                entry.loc,
                format!("the hint `{key}` is not followed"),
            )
            .note(problem),
        );
    }
    found
}

/// The hints for `arch`, then those of `default` that it does not have.
fn chosen(hints: &OptimizationHints, arch: Arch) -> Vec<(&str, &HintValue)> {
    let name = arch.to_string();
    let name = name.trim_end_matches('a');
    let of = |wanted: &str| {
        let mut archs = hints.per_arch.iter();
        let found = archs.find(|(arch, _)| arch == wanted);
        found.map_or(&[][..], |(_, entries)| entries.as_slice())
    };
    let own = of(name);
    let others = of("default").iter();
    let others = others.filter(|(key, _)| own.iter().all(|(known, _)| known != key));
    own.iter()
        .chain(others)
        .map(|(key, value)| (key.as_str(), value))
        .collect()
}

fn number(value: &HintValue) -> Option<u32> {
    let HintValue::Int(value) = value else {
        return None;
    };
    u32::try_from(*value).ok()
}

#[cfg(test)]
mod tests {
    use super::{Hints, hints};
    use crate::target::Arch;
    use tile_core::{Diagnostics, text};

    /// The hints of an entry for `arch`, and what is said of those that are not followed.
    fn read(attribute: &str, arch: Arch) -> (Hints, Vec<String>) {
        let source = format!(
            "cuda_tile.module @m {{ entry @k() optimization_hints=<{attribute}> {{ return }} }}"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "m.mlir", &mut diagnostics)
            .unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
        let entry = module.entries().next().expect("it has an entry");
        let found = hints(module.op(entry), arch, &mut diagnostics);
        let said = diagnostics.take().into_iter().map(|remark| remark.message);
        (found, said.collect())
    }

    #[test]
    fn hints_of_the_architecture_come_before_those_of_all() {
        let attribute = "sm_90 = {occupancy = 2 : i64}, \
                         default = {occupancy = 3 : i64, num_worker_warps_per_cta = 4 : i64}";
        let both = Hints {
            num_warps: Some(4),
            occupancy: Some(2),
        };
        assert_eq!(read(attribute, Arch::SM_90A), (both, Vec::new()));
        let default = Hints {
            occupancy: Some(3),
            ..both
        };
        assert_eq!(read(attribute, Arch::SM_80), (default, Vec::new()));
    }

    #[test]
    fn warps_are_between_four_and_eight() {
        for (asked, given) in [(1, 4), (4, 4), (8, 8), (32, 8)] {
            let attribute = format!("default = {{num_worker_warps_per_cta = {asked} : i64}}");
            let (found, said) = read(&attribute, Arch::SM_80);
            assert_eq!((found.num_warps, said.len()), (Some(given), 0));
        }
    }

    #[test]
    fn what_is_not_followed_is_said() {
        for (hint, key) in [
            ("num_cta_in_cga = 2 : i64", "num_cta_in_cga"),
            ("occupancy = 33 : i64", "occupancy"),
            (
                "num_worker_warps_per_cta = 6 : i64",
                "num_worker_warps_per_cta",
            ),
            ("speed = 1 : i64", "speed"),
        ] {
            let (found, said) = read(&format!("sm_80 = {{{hint}}}"), Arch::SM_80);
            assert_eq!(found, Hints::default(), "{hint}");
            assert_eq!(said, [format!("the hint `{key}` is not followed")]);
        }
        let (_, said) = read("sm_80 = {num_cta_in_cga = 1 : i64}", Arch::SM_80);
        assert!(said.is_empty());
    }
}
