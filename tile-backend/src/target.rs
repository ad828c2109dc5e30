//! GPU architectures, their features and limits, and PTX versions.
//!
//! In: a name such as `sm_90a`, or the list in `TILE_ARCH`. Out: an [`Arch`], which the rest of the back end
//! queries instead of comparing numbers.
//!
//! Invariants:
//! - every [`Arch`] is a row of [`Arch::ALL`], so LLVM and ptxas both know its name;
//! - a list of architectures is sorted and has no duplicates, in whatever form it was requested.
//!
//! The rows follow the CUDA programming guide, "Compute Capabilities", and the target and `.version` tables
//! of the PTX ISA.

use std::fmt;
use std::str::FromStr;

/// A PTX ISA version, as in `.version 8.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// The part before the dot.
    pub major: u8,
    /// The part after the dot.
    pub minor: u8,
}

impl PtxVersion {
    /// The newest version that both LLVM 22 (up to 9.0) and ptxas 12.9 (up to 8.8) accept.
    pub const NEWEST: Self = Self::new(8, 8);

    /// Returns the version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Returns every published version from 7.0 on.
    pub fn all() -> impl Iterator<Item = Self> {
        let seven = (0..=8).map(|minor| Self::new(7, minor));
        seven.chain((0..=Self::NEWEST.minor).map(|minor| Self::new(8, minor)))
    }

    /// Returns LLVM's name of the version as a target feature: `+ptx80`.
    pub fn llvm_feature(self) -> String {
        format!("+ptx{}{}", self.major, self.minor)
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for PtxVersion {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (major, minor) = text.trim().split_once('.').ok_or(())?;
        Ok(Self::new(
            major.parse().map_err(|_| ())?,
            minor.parse().map_err(|_| ())?,
        ))
    }
}

/// The portability of code for an architecture to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Portability {
    /// No suffix: cubins also run on later minor versions, PTX also on every later architecture.
    Forward,
    /// Suffix `a`: code runs on this compute capability only, and may use every instruction that it has.
    Exact,
}

/// A feature that an architecture has or lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// `cp.async`: copies from global to shared memory that bypass the registers.
    CpAsync,
    /// `ldmatrix` of 8x8 matrices of 16-bit elements.
    Ldmatrix,
    /// `stmatrix` of 8x8 matrices of 16-bit elements.
    Stmatrix,
    /// `mma.sync` on f16, bf16, tf32 and int8 (m16n8 shapes).
    MmaSync,
    /// `mma.sync` on fp8 as a single instruction. Without this feature, it is emulated or missing.
    NativeFp8MmaSync,
    /// `mma.sync` with a scale factor per block.
    BlockScaledMmaSync,
    /// `fma.rn.bf16`.
    Bf16Fma,
    /// `add`, `sub` and `mul` on bf16, in addition to `fma`.
    Bf16Arithmetic,
    /// Conversions between f16 or f32 and fp8.
    Fp8Convert,
    /// Conversions between f16 or f32 and e2m1, bf16 and e8m0.
    Fp4Convert,
    /// Conversions from f32 to tf32 that round to nearest, ties to even.
    Tf32Nearest,
    /// `redux.sync` on 32-bit integers.
    ReduxInteger,
    /// `redux.sync` minimum and maximum on f32.
    ReduxFloat,
    /// `mbarrier` with transaction counts and `try_wait`.
    MbarrierTransactions,
    /// `cp.async.bulk.tensor` (TMA).
    Tma,
    /// Thread block clusters and distributed shared memory.
    Clusters,
    /// `griddepcontrol`: overlap of kernels of one stream.
    DependentLaunch,
    /// `elect.sync`.
    ElectSync,
    /// `wgmma.mma_async`.
    Wgmma,
    /// `setmaxnreg`.
    SetMaxRegisters,
    /// `tcgen05` and tensor memory.
    Tcgen05,
    /// Arithmetic on pairs of f32 in one instruction.
    PackedF32,
}

/// One GPU architecture as ptxas names it. The order is by compute capability, then by portability.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch {
    capability: u16,
    portability: Portability,
}

impl Arch {
    /// Ampere, data centre (A100).
    pub const SM_80: Self = Self::forward(80);
    /// Ampere, desktop.
    pub const SM_86: Self = Self::forward(86);
    /// Ampere, Jetson Orin.
    pub const SM_87: Self = Self::forward(87);
    /// Ada.
    pub const SM_89: Self = Self::forward(89);
    /// Hopper, portable subset.
    pub const SM_90: Self = Self::forward(90);
    /// Hopper with `wgmma`.
    pub const SM_90A: Self = Self::exact(90);
    /// Blackwell, data centre, portable subset.
    pub const SM_100: Self = Self::forward(100);
    /// Blackwell, data centre (B200).
    pub const SM_100A: Self = Self::exact(100);
    /// Blackwell Ultra, portable subset.
    pub const SM_103: Self = Self::forward(103);
    /// Blackwell Ultra (B300).
    pub const SM_103A: Self = Self::exact(103);
    /// Blackwell, desktop, portable subset.
    pub const SM_120: Self = Self::forward(120);
    /// Blackwell, desktop.
    pub const SM_120A: Self = Self::exact(120);
    /// Blackwell, DGX Spark, portable subset.
    pub const SM_121: Self = Self::forward(121);
    /// Blackwell, DGX Spark.
    pub const SM_121A: Self = Self::exact(121);

