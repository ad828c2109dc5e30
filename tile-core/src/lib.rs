//! The `cuda_tile` IR.
