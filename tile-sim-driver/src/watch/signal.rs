//! The handler of `SIGSEGV` that notes accesses of the program to protected pages, and makes the pages accessible.
//!
//! It takes no lock and allocates nothing. A fault outside of the memory that [`Range`] knows, or one that
//! protection does not explain, goes to the handler that was there before.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::memory::PAGE;

/// An access of the program to a protected page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) address: usize,
    pub(crate) writes: bool,
    /// The number that the system gave the thread.
    pub(crate) thread: usize,
}

/// The addresses whose pages may be protected.
#[derive(Debug)]
struct Range {
    start: AtomicUsize,
    end: AtomicUsize,
}

static WATCHED: Range = Range {
    start: AtomicUsize::new(0),
    end: AtomicUsize::new(0),
};

/// A place for an access, which has one of the three states below.
#[derive(Debug)]
struct Place {
    state: AtomicUsize,
    address: AtomicUsize,
    writes: AtomicUsize,
    thread: AtomicUsize,
    number: AtomicUsize,
}

const EMPTY: usize = 0;
const TAKEN: usize = 1;
const FULL: usize = 2;

/// More than accesses between two calls of the driver: one for each protected page. Later ones are not noted.
static PLACES: [Place; 256] = [const {
    Place {
        state: AtomicUsize::new(EMPTY),
        address: AtomicUsize::new(0),
        writes: AtomicUsize::new(0),
        thread: AtomicUsize::new(0),
        number: AtomicUsize::new(0),
    }
}; 256];
/// The number of accesses that were noted and not taken.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// The handler that was there before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Adds the addresses from `start` to `end` to those whose pages may be protected, and installs the handler.
pub(super) fn extend(start: usize, end: usize) {
    let _same = WATCHED
        .start
        .compare_exchange(0, start, Ordering::Relaxed, Ordering::Relaxed);
    WATCHED.end.fetch_max(end, Ordering::Release);
    BEFORE.get_or_init(|| {
        // SAFETY: all zeros are a valid value of the C structure.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        let mut before = action;
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: both structures are valid, and the handler keeps to what is allowed in one.
        unsafe { libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut before) };
        before
    });
}

/// Returns the number that the system gave this thread.
pub(crate) fn thread() -> usize {
    // SAFETY: the call has no arguments and does not fail.
    let number = unsafe { libc::gettid() };
    usize::try_from(number).unwrap_or(0)
}

/// Returns `true` if there are accesses to take.
pub(crate) fn has_noted() -> bool {
    COUNT.load(Ordering::Acquire) > 0
}

/// Takes the accesses in the order in which they happened.
pub(crate) fn take() -> Vec<Noted> {
    let mut taken = Vec::new();
    for place in &PLACES {
        if place.state.load(Ordering::Acquire) != FULL {
            continue;
        }
        let noted = Noted {
            address: place.address.load(Ordering::Relaxed),
            writes: place.writes.load(Ordering::Relaxed) != 0,
            thread: place.thread.load(Ordering::Relaxed),
        };
        taken.push((place.number.load(Ordering::Relaxed), noted));
        place.state.store(EMPTY, Ordering::Release);
        COUNT.fetch_sub(1, Ordering::AcqRel);
    }
    taken.sort_by_key(|(number, _)| *number);
    taken.into_iter().map(|(_, noted)| noted).collect()
}

fn note(noted: Noted) {
    for place in &PLACES {
        let free = place
            .state
            .compare_exchange(EMPTY, TAKEN, Ordering::AcqRel, Ordering::Relaxed);
        if free.is_err() {
            continue;
        }
        place.address.store(noted.address, Ordering::Relaxed);
        place
            .writes
            .store(usize::from(noted.writes), Ordering::Relaxed);
        place.thread.store(noted.thread, Ordering::Relaxed);
        place
            .number
            .store(NUMBER.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        place.state.store(FULL, Ordering::Release);
        COUNT.fetch_add(1, Ordering::AcqRel);
        return;
    }
}

/// Returns `true` if the access that faulted was a write. Where the processor does not say, it counts as one.
fn is_write(context: *mut c_void) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let context = context.cast::<libc::ucontext_t>();
        let place = usize::try_from(libc::REG_ERR).unwrap_or(0);
        // SAFETY: the system gave the handler a context. Bit 1 of the error code of a page fault is set for writes.
        unsafe { (*context).uc_mcontext.gregs[place] & 2 != 0 }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _unused = context;
        true
    }
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system gave the handler the information of a fault, which has an address.
    let address = unsafe { (*info).si_addr() }.addr();
    let start = WATCHED.start.load(Ordering::Relaxed);
    let end = WATCHED.end.load(Ordering::Acquire);
    if (start..end).contains(&address) {
        // SAFETY: the place of the error of this thread is always there.
        let error = unsafe { *libc::__errno_location() };
        let writes = is_write(context);
        let access = if writes {
            libc::PROT_READ | libc::PROT_WRITE
        } else {
            libc::PROT_READ
        };
        let page = ptr::with_exposed_provenance_mut(address & !(PAGE - 1));
        // SAFETY: the page is one that this library mapped for the program, or none, which is an error.
        let opened = unsafe { libc::mprotect(page, PAGE, access) } == 0;
        if opened {
            note(Noted {
                address,
                writes,
                thread: thread(),
            });
        }
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = error };
        if opened {
            return;
        }
    }
    forward(signal, info, context);
}

/// Calls the handler that was there before. Without one, the fault happens again, and ends the program.
fn forward(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let before = BEFORE.get().filter(|before| {
        before.sa_sigaction != libc::SIG_DFL && before.sa_sigaction != libc::SIG_IGN
    });
    let Some(before) = before else {
        // SAFETY: the default handler needs nothing.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    };
    let handler = ptr::with_exposed_provenance::<()>(before.sa_sigaction);
    if before.sa_flags & libc::SA_SIGINFO != 0 {
        type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
        // SAFETY: a program that installs a handler with this flag gives a function of this type.
        let handler: Handler = unsafe { std::mem::transmute(handler) };
        handler(signal, info, context);
    } else {
        type Handler = extern "C" fn(c_int);
        // SAFETY: a program that installs a handler without the flag gives a function of this type.
        let handler: Handler = unsafe { std::mem::transmute(handler) };
        handler(signal);
    }
}
