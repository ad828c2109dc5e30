//! Collects the items that a kernel calls, by macro expansion.
//!
//! A proc macro sees only the tokens of its own item. `#[tile_fn] fn f` therefore becomes a macro
//! `f!` beside the function, which passes its tokens to its caller, and `use other::f` imports
//! both. A kernel that calls `f` expands to `f!{ task }`. The macro answers with `tile_next!{
//! bundle task }`, which queries the next name, until all are resolved and the task is finished.
//!
//! - `free`: free paths of an item
//! - `members`: items of a module by their treatment
//! - `bundle`: items and the targets of their names, as tokens
//! - `task`: the expansion in progress, as tokens
//! - `source`: names in the file around an item
//!
//! Invariant: the export of a `#[tile_fn]` is closed: the macro of a function resolves the names of
//! its own body at its definition, so a caller has to see only the names that it uses itself.

pub(crate) mod bundle;
pub(crate) mod free;
pub(crate) mod members;
pub(crate) mod recover;
pub(crate) mod source;
pub(crate) mod task;
