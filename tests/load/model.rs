//! The operations, and the model that predicts what they compute.

use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use tile_kernel::prelude::*;
use tile_kernel::{Error, Event, Graph, GraphExec, HostBuffer, Result};

use crate::driver;

/// The number of elements of every tensor: a tile.
const LEN: usize = 32;
/// The number of places of each device.
const PLACES: usize = 12;
/// The number of host buffers.
const BUFFERS: usize = 8;
/// The number of graphs of each device.
const GRAPHS: usize = 2;

/// Computes `x = x * factor + y`.
#[tile_kernel(grid = x.tiles([32]), arch("sm_80"))]
pub fn step(x: &mut Tensor<i32, 1>, y: &Tensor<i32, 1>, factor: i32) {
    let i = block_id(0);
    x.store([i], x.load([i], [32]) * factor + y.load([i], [32]));
}

/// Predicted elements.
type Elements = [i32; LEN];

/// Does what [`step`] does.
fn step_model(x: &mut Elements, y: &Elements, factor: i32) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = x.wrapping_mul(factor).wrapping_add(*y);
    }
}

/// A tensor and its predicted elements.
struct Place {
    tensor: Tensor<i32, 1>,
    elements: Elements,
}

struct Buffer {
    buffer: HostBuffer<i32>,
    elements: Elements,
}

/// A graph of `x = x * 3 + y` and `y = y * 5 + x`, with the places of `x` and `y`.
struct Repeated {
    graph: GraphExec,
    x: usize,
    y: usize,
}

/// What to do.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) devices: Vec<Device>,
    pub(crate) streams: usize,
    pub(crate) threads: usize,
    /// All tensors are dropped after each round.
    pub(crate) rounds: usize,
    /// The number of launches of all rounds.
    pub(crate) launches: usize,
    /// Counts the objects of the driver, by kind.
    pub(crate) live: fn() -> Vec<usize>,
    pub(crate) seed: u64,
}

/// What was done.
#[derive(Debug, Default)]
pub(crate) struct Report {
    launches: usize,
    operations: usize,
    time: Duration,
    /// The memory after each round.
    memory: Vec<Heap>,
    /// The objects of the driver after each round, by kind.
    live: Vec<Vec<usize>>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} launches and {} other operations in {:.1?}, {:.0} launches per second; after each round {:?}; objects of \
             the driver: {:?}",
            self.launches,
            self.operations - self.launches,
            self.time,
            f64::from(u32::try_from(self.launches).unwrap_or(u32::MAX)) / self.time.as_secs_f64(),
            self.memory,
            self.live.last()
        )
    }
}

/// The memory of this process.
#[derive(Clone, Copy)]
struct Heap {
    /// The bytes that are allocated and not freed, with the allocator of glibc; it must keep none for the next allocation of
    /// a thread, see [`NO_CACHE`]. Zero with others.
    ///
    /// The resident memory would not tell a leak from what the order of 64 threads leaves in the allocator.
    allocated: usize,
    resident_kib: usize,
}

/// The environment variable and value with which glibc counts a freed block as freed at once.
pub(crate) const NO_CACHE: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");

/// By how many bytes what is allocated may grow after the first round, however many launches there are. The driver remembers
/// 1,024 ranges that were freed.
const MOST_GROWTH: usize = 256 << 10;

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kib = self.allocated.div_ceil(1024);
        write!(f, "{kib} KiB allocated, {} resident", self.resident_kib)
    }
}

