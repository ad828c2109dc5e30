//! Prints the records of tuning of a module's kernels, for `tilec build --explain-schedule`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tile_backend::session::Environment;
use tile_core::tuning::{Record, Records};

use super::{Arch, read, show, warn};
use crate::failure::{Failure, display_name};

/// Returns the measured, modelled and predicted times of the candidates of each entry on devices of some architectures: of the file
/// at `path`, or of the one that `TILE_TUNING` names. The text is empty if there is neither.
pub(crate) fn explain(
    path: Option<&Path>,
    entries: &[String],
    archs: &[Arch],
) -> Result<String, Failure> {
    let of_variable = || Environment::read().tuning();
    let Some(path) = path.map(PathBuf::from).or_else(of_variable) else {
        return Ok(String::new());
    };
    let name = display_name(&path, "<stdin>");
    let (records, bad_lines) = Records::from_bytes(&read(&path)?);
    warn(&name, &bad_lines);
    let mut text = String::new();
    for entry in entries {
        let of_entry = |it: &&Record| is_of_entry(&it.kernel, entry) && is_of_archs(it, archs);
        let sections: Vec<String> = records
            .iter()
            .filter(of_entry)
            .map(|it| show::section(it, &records))
            .collect();
        // Writing to a `String` does not fail.
        let _ = write!(text, "records of `{entry}` in {name}");
        if sections.is_empty() {
            text.push_str(": none of this kernel and these architectures\n");
            continue;
        }
        text.push_str(":\n");
        for line in sections.join("\n").lines() {
            let line = format!("  {line}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns `true` if an entry is the code of the kernel at a path, of which it has the name, maybe with a variant.
fn is_of_entry(kernel: &str, entry: &str) -> bool {
    let name = kernel.rsplit("::").next().unwrap_or(kernel);
    let rest = entry.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
}

/// Returns `true` for a record of a device of one of the architectures, or of the simulator, which runs the code of any.
fn is_of_archs(record: &Record, archs: &[Arch]) -> bool {
    // A device has no suffix of features, as `sm_90a` has.
    let without_suffix = |name: &str| name.trim_end_matches(['a', 'f']).to_owned();
    let device = without_suffix(&record.arch);
    record.arch == "sim"
        || archs
            .iter()
            .any(|arch| without_suffix(&arch.to_string()) == device)
}

#[cfg(test)]
mod tests {
    use super::is_of_entry;

    #[test]
    fn an_entry_has_the_name_of_its_kernel_and_maybe_a_variant() {
        assert!(is_of_entry("models::matmul", "matmul"));
        assert!(is_of_entry("models::matmul", "matmul__fast"));
        assert!(is_of_entry("matmul", "matmul__general"));
        assert!(!is_of_entry("models::matmul", "matmul_transposed__fast"));
        assert!(!is_of_entry("models::matmul", "softmax"));
    }
}
