//! Stopping a launch on the CPU device from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops launches on the CPU device: give it to them with
/// [`Launch::cancelled_by`](crate::Launch::cancelled_by).
///
/// Clones stop the same launches. A launch that is running stops at the next iteration of a
/// loop or the next block, with [`Error::Cancelled`](crate::Error::Cancelled); what it stored
/// stays. One that has not started does not start.
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
    /// Nothing is cancelled yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops the launches that it was given to, now and from now on.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
