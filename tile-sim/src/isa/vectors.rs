//! Dispatch to vector extensions of the host beyond its baseline.
//!
//! Loops over lanes and columns are compiled twice: for the baseline, and with the extensions. Both
//! compute the same results: nothing is reordered or contracted, and fused multiply-adds occur only
//! where the source has them.

/// A loop that benefits from vector instructions. [`Self::run`] and what it calls must be
/// `#[inline(always)]`: separate functions are compiled for the baseline.
pub(crate) trait Work {
    fn run(self);
}

/// Runs a loop with the vector extensions of this processor.
#[inline]
pub(crate) fn on_vectors(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor was checked for the features that the function is compiled with.
        return unsafe { wide(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide(work: impl Work) {
    work.run();
}
