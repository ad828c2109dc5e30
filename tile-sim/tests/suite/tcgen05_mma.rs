//! `tcgen05.mma` in every form.
