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
//! - Accesses of the host to pinned and managed memory are those of one more agent (`watch.rs`). A launch with strong
//!   accesses to memory of the host may synchronize with it that way, and is not compared with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tile_sim::{Accesses, Span};

use crate::abi::CUcontext;
use crate::memory::END_OF_DEVICES;

/// A stream, or a lane of a graph.
pub(crate) type Agent = u64;

/// The agent of accesses of the host to memory, and that of its frees.
pub(crate) const HOST: Agent = 0;
pub(crate) const HOST_FREES: Agent = Agent::MAX;

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

    /// Adds an operation and what happened before it, which is known with the operation.
    pub(crate) fn follow(&mut self, point: &Point) {
        if !self.knows(point) {
            self.join(&point.clock);
            self.note(point.agent, point.tick);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets agents of which no operation is compared any more.
    pub(crate) fn keep(&mut self, agents: &BTreeSet<Agent>) {
        self.0.retain(|agent, _| agents.contains(agent));
    }

    pub(crate) fn knows(&self, point: &Point) -> bool {
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
    /// The place in the order in which the host submitted operations.
    pub(crate) number: u64,
    /// The operation in words.
    pub(crate) name: String,
    /// What it does to memory as a whole: `frees` or `allocates`.
    pub(crate) verb: Option<&'static str>,
    /// The context of its stream.
    pub(crate) context: CUcontext,
    pub(crate) clock: Clock,
    /// The clock before the operation waits for others, if it may start before the previous one ended.
    pub(crate) early: Option<Clock>,
}

/// What an operation does that frees memory, or allocates it.
pub(crate) const FREES: &str = "frees";
pub(crate) const ALLOCATES: &str = "allocates";

/// Returns the number of a new point.
pub(crate) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Point {
    /// Returns `true` if nothing orders the two.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        !self.clock.knows(other) && !other.clock.knows(self)
    }

    /// Returns `true` if it allocates memory.
    pub(crate) fn is_allocation(&self) -> bool {
        self.verb == Some(ALLOCATES)
    }

    fn does(&self, accesses: Accesses) -> &'static str {
        let verb = if accesses.writes() { "writes" } else { "reads" };
        self.verb.unwrap_or(verb)
    }

    /// Says that this operation and another touch a byte, whichever ran first: the one that was submitted later is
    /// named first. Each is with what it does.
    pub(crate) fn meets(
        &self,
        does: &str,
        other: (&Self, &str),
        (address, offset): (u64, u64),
    ) -> String {
        let (other, other_does) = other;
        // Of an operation that found the memory gone, it is not known how it would have used it.
        let beside = |does, other| if other == FREES { "uses" } else { does };
        let mut sides = [
            (self, beside(does, other_does)),
            (other, beside(other_does, does)),
        ];
        sides.sort_by_key(|(point, _)| std::cmp::Reverse(point.number));
        let [(later, later_does), (earlier, earlier_does)] = sides;
        let cure = if later.clock.knows(earlier) {
            "it waits for the other only at `griddepcontrol.wait`, and accesses the byte before"
        } else if later.agent == HOST || earlier.agent == HOST {
            "the host does not wait for the operation: a synchronization with its stream, or with an event behind it, is missing"
        } else {
            "nothing orders them: an event, a wait, or a synchronization is missing"
        };
        format!(
            "race: {} {later_does} address {address:#x} (byte {offset} of its allocation), which {} {earlier_does}; {cure}",
            later.name, earlier.name,
        )
    }
}

/// The accesses of an operation to one allocation.
#[derive(Debug)]
struct Record {
    point: Arc<Point>,
    spans: Vec<Span>,
    /// Is `true` if the operation has strong accesses to memory of the host.
    signals: bool,
}

/// Two operations that touch the same bytes without an order.
#[derive(Debug)]
pub(crate) struct Race {
    pub(crate) message: String,
    /// The context of the earlier one; null if that is an access of the host.
    pub(crate) other: CUcontext,
}

/// The maximum number of operations that are remembered per allocation.
const MAX_RECORDS: usize = 256;

/// The accesses to every allocation, by its first address.
#[derive(Debug, Default)]
pub(crate) struct Races(BTreeMap<u64, Vec<Record>>);

