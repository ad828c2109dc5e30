//! The threads that help with launches.
//!
//! In: work that any number of threads can share, and how many should help. The calling thread works too, and waits only for
//! threads that have begun, so a launch never waits for another one, and never runs work of another caller: threads of a
//! general pool would, while the caller has tensors locked.
//!
//! Threads start when a launch first wants them. After work they stay awake for [`AWAKE`], about twice as long as it may take
//! to wake one, and then sleep: launches that follow each other are shared within a microsecond, and an idle program uses no
//! processor. A launch that finds threads allocates nothing.
//!
//! Each thread has a [`Seat`] on a cache line of its own, whose state it watches. A caller offers work to free seats, and takes
//! it back from those that have not begun when its own part is done. That is one cache line to a thread and back, and no lock.

use std::cell::{Cell, UnsafeCell};
use std::hint;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Work that is shared by several threads, each of which calls it once with its place: 0 for the caller, and for each other
/// thread the same number in every launch.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The time for which a thread without work looks for some before it sleeps, and a caller for the end of its work.
pub(super) const AWAKE: Duration = Duration::from_micros(100);

/// The number of looks between two at the clock.
const LOOKS: u32 = 64;

/// The most threads that help.
const MOST: usize = 1024;

/// The threads of this process.
static SEATS: [OnceLock<Seat>; MOST] = [const { OnceLock::new() }; MOST];

/// The number of threads that were started; those of the first seats. Locked while one is.
static STARTED: Mutex<usize> = Mutex::new(0);

/// The same, for a look without the lock.
static SEATED: AtomicUsize = AtomicUsize::new(0);

/// The lowest bits of a seat's state, which say what its thread does.
mod doing {
    /// It is awake, and looks for work.
    pub(super) const LOOKING: u64 = 0;
    /// It sleeps, and looks for work when it is woken.
    pub(super) const SLEEPING: u64 = 1;
    /// A caller is about to offer it work.
    pub(super) const CLAIMED: u64 = 2;
    /// There is work for it, which it has not begun.
    pub(super) const OFFERED: u64 = 3;
    /// It works.
    pub(super) const WORKING: u64 = 4;
    /// It works, and the caller sleeps until it has ended.
    pub(super) const AWAITED: u64 = 5;

    pub(super) const MASK: u64 = 7;
    /// The rest of the state counts offers in steps of this, so that a caller knows its own.
    pub(super) const OFFER: u64 = 8;
}
use doing::{AWAITED, CLAIMED, LOOKING, MASK, OFFER, OFFERED, SLEEPING, WORKING};

/// The place of a thread.
#[repr(align(128))]
struct Seat {
    state: AtomicU64,
    /// The work that is offered. Written by the caller that has claimed the seat, and read by the thread when it begins.
    work: UnsafeCell<Option<*const Work<'static>>>,
    /// The caller that sleeps.
    caller: Mutex<Option<Thread>>,
    /// The thread, to wake it.
    thread: OnceLock<Thread>,
}

// SAFETY: `work` is written in the state `CLAIMED` only, by the caller that has brought it about, and read after `OFFERED` only,
// by the thread, which no caller claims before it looks for work again. The work is `Sync`, and its caller keeps it until no
// thread uses it.
unsafe impl Sync for Seat {}
// SAFETY: as above.
unsafe impl Send for Seat {}

/// Returns the number of threads that the processor can run.
pub(super) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Calls `work` on this thread, and on up to `helpers` others. Returns when all of them have.
pub(super) fn share(helpers: usize, work: &Work<'_>) {
    let has_panicked = AtomicBool::new(false);
    // Threads go on where a part panics.
    let part = |place| {
        if panic::catch_unwind(AssertUnwindSafe(|| work(place))).is_err() {
            has_panicked.store(true, Ordering::Relaxed);
        }
    };
    let offers = Offers::of(&part, helpers);
    work(0);
    drop(offers);
    assert!(
        !has_panicked.into_inner(),
        "a thread that helped has panicked"
    );
}

/// Returns `true` if a thread is awake and has no work.
pub(super) fn is_awake() -> bool {
    let is_looking = |seat: &Seat| seat.state.load(Ordering::Relaxed) & MASK == LOOKING;
    seats().any(is_looking)
}

