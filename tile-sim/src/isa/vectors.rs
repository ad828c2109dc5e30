//! The vector instructions of the host, beyond those that every processor of its kind has.
//!
//! Loops over lanes and columns are compiled twice: for any processor, and with these. They compute
//! the same: nothing is reordered or contracted, and a fused multiply-add is only one where it is
//! written.

/// A loop that gains from vectors. [`Self::run`] and what it calls must be `#[inline(always)]`: a
/// function of its own is compiled for any processor.
pub(crate) trait Work {
    fn run(self);
}

/// Runs it with the vectors that this processor has.
#[inline]
pub(crate) fn on_vectors(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: this processor has what the function is compiled for.
        return unsafe { wide(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide(work: impl Work) {
    work.run();
}