impl Races {
    /// Records the accesses of an operation, by allocation. Returns the first race.
    pub(crate) fn record(
        &mut self,
        point: &Arc<Point>,
        accesses: Vec<(u64, Vec<Span>)>,
    ) -> Option<Race> {
        let talks = self.talks(point, &accesses);
        let signals = accesses.iter().any(|(base, spans)| signals(*base, spans));
        let mut found = None;
        for (base, spans) in accesses {
            let records = self.0.entry(base).or_default();
            for record in &*records {
                let talk = talks.contains(&(record.point.agent, record.point.tick))
                    || point.agent == HOST && record.signals
                    || record.point.agent == HOST && signals;
                if found.is_none() && !talk {
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
                signals,
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

    /// Returns the agents of the operations that are remembered.
    pub(crate) fn agents(&self) -> impl Iterator<Item = Agent> {
        let records = self.0.values().flatten();
        records.map(|record| record.point.agent)
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

/// Returns `true` if there are strong accesses to memory of the host.
fn signals(base: u64, spans: &[Span]) -> bool {
    let strong = Accesses::STRONG_READ | Accesses::STRONG_WRITE;
    base >= END_OF_DEVICES && spans.iter().any(|span| span.accesses.meets(strong))
}

fn race(point: &Point, spans: &[Span], record: &Record, base: u64) -> Option<Race> {
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
    let message = point.meets(
        point.does(one),
        (&record.point, record.point.does(two)),
        (address, address - base),
    );
    Some(Race {
        message,
        other: record.point.context,
    })
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
            number: next_number(),
            verb: None,
            name: format!("operation {tick} of {agent}"),
            context: CUcontext::NULL,
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
            assert!(first.is_none());
            let second = races.record(&point(agents.1, 1, &[]), span(7, 9, Accesses::READ));
            assert!(second.is_some_and(|race| race.message.contains("address 0x7")));
        }
    }

    #[test]
    fn ordered_and_disjoint_accesses_and_reads_do_not_race() {
        let mut races = Races::default();
        assert!(
            races
                .record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE))
                .is_none()
        );
        assert!(
            races
                .record(&point(2, 1, &[(1, 1)]), span(0, 8, Accesses::READ))
                .is_none()
        );
        assert!(
            races
                .record(&point(3, 1, &[(1, 1)]), span(0, 8, Accesses::READ))
                .is_none()
        );
        assert!(
            races
                .record(&point(4, 1, &[]), span(8, 16, Accesses::WRITE))
                .is_none()
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
            assert!(
                races
                    .record(&point(1, tick, &before), span(0, 8, Accesses::WRITE))
                    .is_none()
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
    fn a_clock_follows_what_happened_before_and_forgets_agents() {
        let mut clock = Clock::default();
        clock.follow(&point(2, 3, &[(1, 5)]));
        // An earlier operation of a stream adds nothing.
        clock.follow(&point(2, 2, &[(7, 1)]));
        assert_eq!(clock.0, BTreeMap::from([(1, 5), (2, 3)]));
        clock.keep(&BTreeSet::from([2]));
        assert_eq!((clock.len(), clock.knows(&point(2, 3, &[]))), (1, true));
    }

    #[test]
    fn launches_that_exchange_values_are_not_compared() {
        let mut races = Races::default();
        let flag = Accesses::STRONG_READ | Accesses::STRONG_WRITE;
        let mut accesses = span(0, 4, flag);
        accesses.push((64, span(64, 128, Accesses::WRITE).remove(0).1));
        assert!(races.record(&point(1, 1, &[]), accesses.clone()).is_none());
        assert!(races.record(&point(2, 1, &[]), accesses).is_none());
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
        assert!(
            races
                .record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE))
                .is_none()
        );
        assert!(
            races
                .record(&programmatic(2), span(0, 8, Accesses::READ))
                .is_none()
        );
        let early = Accesses::READ | Accesses::EARLY;
        let found = races.record(&programmatic(3), span(0, 8, early));
        assert!(found.is_some_and(|race| race.message.contains("griddepcontrol.wait")));
    }

    #[test]
    fn operations_that_the_host_waited_for_are_forgotten() {
        let mut races = Races::default();
        assert!(
            races
                .record(&point(1, 1, &[]), span(0, 8, Accesses::WRITE))
                .is_none()
        );
        races.prune(&Clock(BTreeMap::from([(1, 1)])));
        assert!(races.0.is_empty());
    }
}