/// Wakes threads, so that up to `helpers` look for work.
pub(super) fn wake(helpers: usize) {
    start(helpers);
    for seat in seats().take(helpers) {
        let state = seat.state.load(Ordering::Relaxed);
        if state & MASK == SLEEPING && seat.change(state, (state & !MASK) | LOOKING) {
            seat.unpark();
        }
    }
}

/// Returns the seats of the threads that were started.
fn seats() -> impl Iterator<Item = &'static Seat> {
    let seated = SEATED.load(Ordering::Acquire);
    SEATS[..seated].iter().filter_map(OnceLock::get)
}

/// Starts threads until there are so many, or the system has no more.
fn start(helpers: usize) {
    let helpers = helpers.min(MOST);
    if SEATED.load(Ordering::Relaxed) >= helpers {
        return;
    }
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    while *started < helpers {
        let place = *started + 1;
        let seat = SEATS[*started].get_or_init(Seat::new);
        let thread = thread::Builder::new().name("tile-kernel".to_owned());
        let Ok(thread) = thread.spawn(move || seat.help(place)) else {
            // The others and the caller do it.
            break;
        };
        let _first = seat.thread.set(thread.thread().clone());
        *started += 1;
        SEATED.store(*started, Ordering::Release);
    }
}

impl Seat {
    fn new() -> Seat {
        Seat {
            state: AtomicU64::new(LOOKING),
            work: UnsafeCell::new(None),
            caller: Mutex::new(None),
            thread: OnceLock::new(),
        }
    }

