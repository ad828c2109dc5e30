//! What tests of programs do with calls: let the Nth call of a function fail, list the calls, hide functions.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::result::CUresult;
use crate::{api, config, state};

/// What happens to the context of a call that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Works,
    /// It is broken from now on, as by an earlier kernel.
    Breaks,
}

/// A failure that is to come.
#[derive(Clone, Copy, Debug)]
struct Failure {
    /// The calls that remain, with that which fails.
    left: u32,
    result: CUresult,
    context: Context,
}

#[derive(Debug, Default)]
struct Calls {
    failures: BTreeMap<String, Vec<Failure>>,
    /// The names of the calls since the list was begun.
    listed: Option<Vec<&'static str>>,
}

static CALLS: LazyLock<Mutex<Calls>> = LazyLock::new(|| {
    let mut calls = Calls::default();
    for item in config::failures().iter().flat_map(|list| list.split(',')) {
        match parse(item) {
            Some((name, failure)) => calls.failures.entry(name).or_default().push(failure),
            None => crate::report(&format!(
                "`TILE_SIM_FAIL` has `{item}`, which is not `NAME=RESULT@N`"
            )),
        }
    }
    calls.note();
    Mutex::new(calls)
});

/// Is `true` if there is a failure or a list, so that other calls take no lock.
static ANY: AtomicBool = AtomicBool::new(false);

impl Calls {
    fn note(&self) {
        ANY.store(
            !self.failures.is_empty() || self.listed.is_some(),
            Ordering::Relaxed,
        );
    }
}

fn lock() -> MutexGuard<'static, Calls> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn parse(item: &str) -> Option<(String, Failure)> {
    let (name, rest) = item.split_once('=')?;
    let (result, nth) = rest.split_once('@').unwrap_or((rest, "1"));
    let failure = Failure {
        left: nth.trim().parse().ok().filter(|&nth| nth > 0)?,
        result: CUresult::named(result.trim())?,
        context: Context::Works,
    };
    Some((name.trim().to_owned(), failure))
}

/// Makes the `nth` call of a function from now fail.
pub(crate) fn fail(name: String, result: CUresult, nth: u32, context: Context) {
    let mut calls = lock();
    calls.failures.entry(name).or_default().push(Failure {
        left: nth.max(1),
        result,
        context,
    });
    calls.note();
}

/// Forgets the failures that have not happened, and returns their number.
pub(crate) fn forget() -> usize {
    let mut calls = lock();
    let failures = std::mem::take(&mut calls.failures);
    calls.note();
    failures.values().map(Vec::len).sum()
}

/// Begins the list of calls.
pub(crate) fn begin_list() {
    let mut calls = lock();
    calls.listed = Some(Vec::new());
    calls.note();
}

/// Ends the list of calls, and returns it.
pub(crate) fn end_list() -> Vec<&'static str> {
    let mut calls = lock();
    let listed = calls.listed.take().unwrap_or_default();
    calls.note();
    listed
}

/// Counts a call; returns its result if it has to fail.
pub(crate) fn failure(name: &'static str) -> Option<CUresult> {
    LazyLock::force(&CALLS);
    if !ANY.load(Ordering::Relaxed) || api::is_for_tests(name) {
        return None;
    }
    let mut calls = lock();
    if let Some(listed) = &mut calls.listed {
        listed.push(name);
    }
    let list = calls.failures.get_mut(name)?;
    let mut found = None;
    for failure in &mut *list {
        failure.left -= 1;
        if failure.left == 0 {
            found = Some(*failure);
        }
    }
    list.retain(|failure| failure.left > 0);
    if list.is_empty() {
        calls.failures.remove(name);
    }
    calls.note();
    drop(calls);
    let Failure {
        result, context, ..
    } = found?;
    match context {
        Context::Works => {}
        Context::Breaks => state::lock().break_current(name, result),
    }
    Some(result)
}

/// Returns `true` if a function is one that the driver is to lack.
pub(crate) fn is_hidden(name: &str) -> bool {
    config::hidden().is_some_and(|list| list.split(',').any(|hidden| hidden.trim() == name))
}

/// Runs when the library is loaded, before the program looks a function up.
#[used]
#[unsafe(link_section = ".init_array")]
static HIDE: extern "C" fn() = hide;

/// Takes the functions of `TILE_SIM_HIDE` out of the table in which `dlsym` looks them up, as if this were an older
/// driver.
extern "C" fn hide() {
    if config::hidden().is_none() {
        return;
    }
    let all = api::functions();
    for function in all.iter().filter(|function| is_hidden(function.name)) {
        if !hide_symbol(function) {
            crate::report(&format!("`{}` cannot be hidden", function.name));
        }
    }
}

fn hide_symbol(function: &api::Function) -> bool {
    let Ok(name) = CString::new(function.name) else {
        return false;
    };
    // SAFETY: the structure consists of pointers, for which zeros are valid.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = std::ptr::with_exposed_provenance::<c_void>((function.address)());
    // SAFETY: `dladdr` takes any address, and writes one structure.
    let is_known = unsafe { libc::dladdr(address, &raw mut found) } != 0;
    if !is_known || found.dli_sname.is_null() {
        return false;
    }
    // SAFETY: names of symbols end with a NUL, and stay where they are while the library is loaded.
    if unsafe { CStr::from_ptr(found.dli_sname) } != name.as_c_str() {
        return false;
    }
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let symbol = found.dli_sname.cast_mut();
    let start = symbol.map_addr(|address| address & !(page - 1));
    // SAFETY: the page is one of this library, of which the process has a private copy as soon as it writes to it.
    // The first byte of a name is not the end of another one. `dlsym` compares names under a lock of its own, and
    // the library is still being loaded.
    unsafe {
        if libc::mprotect(start.cast(), page, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return false;
        }
        symbol.write(b'-'.cast_signed());
        libc::mprotect(start.cast(), page, libc::PROT_READ) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_written_as_documented() {
        let (name, failure) =
            parse("cuMemAlloc_v2=CUDA_ERROR_OUT_OF_MEMORY@3").expect("it is right");
        assert_eq!((name.as_str(), failure.left), ("cuMemAlloc_v2", 3));
        assert_eq!(failure.result, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(
            parse("cuInit=CUDA_ERROR_NO_DEVICE").map(|(_, failure)| failure.left),
            Some(1)
        );
        for wrong in [
            "",
            "cuInit",
            "cuInit=ERROR",
            "cuInit=CUDA_ERROR_NO_DEVICE@0",
            "cuInit=CUDA_ERROR_NO_DEVICE@x",
        ] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn only_the_nth_call_fails() {
        let unknown = CUresult::CUDA_ERROR_UNKNOWN;
        fail("nothing".to_owned(), unknown, 2, Context::Works);
        assert_eq!(failure("nothing"), None);
        assert_eq!(failure("nothing"), Some(unknown));
        assert_eq!(failure("nothing"), None);
    }
}