    /// All supported architectures, in order.
    pub const ALL: &[Self] = &[
        Self::SM_80,
        Self::SM_86,
        Self::SM_87,
        Self::SM_89,
        Self::SM_90,
        Self::SM_90A,
        Self::SM_100,
        Self::SM_100A,
        Self::SM_103,
        Self::SM_103A,
        Self::SM_120,
        Self::SM_120A,
        Self::SM_121,
        Self::SM_121A,
    ];

    /// The targets if `TILE_ARCH` is not set. The cubin of the first runs on all GPUs from A100 to Ada, and
    /// every later GPU can compile its PTX. The cubin of the second runs at Hopper's full speed.
    pub const DEFAULT: &[Self] = &[Self::SM_80, Self::SM_90A];

    const fn forward(capability: u16) -> Self {
        Self {
            capability,
            portability: Portability::Forward,
        }
    }

    const fn exact(capability: u16) -> Self {
        Self {
            capability,
            portability: Portability::Exact,
        }
    }

    /// Returns the compute capability as ptxas spells it: 90 for 9.0, 120 for 12.0.
    pub const fn capability(self) -> u16 {
        self.capability
    }

    /// Returns the portability of code for this architecture.
    pub const fn portability(self) -> Portability {
        self.portability
    }

    /// Returns `true` if a cubin for `self` loads on a device of the given compute capability.
    pub const fn cubin_runs_on(self, device: u16) -> bool {
        match self.portability {
            Portability::Exact => self.capability == device,
            Portability::Forward => {
                self.capability / 10 == device / 10 && self.capability <= device
            }
        }
    }

    /// Returns the first PTX version that accepts the architecture as `.target`.
    pub fn min_ptx(self) -> PtxVersion {
        match (self.capability, self.portability) {
            (80, _) => PtxVersion::new(7, 0),
            (86, _) => PtxVersion::new(7, 1),
            (87, _) => PtxVersion::new(7, 4),
            (89, _) | (90, Portability::Forward) => PtxVersion::new(7, 8),
            (90, Portability::Exact) => PtxVersion::new(8, 0),
            (100, _) => PtxVersion::new(8, 6),
            (120, _) => PtxVersion::new(8, 7),
            (103 | 121, _) => PtxVersion::new(8, 8),
            _ => unreachable!("every architecture is a row of `Arch::ALL`"),
        }
    }

    /// Returns the maximum shared memory of one block, in bytes, after opting in at launch.
    pub fn shared_bytes_per_block(self) -> u32 {
        let kib = match self.capability {
            80 | 87 => 163,
            86 | 89 | 120 | 121 => 99,
            90 | 100 | 103 => 227,
            _ => unreachable!("every architecture is a row of `Arch::ALL`"),
        };
        kib * 1024
    }

    /// Returns the maximum number of resident threads of one multiprocessor.
    pub fn threads_per_multiprocessor(self) -> u32 {
        match self.capability {
            80 | 90 | 100 | 103 => 2048,
            86 | 87 | 89 | 120 | 121 => 1536,
            _ => unreachable!("every architecture is a row of `Arch::ALL`"),
        }
    }

    /// Returns the maximum number of resident blocks of one multiprocessor.
    pub fn blocks_per_multiprocessor(self) -> u32 {
        match self.capability {
            80 | 90 | 100 | 103 => 32,
            89 | 120 | 121 => 24,
            86 | 87 => 16,
            _ => unreachable!("every architecture is a row of `Arch::ALL`"),
        }
    }

    /// Returns the shared memory of one multiprocessor, in bytes. The system reserves 1 KiB for each block.
    pub fn shared_bytes_per_multiprocessor(self) -> u32 {
        self.shared_bytes_per_block() + 1024
    }

    /// Returns the number of 32-bit registers of one multiprocessor.
    pub const fn registers_per_multiprocessor(self) -> u32 {
        65_536
    }

    /// Returns the maximum number of registers of one thread.
    pub const fn registers_per_thread(self) -> u32 {
        255
    }

