//! The command `doctor`: prints which parts that GPU code needs are on this machine, and which native code its processor can run.

use std::fmt::Write as _;

use tile_backend::doctor::{Absent, Need, Part, Present, examine};
use tile_backend::session::Environment;

use crate::failure::Failure;
use crate::output;

/// Fails if a part is missing without which no GPU code can be generated.
pub(crate) fn run() -> Result<(), Failure> {
    let parts = examine(&Environment::read());
    output::print(&table(&parts))?;
    let missing: Vec<&str> = parts
        .iter()
        .filter(|part| part.need == Need::Code && part.state.is_err())
        .map(|part| part.name)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::Incomplete(missing.join(", ")))
}

/// Formats a line for each part: its name, its version, and where it is. A missing part has two more lines.
fn table(parts: &[Part]) -> String {
    let mut text = String::new();
    let version_of = |part: &Part| match &part.state {
        Ok(present) => present.version.clone(),
        Err(_) => "missing".to_owned(),
    };
    let width = |cell: fn(&Part) -> usize| parts.iter().map(cell).max().unwrap_or_default();
    let names = width(|part| part.name.len());
    let versions = width(|part| match &part.state {
        Ok(present) => present.version.len(),
        Err(_) => "missing".len(),
    });
    for part in parts {
        let version = version_of(part);
        let lead = format!("{:names$}  {version:versions$}", part.name);
        // Writing to a `String` does not fail.
        let _ = match &part.state {
            Ok(Present { place, .. }) => writeln!(text, "{lead}  {place}"),
            Err(Absent { reason, cure }) => {
                writeln!(text, "{lead}  {reason}\n{:names$}  to get it: {cure}", "")
            }
        };
    }
    text
}
