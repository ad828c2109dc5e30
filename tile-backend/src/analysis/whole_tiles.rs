//! Axis facts of reshaped tiles, and of assumptions about whole tiles.

use super::axis::{ANY, Along, AxisInfo};
use tile_core::ir::AssumePredicate;

/// Returns the facts of the same elements in another shape. An axis of the new shape corresponds to an axis
/// of the old one if the same number of elements follows both. Along such an axis, contiguity and constancy
/// hold up to the smaller of the two extents. Along other axes only a common divisor of all elements is
/// known.
pub(super) fn reshaped(facts: &AxisInfo, from: &[u32], to: &[u32], unit: u32) -> AxisInfo {
    let bits_behind = |shape: &[u32], axis: usize| shape[axis + 1..].iter().sum::<u32>();
    let merged = facts
        .iter()
        .map(|along| along.divisor_at(0, unit))
        .max()
        .unwrap_or(0);
    let is_splat = facts
        .iter()
        .zip(from)
        .all(|(along, &log2)| along.constancy >= log2);
    let axes = (0..to.len()).map(|axis| {
        let behind = bits_behind(to, axis);
        let same = (0..from.len())
            .find(|&other| from[other] > 0 && bits_behind(from, other) == behind)
            .filter(|_| to[axis] > 0);
        let mut along = Along {
            divisor: merged,
            ..Along::NOTHING
        };
        if let Some(other) = same {
            let source = facts[other];
            let contiguity = source.contiguity.min(to[axis]).min(from[other]);
            along = Along {
                contiguity,
                divisor: source.divisor_at(contiguity, unit).max(if contiguity == 0 {
                    merged
                } else {
                    0
                }),
                constancy: source.constancy.min(to[axis]).min(from[other]),
            };
        }
        if is_splat {
            along.constancy = to[axis];
        }
        along
    });
    axes.collect()
}

/// Adds the facts of an assumption about a tile whose neighbours differ by `2^unit`.
pub(super) fn assume(facts: &mut AxisInfo, predicate: &AssumePredicate, unit: u32) {
    match predicate {
        AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => {
            let log2 = divisor.trailing_zeros().min(ANY);
            let grouped = along.and_then(|along| usize::try_from(along).ok());
            let group = match *every {
                Some(every) if every > 0 => every.unsigned_abs(),
                Some(_) => return,
                None => 1,
            };
            // Groups whose length is not a power of two imply nothing about aligned groups.
            if !group.is_power_of_two() {
                return;
            }
            let group = group.trailing_zeros();
            for (axis, info) in facts.iter_mut().enumerate() {
                if grouped.is_none_or(|grouped| grouped == axis) {
                    if group > info.contiguity {
                        *info = Along {
                            contiguity: group,
                            divisor: info.divisor,
                            ..*info
                        };
                    }
                    info.divisor = info.divisor.max(log2);
                } else {
                    // An element inside a group is its first element plus a multiple of the unit, so it has
                    // only the smaller of the two divisors.
                    let each = if group == 0 { log2 } else { log2.min(unit) };
                    info.divisor = info.divisor.max(each);
                }
            }
        }
        AssumePredicate::SameElements(extents) => {
            for (info, &extent) in facts.iter_mut().zip(extents) {
                let extent = extent.unsigned_abs();
                if extent.is_power_of_two() {
                    info.constancy = info.constancy.max(extent.trailing_zeros());
                }
            }
        }
        AssumePredicate::Bounded { .. } => {}
    }
}
