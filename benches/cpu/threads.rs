//! The threads of what is written by hand: as many as the kernels use.

use std::sync::Mutex;

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// Returns `TILE_THREADS`, or the number of processors.
pub(crate) fn count() -> usize {
    let stated = std::env::var("TILE_THREADS").ok();
    let stated = stated.and_then(|text| text.parse().ok());
    stated.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Returns a pool of that many threads.
pub(crate) fn pool() -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(count());
    builder.build().expect("threads can be started")
}

/// Calls `work` for each item on the threads of the pool, which take one after the other.
pub(crate) fn for_each<T: Send>(
    pool: &ThreadPool,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let items = Mutex::new(items);
    let next = || items.lock().expect("no thread panicked").next();
    pool.broadcast(|_| {
        while let Some(item) = next() {
            work(item);
        }
    });
}
