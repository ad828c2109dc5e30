//! What `.version` and `.target` say, and what instructions need of them.

use std::fmt;

/// A version of the PTX ISA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Before the dot.
    pub major: u8,
    /// Behind the dot.
    pub minor: u8,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Which features beyond the common ones a target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// `sm_90`: what later architectures have too.
    None,
    /// `sm_100f`: what the family has.
    Family,
    /// `sm_90a`: what this architecture has.
    Architecture,
}

/// A target architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Ten times the compute capability.
    pub number: u16,
    /// The letter behind it.
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
    /// What every architecture from `sm_<number>` on has.
    pub(crate) const fn from(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::None,
        }
    }

    /// What only `sm_<number>a` has.
    pub(crate) const fn only(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::Architecture,
        }
    }

    /// What `sm_<number>f` and later architectures of its family have.
    pub(crate) const fn family(number: u16) -> Self {
        Self {
            number,
            suffix: Suffix::Family,
        }
    }

    /// `sm_90a`
    pub(crate) fn of(word: &str) -> Option<Self> {
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
        target.least_version().map(|_| target)
    }

    /// The first version of the PTX ISA that knows it (PTX ISA, "Release Notes").
    pub(crate) fn least_version(self) -> Option<Version> {
        let (major, minor) = match (self.number, self.suffix) {
            (50 | 52 | 53, Suffix::None) => (4, 2),
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

    /// Architectures of one family have one number here.
    fn kin(self) -> u16 {
        match self.number {
            100 | 103 => 100,
            // `sm_101` has been called `sm_110` since PTX 9.0.
            101 | 110 => 110,
            120 | 121 => 120,
            other => other,
        }
    }

    /// Whether code for this target may use what `need` has.
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
