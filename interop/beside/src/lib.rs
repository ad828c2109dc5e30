//! Tests only: `tests/`, and the examples of the page on other libraries.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/interop.md")]
mod page {}
