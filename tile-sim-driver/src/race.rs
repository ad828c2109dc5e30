//! Races between operations: launches, copies, fills and frees that touch the same bytes without an order.
//!
//! Every operation has a [`Point`]: the agent that runs it (a stream, or a lane of a graph), its number there,
//! and the clock of what happened before it. An operation is put in order by the stream it is on, by events,
//! by the legacy default stream, and by a host that waited for another operation before it submitted this one.
//! What the host knows is one clock for all its threads, since how threads synchronize is not seen.
//!
//! - A race is found from the order alone, whichever operation happened to run first.
//! - Two launches that exchange values by strong accesses of a common byte may synchronize that way, and are
//!   not compared.
//! - A programmatic launch is behind the previous operation only where it waited (`griddepcontrol.wait`).
//! - Direct accesses of the host to pinned and managed memory are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tile_sim::{Accesses, Span};

/// A stream, or a lane of a graph.
pub(crate) type Agent = u64;

/// The operations that happened before, as the number of the last one of each agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(BTreeMap<Agent, u64>);

impl Clock {
    pub(crate) fn join(&mut self, other: &Self) {
        for (&agent, &tick) in &other.0 {
            self.note(agent, tick);
        }
    }

    pub(crate) fn note(&mut self, agent: Agent, tick: u64) {
        let known = self.0.entry(agent).or_default();
        *known = tick.max(*known);
    }

    fn knows(&self, point: &Point) -> bool {
        self.0
            .get(&point.agent)
            .is_some_and(|&tick| tick >= point.tick)
    }
}

/// An operation and what happened before it.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) agent: Agent,
    pub(crate) tick: u64,
    /// The operation in words.
    pub(crate) name: String,
    pub(crate) clock: Clock,
    /// The clock before the operation waits for others, if it may start before the previous one ended.
    pub(crate) early: Option<Clock>,
}

/// The accesses of an operation to one allocation.
#[derive(Debug)]
struct Record {
    point: Arc<Point>,
    spans: Vec<Span>,
}

/// The maximum number of operations that are remembered per allocation.
const MAX_RECORDS: usize = 256;

/// The accesses to every allocation, by its first address.
#[derive(Debug, Default)]
pub(crate) struct Races(BTreeMap<u64, Vec<Record>>);

impl Races {
    /// Records the accesses of an operation, by allocation. Returns a description of the first race.
    pub(crate) fn record(
        &mut self,
        point: &Arc<Point>,
        accesses: Vec<(u64, Vec<Span>)>,
    ) -> Option<String> {
        let talks = self.talks(point, &accesses);
        let mut found = None;
        for (base, spans) in accesses {
            let records = self.0.entry(base).or_default();
            for record in &*records {
                if found.is_none() && !talks.contains(&(record.point.agent, record.point.tick)) {
                    found = race(point, &spans, record, base);
                }
            }
            records.retain(|record| {
                !(point.clock.knows(&record.point) && covers(&spans, &record.spans))
            });
            if records.len() == MAX_RECORDS {
                records.remove(0);
            }
            records.push(Record {
                point: Arc::clone(point),
                spans,
            });
        }
        found
    }

    /// Returns the operations with which an operation exchanges values.
    fn talks(&self, point: &Point, accesses: &[(u64, Vec<Span>)]) -> BTreeSet<(Agent, u64)> {
        let mut talks = BTreeSet::new();
        for (base, spans) in accesses {
            for record in self.0.get(base).into_iter().flatten() {
                let key = (record.point.agent, record.point.tick);
                if point.clock.knows(&record.point) || talks.contains(&key) {
                    continue;
                }
                let strong = Accesses::STRONG_READ | Accesses::STRONG_WRITE;
                let meet = overlap(spans, &record.spans, |one, two| {
                    one.meets(strong) && two.meets(strong) && (one.writes() || two.writes())
                });
                if meet.is_some() {
                    talks.insert(key);
                }
            }
        }
        talks
    }

    /// Forgets an allocation.
    pub(crate) fn forget(&mut self, base: u64) {
        self.0.remove(&base);
    }

    /// Forgets operations before `clock`, which happens before every operation that is still to come.
    pub(crate) fn prune(&mut self, clock: &Clock) {
        self.0.retain(|_, records| {
            records.retain(|record| !clock.knows(&record.point));
            !records.is_empty()
        });
    }
}

fn race(point: &Point, spans: &[Span], record: &Record, base: u64) -> Option<String> {
    let is_behind = point.clock.knows(&record.point);
    let is_behind_early = match &point.early {
        Some(early) => early.knows(&record.point),
        None => is_behind,
    };
    if is_behind && is_behind_early {
        return None;
    }
    let conflict = |one: Accesses, two: Accesses| {
        let late = is_behind && !one.meets(Accesses::EARLY);
        !late && (one.writes() || two.writes()) && (one.is_weak() || two.is_weak())
    };
    let (address, one, two) = overlap(spans, &record.spans, conflict)?;
    let verb = |accesses: Accesses| if accesses.writes() { "writes" } else { "reads" };
    let cure = if is_behind {
        "it waits for the other only at `griddepcontrol.wait`, and accesses the byte before"
    } else {
        "nothing orders them: an event, a wait, or a synchronization is missing"
    };
    Some(format!(
        "race: {} {} address {address:#x} (byte {} of its allocation), which {} {}; {cure}",
        point.name,
        verb(one),
        address - base,
        record.point.name,
        verb(two),
    ))
}

