//! Remarks for the author of a kernel: the choices of the compiler, and avoidable costs.
//!
//! In: a kernel in tile IR and in GPU IR, and the report of ptxas. Out: [`Remark`]s, each with a kind that
//! has a code, a location in the source and, where possible, a cure.
//!
//! - remarks that are not requested cost nothing: `Remarks::add` takes a closure
//! - remarks do not change the compiled code
//! - the same remark at the same location is reported once for all architectures
//!
//! [`kind`] lists all kinds; `docs/remarks.md` is generated from it.

mod access;
pub(crate) mod kernel;
pub mod kind;
mod padding;
pub(crate) mod persistent;
mod pipelining;
pub(crate) mod raster_order;
pub(crate) mod resource_usage;
pub(crate) mod slow;

pub use kind::Kind;

use crate::schedule::Explanation;
use crate::target::Arch;
use std::fmt::Write as _;
use tile_core::Loc;

/// A message about an optimization that was or was not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The kind.
    pub kind: Kind,
    /// The location in the source.
    pub loc: Loc,
    /// The message: lower case, no final period, code in backticks.
    pub message: String,
    /// The reasons.
    pub notes: Vec<String>,
    /// An instruction for the author.
    pub help: Option<String>,
    /// The name of the kernel.
    pub entry: String,
    /// The architectures to which the remark applies, in ascending order; none if it is about the CPU device.
    pub archs: Vec<Arch>,
}

impl Remark {
    /// Creates a remark without notes and help. The sink adds kernel and architecture.
    pub fn new(kind: Kind, loc: Loc, message: impl Into<String>) -> Self {
        Self {
            kind,
            loc,
            message: message.into(),
            notes: Vec::new(),
            help: None,
            entry: String::new(),
            archs: Vec::new(),
        }
    }

    /// Adds a reason.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds an instruction for the author.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Formats the remark as `FILE:LINE:COL: remark[CODE]: MESSAGE`, with a further line for the kernel, for
    /// each note and for the help. `file` is the file of locations that name none.
    pub fn to_text(&self, file: &str) -> String {
        let Self {
            kind,
            loc,
            message,
            notes,
            help,
            entry,
            archs,
        } = self;
        let (file, code) = (loc.file_name().unwrap_or(file), kind.code());
        let (line, column) = (loc.line(), loc.column());
        let mut text = format!("{file}:{line}:{column}: remark[{code}]: {message}\n");
        let archs: Vec<String> = archs.iter().map(|arch| format!("`{arch}`")).collect();
        let archs = if archs.is_empty() {
            "the CPU device".to_owned()
        } else {
            archs.join(", ")
        };
        let _ = writeln!(text, "  = in: `{entry}`, for {archs}");
        for note in notes {
            let _ = writeln!(text, "  = note: {note}");
        }
        if let Some(help) = help {
            let _ = writeln!(text, "  = help: {help}");
        }
        text
    }
}

/// A sink that collects remarks if they are wanted, and drops them otherwise.
#[derive(Debug, Default)]
pub struct Remarks {
    is_wanted: bool,
    /// The kernel that the next remarks are about.
    entry: String,
    arch: Option<Arch>,
    list: Vec<Remark>,
    /// The schedules that were considered, if they are wanted.
    pub explanation: Explanation,
}

impl Remarks {
    /// Creates a sink that keeps remarks, or drops them.
    pub fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            ..Self::default()
        }
    }

    /// Returns `true` if remarks are wanted.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Sets the kernel and the architecture that the next remarks are about.
    pub(crate) fn about(&mut self, entry: &str, arch: Arch) {
        if self.is_wanted {
            entry.clone_into(&mut self.entry);
            self.arch = Some(arch);
        }
    }

    /// Adds a remark, if remarks are wanted.
    pub(crate) fn add(&mut self, remark: impl FnOnce() -> Remark) {
        if !self.is_wanted {
            return;
        }
        let remark = Remark {
            entry: self.entry.clone(),
            ..remark()
        };
        let same = |existing: &&mut Remark| {
            let archs = existing.archs.clone();
            **existing
                == Remark {
                    archs,
                    ..remark.clone()
                }
        };
        let existing = self.list.iter_mut().find(same);
        match (existing, self.arch) {
            (Some(existing), Some(arch)) if !existing.archs.contains(&arch) => {
                existing.archs.push(arch);
            }
            (Some(_), _) => {}
            (None, arch) => self.list.push(Remark {
                archs: arch.into_iter().collect(),
                ..remark
            }),
        }
    }

    /// Takes the collected remarks, in the order of the source.
    pub fn take(&mut self) -> Vec<Remark> {
        let mut list = std::mem::take(&mut self.list);
        list.sort_by_key(|remark| {
            (
                remark.loc.file_name(),
                remark.loc.line(),
                remark.loc.column(),
                remark.kind,
            )
        });
        list
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Remark, Remarks};
    use crate::target::Arch;
    use tile_core::Loc;

    fn remark(line: u32) -> Remark {
        Remark::new(
            Kind::BarrierInLoop,
            Loc::file("k.rs", line, 3),
            "2 barriers",
        )
        .note("why")
        .help("do")
    }

    #[test]
    fn a_remark_that_nobody_wants_is_not_made() {
        let mut remarks = Remarks::new(false);
        remarks.add(|| unreachable!("nobody wants it"));
        assert_eq!(remarks.take(), []);
    }

    #[test]
    fn what_holds_on_two_architectures_is_one_remark_in_the_order_of_the_source() {
        let mut remarks = Remarks::new(true);
        for arch in [Arch::SM_80, Arch::SM_90A] {
            remarks.about("k", arch);
            remarks.add(|| remark(7));
            remarks.add(|| remark(7));
        }
        remarks.add(|| remark(2));
        let list = remarks.take();
        let archs: Vec<_> = list
            .iter()
            .map(|r| (r.loc.line(), r.archs.clone()))
            .collect();
        assert_eq!(
            archs,
            [
                (2, vec![Arch::SM_90A]),
                (7, vec![Arch::SM_80, Arch::SM_90A])
            ]
        );
        assert_eq!(
            list[1].to_text("other.rs"),
            "k.rs:7:3: remark[R0203]: 2 barriers\n  \
             = in: `k`, for `sm_80`, `sm_90a`\n  = note: why\n  = help: do\n"
        );
        assert!(
            Remark::new(Kind::Spill, Loc::UNKNOWN, "m")
                .to_text("f")
                .starts_with("f:0:0: ")
        );
    }
}
