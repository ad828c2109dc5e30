//! `tilec tune merge`: merges files of records into one.

use std::path::PathBuf;

use clap::Args;
use tile_core::tuning::{Merged, Records};

use super::{change, read, warn};
use crate::failure::{Failure, display_name};
use crate::output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file to add records to, which is created if it is not there. Lines of it that are no
    /// records stay at its end, but for conflict markers of git.
    out: PathBuf,
    /// The files whose records are added; `-` is standard input. Without any, `OUT` is sorted.
    #[arg(value_name = "IN")]
    inputs: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { out, inputs } = arguments;
    let mut sets = Vec::new();
    for path in inputs {
        let (records, bad_lines) = Records::from_bytes(&read(path)?);
        warn(&display_name(path, "<stdin>"), &bad_lines);
        sets.push(records);
    }
    if inputs.is_empty() {
        // A name that is mistyped would be an empty file.
        read(out)?;
    }
    let mut sum = Merged::default();
    let mut count = 0;
    change(out, |records| {
        for set in sets {
            let Merged {
                added,
                replaced,
                kept,
            } = records.merge(set);
            sum.added += added;
            sum.replaced += replaced;
            sum.kept += kept;
        }
        count = records.len();
    })?;
    let Merged {
        added,
        replaced,
        kept,
    } = sum;
    output::print(&format!(
        "{}: {added} added, {replaced} replaced, {kept} kept; {count} in all\n",
        out.display()
    ))
}
