//! Counters by name, from which the table and the JSON of a report are built.

use std::fmt;
use std::ops::AddAssign;

use super::{
    AsyncCopies, Atomics, BankTraffic, Barriers, Copies, Counters, FAMILIES, Family, GlobalTraffic,
    LocalTraffic, Matmuls, SectorTraffic, SharedTraffic,
};

/// A name and its value.
type Named = (&'static str, u64);

/// A group of related counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the group, such as `global_loads`.
    pub name: &'static str,
    /// The names and values of its counters.
    pub counts: Vec<Named>,
}

fn families(counts: &[u64; FAMILIES]) -> Vec<Named> {
    let names = Family::ALL.into_iter().map(Family::name);
    names.zip(counts.iter().copied()).collect()
}

fn sectors(traffic: &SectorTraffic) -> Vec<Named> {
    let &SectorTraffic {
        requests,
        sectors,
        bytes,
    } = traffic;
    vec![
        ("requests", requests),
        ("sectors", sectors),
        ("bytes", bytes),
    ]
}

fn banks(traffic: &BankTraffic) -> Vec<Named> {
    let &BankTraffic {
        requests,
        wavefronts,
        bank_conflicts,
        bytes,
    } = traffic;
    vec![
        ("requests", requests),
        ("wavefronts", wavefronts),
        ("bank_conflicts", bank_conflicts),
        ("bytes", bytes),
    ]
}

impl Counters {
    /// Returns all counters by name, in the order of the table. Every group and every counter is
    /// always present.
    pub fn groups(&self) -> Vec<Group> {
        let Self {
            warp_instructions,
            thread_instructions,
            divergent_branches,
            global,
            local,
            shared,
            atomics,
            barriers,
            matmuls,
            copies,
            // A set of instructions, not a counter.
            reached: _,
        } = self;
        let group = |name, counts| Group { name, counts };
        let GlobalTraffic {
            loads,
            stores,
            atomics: reductions,
            copies: reads,
        } = global;
        let mut groups = vec![
            group("warp_instructions", families(warp_instructions)),
            group("thread_instructions", families(thread_instructions)),
            group("control", vec![("divergent_branches", *divergent_branches)]),
            group("global_loads", sectors(loads)),
            group("global_stores", sectors(stores)),
            group("global_atomics", sectors(reductions)),
            group("global_copies", sectors(reads)),
        ];
        let LocalTraffic { loads, stores } = local;
        groups.push(group("local_loads", sectors(loads)));
        groups.push(group("local_stores", sectors(stores)));
        let SharedTraffic {
            loads,
            stores,
            matrix,
            atomics: reductions,
            copies: writes,
        } = shared;
        groups.push(group("shared_loads", banks(loads)));
        groups.push(group("shared_stores", banks(stores)));
        groups.push(group("shared_matrix", banks(matrix)));
        groups.push(group("shared_atomics", banks(reductions)));
        groups.push(group("shared_copies", banks(writes)));
        let Atomics { global, shared } = *atomics;
        groups.push(group(
            "atomics",
            vec![("global", global), ("shared", shared)],
        ));
        let Barriers {
            block,
            warp,
            cluster,
            mbarrier,
        } = *barriers;
        let waits = [
            ("block", block),
            ("warp", warp),
            ("cluster", cluster),
            ("mbarrier", mbarrier),
        ];
        groups.push(group("barriers", waits.to_vec()));
        let Matmuls {
            mma,
            wgmma,
            tcgen05,
            multiply_adds,
        } = *matmuls;
        let multiplied = [
            ("mma", mma),
            ("wgmma", wgmma),
            ("tcgen05", tcgen05),
            ("multiply_adds", multiply_adds),
        ];
        groups.push(group("matmuls", multiplied.to_vec()));
        let AsyncCopies {
            cp_async,
            bulk,
            tensor,
            tensor_memory,
        } = copies;
        for (
            name,
            &Copies {
                operations,
                bytes,
                read_bytes,
            },
        ) in [
            ("cp_async", cp_async),
            ("bulk_copies", bulk),
            ("tensor_copies", tensor),
            ("tensor_memory_copies", tensor_memory),
        ] {
            groups.push(group(
                name,
                vec![
                    ("operations", operations),
                    ("bytes", bytes),
                    ("read_bytes", read_bytes),
                ],
            ));
        }
        groups
    }
}

/// Prints a table of the nonzero counters and of derived ratios.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Group { name, counts } in self.groups() {
            for (count_name, count) in counts.iter().filter(|(_, count)| *count > 0) {
                let title = format!("{name}.{count_name}");
                writeln!(f, "{title:36}{count:>16}")?;
            }
        }
        for (name, traffic) in [
            ("global_loads.efficiency", &self.global.loads),
            ("global_stores.efficiency", &self.global.stores),
            ("global_copies.efficiency", &self.global.copies),
        ] {
            if let Some(efficiency) = traffic.efficiency() {
                writeln!(f, "{name:36}{:>15.1}%", 100.0 * efficiency)?;
            }
        }
        Ok(())
    }
}

