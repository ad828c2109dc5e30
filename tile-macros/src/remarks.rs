//! Which remarks a build prints, and what it says unasked.
//!
//! In: the environment variable `TILE_REMARKS`: `1` for all, or a list of codes and kernels, as in
//! `R0401,R0501,attention`. Out: the text beside cargo's own output. A macro on stable Rust has no other way: rustc
//! takes errors alone.
//!
//! Registers that are spilled are said in any case, in one line for a variant, and so is a compilation that takes
//! longer than a second: these cost most, and nothing else shows them.

use std::time::Duration;
use tile_backend::remarks::{Kind, Remark};
use tile_backend::stages::Launch;
use tile_backend::timing::Times;
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc, Reported};

/// The remarks that the environment variable `TILE_REMARKS` requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemarkFilter {
    /// True if the variable requests at least one remark.
    is_enabled: bool,
    /// The requested codes. An empty list requests every code.
    codes: Vec<Kind>,
    /// The names of the requested kernels. An empty list requests every kernel.
    kernels: Vec<String>,
}

impl RemarkFilter {
    pub(crate) fn from_environment(diagnostics: &mut Diagnostics) -> Result<Self, Reported> {
        let text = std::env::var("TILE_REMARKS").unwrap_or_default();
        Self::parse(&text).map_err(|unknown| {
            diagnostics.error(
                Diagnostic::error(
                    Code::AttributeOption,
                    Loc::UNKNOWN,
                    format!("`TILE_REMARKS` asks for `{unknown}`, which is no code of a remark"),
                )
                .note("the environment variable `TILE_REMARKS` asks for remarks: for all of them, or for some codes and kernels")
                .help("set it to 1, or to a list such as `R0401,R0501,attention`, or unset it; docs/remarks.md lists the codes"),
            )
        })
    }

    /// Parses the value of the variable. The error is the first entry that looks like a code and is none.
    fn parse(text: &str) -> Result<Self, String> {
        let mut filter = Self::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "" | "0" => continue,
                "1" => {}
                _ if name.starts_with('R')
                    && name[1..].starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    let kind = Kind::ALL.iter().find(|kind| kind.code() == name);
                    filter.codes.push(*kind.ok_or_else(|| name.to_owned())?);
                }
                _ => filter.kernels.push(name.to_owned()),
            }
            filter.is_enabled = true;
        }
        Ok(filter)
    }

    /// Returns whether the user requested remarks about the kernel called `kernel`.
    pub(crate) fn is_about(&self, kernel: &str) -> bool {
        let is_named = self.kernels.iter().any(|name| name == kernel);
        self.is_enabled && (is_named || self.kernels.is_empty())
    }

    /// Prints the remarks that are asked for, on one instance of a kernel.
    #[expect(
        clippy::print_stderr,
        reason = "asked for by the user with `TILE_REMARKS`"
    )]
    pub(crate) fn say(&self, instance: &str, remarks: Vec<Remark>) {
        let text: String = remarks
            .into_iter()
            .filter(|remark| self.codes.is_empty() || self.codes.contains(&remark.kind))
            .map(|remark| {
                let remark = Remark {
                    entry: instance.to_owned(),
                    ..remark
                };
                remark.to_text("kernel")
            })
            .collect();
        eprint!("{text}");
    }
}

/// The longest time that compiling a variant for one architecture takes without a word.
const QUICK: Duration = Duration::from_secs(1);

/// Says what one variant of an instance spills, and where its compilation took long, if it was compiled now.
#[expect(clippy::print_stderr, reason = "what costs most is said unasked")]
pub(crate) fn say_costs(variant: &str, launches: &[Launch], times: Option<&Times>) {
    let spilled = launches.iter().map(|launch| {
        let bytes = launch.resources.spilled_bytes();
        (launch.arch.to_string(), bytes)
    });
    let text = [
        spills(variant, spilled),
        times.and_then(|times| slow(variant, times, launches.len())),
    ];
    text.iter().flatten().for_each(|line| eprintln!("{line}"));
}

fn spills(variant: &str, archs: impl Iterator<Item = (String, u32)>) -> Option<String> {
    let spilled: Vec<String> = archs
        .filter(|(_, bytes)| *bytes > 0)
        .map(|(arch, bytes)| format!("{bytes} bytes on {arch}"))
        .collect();
    (!spilled.is_empty()).then(|| {
        format!(
            "tile-kernel: {variant}: each thread spills registers, {}: use smaller tiles, or more warps; `TILE_REMARKS=R0501` says where",
            spilled.join(", ")
        )
    })
}

fn slow(variant: &str, times: &Times, archs: usize) -> Option<String> {
    let total = times.total();
    let most = QUICK * u32::try_from(archs.max(1)).unwrap_or(1);
    let (name, longest) = times.longest()?;
    (total > most).then(|| {
        format!(
            "tile-kernel: {variant}: compiling took {:.1} s, {:.1} s of that in the stage `{name}`: it grows with the elements that a thread holds, so smaller tiles or more warps take less; `TILE_TIME=1` gives the times of all stages",
            total.as_secs_f64(),
            longest.as_secs_f64()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_kernels_are_asked_for() {
        let parsed = |text| RemarkFilter::parse(text).expect("a list");
        assert!(!parsed("").is_about("k") && !parsed("0").is_about("k"));
        assert!(parsed("1").is_about("k"));
        let some = parsed("R0401, attention,R0501");
        assert!(some.is_about("attention") && !some.is_about("k"));
        let codes: Vec<&str> = some.codes.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes, ["R0401", "R0501"]);
        assert!(parsed("R0401").is_about("k"));
        assert_eq!(RemarkFilter::parse("1,R9999"), Err("R9999".to_owned()));
        // A kernel may be called so.
        assert!(parsed("Reduce").is_about("Reduce"));
    }

    #[test]
    fn a_variant_that_spills_is_named_with_the_bytes() {
        let archs = |bytes: [u32; 2]| {
            let names = ["sm_80", "sm_90a"].map(str::to_owned);
            names.into_iter().zip(bytes)
        };
        assert_eq!(spills("k fast", archs([0, 0])), None);
        let text = spills("k<f16, 64> fast", archs([16, 0])).expect("it spills");
        let start =
            "tile-kernel: k<f16, 64> fast: each thread spills registers, 16 bytes on sm_80: ";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn what_takes_longer_than_a_second_is_said_with_the_stage() {
        let mut times = Times::new();
        times.add("optimize", Duration::from_millis(400));
        times.add("ptxas", Duration::from_millis(700));
        assert_eq!(slow("k fast", &times, 2), None);
        let text = slow("k fast", &times, 1).expect("it is slow");
        let start =
            "tile-kernel: k fast: compiling took 1.1 s, 0.7 s of that in the stage `ptxas`: ";
        assert!(text.starts_with(start), "{text}");
    }
}
