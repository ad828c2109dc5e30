//! GPU kernels in Rust, compiled during `cargo build`.

mod cpu;
#[cfg(feature = "cust")]
pub mod cust;
mod device;
mod driver;
mod element;
mod error;
mod facts;
mod grid;
mod launch;
mod layout;
pub mod prelude;
mod storage;
mod stream;
mod tensor;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
use __private as private;

pub use half::{bf16, f16};

pub use device::Device;
pub use element::Element;
pub use error::{Error, Result};
pub use grid::Grid;
pub use launch::Launch;
pub use stream::{Stream, StreamRef};
pub use tensor::Tensor;