/// Adds the counters of another part of a launch, or of another launch.
impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        fn sectors(to: &mut SectorTraffic, from: &SectorTraffic) {
            to.requests += from.requests;
            to.sectors += from.sectors;
            to.bytes += from.bytes;
        }
        fn banks(to: &mut BankTraffic, from: &BankTraffic) {
            to.requests += from.requests;
            to.wavefronts += from.wavefronts;
            to.bank_conflicts += from.bank_conflicts;
            to.bytes += from.bytes;
        }
        fn copies(to: &mut Copies, from: &Copies) {
            to.operations += from.operations;
            to.bytes += from.bytes;
            to.read_bytes += from.read_bytes;
        }
        for family in 0..FAMILIES {
            self.warp_instructions[family] += other.warp_instructions[family];
            self.thread_instructions[family] += other.thread_instructions[family];
        }
        self.divergent_branches += other.divergent_branches;
        sectors(&mut self.global.loads, &other.global.loads);
        sectors(&mut self.global.stores, &other.global.stores);
        sectors(&mut self.global.atomics, &other.global.atomics);
        sectors(&mut self.global.copies, &other.global.copies);
        sectors(&mut self.local.loads, &other.local.loads);
        sectors(&mut self.local.stores, &other.local.stores);
        banks(&mut self.shared.loads, &other.shared.loads);
        banks(&mut self.shared.stores, &other.shared.stores);
        banks(&mut self.shared.matrix, &other.shared.matrix);
        banks(&mut self.shared.atomics, &other.shared.atomics);
        banks(&mut self.shared.copies, &other.shared.copies);
        self.atomics.global += other.atomics.global;
        self.atomics.shared += other.atomics.shared;
        self.barriers.block += other.barriers.block;
        self.barriers.warp += other.barriers.warp;
        self.barriers.cluster += other.barriers.cluster;
        self.barriers.mbarrier += other.barriers.mbarrier;
        self.matmuls.mma += other.matmuls.mma;
        self.matmuls.wgmma += other.matmuls.wgmma;
        self.matmuls.tcgen05 += other.matmuls.tcgen05;
        self.matmuls.multiply_adds += other.matmuls.multiply_adds;
        copies(&mut self.copies.cp_async, &other.copies.cp_async);
        copies(&mut self.copies.bulk, &other.copies.bulk);
        copies(&mut self.copies.tensor, &other.copies.tensor);
        self.reached.join(&other.reached);
        copies(&mut self.copies.tensor_memory, &other.copies.tensor_memory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_adds_every_count() {
        let mut once = Counters {
            warp_instructions: [1; FAMILIES],
            thread_instructions: [2; FAMILIES],
            divergent_branches: 3,
            ..Counters::default()
        };
        let mut next = 3;
        let mut number = || {
            next += 1;
            next
        };
        for traffic in [
            &mut once.global.loads,
            &mut once.global.stores,
            &mut once.global.atomics,
            &mut once.global.copies,
            &mut once.local.loads,
            &mut once.local.stores,
        ] {
            *traffic = SectorTraffic {
                requests: number(),
                sectors: number(),
                bytes: number(),
            };
        }
        for traffic in [
            &mut once.shared.loads,
            &mut once.shared.stores,
            &mut once.shared.matrix,
            &mut once.shared.atomics,
            &mut once.shared.copies,
        ] {
            *traffic = BankTraffic {
                requests: number(),
                wavefronts: number(),
                bank_conflicts: number(),
                bytes: number(),
            };
        }
        for copies in [
            &mut once.copies.cp_async,
            &mut once.copies.bulk,
            &mut once.copies.tensor,
            &mut once.copies.tensor_memory,
        ] {
            *copies = Copies {
                operations: number(),
                bytes: number(),
                read_bytes: number(),
            };
        }
        once.atomics = Atomics {
            global: number(),
            shared: number(),
        };
        once.barriers = Barriers {
            block: number(),
            warp: number(),
            cluster: number(),
            mbarrier: number(),
        };
        once.matmuls = Matmuls {
            mma: number(),
            wgmma: number(),
            tcgen05: number(),
            multiply_adds: number(),
        };
        let mut sum = Counters::default();
        sum += &once;
        assert_eq!(sum, once);
        sum += &once;
        for (single, double) in once.groups().iter().zip(sum.groups()) {
            for ((name, one), (_, two)) in single.counts.iter().zip(&double.counts) {
                assert!(*one > 0, "{}.{name} is not part of this test", single.name);
                assert_eq!(2 * one, *two, "{}.{name}", single.name);
            }
        }
    }
}
