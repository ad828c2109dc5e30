//! Reads optimization hints.
//!
//! Input: the `optimization_hints` of an entry and of its accesses, per architecture, with `default` for all
//! others. Output: the number of warps of a block, the occupancy, the cluster size, and the prefetch
//! distances of loads in loops. A hint is advice and does not change what a kernel computes, so a hint that
//! is not followed gives only a remark.

use crate::options::ScheduleOptions;
use crate::remarks::{Kind, Remark, Remarks};
use crate::target::{Arch, Feature};
use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::ir::{Attr, HintValue, Op, OpId, OptimizationHints};
use tile_core::ops::{MemoryOp, Opcode, ViewOp};

/// The least and the greatest number of warps of a block to which a hint is clamped.
const WARPS: [u32; 2] = [4, 8];

/// The reason why a hint is not followed; `None` if it is followed.
type Problem = Option<&'static str>;

/// Reads the hints of `entry`.
pub(super) fn hints(entry: &Op, arch: Arch, remarks: &mut Remarks) -> ScheduleOptions {
    let mut options = ScheduleOptions::default();
    each(entry, arch, remarks, |key, number| match (key, number) {
        ("num_worker_warps_per_cta", Some(warps @ 1..=32)) if warps.is_power_of_two() => {
            options.num_warps = Some(warps.clamp(WARPS[0], WARPS[1]));
            None
        }
        ("num_worker_warps_per_cta", _) => Some("it is a power of two up to 32"),
        ("occupancy", Some(blocks @ 1..=32)) => {
            options.occupancy = Some(blocks);
            None
        }
        ("occupancy", _) => Some("it is a number from 1 to 32"),
        ("num_cta_in_cga", Some(blocks @ 1..=16)) if blocks == 1 || arch.has(Feature::Tma) => {
            options.cluster = Some(blocks);
            None
        }
        ("num_cta_in_cga", Some(1..=16)) => Some("every block is a cluster of its own"),
        ("num_cta_in_cga", _) => Some("it is a number from 1 to 16"),
        _ => Some("it is not known for an entry"),
    });
    options
}

/// Returns the prefetch distances of loads, in iterations, from the hint `latency`.
pub(super) fn latencies(
    module: &Module,
    ops: &[OpId],
    arch: Arch,
    remarks: &mut Remarks,
) -> FxHashMap<OpId, u32> {
    let mut latencies_by_load = FxHashMap::default();
    for &id in ops {
        let op = module.op(id);
        let is_load = match op.opcode {
            Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko) => true,
            Opcode::View(ViewOp::StoreViewTko) | Opcode::Memory(MemoryOp::StorePtrTko) => false,
            _ => continue,
        };
        each(op, arch, remarks, |key, number| match (key, number) {
            ("latency", Some(distance @ 1..=10)) => match op.opcode {
                Opcode::View(ViewOp::LoadViewTko) => {
                    latencies_by_load.insert(id, distance);
                    None
                }
                _ if !is_load => Some("nothing waits for a store"),
                _ => Some("loads through pointers are not pipelined"),
            },
            ("latency", _) => Some("it is a number from 1 to 10"),
            // The hint permits TMA, but the compiler need not use it.
            ("allow_tma", None) => None,
            ("allow_tma", _) => Some("it is `true` or `false`"),
            _ => Some("it is not known for an access"),
        });
    }
    latencies_by_load
}

/// Calls `follow` with each hint of `op` for `arch`, and with its value if that is a count. Adds a remark for
/// each hint for which `follow` returns a problem.
fn each(
    op: &Op,
    arch: Arch,
    remarks: &mut Remarks,
    mut follow: impl FnMut(&str, Option<u32>) -> Problem,
) {
    let Some(Attr::Hints(hints)) = op.attr("optimization_hints") else {
        return;
    };
    for (key, value) in chosen(hints, arch) {
        if let Some(problem) = follow(key, number(value)) {
            remarks.add(|| {
                let message = format!("the hint `{key}` is not followed");
                Remark::new(Kind::Hint, op.loc, message).note(problem)
            });
        }
    }
}