/// Returns the first byte that two lists of spans share with accesses that `meet` accepts, and the accesses.
fn overlap(
    ones: &[Span],
    twos: &[Span],
    meet: impl Fn(Accesses, Accesses) -> bool,
) -> Option<(u64, Accesses, Accesses)> {
    let mut rest = twos;
    for one in ones {
        while rest.first().is_some_and(|two| two.end <= one.start) {
            rest = &rest[1..];
        }
        for two in rest {
            if two.start >= one.end {
                break;
            }
            if meet(one.accesses, two.accesses) {
                return Some((one.start.max(two.start), one.accesses, two.accesses));
            }
        }
    }
    None
}

/// Returns `true` if every access that conflicts with one of `old` conflicts with one of `new` too.
fn covers(new: &[Span], old: &[Span]) -> bool {
    let mut rest = new;
    for span in old {
        let mut at = span.start;
        while at < span.end {
            while rest.first().is_some_and(|new| new.end <= at) {
                rest = &rest[1..];
            }
            let Some(first) = rest.first() else {
                return false;
            };
            let strong = !first.accesses.is_weak();
            let weaker = span.accesses.writes() && !first.accesses.writes()
                || strong && span.accesses.is_weak();
            if first.start > at || weaker {
                return false;
            }
            at = first.end;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(agent: Agent, tick: u64, before: &[(Agent, u64)]) -> Arc<Point> {
        Arc::new(Point {
            agent,
            tick,
            name: format!("operation {tick} of {agent}"),
            clock: Clock(before.iter().copied().collect()),
            early: None,
        })
    }

    fn span(start: u64, end: u64, accesses: Accesses) -> Vec<(u64, Vec<Span>)> {
        vec![(
            0,
            vec![Span {
                start,
                end,
                accesses,
            }],
        )]
    }

    #[test]
    fn unordered_writes_race_in_whichever_order_they_ran() {
        for agents in [(1, 2), (2, 1)] {
            let mut races = Races::default();
            let first = races.record(&point(agents.0, 1, &[]), span(0, 8, Accesses::WRITE));
            assert_eq!(first, None);
            let second = races.record(&point(agents.1, 1, &[]), span(7, 9, Accesses::READ));
            assert!(second.is_some_and(|text| text.contains("address 0x7")));
        }
    }

    #[test]
    fn ordered_and_disjoint_accesses_and_reads_do_not_race() {
        let mut races = Races::default();
        assert_eq!(
            races.record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE)),
            None
        );
        assert_eq!(
            races.record(&point(2, 1, &[(1, 1)]), span(0, 8, Accesses::READ)),
            None
        );
        assert_eq!(
            races.record(&point(3, 1, &[(1, 1)]), span(0, 8, Accesses::READ)),
            None
        );
        assert_eq!(
            races.record(&point(4, 1, &[]), span(8, 16, Accesses::WRITE)),
            None
        );
        // It is behind one reader only.
        assert!(
            races
                .record(&point(5, 1, &[(1, 1), (2, 1)]), span(0, 1, Accesses::WRITE))
                .is_some()
        );
    }

    #[test]
    fn a_write_that_replaces_another_still_races_with_its_successors() {
        let mut races = Races::default();
        for tick in 1..1000 {
            let before = [(1, tick - 1)];
            assert_eq!(
                races.record(&point(1, tick, &before), span(0, 8, Accesses::WRITE)),
                None
            );
        }
        assert_eq!(races.0[&0].len(), 1);
        assert!(
            races
                .record(&point(2, 1, &[(1, 998)]), span(0, 8, Accesses::READ))
                .is_some()
        );
    }

    #[test]
    fn launches_that_exchange_values_are_not_compared() {
        let mut races = Races::default();
        let flag = Accesses::STRONG_READ | Accesses::STRONG_WRITE;
        let mut accesses = span(0, 4, flag);
        accesses.push((64, span(64, 128, Accesses::WRITE).remove(0).1));
        assert_eq!(races.record(&point(1, 1, &[]), accesses.clone()), None);
        assert_eq!(races.record(&point(2, 1, &[]), accesses), None);
        assert!(
            races
                .record(&point(3, 1, &[]), span(64, 65, Accesses::READ))
                .is_none()
        );
        let data = vec![(64, span(64, 65, Accesses::READ).remove(0).1)];
        assert!(races.record(&point(4, 1, &[]), data).is_some());
    }

    #[test]
    fn only_early_accesses_of_a_programmatic_launch_race_with_the_previous_one() {
        let programmatic = |tick| {
            Arc::new(Point {
                early: Some(Clock::default()),
                ..Arc::into_inner(point(1, tick, &[(1, tick - 1)])).expect("one owner")
            })
        };
        let mut races = Races::default();
        assert_eq!(
            races.record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE)),
            None
        );
        assert_eq!(
            races.record(&programmatic(2), span(0, 8, Accesses::READ)),
            None
        );
        let early = Accesses::READ | Accesses::EARLY;
        let found = races.record(&programmatic(3), span(0, 8, early));
        assert!(found.is_some_and(|text| text.contains("griddepcontrol.wait")));
    }

    #[test]
    fn operations_that_the_host_waited_for_are_forgotten() {
        let mut races = Races::default();
        assert_eq!(
            races.record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE)),
            None
        );
        races.prune(&Clock(BTreeMap::from([(1, 1)])));
        assert!(races.0.is_empty());
    }
}
