//! PTX versions and targets, and feature requirements.

use std::fmt;

/// A version of the PTX ISA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The number before the dot.
    pub major: u8,
    /// The number after the dot.
    pub minor: u8,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The feature set of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// `sm_90`: features that later architectures have too.
    None,
    /// `sm_100f`: also features of the architecture's family.
    Family,
    /// `sm_90a`: also features of this architecture only.
    Architecture,
}

/// A target architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The compute capability times ten.
    pub number: u16,
    /// The feature set.
    pub suffix: Suffix,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::Family => "f",
            Suffix::Architecture => "a",
        };
        write!(f, "sm_{}{suffix}", self.number)
    }
}

impl Target {
    /// Returns the requirement of `sm_<number>` or a later architecture.
    pub(crate) const fn from(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::None,
        }
    }

    /// Returns the requirement of `sm_<number>a`.
    pub(crate) const fn only(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::Architecture,
        }
    }

    /// Returns the requirement of `sm_<number>f` or a later architecture of its family.
    pub(crate) const fn family(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::Family,
        }
    }

    /// Parses a target such as `sm_90a`.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let digits = word.strip_prefix("sm_")?;
        let (digits, suffix) = match digits.as_bytes().last()? {
            b'a' => (&digits[..digits.len() - 1], Suffix::Architecture),
            b'f' => (&digits[..digits.len() - 1], Suffix::Family),
            _ => (digits, Suffix::None),
        };
        let target = Self {
            number: digits.parse().ok()?,
            suffix,
        };
        target.min_version().map(|_| target)
    }

    /// Returns the first version of the PTX ISA with this target (PTX ISA, "Release Notes").
    pub(crate) fn min_version(self) -> Option<Version> {
        let (major, minor) = match (self.number, self.suffix) {
            (20, Suffix::None) => (2, 0),
            (30, Suffix::None) => (3, 0),
            (35, Suffix::None) => (3, 1),
            (32 | 50, Suffix::None) => (4, 0),
            (37 | 52, Suffix::None) => (4, 1),
            (53, Suffix::None) => (4, 2),
            (60, Suffix::None) => (5, 0),
            (61 | 62, Suffix::None) => (5, 0),
            (70, Suffix::None) => (6, 0),
            (72, Suffix::None) => (6, 1),
            (75, Suffix::None) => (6, 3),
            (80, Suffix::None) => (7, 0),
            (86, Suffix::None) => (7, 1),
            (87, Suffix::None) => (7, 4),
            (88, Suffix::None) => (9, 0),
            (89 | 90, Suffix::None) => (7, 8),
            (90, Suffix::Architecture) => (8, 0),
            (100 | 101, Suffix::None | Suffix::Architecture) => (8, 6),
            (120, Suffix::None | Suffix::Architecture) => (8, 7),
            (103 | 121, _) | (100 | 101 | 120, Suffix::Family) => (8, 8),
            (110, _) => (9, 0),
            _ => return None,
        };
        Some(Version { major, minor })
    }

    /// Returns a number that identifies the family.
    fn kin(self) -> u16 {
        match self.number {
            100 | 103 => 100,
            // `sm_101` was renamed to `sm_110` in PTX 9.0.
            101 | 110 => 110,
            120 | 121 => 120,
            other => other,
        }
    }

    /// Returns `true` if code for this target may use a feature that requires `need`.
    pub(crate) fn has(self, need: Self) -> bool {
        match need.suffix {
            Suffix::None => self.number >= need.number,
            Suffix::Family => {
                self.suffix != Suffix::None
                    && self.kin() == need.kin()
                    && (self.number >= need.number || self.kin() == 110)
            }
            Suffix::Architecture => {
                let same = self.number == need.number || self.kin() == 110 && need.kin() == 110;
                self.suffix == Suffix::Architecture && same
            }
        }
    }
}