impl Heap {
    fn now() -> Self {
        #[cfg(target_env = "gnu")]
        let allocated = {
            // SAFETY: it has no requirement.
            let info = unsafe { libc::mallinfo2() };
            info.uordblks + info.hblkhd
        };
        #[cfg(not(target_env = "gnu"))]
        let allocated = 0;
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let resident_kib = number.and_then(|number| number.parse().ok()).unwrap_or(0);
        Self {
            allocated,
            resident_kib,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(place: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    place.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(place: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    place.write().unwrap_or_else(PoisonError::into_inner)
}

/// Locks two places, one to write and one to read, in one order, so that no two threads wait for each other.
fn lock_two<T>(
    all: &[RwLock<T>],
    written: usize,
    read_only: usize,
) -> (RwLockWriteGuard<'_, T>, RwLockReadGuard<'_, T>) {
    assert_ne!(written, read_only);
    if written < read_only {
        let first = write(&all[written]);
        return (first, read(&all[read_only]));
    }
    let first = read(&all[read_only]);
    (write(&all[written]), first)
}

impl Load {
    /// Runs all rounds. Panics if a tensor has other elements than the model.
    pub(crate) fn run(&self) -> Result<Report> {
        let streams: Vec<Stream> = (0..self.streams)
            .map(|number| Stream::new(&self.devices[number % self.devices.len()]))
            .collect::<Result<_>>()?;
        let mut report = Report::default();
        let start = Instant::now();
        for number in 0..self.rounds {
            let round = Round::new(self, &streams, number)?;
            let failed = thread::scope(|scope| {
                let threads: Vec<_> = (0..self.threads)
                    .map(|thread| {
                        scope.spawn({
                            let round = &round;
                            move || round.work(thread)
                        })
                    })
                    .collect();
                let results = threads
                    .into_iter()
                    .map(|thread| thread.join().expect("no assertion fails"));
                results.filter_map(Result::err).collect::<Vec<Error>>()
            });
            if let Some(error) = failed.into_iter().next() {
                return Err(error);
            }
            round.check()?;
            report.launches += round.launches.into_inner().min(self.launches / self.rounds);
            report.operations += round.operations.into_inner();
            // What the round used is dropped.
            drop((round.places, round.buffers, round.graphs, round.events));
            self.devices.iter().try_for_each(Device::synchronize)?;
            report.memory.push(Heap::now());
            report.live.push((self.live)());
        }
        report.time = start.elapsed();
        report.check_memory(self.devices.len());
        Ok(report)
    }
}

impl Report {
    /// The first round allocates what all use: code, threads, pools.
    fn check_memory(&self, devices: usize) {
        let [first, .., last] = self.memory[..] else {
            panic!("two rounds are compared");
        };
        assert!(
            last.allocated <= first.allocated + MOST_GROWTH,
            "the memory of the process grows: {self}"
        );
        // A future may hold its event for a moment, and a context keeps up to 256 events for later uses.
        let (first, last) = (&self.live[0], &self.live[self.live.len() - 1]);
        let mut kinds = driver::KINDS.iter().zip(first).zip(last);
        let grows = kinds.any(|((kind, first), last)| match *kind {
            "event" => *last > 256 * devices + 1,
            _ => *last > first + 1,
        });
        assert!(
            !grows,
            "objects of the driver stay: {first:?}, later {last:?}"
        );
    }
}

/// The state of a round.
struct Round<'a> {
    load: &'a Load,
    streams: &'a [Stream],
    number: usize,
    places: Vec<RwLock<Place>>,
    buffers: Vec<Mutex<Buffer>>,
    graphs: Vec<Repeated>,
    events: Vec<Mutex<Event>>,
    launches: AtomicUsize,
    operations: AtomicUsize,
}

impl<'a> Round<'a> {
    fn new(load: &'a Load, streams: &'a [Stream], number: usize) -> Result<Round<'a>> {
        let count = load.devices.len() * PLACES;
        let places = (0..count).map(|place| Place::new(load.devices[place / PLACES], 1));
        let places: Vec<Place> = places.collect::<Result<_>>()?;
        let mut graphs = Vec::new();
        for device in 0..load.devices.len() {
            for graph in 0..GRAPHS {
                let (x, y) = (device * PLACES + 2 * graph, device * PLACES + 2 * graph + 1);
                let (mut a, mut b) = (
                    places[x].tensor.narrow(0, 0..LEN)?,
                    places[y].tensor.narrow(0, 0..LEN)?,
                );
                let captured = Graph::capture(&streams[device % streams.len()], || {
                    step(&mut a, &b, 3).launch()?;
                    step(&mut b, &a, 5).launch()
                })?;
                graphs.push(Repeated {
                    graph: captured.instantiate()?,
                    x,
                    y,
                });
            }
        }
        let buffers = (0..BUFFERS).map(|number| {
            Ok(Mutex::new(Buffer {
                buffer: HostBuffer::zeros(&load.devices[number % load.devices.len()], LEN)?,
                elements: [0; LEN],
            }))
        });
        let events = streams
            .iter()
            .map(|stream| Ok(Mutex::new(stream.record()?)));
        Ok(Round {
            load,
            streams,
            number,
            places: places.into_iter().map(RwLock::new).collect(),
            buffers: buffers.collect::<Result<_>>()?,
            graphs,
            events: events.collect::<Result<_>>()?,
            launches: AtomicUsize::new(0),
            operations: AtomicUsize::new(0),
        })
    }

    /// Compares every tensor and buffer with the model.
    fn check(&self) -> Result<()> {
        for (number, place) in self.places.iter().enumerate() {
            let place = read(place);
            assert_eq!(place.tensor.to_vec()?, place.elements, "tensor {number}");
        }
        for (number, buffer) in self.buffers.iter().enumerate() {
            let buffer = lock(buffer);
            assert_eq!(
                buffer.buffer.read()?[..],
                buffer.elements,
                "buffer {number}"
            );
        }
        Ok(())
    }

    /// Does what one thread does.
    fn work(&self, thread: usize) -> Result<()> {
        let number = (self.number * self.load.threads + thread) as u64;
        let mut random = fastrand::Rng::with_seed(self.load.seed ^ number << 32);
        let most = self.load.launches / self.load.rounds;
        while self.launches.load(Ordering::Relaxed) < most {
            self.operations.fetch_add(1, Ordering::Relaxed);
            match random.u8(..100) {
                0..70 => self.launch(&mut random, most)?,
                70..76 => self.copy(&mut random)?,
                76..80 => self.upload(&mut random)?,
                80..84 => self.download(&mut random)?,
                84..87 => self.fill(&mut random)?,
                87..90 => self.graph(&mut random, most)?,
                90..93 => self.record(&mut random)?,
                93..96 => self.wait(&mut random)?,
                96..97 => self.read(&mut random)?,
                97..98 => self.write_buffer(&mut random)?,
                98..99 => self.replace(&mut random)?,
                _ => self.await_launch(&mut random, most)?,
            }
        }
        Ok(())
    }

    /// Counts launches; returns `false` if there were enough.
    fn counts(&self, number: usize, most: usize) -> bool {
        self.launches.fetch_add(number, Ordering::Relaxed) + number <= most
    }

    /// Returns a stream of a device.
    fn stream(&self, random: &mut fastrand::Rng, device: Device) -> &Stream {
        let all = self
            .streams
            .iter()
            .filter(|stream| stream.device() == device);
        let all: Vec<&Stream> = all.collect();
        random.choice(all).expect("every device has streams")
    }

    /// Returns two places.
    fn two(&self, random: &mut fastrand::Rng) -> (usize, usize) {
        let one = random.usize(..self.places.len());
        let two = (one + random.usize(1..self.places.len())) % self.places.len();
        (one, two)
    }

    fn launch(&self, random: &mut fastrand::Rng, most: usize) -> Result<()> {
        let (x, y) = self.two(random);
        let factor = random.i32(..);
        let (mut x, y) = lock_two(&self.places, x, y);
        if !self.counts(1, most) {
            return Ok(());
        }
        // On the device of one of them, by its default stream or another.
        let devices = [x.tensor.device(), y.tensor.device()];
        let device = devices[random.usize(..2)];
        let stream = if random.u8(..4) == 0 {
            &Stream::of_device(&device)?
        } else {
            self.stream(random, device)
        };
        step(&mut x.tensor, &y.tensor, factor).on(stream).launch()?;
        step_model(&mut x.elements, &y.elements, factor);
        Ok(())
    }

    fn await_launch(&self, random: &mut fastrand::Rng, most: usize) -> Result<()> {
        let (x, y) = self.two(random);
        let completion = {
            let (mut x, y) = lock_two(&self.places, x, y);
            if !self.counts(1, most) {
                return Ok(());
            }
            let stream = self.stream(random, x.tensor.device());
            let completion = step(&mut x.tensor, &y.tensor, 7).on(stream).launch_async();
            step_model(&mut x.elements, &y.elements, 7);
            completion
        };
        let (sender, receiver) = std::sync::mpsc::channel();
        completion.on_complete(move |result| {
            // The receiver waits for it.
            let _received = sender.send(result);
        });
        receiver.recv().expect("the function is called")
    }

    fn copy(&self, random: &mut fastrand::Rng) -> Result<()> {
        let (to, from) = self.two(random);
        let (mut to, from) = lock_two(&self.places, to, from);
        let devices = [to.tensor.device(), from.tensor.device()];
        let device = devices[random.usize(..2)];
        let stream = self.stream(random, device);
        to.tensor.copy_from_tensor_async(&from.tensor, stream)?;
        to.elements = from.elements;
        Ok(())
    }

    fn upload(&self, random: &mut fastrand::Rng) -> Result<()> {
        let mut to = write(&self.places[random.usize(..self.places.len())]);
        let from = lock(&self.buffers[random.usize(..BUFFERS)]);
        let stream = self.stream(random, to.tensor.device());
        to.tensor.copy_from_async(&from.buffer, stream)?;
        to.elements = from.elements;
        Ok(())
    }

    fn download(&self, random: &mut fastrand::Rng) -> Result<()> {
        let from = read(&self.places[random.usize(..self.places.len())]);
        let mut to = lock(&self.buffers[random.usize(..BUFFERS)]);
        let stream = self.stream(random, from.tensor.device());
        from.tensor.copy_to_async(&mut to.buffer, stream)?;
        to.elements = from.elements;
        Ok(())
    }

    fn fill(&self, random: &mut fastrand::Rng) -> Result<()> {
        let mut place = write(&self.places[random.usize(..self.places.len())]);
        let value = random.i32(..);
        place.tensor.fill(value)?;
        place.elements = [value; LEN];
        Ok(())
    }

    fn graph(&self, random: &mut fastrand::Rng, most: usize) -> Result<()> {
        let Repeated { graph, x, y } = &self.graphs[random.usize(..self.graphs.len())];
        // The place of `x` is the first of the two.
        let (mut x, mut y) = (write(&self.places[*x]), write(&self.places[*y]));
        if !self.counts(2, most) {
            return Ok(());
        }
        graph.launch(self.stream(random, x.tensor.device()))?;
        step_model(&mut x.elements, &y.elements, 3);
        step_model(&mut y.elements, &x.elements, 5);
        Ok(())
    }

    fn record(&self, random: &mut fastrand::Rng) -> Result<()> {
        let number = random.usize(..self.streams.len());
        let event = lock(&self.events[number]);
        event.record(&self.streams[number])
    }

    fn wait(&self, random: &mut fastrand::Rng) -> Result<()> {
        let event = lock(&self.events[random.usize(..self.events.len())]).clone();
        random
            .choice(self.streams)
            .expect("there are streams")
            .wait(&event)
    }

    fn read(&self, random: &mut fastrand::Rng) -> Result<()> {
        let place = read(&self.places[random.usize(..self.places.len())]);
        assert_eq!(place.tensor.to_vec()?, place.elements);
        Ok(())
    }

    fn write_buffer(&self, random: &mut fastrand::Rng) -> Result<()> {
        let mut buffer = lock(&self.buffers[random.usize(..BUFFERS)]);
        let elements = std::array::from_fn(|_| random.i32(..));
        buffer.buffer.write()?.copy_from_slice(&elements);
        buffer.elements = elements;
        Ok(())
    }

    /// Drops a tensor that no graph uses, and allocates one in its place.
    fn replace(&self, random: &mut fastrand::Rng) -> Result<()> {
        let number = random.usize(..self.places.len());
        if number % PLACES < 2 * GRAPHS {
            return Ok(());
        }
        let mut place = write(&self.places[number]);
        *place = Place::new(place.tensor.device(), random.i32(..))?;
        Ok(())
    }
}

impl Place {
    fn new(device: Device, first: i32) -> Result<Place> {
        let mut elements = [0; LEN];
        for (element, distance) in elements.iter_mut().zip(0..) {
            *element = first.wrapping_add(distance);
        }
        Ok(Place {
            tensor: Tensor::from_slice(&device, &elements, [LEN])?,
            elements,
        })
    }
}
