//! The threads that help with launches.
//!
//! In: work that any number of threads can share, and how many should help. The calling thread works too, and waits only for
//! threads that have begun, so a launch never waits for another one, and never runs work of another caller: threads of a
//! general pool would, while the caller has tensors locked.
//!
//! Threads start when a launch first wants them. After work they stay awake for [`AWAKE`], about twice as long as it may take
//! to wake one, and then sleep: launches that follow each other are shared within a microsecond, and an idle program uses no
//! processor. A launch that finds threads allocates nothing.

use std::hint;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Work that is shared by several threads, each of which calls it once with its place: 0 for the caller, and for each other
/// thread the same number in every launch.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The time for which a thread without work looks for some before it sleeps, and a caller for the end of its work.
pub(super) const AWAKE: Duration = Duration::from_micros(100);

/// The number of looks between two at the clock.
const LOOKS: u32 = 64;

/// The threads of this process.
static POOL: Pool = Pool {
    state: Mutex::new(State {
        jobs: Vec::new(),
        next: 0,
        threads: 0,
        summoned: 0,
    }),
    wanted: Condvar::new(),
    ended: Condvar::new(),
    jobs_begun: AtomicU64::new(0),
    jobs_ended: AtomicU64::new(0),
    awake: AtomicUsize::new(0),
};

struct Pool {
    state: Mutex<State>,
    /// Notified when a job wants threads that sleep.
    wanted: Condvar,
    /// Notified when the last thread of a job has ended its part and the caller sleeps.
    ended: Condvar,
    /// Changes when a job wants threads.
    jobs_begun: AtomicU64,
    /// Changes when the last thread of a job has ended its part.
    jobs_ended: AtomicU64,
    /// The number of threads that look for a job. It changes only while the state is locked.
    awake: AtomicUsize,
}

struct State {
    jobs: Vec<Job>,
    /// The number of the next job.
    next: u64,
    threads: usize,
    /// The number of threads that should wake without a job.
    summoned: usize,
}

struct Job {
    number: u64,
    work: *const Work<'static>,
    /// The number of threads that should still begin.
    wanted: usize,
    /// The number of threads that have begun and not ended.
    active: usize,
    /// The caller sleeps until the last thread has ended its part.
    caller_sleeps: bool,
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
    work(0);
    drop(job);
}

/// Returns `true` if a thread is awake and has no work.
pub(super) fn is_awake() -> bool {
    POOL.awake.load(Ordering::Relaxed) > 0
}

