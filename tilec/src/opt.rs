//! `tilec opt`: passes on a module, or on each module of a file.

use std::path::PathBuf;

use clap::Args;
use tile_core::canonicalize::canonicalize;
use tile_core::diag::Diagnostics;
use tile_core::text;
use tile_core::verify::{Verified, verify};

use crate::failure::{Failure, display_name};
use crate::input::{self, Content, Input};
use crate::output;

/// Between modules of one file, on a line of its own.
const SEPARATOR: &str = "// -----";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The module.
    file: PathBuf,
    /// The passes to run, in order, separated by commas: `canonicalize`.
    #[arg(
        long,
        value_name = "PASSES",
        default_value = "",
        hide_default_value = true,
        value_parser = Passes::parse
    )]
    passes: Passes,
    /// Takes what stands between lines `// -----` as modules of their own.
    #[arg(long)]
    split_input_file: bool,
}

/// A rewrite of a module.
#[derive(Clone, Copy, Debug)]
enum Pass {
    Canonicalize,
}

impl Pass {
    const ALL: [Self; 1] = [Self::Canonicalize];

    fn name(self) -> &'static str {
        match self {
            Self::Canonicalize => "canonicalize",
        }
    }
}

/// Passes in the order in which they run.
#[derive(Clone, Debug)]
struct Passes(Vec<Pass>);

impl Passes {
    fn parse(list: &str) -> Result<Self, String> {
        if list.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let pass = |name: &str| {
            let found = Pass::ALL.into_iter().find(|pass| pass.name() == name);
            found.ok_or_else(|| {
                let known = Pass::ALL.map(|pass| format!("`{}`", pass.name()));
                format!("unknown pass `{name}`, known are: {}", known.join(", "))
            })
        };
        list.split(',')
            .map(pass)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The module after all passes, as text.
    fn run(&self, module: Verified) -> Result<String, Diagnostics> {
        let mut module = module;
        for pass in &self.0 {
            let rewritten = match pass {
                Pass::Canonicalize => canonicalize(module).into_inner(),
            };
            let mut diagnostics = Diagnostics::new();
            module = verify(rewritten, &mut diagnostics).map_err(|_| diagnostics)?;
        }
        Ok(text::print(&module))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        file,
        passes,
        split_input_file,
    } = arguments;
    let name = display_name(file, "<stdin>");
    match input::read(file)? {
        Content::Text(text) if *split_input_file => {
            let mut printed = Vec::new();
            let mut found = Vec::new();
            for (lines_before, chunk) in split(&text) {
                match input::parse(chunk, &name, lines_before) {
                    Ok(module) => match passes.run(module) {
                        Ok(text) => printed.push(text),
                        Err(mut diagnostics) => found.extend(diagnostics.take()),
                    },
                    Err(faults) => found.extend(faults),
                }
            }
            if !found.is_empty() {
                return Err(input::faults(name, Some(text), found));
            }
            output::print(&printed.join(&format!("{SEPARATOR}\n")))
        }
        content => {
            let Input { source, module } = Input::of(name, content)?;
            let printed = passes.run(module).map_err(|mut diagnostics| {
                input::faults(source.name, source.text, diagnostics.take())
            })?;
            output::print(&printed)
        }
    }
}

/// The modules of a file, each with the number of lines before it.
fn split(text: &str) -> Vec<(u32, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut first_line) = (0, 0);
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = offset + line.len();
        if line.trim_end() == SEPARATOR {
            chunks.push((first_line, &text[start..offset]));
            (start, first_line) = (end, number);
        }
        offset = end;
    }
    chunks.push((first_line, &text[start..]));
    chunks
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn only_a_line_of_its_own_separates() {
        let text = "a\n// -----\nb // -----\n// ------\n// ----- \r\nc";
        assert_eq!(
            split(text),
            [(0, "a\n"), (2, "b // -----\n// ------\n"), (5, "c")]
        );
        assert_eq!(split(""), [(0, "")]);
    }
}