/// Returns the hints for `arch`, then the `default` hints that `arch` does not override.
fn chosen(hints: &OptimizationHints, arch: Arch) -> Vec<(&str, &HintValue)> {
    let name = arch.to_string();
    let name = name.trim_end_matches('a');
    let entries_for = |wanted: &str| {
        let mut archs = hints.per_arch.iter();
        let for_arch = archs.find(|(arch, _)| arch == wanted);
        for_arch.map_or(&[][..], |(_, entries)| entries.as_slice())
    };
    let arch_hints = entries_for(name);
    let others = entries_for("default").iter();
    let others = others.filter(|(key, _)| arch_hints.iter().all(|(other, _)| other != key));
    arch_hints
        .iter()
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
    use super::{Arch, Remarks, ScheduleOptions, hints, latencies};
    use tile_core::Diagnostics;
    use tile_core::Module;
    use tile_core::text;

    fn parse(source: &str) -> Module {
        let mut diagnostics = Diagnostics::new();
        text::parse(source, "m.mlir", &mut diagnostics)
            .unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()))
    }

    fn said(remarks: &mut Remarks) -> Vec<String> {
        let list = remarks.take().into_iter();
        list.map(|remark| remark.message).collect()
    }

    /// Returns the hints of an entry for `arch`, and the remarks about hints that are not followed.
    fn read(attribute: &str, arch: Arch) -> (ScheduleOptions, Vec<String>) {
        let module = parse(&format!(
            "cuda_tile.module @m {{ entry @k() optimization_hints=<{attribute}> {{ return }} }}"
        ));
        let mut remarks = Remarks::new(true);
        let entry = module.entries().next().expect("it has an entry");
        let options = hints(module.op(entry), arch, &mut remarks);
        (options, said(&mut remarks))
    }

    #[test]
    fn hints_of_the_architecture_come_before_those_of_all() {
        let attribute = "sm_90 = {occupancy = 2 : i64}, \
                         default = {occupancy = 3 : i64, num_worker_warps_per_cta = 4 : i64}";
        let both = ScheduleOptions {
            num_warps: Some(4),
            stages: None,
            occupancy: Some(2),
            ..ScheduleOptions::default()
        };
        assert_eq!(read(attribute, Arch::SM_90A), (both, Vec::new()));
        let default = ScheduleOptions {
            occupancy: Some(3),
            ..both
        };
        assert_eq!(read(attribute, Arch::SM_80), (default, Vec::new()));
    }

    #[test]
    fn warps_are_between_four_and_eight() {
        for (asked, given) in [(1, 4), (4, 4), (8, 8), (32, 8)] {
            let attribute = format!("default = {{num_worker_warps_per_cta = {asked} : i64}}");
            let (options, said) = read(&attribute, Arch::SM_80);
            assert_eq!((options.num_warps, said.len()), (Some(given), 0));
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
            let (options, said) = read(&format!("sm_80 = {{{hint}}}"), Arch::SM_80);
            assert_eq!(options, ScheduleOptions::default(), "{hint}");
            assert_eq!(said, [format!("the hint `{key}` is not followed")]);
        }
        let (_, said) = read("sm_80 = {num_cta_in_cga = 1 : i64}", Arch::SM_80);
        assert!(said.is_empty());
    }

    /// Returns the prefetch distances of a load with a hint, through a view or through pointers, and the
    /// remarks.
    fn latency(hint: &str, is_view: bool) -> (Vec<u32>, Vec<String>) {
        let load = if is_view {
            format!(
                "%x, %t = load_view_tko weak %v[%i] optimization_hints = <sm_80 = {{{hint}}}> : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token"
            )
        } else {
            format!(
                "%x, %t = load_ptr_tko weak %p optimization_hints = <sm_80 = {{{hint}}}> : tile<ptr<f32>> -> tile<f32>, token"
            )
        };
        let module = parse(&format!(
            "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>) {{
               %i = constant <i32: 0> : tile<i32>
               %a = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
               %v = make_partition_view %a : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
               {load}
               return
             }} }}"
        ));
        let entry = module.entries().next().expect("it has an entry");
        let body = module.region_block(entry, 0).expect("it has a body");
        let mut remarks = Remarks::new(true);
        let actual = latencies(&module, &module.walk(body), Arch::SM_80, &mut remarks);
        (actual.into_values().collect(), said(&mut remarks))
    }

    #[test]
    fn a_latency_is_a_distance_for_loads_of_views() {
        let not_followed = vec!["the hint `latency` is not followed".to_owned()];
        assert_eq!(latency("latency = 3 : i64", true), (vec![3], Vec::new()));
        assert_eq!(
            latency("latency = 11 : i64", true),
            (Vec::new(), not_followed.clone())
        );
        assert_eq!(
            latency("latency = 3 : i64", false),
            (Vec::new(), not_followed)
        );
        assert_eq!(latency("allow_tma = true", true), (Vec::new(), Vec::new()));
    }
}
