//! The threads that help with launches.
//!
//! In: work that any number of threads can share, and how many should help. The calling thread works too, and waits only for
//! threads that have begun, so a launch never waits for another one, and never runs work of another caller: threads of a
//! general pool would, while the caller has tensors locked.
//!
//! Threads start when a launch first wants them, and sleep between launches. A launch that finds them allocates nothing.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// Work that is shared by several threads, each of which calls it once.
type Work<'a> = dyn Fn() + Sync + 'a;

/// The threads of this process.
static POOL: Pool = Pool {
    state: Mutex::new(State {
        jobs: Vec::new(),
        next: 0,
        threads: 0,
    }),
    wanted: Condvar::new(),
    ended: Condvar::new(),
};

struct Pool {
    state: Mutex<State>,
    /// Notified when a job wants threads.
    wanted: Condvar,
    /// Notified when the last thread of a job has ended its part.
    ended: Condvar,
}

struct State {
    jobs: Vec<Job>,
    /// The number of the next job.
    next: u64,
    threads: usize,
}

struct Job {
    number: u64,
    work: *const Work<'static>,
    /// The number of threads that should still begin.
    wanted: usize,
    /// The number of threads that have begun and not ended.
    active: usize,
}

// SAFETY: the work is `Sync`, and its caller keeps it until no thread uses it.
unsafe impl Send for Job {}

/// Returns the number of threads that the processor can run.
pub(super) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Calls `work` on this thread, and on up to `helpers` others. Returns when all of them have.
pub(super) fn share(helpers: usize, work: &Work<'_>) {
    let job = POOL.begin(helpers, work);
    work();
    drop(job);
}

/// A job that some threads may have begun. Dropping it waits for them.
struct Begun(u64);

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&'static self, helpers: usize, work: &Work<'_>) -> Begun {
        // SAFETY: only the lifetime changes. `Begun` waits for the threads that call it, and until then the
        // caller keeps it.
        let work: *const Work<'static> =
            unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
        let mut state = self.lock();
        while state.threads < helpers {
            let thread = thread::Builder::new().name("tile-kernel".to_owned());
            if thread.spawn(move || self.help()).is_err() {
                // The others and the caller do it.
                break;
            }
            state.threads += 1;
        }
        let number = state.next;
        state.next += 1;
        state.jobs.push(Job {
            number,
            work,
            wanted: helpers,
            active: 0,
        });
        drop(state);
        for _ in 0..helpers {
            self.wanted.notify_one();
        }
        Begun(number)
    }

    /// Does parts of jobs, without end.
    fn help(&self) {
        let mut state = self.lock();
        loop {
            let Some(job) = state.jobs.iter_mut().find(|job| job.wanted > 0) else {
                state = self
                    .wanted
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            job.wanted -= 1;
            job.active += 1;
            let (number, work) = (job.number, job.work);
            drop(state);
            let part = Part { pool: self, number };
            // SAFETY: the job has an active thread, so its caller still waits.
            unsafe { (*work)() };
            drop(part);
            state = self.lock();
        }
    }
}

/// A part of a job, which ends when it is dropped.
struct Part<'a> {
    pool: &'a Pool,
    number: u64,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        if thread::panicking() {
            state.threads -= 1;
        }
        let job = state.jobs.iter_mut().find(|job| job.number == self.number);
        let job = job.expect("a job stays until its last thread has ended");
        job.active -= 1;
        if job.active == 0 {
            self.pool.ended.notify_all();
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let mut state = POOL.lock();
        loop {
            let index = state.jobs.iter().position(|job| job.number == self.0);
            let index = index.expect("only its caller removes a job");
            let job = &mut state.jobs[index];
            job.wanted = 0;
            if job.active == 0 {
                state.jobs.swap_remove(index);
                return;
            }
            state = POOL
                .ended
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, Mutex};
    use std::thread;

    #[test]
    fn as_many_threads_help_as_are_wanted() {
        for helpers in [0, 1, 3] {
            // Each thread waits for the others, so none can do two parts.
            let (barrier, threads) = (Barrier::new(helpers + 1), Mutex::new(HashSet::new()));
            share(helpers, &|| {
                barrier.wait();
                threads
                    .lock()
                    .expect("a lock")
                    .insert(thread::current().id());
            });
            assert_eq!(threads.into_inner().expect("a lock").len(), helpers + 1);
        }
    }

    #[test]
    fn launches_of_several_threads_share_the_threads() {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let mine = AtomicUsize::new(0);
                        share(3, &|| {
                            while mine.fetch_add(1, Ordering::Relaxed) < 10 {
                                next.fetch_add(1, Ordering::Relaxed);
                            }
                        });
                        assert!(mine.into_inner() >= 10);
                    }
                });
            }
        });
        assert_eq!(next.into_inner(), 8 * 200 * 10);
    }

    #[test]
    fn a_panic_of_the_caller_waits_for_the_others() {
        let caller = thread::current().id();
        let (started, ended) = (Barrier::new(2), AtomicUsize::new(0));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            share(1, &|| {
                started.wait();
                assert!(thread::current().id() != caller, "on purpose");
                thread::sleep(std::time::Duration::from_millis(20));
                ended.fetch_add(1, Ordering::Relaxed);
            });
        }));
        assert!(outcome.is_err());
        assert_eq!(ended.into_inner(), 1);
    }
}
