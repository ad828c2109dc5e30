//! Collects the items that a kernel calls, by macro expansion.
//!
//! A proc macro sees only the tokens of its own item. `#[tile_fn] fn f` therefore becomes the
//! function and a macro `f!` that passes the tokens of the function to the caller of the macro.
//! `use other::f` imports both. A kernel that calls `f` expands to `f!{ task }`. The macro answers
//! with `tile_next!{ bundle task }`, which queries the next name, until all are resolved and the
//! task is finished.
//!
//! - `free`: free paths of an item
//! - `members`: items of a module by their treatment
//! - `bundle`: items and the targets of their names, as tokens
//! - `task`: the expansion in progress, as tokens
//! - `source`: names in the file around an item
//!
//! Invariant: the export of a `#[tile_fn]` is closed. The names in the body of a function are
//! resolved where the function is defined, so only names that the caller itself uses must be
//! visible to the caller.

pub(crate) mod bundle;
pub(crate) mod free;
pub(crate) mod members;
pub(crate) mod recover;
pub(crate) mod source;
pub(crate) mod task;
