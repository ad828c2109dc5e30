//! Options that several commands share.

use clap::{Args, ValueEnum};
use tile_core::text::{ParseOptions, PrintOptions};
use tile_core::verify::{HintCheck, VerifyOptions};

/// Options for the accepted input, and its warnings.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Accept {
    /// Accept `testing$func`, an entry that may return values and take tiles of any shape.
    #[arg(long)]
    allow_testing: bool,
    /// Accept operations of other dialects, in generic form.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Process the text between lines `// -----` as separate files.
    #[arg(long)]
    pub(crate) split_input_file: bool,
    /// Check optimization hints: `-Wunsupported-hints` warns of those that no compiler follows, and
    /// with `-Werr-hints` too they are errors.
    #[arg(
        short = 'W',
        value_name = "HINTS",
        value_enum,
        hide_possible_values = true
    )]
    hints: Vec<Hints>,
}

/// A check of optimization hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hints {
    UnsupportedHints,
    ErrHints,
}

impl Accept {
    pub(crate) fn parse_options(&self) -> ParseOptions {
        ParseOptions {
            allow_testing: self.allow_testing,
            allow_unregistered: self.allow_unregistered_dialect,
        }
    }

    pub(crate) fn verify_options(&self) -> VerifyOptions {
        let asked = |check| self.hints.contains(&check);
        VerifyOptions {
            hints: match (asked(Hints::UnsupportedHints), asked(Hints::ErrHints)) {
                (false, _) => HintCheck::Silent,
                (true, false) => HintCheck::Warn,
                (true, true) => HintCheck::Refuse,
            },
        }
    }
}

/// Options for printing modules.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Print {
    /// Print operations in the generic form of MLIR.
    #[arg(long, alias = "mlir-print-op-generic")]
    print_generic: bool,
    /// Print the source locations that the module states.
    #[arg(long, alias = "mlir-print-debuginfo")]
    print_debuginfo: bool,
}

impl Print {
    pub(crate) fn options(self) -> PrintOptions {
        PrintOptions {
            generic: self.print_generic,
            debug_info: self.print_debuginfo,
        }
    }
}
