//! Tests every operation on generated tiles against independently written models.

#![expect(
    clippy::many_single_char_names,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cloned_ref_to_slice_refs,
    clippy::type_complexity,
    clippy::precedence,
    clippy::semicolon_if_nothing_returned,
    reason = "models are plain loops that compare bit for bit"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "models take low bits"
)]
#![expect(clippy::cast_sign_loss, reason = "models take low bits")]

mod arithmetic;
#[path = "../common/mod.rs"]
mod common;
mod conversion;
mod core;
mod every_pattern;
mod float;
mod formats;
mod functions;
mod input;
mod integer;
mod matmul;
mod model;
mod oracle;
mod page;
#[path = "../common/python.rs"]
mod python;
mod reduction;
mod roster;
