//! What a kernel calls, collected over macros.
//!
//! A proc macro sees the tokens of its own item only. So `#[tile_fn] fn f` becomes a
//! macro `f!` beside the function, which hands its tokens to whoever calls it, and
//! `use other::f` imports both. A kernel that calls `f` expands to `f!{ task }`; the
//! macro answers with `tile_next!{ bundle task }`, which asks for the next name, until
//! all are there and the task is finished.
//!
//! - `free`: the paths of an item that lead out of it
//! - `members`: the items of a module, by what becomes of them
//! - `bundle`: items, and where their names lead, as tokens
//! - `task`: what is being expanded, as tokens
//! - `source`: what the file around an item says about a name
//!
//! Invariant: what a `#[tile_fn]` hands out is closed: the macro of a function asks for
//! the names of its own body where it stands, before it is defined, so a caller has to
//! see only what it calls itself.

pub(crate) mod bundle;
pub(crate) mod free;
pub(crate) mod members;
pub(crate) mod recover;
pub(crate) mod source;
pub(crate) mod task;