    /// Returns `true` if the architecture has `feature`.
    pub fn has(self, feature: Feature) -> bool {
        let exact = self.portability == Portability::Exact;
        let data_centre_blackwell = matches!(self.capability, 100 | 103);
        let desktop_blackwell = matches!(self.capability, 120 | 121);
        match feature {
            Feature::CpAsync
            | Feature::Ldmatrix
            | Feature::MmaSync
            | Feature::Bf16Fma
            | Feature::ReduxInteger => self.capability >= 80,
            Feature::Fp8Convert => self.capability >= 89,
            Feature::NativeFp8MmaSync => self.capability == 89 || desktop_blackwell,
            Feature::Fp4Convert => exact && (data_centre_blackwell || desktop_blackwell),
            Feature::Stmatrix
            | Feature::Tf32Nearest
            | Feature::Bf16Arithmetic
            | Feature::MbarrierTransactions
            | Feature::Tma
            | Feature::Clusters
            | Feature::DependentLaunch
            | Feature::ElectSync => self.capability >= 90,
            Feature::BlockScaledMmaSync => exact && desktop_blackwell,
            Feature::Wgmma => exact && self.capability == 90,
            Feature::SetMaxRegisters => exact && self.capability >= 90,
            Feature::Tcgen05 | Feature::ReduxFloat => exact && data_centre_blackwell,
            Feature::PackedF32 => self.capability >= 100,
        }
    }

    /// Parses a list such as `sm_80,sm_90a`; the result is sorted, has no duplicates and is never empty.
    pub fn parse_list(list: &str) -> Result<Vec<Self>, UnknownArch> {
        let mut archs = list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::parse)
            .collect::<Result<Vec<Self>, _>>()?;
        if archs.is_empty() {
            return Err(UnknownArch::new(list));
        }
        archs.sort_unstable();
        archs.dedup();
        Ok(archs)
    }

    /// Returns the names of all architectures: `sm_80`, `sm_86`, ...
    pub fn known_names() -> Vec<String> {
        Self::ALL.iter().map(ToString::to_string).collect()
    }
}

/// A name that no architecture of [`Arch::ALL`] has.
#[derive(Debug, thiserror::Error)]
#[error("unknown GPU architecture `{name}`")]
pub struct UnknownArch {
    name: String,
}

impl UnknownArch {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
        }
    }

    /// Returns an instruction for resolving the error, if the name is from `TILE_ARCH`.
    pub(crate) fn help() -> String {
        let names = Arch::known_names().join("`, `");
        format!("set `TILE_ARCH` to a list of: `{names}`")
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.portability {
            Portability::Forward => "",
            Portability::Exact => "a",
        };
        write!(f, "sm_{}{suffix}", self.capability)
    }
}

impl fmt::Debug for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Arch {
    type Err = UnknownArch;

    fn from_str(name: &str) -> Result<Self, UnknownArch> {
        Self::ALL
            .iter()
            .copied()
            .find(|arch| arch.to_string() == name)
            .ok_or_else(|| UnknownArch::new(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_architecture() {
        for &arch in Arch::ALL {
            assert_eq!(
                arch.to_string().parse::<Arch>().expect("a printed name"),
                arch
            );
        }
        assert_eq!(Arch::SM_90A.to_string(), "sm_90a");
    }

    #[test]
    fn all_is_sorted_and_every_row_answers_every_question() {
        assert!(Arch::ALL.is_sorted_by(|a, b| a < b));
        for &arch in Arch::ALL {
            assert!(arch.min_ptx() <= PtxVersion::NEWEST, "{arch}");
            assert!(arch.shared_bytes_per_block() >= 99 * 1024, "{arch}");
            assert!(arch.threads_per_multiprocessor() >= 1536, "{arch}");
        }
    }

    #[test]
    fn suffixed_architectures_come_after_their_base() {
        assert!(Arch::SM_90 < Arch::SM_90A);
        assert!(Arch::SM_90A < Arch::SM_100);
        assert!(Arch::SM_89 < Arch::SM_120);
    }

    #[test]
    fn a_list_is_sorted_and_deduplicated() {
        let archs = Arch::parse_list(" sm_90a, sm_80,sm_90a,").expect("a good list");
        assert_eq!(archs, [Arch::SM_80, Arch::SM_90A]);
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        for bad in ["sm_75", "sm_80a", "90", "sm_90b", "", " , "] {
            let error = Arch::parse_list(bad).expect_err(bad);
            assert!(UnknownArch::help().contains("`sm_90a`"), "{error}");
        }
        let error = Arch::parse_list("sm_80,sm_75").expect_err("sm_75");
        assert_eq!(error.to_string(), "unknown GPU architecture `sm_75`");
    }

    #[test]
    fn cubins_run_within_their_major_version_unless_exact() {
        assert!(Arch::SM_80.cubin_runs_on(89));
        assert!(!Arch::SM_80.cubin_runs_on(90));
        assert!(!Arch::SM_86.cubin_runs_on(80));
        assert!(Arch::SM_90A.cubin_runs_on(90));
        assert!(!Arch::SM_100A.cubin_runs_on(103));
        assert!(Arch::SM_120.cubin_runs_on(121));
    }

    #[test]
    fn hopper_instructions_need_the_exact_architecture() {
        assert!(Arch::SM_90A.has(Feature::Wgmma));
        assert!(!Arch::SM_90.has(Feature::Wgmma));
        assert!(!Arch::SM_100A.has(Feature::Wgmma));
        assert!(Arch::SM_90.has(Feature::Tma));
        assert!(!Arch::SM_89.has(Feature::Stmatrix));
        assert!(!Arch::SM_120A.has(Feature::Tcgen05));
    }
}
