//! Failures that a test asks for: the Nth call of a function returns a result, and does nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::config;
use crate::result::CUresult;

/// The calls that remain before a failure, and its result, by function.
type Failures = BTreeMap<String, Vec<(u32, CUresult)>>;

static FAILURES: LazyLock<Mutex<Failures>> = LazyLock::new(|| {
    let mut failures = Failures::new();
    for item in config::failures().iter().flat_map(|list| list.split(',')) {
        match parse(item) {
            Some((name, nth, result)) => failures.entry(name).or_default().push((nth, result)),
            None => crate::report(&format!(
                "`TILE_SIM_FAIL` has `{item}`, which is not `NAME=RESULT@N`"
            )),
        }
    }
    ANY.store(!failures.is_empty(), Ordering::Relaxed);
    Mutex::new(failures)
});

/// Is `true` if there is a failure, so that other calls take no lock.
static ANY: AtomicBool = AtomicBool::new(false);

fn parse(item: &str) -> Option<(String, u32, CUresult)> {
    let (name, rest) = item.split_once('=')?;
    let (result, nth) = rest.split_once('@').unwrap_or((rest, "1"));
    let nth = nth.trim().parse().ok().filter(|&nth| nth > 0)?;
    Some((name.trim().to_owned(), nth, CUresult::named(result.trim())?))
}

/// Makes the `nth` call of a function from now fail.
pub(crate) fn fail(name: String, result: CUresult, nth: u32) {
    let mut failures = FAILURES.lock().unwrap_or_else(PoisonError::into_inner);
    failures.entry(name).or_default().push((nth.max(1), result));
    ANY.store(true, Ordering::Relaxed);
}

/// Counts a call; returns its result if it has to fail.
pub(crate) fn failure(name: &str) -> Option<CUresult> {
    LazyLock::force(&FAILURES);
    if !ANY.load(Ordering::Relaxed) {
        return None;
    }
    let mut failures = FAILURES.lock().unwrap_or_else(PoisonError::into_inner);
    let list = failures.get_mut(name)?;
    let mut result = None;
    for (left, failure) in &mut *list {
        *left -= 1;
        if *left == 0 {
            result = Some(*failure);
        }
    }
    list.retain(|(left, _)| *left > 0);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_written_as_documented() {
        let (name, nth, result) =
            parse("cuMemAlloc_v2=CUDA_ERROR_OUT_OF_MEMORY@3").expect("it is right");
        assert_eq!((name.as_str(), nth), ("cuMemAlloc_v2", 3));
        assert_eq!(result, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(
            parse("cuInit=CUDA_ERROR_NO_DEVICE").map(|(_, nth, _)| nth),
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
        fail("nothing".to_owned(), CUresult::CUDA_ERROR_UNKNOWN, 2);
        assert_eq!(failure("nothing"), None);
        assert_eq!(failure("nothing"), Some(CUresult::CUDA_ERROR_UNKNOWN));
        assert_eq!(failure("nothing"), None);
    }
}
