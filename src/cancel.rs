//! Cancellation of launches on the CPU device from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that stops launches on the CPU device; pass it with
/// [`Launch::cancelled_by`](crate::Launch::cancelled_by).
///
/// Clones stop the same launches. A running launch stops at the next block or at the next iteration of a loop, with
/// [`Error::Cancelled`](crate::Error::Cancelled). The elements that it has already stored keep their values.
/// A launch that has not started does not start.
///
/// ```
/// use tile_kernel::Cancel;
/// let cancel = Cancel::new();
/// let other = cancel.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Returns a handle that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops all current and future launches that have this handle.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
