//! Litmus tests of memory orderings: small programs of several blocks, with outcomes that their
//! orderings forbid and that weaker orderings allow.
//!
//! Each test runs over two tensors and over one tensor
//!
//! - in the interpreter, as built and canonicalized, with one thread per block and the operations
//!   of each block in seeded random orders;
//! - if it contains only atomic loads and stores, in every interleaving of these orders, so that
//!   the outcomes do not depend on timing;
//! - in the interpreter with all checks;
//! - as PTX in `tile-sim`, with all checks and seeded interleavings of warps.
//!
//! A forbidden outcome must never occur. With a weakened ordering, either the outcome occurs in one
//! of the interleavings or a check reports a race. This shows that each test can fail.
//! `TILE_LITMUS_SEEDS` is the number of seeds.

mod cases;
mod explore;
mod run;

use self::cases::{COHERENCE, Litmus, NO_FENCE, Places, Round, Start, TESTS, WIDE, Weaker};
use self::explore::explored;
use self::run::{checked, interpreted, simulated};

/// The number of rounds of a launch; each round has its own cells.
const ROUNDS: usize = 16;
/// The number of rows of the table of results.
const RESULTS: usize = 4;

/// Returns `true` unless this is a quick run.
fn is_full() -> bool {
    std::env::var_os("TILE_LITMUS_SEEDS").is_some()
}

/// Returns the number of seeds: `few` in a quick run.
fn seeds(few: u64) -> u64 {
    match std::env::var("TILE_LITMUS_SEEDS") {
        Ok(text) => text.parse().expect("`TILE_LITMUS_SEEDS` is a number"),
        Err(_) => few,
    }
}

/// Returns the ways in which blocks start a round. Blocks that wait for each other spin, so each
/// block needs a core.
fn starts(litmus: &Litmus) -> &'static [Start] {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= litmus.blocks.len() && is_full() {
        &[Start::Together, Start::Anyhow]
    } else {
        &[Start::Anyhow]
    }
}

fn all() -> impl Iterator<Item = (&'static Litmus, Places)> {
    let both = TESTS
        .iter()
        .flat_map(|litmus| [(litmus, Places::TwoTensors), (litmus, Places::OneTensor)]);
    let wide = WIDE.iter().map(|litmus| (litmus, Places::TwoTensors));
    both.chain([(&COHERENCE, Places::OneTensor)]).chain(wide)
}

/// Checks that no outcome is forbidden.
fn expect_allowed(litmus: &Litmus, places: Places, source: &str, rounds: &[Round]) {
    let bad = rounds.iter().find(|round| (litmus.forbidden)(round));
    let name = litmus.name;
    assert!(bad.is_none(), "{name} {places:?}: {bad:?}\n{source}");
}

#[test]
fn forbidden_outcomes_are_never_interpreted() {
    for (litmus, places) in all() {
        for &start in starts(litmus) {
            let source = litmus.source(&litmus.orderings(), places, start);
            let rounds = interpreted(litmus, &source, places, seeds(3));
            expect_allowed(litmus, places, &source, &rounds);
        }
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        if let Err(fault) = checked(litmus, &source) {
            panic!("{} {places:?}: {fault}\n{source}", litmus.name);
        }
    }
}

#[test]
fn forbidden_outcomes_are_never_simulated() {
    for (litmus, places) in all() {
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        let rounds = simulated(litmus, &source, places, seeds(2))
            .unwrap_or_else(|fault| panic!("{} {places:?}: {fault}\n{source}", litmus.name));
        expect_allowed(litmus, places, &source, &rounds);
    }
}

/// Covers the tests with only atomic loads and stores, for which the interleavings of the orders
/// give every outcome that the interpreter can produce.
#[test]
fn no_order_of_a_seed_gives_a_forbidden_outcome() {
    for (litmus, places) in all() {
        let is_plain = litmus.blocks.iter().any(|block| block.contains("unsafe"));
        if is_plain || litmus.name == COHERENCE.name {
            continue;
        }
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        expect_allowed(litmus, places, &source, &explored(litmus, &source, places));
    }
}

/// Checks that relaxed accesses of one block to two tensors are unordered, while tokens order its
/// accesses to one tensor. The memory model does not guarantee that order.
#[test]
fn relaxed_accesses_to_one_tensor_keep_their_order() {
    for litmus in TESTS.iter().filter(|it| it.weaker == Weaker::ShowsOverTwo) {
        let relaxed: Vec<&str> = litmus
            .orderings
            .iter()
            .map(|(_, weaker)| if *weaker == NO_FENCE { "" } else { "Relaxed" })
            .collect();
        for (places, shows) in [(Places::TwoTensors, true), (Places::OneTensor, false)] {
            let source = litmus.source(&relaxed, places, Start::Anyhow);
            let outcomes = explored(litmus, &source, places);
            assert_eq!(
                outcomes.iter().any(litmus.forbidden),
                shows,
                "{} {places:?}\n{source}",
                litmus.name
            );
        }
    }
}

/// Returns each way to weaken one ordering of a test.
fn weakened(litmus: &Litmus) -> Vec<Vec<&'static str>> {
    let mut variants = Vec::new();
    for (index, (_, weaker)) in litmus.orderings.iter().enumerate() {
        for weak in *weaker {
            let mut orderings = litmus.orderings();
            orderings[index] = weak;
            variants.push(orderings);
        }
    }
    variants
}

#[test]
fn every_weaker_ordering_shows() {
    for (litmus, places) in all() {
        if places == Places::OneTensor && litmus.weaker == Weaker::ShowsOverTwo {
            continue;
        }
        for orderings in weakened(litmus) {
            let source = litmus.source(&orderings, places, Start::Anyhow);
            if checked(litmus, &source).is_err() {
                continue;
            }
            let shows = explored(litmus, &source, places)
                .iter()
                .any(litmus.forbidden);
            assert!(
                shows,
                "{} {places:?} {orderings:?}: nothing shows that it is too weak\n{source}",
                litmus.name
            );
        }
    }
}

/// Checks that `tile-sim` reports a race for each weaker ordering, in the tests that pass plain
/// data.
#[test]
fn every_weaker_ordering_of_plain_data_is_a_race_in_the_simulator() {
    for (litmus, places) in all() {
        let passes_data = litmus.blocks.iter().any(|block| block.contains("unsafe"));
        if !passes_data {
            continue;
        }
        for orderings in weakened(litmus) {
            let source = litmus.source(&orderings, places, Start::Anyhow);
            let result = simulated(litmus, &source, places, 8);
            let shows = match &result {
                Err(fault) => fault.contains("race"),
                Ok(rounds) => rounds.iter().any(|round| (litmus.forbidden)(round)),
            };
            assert!(
                shows,
                "{} {places:?} {orderings:?}: nothing shows that it is too weak\n{source}",
                litmus.name
            );
        }
    }
}
