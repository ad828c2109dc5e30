//! Which candidate a launch takes: that of a record, or the one that is predicted to be the fastest.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use smallvec::SmallVec;
use tile_core::tuning::model::Blocks;
use tile_core::tuning::{Query, predict};

use super::key::{self, Classes};
use super::place::Place;
use super::space::Space;
use super::table::Tuning;
use super::{model, store};
use crate::args::Value;
use crate::{Device, Grid};

/// The way in which the candidate of a launch is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// A record of a launch like this one.
    Record,
    /// A record of a launch like this one, on the same device with another driver.
    OtherDriver,
    /// The model, corrected by records of launches with other extents.
    Records,
    /// The model alone: nothing was measured.
    Model,
}

impl fmt::Display for ChosenBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChosenBy::Record => "a record",
            ChosenBy::OtherDriver => "a record of another driver",
            ChosenBy::Records => "the model and records of other extents",
            ChosenBy::Model => "the model",
        })
    }
}

/// The candidates in the order in which a launch tries them.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) space: Space,
    pub(super) indices: SmallVec<[u16; 16]>,
    pub(super) by: ChosenBy,
    /// The cost by the model and the predicted time of each candidate, in the order of `indices`.
    pub(super) seconds: Vec<(f64, f64)>,
}

/// The number of choices that are kept: a program with exact keys may have any number of them.
const MAX_MADE: usize = 256;

/// A device, and the classes of a launch.
type Key = (Device, Classes);

/// The choices of a process.
#[derive(Debug)]
pub(super) struct Choices {
    made: Option<Made>,
    /// Candidates that cannot start in this process.
    failed: Vec<u16>,
    /// Candidates of which was said that they did not start.
    said: Vec<u16>,
}

/// A hash of few numbers that nobody chooses to be alike. It multiplies by the odd number nearest to 2^64 over the golden ratio
/// (Knuth, The Art of Computer Programming, 6.4); that of the standard library takes 20 ns longer.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    /// Returns the hash. Products have their best bits in the upper half, and tables take the lower one.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// The choices by the records of one generation.
#[derive(Debug)]
struct Made {
    generation: u64,
    orders: HashMap<Key, Arc<Order>, BuildHasherDefault<Mix>>,
}

impl Choices {
    pub(super) const fn new() -> Choices {
        Choices {
            made: None,
            failed: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Returns the choice for a launch, if it was made by the records of a generation.
    fn find(&self, generation: u64, key: &Key) -> Option<Arc<Order>> {
        let made = self.made.as_ref();
        let made = made.filter(|made| made.generation == generation)?;
        made.orders.get(key).map(Arc::clone)
    }

    /// Keeps a choice, unless it was made by records that are older than those of others.
    #[expect(
        clippy::mutable_key_type,
        reason = "a GPU is compared by its number, which does not change"
    )]
    fn keep(&mut self, generation: u64, key: Key, order: Arc<Order>) {
        let newest = self.made.as_ref().map_or(0, |made| made.generation);
        if newest > generation {
            return;
        }
        let made = self.made.take();
        let made =
            made.filter(|made| made.generation == generation && made.orders.len() < MAX_MADE);
        let mut orders = made.map_or_else(HashMap::default, |made| made.orders);
        orders.insert(key, order);
        self.made = Some(Made { generation, orders });
    }

    /// Notes that a candidate did not start, with these arguments or with any. Returns `true` if it is the first time.
    pub(super) fn fail(&mut self, index: u16, with_any: bool) -> bool {
        if with_any && !self.failed.contains(&index) {
            self.failed.push(index);
            self.made = None;
        }
        let is_new = !self.said.contains(&index);
        if is_new {
            self.said.push(index);
        }
        is_new
    }
}

