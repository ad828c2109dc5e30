//! Selects the remarks that a build prints, on request and by default.
//!
//! The environment variable `TILE_REMARKS` is `1` for all remarks, or a list of codes and kernels,
//! as in `R0401,R0501,attention`. The text is printed among cargo's own output, since a macro on
//! stable Rust can pass only errors to rustc.
//!
//! Register spills are always reported, in one line per variant, and so are slow compilations, by
//! their remark. They cost most, and nothing else shows them.

use tile_backend::manifest::Manifest;
use tile_backend::session::{Environment, Malformed, Remark, RemarkKind};

/// The remarks that the environment variable `TILE_REMARKS` requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemarkFilter {
    /// `true` if the variable requests at least one remark.
    is_enabled: bool,
    /// The requested codes. An empty list requests every code.
    codes: Vec<RemarkKind>,
    /// The names of the requested kernels. An empty list requests every kernel.
    kernels: Vec<String>,
}

impl RemarkFilter {
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, Malformed> {
        let value = environment.remarks();
        Self::parse(&value).map_err(|unknown| Malformed {
            variable: "TILE_REMARKS",
            value: value.into_owned(),
            message: format!("`TILE_REMARKS` asks for `{unknown}`, which is no code of a remark"),
            note: "the environment variable `TILE_REMARKS` asks for remarks: for all of them, or for some codes and kernels",
            help: Some("set it to 1, or to a list such as `R0401,R0501,attention`, or unset it; docs/remarks.md lists the codes".to_owned()),
        })
    }

    /// Parses the value of the variable. The error is the first entry that looks like a code but is
    /// not one.
    fn parse(text: &str) -> Result<Self, String> {
        let mut filter = Self::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "" | "0" => continue,
                "1" => {}
                _ if name.starts_with('R')
                    && name[1..].starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    let kind = RemarkKind::ALL.iter().find(|kind| kind.code() == name);
                    filter.codes.push(*kind.ok_or_else(|| name.to_owned())?);
                }
                _ => filter.kernels.push(name.to_owned()),
            }
            filter.is_enabled = true;
        }
        Ok(filter)
    }

    /// Returns `true` if the user requested remarks about the kernel called `kernel`.
    pub(crate) fn includes_kernel(&self, kernel: &str) -> bool {
        let is_named = self.kernels.iter().any(|name| name == kernel);
        self.is_enabled && (is_named || self.kernels.is_empty())
    }

    /// Prints the remarks on one instance of a kernel that are requested or printed by default.
    #[expect(
        clippy::print_stderr,
        reason = "asked for by the user with `TILE_REMARKS`, or what costs most"
    )]
    pub(crate) fn say(&self, instance: &str, remarks: Vec<Remark>) {
        eprint!("{}", self.text(instance, remarks));
    }

    fn text(&self, instance: &str, remarks: Vec<Remark>) -> String {
        let is_said = |remark: &Remark| {
            let is_asked = self.codes.is_empty() || self.codes.contains(&remark.kind);
            remark.kind.is_unasked() || is_asked
        };
        let said = remarks.into_iter().filter(is_said).map(|remark| {
            let remark = Remark {
                entry: instance.to_owned(),
                ..remark
            };
            remark.to_text("kernel")
        });
        said.collect()
    }
}

/// Prints the register spills of one variant of an instance.
#[expect(clippy::print_stderr, reason = "what costs most is said unasked")]
pub(crate) fn say_spills(variant: &str, manifest: &Manifest) {
    let spilled = manifest.launches.iter().map(|launch| {
        let bytes = launch.spilled_bytes();
        (launch.arch.to_string(), bytes)
    });
    if let Some(line) = spills(variant, spilled) {
        eprintln!("{line}");
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tile_core::Loc;

    #[test]
    fn codes_and_kernels_are_asked_for() {
        let parsed = |text| RemarkFilter::parse(text).expect("a list");
        assert!(!parsed("").includes_kernel("k") && !parsed("0").includes_kernel("k"));
        assert!(parsed("1").includes_kernel("k"));
        let some = parsed("R0401, attention,R0501");
        assert!(some.includes_kernel("attention") && !some.includes_kernel("k"));
        let codes: Vec<&str> = some.codes.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes, ["R0401", "R0501"]);
        assert!(parsed("R0401").includes_kernel("k"));
        assert_eq!(RemarkFilter::parse("1,R9999"), Err("R9999".to_owned()));
        // A kernel may have a name that resembles a code.
        assert!(parsed("Reduce").includes_kernel("Reduce"));
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
    fn a_compilation_that_takes_long_is_said_whatever_is_asked_for() {
        let remark = |kind| Remark::new(kind, Loc::UNKNOWN, "a message");
        let remarks = || vec![remark(RemarkKind::Slow), remark(RemarkKind::Reduction)];
        let kinds = |asked: &str| {
            let filter = RemarkFilter::parse(asked).expect("a list");
            let text = filter.text("k<f32>", remarks());
            assert!(text.contains("in: `k<f32>`"), "{text}");
            [RemarkKind::Slow, RemarkKind::Reduction].map(|kind| text.contains(kind.code()))
        };
        assert_eq!(kinds("R0401"), [true, false]);
        assert_eq!(kinds("R0202,other"), [true, true]);
    }
}
