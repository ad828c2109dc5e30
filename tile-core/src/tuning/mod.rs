//! Records of tuning: what was measured of the candidates of a kernel, where, and when.
//!
//! In: a file of records, one JSON object on each line. Out: the [`Record`]s that fit a launch, and
//! the order in which candidates are predicted to be fast where there is none.
//!
//! - No input makes a function of this module panic.
//! - A line that cannot be read does not keep the others from being used, and writing the file keeps
//!   it.
//! - The same records give the same text, in whichever order they came.
//! - Processes that [update](file::update) one file at the same time lose no record.
//!
//! ```
//! use tile_core::tuning::{Candidate, Outcome, Query, Record, Records, predict};
//!
//! let candidate = |name: &str, seconds| Candidate {
//!     name: name.to_owned(),
//!     seconds,
//!     noise: 0.01,
//!     runs: 30,
//!     repeats: 0,
//!     ..Candidate::default()
//! };
//! let record = Record {
//!     kernel: "my_crate::product".to_owned(),
//!     hash: "00112233aabbccdd".to_owned(),
//!     key: "n = 2^10/16".to_owned(),
//!     extents: vec![1024],
//!     device: "NVIDIA H100 80GB HBM3".to_owned(),
//!     date: "2026-01-31T12:00:00Z".to_owned(),
//!     candidates: vec![candidate("BM = 64", 2e-5), candidate("BM = 128", 1.5e-5)],
//!     ..Record::default()
//! };
//! let mut records = Records::new();
//! records.insert(record);
//!
//! let (records, bad_lines) = Records::parse(&records.to_text());
//! assert!(bad_lines.is_empty());
//! let query = Query {
//!     kernel: "my_crate::product",
//!     hash: "00112233aabbccdd",
//!     key: "n = 2^11/16",
//!     device: "NVIDIA H100 80GB HBM3",
//!     ..Query::default()
//! };
//! let found = records.find(&query);
//! assert!(found.exact.is_none());
//!
//! // Another length was measured, and its order holds here too.
//! let names = ["BM = 64".to_owned(), "BM = 128".to_owned()];
//! let order = predict::rank(&names, &[0.0, 0.0], &[2048], &found.near);
//! assert_eq!(order[0].index, 1);
//! ```

mod combine;
pub mod date;
pub mod file;
mod json;
pub mod levels;
mod lines;
pub mod model;
pub mod predict;
mod record;
mod records;

pub use lines::{BadLine, Line, LineFault, lines};
pub use record::{Candidate, FORMAT_VERSION, Identity, Outcome, Record};
pub use records::{Found, Inserted, Merged, Query, Records};

#[cfg(test)]
mod tests;