/// Returns the order of the candidates for a launch. One that was made before is read without keeping other launches waiting.
pub(super) fn order(
    tuning: &'static Tuning,
    grids: &[Option<Grid>],
    values: &[Value],
    device: Device,
) -> Arc<Order> {
    let extents = key::extents(tuning, values);
    let is_aligned = key::is_aligned(tuning, values);
    let key = (device, key::classes(tuning, &extents, is_aligned));
    let generation = store::generation();
    if let Some(order) = tuning.choices().find(generation, &key) {
        return order;
    }
    let order = Arc::new(compute(tuning, grids, values, device, &extents));
    tuning
        .choices_mut()
        .keep(generation, key, Arc::clone(&order));
    order
}

/// Returns the cost of each candidate by the model, 0 for one that cannot be launched with its grid.
pub(super) fn modelled(
    space: &Space,
    grids: &[Option<Grid>],
    values: &[Value],
    device: Device,
) -> Vec<f64> {
    let blocks: Vec<Option<Blocks>> = space
        .instances()
        .zip(space.parts())
        .map(|(instance, parts)| {
            let name = space.instance(instance).image.name;
            let grid = grids[instance].map_or(Ok([1; 3]), |grid| grid.check(name, device));
            Some(model::blocks(parts, grid.ok()?, values))
        })
        .collect();
    let candidates = space.candidates();
    candidates
        .map(|candidate| {
            let blocks = blocks[space.place(candidate)];
            blocks.map_or(0.0, |blocks| {
                let instance = space.instance(candidate);
                model::seconds(blocks, instance, space.level(candidate), device)
            })
        })
        .collect()
}

fn compute(
    tuning: &'static Tuning,
    grids: &[Option<Grid>],
    values: &[Value],
    device: Device,
    extents: &[u64],
) -> Order {
    let space = Space::new(tuning, device);
    let candidates: Vec<usize> = space.candidates().collect();
    let names: Vec<String> = (candidates.iter())
        .map(|&candidate| space.name(candidate).to_owned())
        .collect();
    let modelled = modelled(&space, grids, values, device);
    let place = Place::of(device, tuning);
    let key = key::text(tuning, extents, key::is_aligned(tuning, values));
    let query = Query {
        kernel: tuning.kernel,
        hash: tuning.hash,
        fixed: tuning.fixed,
        key: &key,
        device: &place.device,
        driver: &place.driver,
        clock: place.clock,
    };
    let (by, mut predicted) = store::with(|records| {
        let found = records.find(&query);
        let of_key = match (found.exact, found.other_driver) {
            (Some(record), _) => Some((ChosenBy::Record, record)),
            (None, Some(record)) => Some((ChosenBy::OtherDriver, record)),
            (None, None) => None,
        };
        // A record of which nothing ran says only what not to choose.
        if let Some((by, record)) = of_key.filter(|(_, record)| record.winner().is_some()) {
            let mut rank = predict::rank(&names, &modelled, &record.extents, &[record]);
            // In the order of the record, whatever the model had said when it was made.
            let place = |name: &str| record.measured().position(|it| it.name == name);
            rank.sort_by_key(|it| place(&names[it.index]).unwrap_or(usize::MAX));
            return (by, rank);
        }
        let near: Vec<_> = found.near.into_iter().chain(found.exact).collect();
        let by = if near.is_empty() {
            ChosenBy::Model
        } else {
            ChosenBy::Records
        };
        (by, predict::rank(&names, &modelled, extents, &near))
    });
    let failed = tuning.choices().failed.clone();
    predicted.sort_by_cached_key(|predicted| {
        let candidate = candidates[predicted.index];
        let is_compiled = model::is_compiled(space.instance(candidate), device);
        (!is_compiled, failed.contains(&number(candidate)))
    });
    let indices = predicted.iter().map(|it| number(candidates[it.index]));
    let seconds = predicted.iter().map(|it| (modelled[it.index], it.seconds));
    Order {
        indices: indices.collect(),
        by,
        seconds: seconds.collect(),
        space,
    }
}

fn number(candidate: usize) -> u16 {
    u16::try_from(candidate).expect("at most 4096 instances and six levels")
}