    /// Changes the state, unless it is another one meanwhile.
    fn change(&self, from: u64, to: u64) -> bool {
        self.state
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    fn unpark(&self) {
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// Offers work to the thread, if it has none, and returns the state that says so.
    fn offer(&self, work: *const Work<'static>) -> Option<u64> {
        let state = self.state.load(Ordering::Relaxed);
        let (doing, offer) = (state & MASK, (state & !MASK).wrapping_add(OFFER));
        if !matches!(doing, LOOKING | SLEEPING) || !self.change(state, offer | CLAIMED) {
            return None;
        }
        // SAFETY: the seat is claimed by this caller.
        unsafe { *self.work.get() = Some(work) };
        self.state.store(offer | OFFERED, Ordering::Release);
        if doing == SLEEPING {
            self.unpark();
        }
        Some(offer | OFFERED)
    }

    /// Takes an offer back, or waits until the thread has done its part.
    fn withdraw(&self, offered: u64) {
        let offer = offered & !MASK;
        // Where the thread slept, it is being woken.
        if self.change(offered, offer | LOOKING) {
            return;
        }
        let is_working = |state: u64| state == offer | WORKING || state == offer | AWAITED;
        let sleep_at = Instant::now() + AWAKE;
        if self.look(sleep_at, |state| !is_working(state)).is_some() {
            return;
        }
        let mut caller = self.lock_caller();
        let is_awaited = self.change(offer | WORKING, offer | AWAITED);
        if is_awaited {
            // The thread that ends now waits for the lock.
            *caller = Some(thread::current());
        }
        drop(caller);
        if is_awaited {
            while is_working(self.state.load(Ordering::Acquire)) {
                thread::park();
            }
        }
    }

    fn lock_caller(&self) -> MutexGuard<'_, Option<Thread>> {
        // Nothing panics while the lock is held.
        self.caller.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the state until it is wanted, and returns it, or until it is time to sleep.
    fn look(&self, sleep_at: Instant, is_wanted: impl Fn(u64) -> bool) -> Option<u64> {
        loop {
            for _ in 0..LOOKS {
                let state = self.state.load(Ordering::Acquire);
                if is_wanted(state) {
                    return Some(state);
                }
                hint::spin_loop();
            }
            if Instant::now() >= sleep_at {
                return None;
            }
            // Where there are more threads than cores, another one may have to run first.
            thread::yield_now();
        }
    }

    /// Does parts of the work that is offered, without end.
    fn help(&self, place: usize) {
        loop {
            let sleep_at = Instant::now() + AWAKE;
            let Some(state) = self.look(sleep_at, |state| state & MASK == OFFERED) else {
                let state = self.state.load(Ordering::Relaxed);
                if state & MASK == LOOKING && self.change(state, (state & !MASK) | SLEEPING) {
                    while self.state.load(Ordering::Acquire) & MASK == SLEEPING {
                        thread::park();
                    }
                }
                continue;
            };
            let offer = state & !MASK;
            // The caller may take it back.
            if !self.change(state, offer | WORKING) {
                continue;
            }
            // SAFETY: the work was written before it was offered, and its caller waits until this thread has ended its part.
            let work = unsafe { *self.work.get() };
            if let Some(work) = work {
                // SAFETY: as above.
                unsafe { (*work)(place) };
            }
            if !self.change(offer | WORKING, offer | LOOKING) {
                // The caller sleeps.
                let caller = self.lock_caller().take();
                self.state.store(offer | LOOKING, Ordering::Release);
                caller.inspect(Thread::unpark);
            }
        }
    }
}

/// Work that some threads may have begun, with the states that say so. Dropping it waits for them.
struct Offers(Vec<(&'static Seat, u64)>);

thread_local! {
    /// An empty list, which a thread keeps.
    static LIST: Cell<Vec<(&'static Seat, u64)>> = const { Cell::new(Vec::new()) };
}

impl Offers {
    /// Offers work, which does not panic, to up to `helpers` threads.
    fn of(work: &Work<'_>, helpers: usize) -> Offers {
        start(helpers);
        // SAFETY: only the lifetime changes. `Offers` waits for the threads that call it, and until then the caller keeps it.
        let work: *const Work<'static> =
            unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
        let mut offered = LIST.take();
        let seats = seats().filter_map(|seat| Some((seat, seat.offer(work)?)));
        offered.extend(seats.take(helpers));
        Offers(offered)
    }
}

impl Drop for Offers {
    fn drop(&mut self) {
        while let Some((seat, state)) = self.0.pop() {
            seat.withdraw(state);
        }
        LIST.set(std::mem::take(&mut self.0));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{is_awake, share, wake};
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Excludes tests that use the threads from those that wait until a number of them has begun: work is offered once, to threads
    /// that have none.
    static THREADS: RwLock<()> = RwLock::new(());

    /// Waits until no test needs all threads.
    pub(in crate::cpu) fn some_threads() -> RwLockReadGuard<'static, ()> {
        THREADS.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other test uses threads.
    fn all_threads() -> RwLockWriteGuard<'static, ()> {
        THREADS.write().unwrap_or_else(PoisonError::into_inner)
    }

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
        let _threads = all_threads();
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
        let _threads = some_threads();
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
        let _threads = some_threads();
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
        let _threads = some_threads();
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
        let _threads = all_threads();
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

    #[test]
    fn a_panic_of_a_thread_is_one_of_the_caller() {
        let _threads = all_threads();
        let caller = thread::current().id();
        for _ in 0..3 {
            let started = Barrier::new(2);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                share(1, &|_| {
                    started.wait();
                    assert!(thread::current().id() == caller, "on purpose");
                });
            }));
            assert!(outcome.is_err());
        }
    }

    #[test]
    fn a_caller_sleeps_until_slow_threads_have_ended() {
        let _threads = all_threads();
        let caller = thread::current().id();
        for _ in 0..20 {
            let (started, ended) = (Barrier::new(3), AtomicUsize::new(0));
            share(2, &|_| {
                started.wait();
                if thread::current().id() != caller {
                    thread::sleep(Duration::from_millis(2));
                    ended.fetch_add(1, Ordering::Relaxed);
                }
            });
            assert_eq!(ended.into_inner(), 2);
        }
    }

    #[test]
    fn a_caller_does_not_wait_for_threads_that_have_not_begun() {
        let _threads = some_threads();
        // While others have all threads, or wake them.
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        share(8, &|place| {
                            if place != 0 {
                                thread::sleep(Duration::from_micros(200));
                            }
                        });
                    }
                });
            }
            for _ in 0..1000 {
                let parts = AtomicUsize::new(0);
                share(8, &|_| {
                    parts.fetch_add(1, Ordering::Relaxed);
                });
                assert!((1..=9).contains(&parts.into_inner()));
            }
        });
    }
}
