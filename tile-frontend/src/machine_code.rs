//! Decides whether an expansion generates machine code.

use std::path::Path;
use tile_backend::session::Environment;

/// The decision whether to generate machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MachineCode {
    /// Stages 8 to 11 run.
    Made,
    /// Machine code is skipped: rustc only checks the crate.
    Skipped,
}

impl MachineCode {
    /// Decides from the command line of the rustc process that the macro runs in.
    pub(crate) fn for_process(environment: &Environment) -> Self {
        // Remarks, dumps and times come from these stages.
        if environment.asks_for_output() {
            return MachineCode::Made;
        }
        Self::from_args(environment.arguments().iter().map(String::as_str))
    }

    /// Decides from the arguments of a rustc process. `cargo check` and clippy pass
    /// `--emit=dep-info,metadata`; `cargo build` also passes `link`. rustdoc emits no code, and its
    /// doc tests are programs that rustc compiles. Code is generated for unknown arguments.
    fn from_args<'a>(mut args: impl Iterator<Item = &'a str>) -> Self {
        let program = args.next().unwrap_or_default();
        let stem = Path::new(program).file_stem();
        if stem.is_some_and(|stem| stem == "rustdoc") {
            return MachineCode::Skipped;
        }
        let mut emits = false;
        while let Some(arg) = args.next() {
            let list = match arg.strip_prefix("--emit") {
                Some("") => args.next().unwrap_or_default(),
                Some(list) => list.trim_start_matches('='),
                None => continue,
            };
            for kind in list.split(',') {
                // `link=path` includes the output path.
                let kind = kind.split('=').next().unwrap_or_default();
                if !["dep-info", "metadata"].contains(&kind) {
                    return MachineCode::Made;
                }
                emits = true;
            }
        }
        if emits {
            MachineCode::Skipped
        } else {
            MachineCode::Made
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MachineCode;

    fn from_line(line: &str) -> MachineCode {
        MachineCode::from_args(line.split_whitespace())
    }

    #[test]
    fn machine_code_is_made_where_rustc_makes_any() {
        for command in [
            "rustc --crate-name a --edition=2024 src/lib.rs --emit=dep-info,metadata,link -C opt-level=3",
            "rustc --crate-name a src/main.rs --emit=dep-info,link",
            "rustc src/main.rs",
            "rustc --emit link=a.out src/main.rs",
            "rustc --emit=metadata --emit=obj src/main.rs",
            "rustc @arguments",
            "",
        ] {
            assert_eq!(from_line(command), MachineCode::Made, "{command}");
        }
        for skipped in [
            "/usr/bin/rustc --crate-name a src/lib.rs --emit=dep-info,metadata -C debuginfo=2",
            "clippy-driver rustc --crate-name a --emit=dep-info,metadata src/lib.rs",
            "rustc --emit metadata=a.rmeta src/lib.rs",
            "/toolchain/bin/rustdoc --edition=2024 --crate-type lib src/lib.rs",
        ] {
            assert_eq!(from_line(skipped), MachineCode::Skipped, "{skipped}");
        }
    }
}
