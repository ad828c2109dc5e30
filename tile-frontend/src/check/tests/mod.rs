//! Tests of the text of each error. Read the messages aloud: each must name the token, the rule and
//! the help.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "that is how `expect!` blesses its text"
)]

mod constants;
mod facts;
mod flow;
mod items;
mod memory;
mod names;
mod options;
mod ptx;
mod races;
mod races_of_launches;
mod shapes;
mod subset;
mod tiles;
mod types;

use crate::testing::body_errors;
use expect_test::Expect;

/// Checks the errors of a kernel with this body.
#[expect(
    clippy::needless_pass_by_value,
    reason = "that is how `expect!` reads best"
)]
fn body(source: &str, expected: Expect) {
    expected.assert_eq(&body_errors(source));
}
