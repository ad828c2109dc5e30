//! The functions of the simulated driver for tests of programs.

use std::env;
use std::ffi::{CString, c_char, c_int, c_uint};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use libloading::Library;

/// A result of the driver, with what an error of ours has to say about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) result: c_uint,
    pub(crate) name: &'static str,
    /// A part of the cure.
    pub(crate) cure: &'static str,
}

/// The kinds of objects that are counted.
pub(crate) const KINDS: [&str; 10] = [
    "context", "stream", "event", "module", "memory", "pool", "graph", "exec", "capture",
    "retained",
];

/// The number of objects of each kind.
pub(crate) type Counts = [usize; KINDS.len()];

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let path = env::var_os("TILE_SIM_DRIVER").expect("the parent sets it");
    // SAFETY: the initializers of `tile-sim-driver` have no requirement on the program.
    unsafe { Library::new(path) }.expect("the library is beside this program")
});

/// Returns a function of the library.
///
/// # Safety
/// `Function` is its type.
unsafe fn function<Function: Copy>(name: &str) -> Function {
    // SAFETY: the caller's promise; the library is never unloaded.
    let symbol = unsafe { LIBRARY.get::<Function>(name) };
    *symbol.expect("the simulated driver has the function")
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names have no zero bytes")
}

/// `true` if a failure is asked for, or has happened.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Returns `true` if the driver lacks a function, or a failure is asked for that is not forgotten.
pub(crate) fn is_failing() -> bool {
    IS_ASKED.load(Ordering::SeqCst) || env::var_os("TILE_SIM_HIDE").is_some_and(|it| !it.is_empty())
}

fn ask(ask: &str, name: &str, result: c_uint, nth: c_uint) {
    type Ask = unsafe extern "C" fn(*const c_char, c_uint, c_uint) -> c_uint;
    IS_ASKED.store(true, Ordering::SeqCst);
    // SAFETY: this is the type of both functions, which read the name.
    let done = unsafe { function::<Ask>(ask)(c_string(name).as_ptr(), result, nth) };
    assert_eq!(done, 0);
}

/// Makes the `nth` call of a function from now fail.
pub(crate) fn fail(name: &str, result: c_uint, nth: c_uint) {
    ask("tileSimFailNext", name, result, nth);
}

/// Makes the `nth` call of a function from now fail, and break its context.
pub(crate) fn break_context(name: &str, result: c_uint, nth: c_uint) {
    ask("tileSimBreakNext", name, result, nth);
}

/// Forgets the failures that have not happened, and returns their number.
pub(crate) fn forget() -> usize {
    type Forget = unsafe extern "C" fn(*mut usize) -> c_uint;
    let mut count = 0;
    // SAFETY: this is the type; the function writes a number.
    let done = unsafe { function::<Forget>("tileSimForgetFailures")(&raw mut count) };
    assert_eq!(done, 0);
    IS_ASKED.store(false, Ordering::SeqCst);
    count
}

/// Returns what a closure returns, and the names of the calls of the driver meanwhile.
pub(crate) fn calls_of<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    type Begin = unsafe extern "C" fn() -> c_uint;
    type End = unsafe extern "C" fn(*mut c_char, c_int) -> c_uint;
    // SAFETY: this is the type.
    assert_eq!(unsafe { function::<Begin>("tileSimBeginCalls")() }, 0);
    let value = work();
    let mut text = vec![0u8; 1 << 20];
    let length = c_int::try_from(text.len()).expect("it is short");
    // SAFETY: this is the type; the function writes as many bytes at most.
    let done = unsafe { function::<End>("tileSimEndCalls")(text.as_mut_ptr().cast(), length) };
    assert_eq!(done, 0);
    let end = text.iter().position(|&byte| byte == 0).expect("a NUL");
    text.truncate(end);
    let text = String::from_utf8(text).expect("names are ASCII");
    (value, text.lines().map(str::to_owned).collect())
}

/// Counts the objects of a kind.
pub(crate) fn count(kind: &str) -> usize {
    type Live = unsafe extern "C" fn(*const c_char, *mut usize) -> c_uint;
    let mut count = 0;
    // SAFETY: this is the type; the function reads a name and writes a number.
    let done =
        unsafe { function::<Live>("tileSimLiveObjects")(c_string(kind).as_ptr(), &raw mut count) };
    assert_eq!(done, 0, "{kind}");
    count
}

/// Counts the objects that were not destroyed, after all work has ended: some of it frees memory.
pub(crate) fn counts() -> Counts {
    while count("operation") > 0 {
        thread::yield_now();
    }
    KINDS.map(count)
}
