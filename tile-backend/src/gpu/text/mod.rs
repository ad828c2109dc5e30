//! The text form of the GPU IR, for dumps and tests.
//!
//! Output of [`to_text`], input of [`from_text`]: a line with the properties of the kernel, then layouts,
//! buffers, variables, arenas, parameters, tensor maps and the order of memory, then one operation per line:
//!
//! ```text
//! kernel @add warps=4 raster=any {
//!   #0 = register [(1), (2)] lane [(4), (8), (16), (32), (64)] warp [(128), (256)] -> [512]
//!   %0 = param ptr<f32> read align=16 unique
//!   %1 = constant 0x3f800000 : 512xf32 #0
//!   ; a comment
//!   return
//! }
//! ```
//!
//! The text holds everything but source locations. Numbers of values, layouts and buffers are those of the
//! kernel. Each part has one declaration for both directions: a [`Codec`] per type ([`codec`], [`records`]),
//! the rows of operations ([`super::ops`]), and the table of the kernel's properties ([`header`]).

mod codec;
mod cursor;
mod header;
mod parse;
mod print;
mod records;
#[cfg(test)]
mod tests;

use codec::{Codec, Map, Runs, record, separate, tagged};
pub(super) use codec::{Field, Flag, Hex, Named, Optional, Value, by_field};
pub(super) use cursor::Cursor;
pub use cursor::ParseError;
pub use parse::from_text;
pub use print::to_text;
