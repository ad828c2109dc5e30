//! An executor of PTX on the CPU.
