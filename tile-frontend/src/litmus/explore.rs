//! Finds every outcome of the interleavings of the orders in which blocks access memory.

use super::RESULTS;
use super::cases::{Litmus, Places, Round};
use super::run::{interpret, modules, program};
use std::collections::BTreeSet;
use tile_core::interp::{self, RunOptions};

/// An access of a block in round 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Load(char),
    Store(char, i32),
}

/// Returns the orders in which each block accesses its locations in round 0, for all seeds.
fn orders(litmus: &Litmus, source: &str, places: Places) -> Vec<BTreeSet<Vec<Event>>> {
    let mut orders = vec![BTreeSet::new(); litmus.blocks.len()];
    let (variant, module) = modules(source).swap_remove(0);
    let name = |place: &interp::MemoryPlace| match (place.buffer, place.offset, places) {
        (0, 0, _) => Some('x'),
        (1, 0, Places::TwoTensors) | (0, 4, Places::OneTensor) => Some('y'),
        _ => None,
    };
    for program in program(&module) {
        for seed in 0..32 {
            let trace = interp::Trace::new();
            let options = RunOptions {
                seed: Some(seed),
                trace: Some(&trace),
                ..RunOptions::default()
            };
            interpret(litmus, &program, variant, options)
                .unwrap_or_else(|fault| panic!("{source}\n{fault}"));
            let mut events = vec![Vec::new(); litmus.blocks.len()];
            for effect in trace.take() {
                let (event, place) = match &effect.action {
                    interp::Action::Read { place, .. } => (Event::Load as fn(char) -> Event, place),
                    interp::Action::Write { place, bits, .. } => {
                        let value = i32::try_from(*bits).expect("small");
                        if let Some(place) = name(place) {
                            events[effect.block[0] as usize].push(Event::Store(place, value));
                        }
                        continue;
                    }
                    _ => continue,
                };
                if let Some(place) = name(place) {
                    events[effect.block[0] as usize].push(event(place));
                }
            }
            for (orders, events) in orders.iter_mut().zip(events) {
                orders.insert(events);
            }
        }
    }
    orders
}

/// Returns every outcome of round 0 over all interleavings of all orders of the blocks.
pub(super) fn explored(litmus: &Litmus, source: &str, places: Places) -> Vec<Round> {
    let start = Round {
        results: [0; RESULTS],
        x: 0,
        y: 0,
    };
    let mut outcomes = Vec::new();
    let orders = orders(litmus, source, places);
    let mut choices: Vec<Vec<&[Event]>> = vec![Vec::new()];
    for orders in &orders {
        choices = choices
            .iter()
            .flat_map(|chosen| {
                orders.iter().map(|order| {
                    let mut chosen = chosen.clone();
                    chosen.push(order);
                    chosen
                })
            })
            .collect();
    }
    for mut choice in choices {
        interleave(litmus, &mut choice, start, &mut outcomes);
    }
    outcomes
}

/// Collects the outcomes of interleaving the remaining events of each block.
fn interleave(litmus: &Litmus, left: &mut [&[Event]], now: Round, outcomes: &mut Vec<Round>) {
    if left.iter().all(|events| events.is_empty()) {
        outcomes.push(now);
        return;
    }
    for block in 0..left.len() {
        let before = left[block];
        let Some((event, rest)) = before.split_first() else {
            continue;
        };
        let mut next = now;
        match *event {
            Event::Store('x', value) => next.x = value,
            Event::Store(_, value) => next.y = value,
            Event::Load(place) => {
                let value = if place == 'x' { now.x } else { now.y };
                let mut loads = litmus.loads.iter();
                if let Some(&(_, _, slot, added)) =
                    loads.find(|(owner, from, ..)| *owner == block && *from == place)
                {
                    next.results[slot] = value + added;
                }
            }
        }
        left[block] = rest;
        interleave(litmus, left, next, outcomes);
        left[block] = before;
    }
}