/// Wakes up to `helpers` threads, which then look for work.
pub(super) fn wake(helpers: usize) {
    POOL.wake(helpers);
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
        self.start_threads(&mut state, helpers);
        let number = state.next;
        state.next += 1;
        // Those that are awake look at every job before they sleep.
        let others: usize = state.jobs.iter().map(|job| job.wanted).sum();
        let awake = self.awake.load(Ordering::Relaxed).saturating_sub(others);
        state.jobs.push(Job {
            number,
            work,
            wanted: helpers,
            active: 0,
            caller_sleeps: false,
        });
        drop(state);
        self.jobs_begun.fetch_add(1, Ordering::Relaxed);
        for _ in awake..helpers {
            self.wanted.notify_one();
        }
        Begun(number)
    }

    fn wake(&'static self, helpers: usize) {
        let mut state = self.lock();
        self.start_threads(&mut state, helpers);
        let awake = self.awake.load(Ordering::Relaxed);
        let asleep = helpers.saturating_sub(awake);
        state.summoned = state.summoned.max(asleep);
        drop(state);
        for _ in 0..asleep {
            self.wanted.notify_one();
        }
    }

    /// Starts threads until there are so many, or the system has no more.
    fn start_threads(&'static self, state: &mut State, wanted: usize) {
        while state.threads < wanted {
            let place = state.threads + 1;
            let thread = thread::Builder::new().name("tile-kernel".to_owned());
            if thread.spawn(move || self.help(place)).is_err() {
                // The others and the caller do it.
                break;
            }
            state.threads += 1;
        }
    }

    /// Does parts of jobs, without end.
    fn help(&self, place: usize) {
        let mut state = self.lock();
        let mut sleep_at = Instant::now() + AWAKE;
        loop {
            if let Some(job) = state.jobs.iter_mut().find(|job| job.wanted > 0) {
                job.wanted -= 1;
                job.active += 1;
                let (number, work) = (job.number, job.work);
                drop(state);
                let part = Part { pool: self, number };
                // SAFETY: the job has an active thread, so its caller still waits.
                unsafe { (*work)(place) };
                drop(part);
                sleep_at = Instant::now() + AWAKE;
                state = self.lock();
                continue;
            }
            if Instant::now() < sleep_at {
                self.awake.fetch_add(1, Ordering::Relaxed);
                state = self.look(state, &self.jobs_begun, sleep_at);
                self.awake.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            state = self
                .wanted
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            if state.summoned > 0 {
                state.summoned -= 1;
                sleep_at = Instant::now() + AWAKE;
            }
        }
    }

    /// Unlocks the state until `count` changes or it is time to sleep.
    fn look<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        count: &AtomicU64,
        sleep_at: Instant,
    ) -> MutexGuard<'a, State> {
        // What changes the count changes the state before, so nothing is missed.
        let seen = count.load(Ordering::Relaxed);
        drop(state);
        'looking: while Instant::now() < sleep_at {
            for _ in 0..LOOKS {
                if count.load(Ordering::Relaxed) != seen {
                    break 'looking;
                }
                hint::spin_loop();
            }
            // Where there are more threads than cores, another one may have to run first.
            thread::yield_now();
        }
        self.lock()
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
        let (is_last, caller_sleeps) = (job.active == 0, job.caller_sleeps);
        drop(state);
        if is_last {
            self.pool.jobs_ended.fetch_add(1, Ordering::Relaxed);
            if caller_sleeps {
                self.pool.ended.notify_all();
            }
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let sleep_at = Instant::now() + AWAKE;
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
            if Instant::now() < sleep_at {
                state = POOL.look(state, &POOL.jobs_ended, sleep_at);
                continue;
            }
            job.caller_sleeps = true;
            state = POOL
                .ended
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_awake, share, wake};
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Returns `true` if a condition holds at some time within ten seconds. Other tests use the threads too.
    fn soon(condition: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            if condition() {
                return true;
            }
        }
        false
    }

    #[test]
    fn as_many_threads_help_as_are_wanted() {
        for helpers in [0, 1, 3] {
            // Each thread waits for the others, so none can do two parts.
            let (barrier, threads) = (Barrier::new(helpers + 1), Mutex::new(HashSet::new()));
            share(helpers, &|_| {
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
                        share(3, &|_| {
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
    fn threads_are_awake_after_work_and_sleep_later() {
        let work_then = |then: fn() -> bool| {
            share(1, &|_| ());
            then()
        };
        assert!(soon(|| work_then(is_awake)));
        assert!(soon(|| work_then(|| {
            thread::sleep(Duration::from_millis(5));
            !is_awake()
        })));
        // Without work, they wake and sleep again.
        assert!(soon(|| {
            wake(2);
            thread::sleep(Duration::from_micros(20));
            is_awake()
        }));
        assert!(soon(|| !is_awake()));
    }

    #[test]
    fn a_thread_has_the_same_place_in_every_launch() {
        let places = Mutex::new(HashSet::new());
        for _ in 0..100 {
            share(3, &|place| {
                assert!(place <= 8, "as many as a test wants");
                let of_thread = (thread::current().id(), place);
                places.lock().expect("a lock").insert(of_thread);
            });
        }
        let places = places.into_inner().expect("a lock");
        let threads: HashSet<_> = places.iter().map(|(thread, _)| thread).collect();
        assert_eq!(threads.len(), places.len());
        assert!(places.contains(&(thread::current().id(), 0)));
    }

    #[test]
    fn a_panic_of_the_caller_waits_for_the_others() {
        let caller = thread::current().id();
        let (started, ended) = (Barrier::new(2), AtomicUsize::new(0));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            share(1, &|_| {
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
