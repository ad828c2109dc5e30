//! Element-wise operations.
