//! From verified `cuda_tile` IR to PTX and cubins.

pub mod layout;
