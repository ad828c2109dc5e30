//! Native code for CPUs: a canonical entry becomes a loop IR, then LLVM IR, then assembly.
//!
//! | file | holds |
//! |---|---|
//! | this one | [`Level`]: a target triple with a set of instructions; [`compile`] |
//! | `ir` | the loop IR: statements over scalars, and nests over the elements of tiles |
//! | `build` | tile IR to loop IR: which tiles are computed where |
//! | `plan` | the order of a nest: lanes, loops, unrolling |
//! | `emit` | loop IR to LLVM IR |
//! | `math` | mathematical functions of vectors |
//! | `body` | assembly of a file to the body of a naked function, which any crate can contain |
//! | [`remarks`] | what is not vectorized or not fused, and why |
//! | `library` | native code as a shared library of this process |
//!
//! What has no native code is refused by name ([`NotNative`]), and the interpreter runs it. Results have the bits of the
//! interpreter, except for the functions and products that `docs/numerics.md` lists.

pub(crate) mod body;
mod build;
mod emit;
mod ir;
pub(crate) mod library;
#[cfg(test)]
mod loop_tests;
mod math;
#[cfg(test)]
mod native_tests;
mod plan;
mod remarks;
#[cfg(test)]
pub(crate) mod testing;

pub use remarks::remarks;

use tile_core::ir::OpId;
use tile_core::{Loc, Module, interp, processor};

use crate::error::BackendError;
use crate::llvm::{Context, host};
use crate::timing::Times;

/// A set of instructions for which native code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The instructions that every x86-64 processor has: SSE2, so no fused multiply-add.
    Baseline,
    /// `x86-64-v3`: AVX2, FMA and F16C.
    Avx2,
    /// `x86-64-v4`: AVX-512 with F, BW, CD, DQ and VL.
    Avx512,
    /// `x86-64-v4` with dot products of bytes and of bf16, AVX512-VNNI and AVX512-BF16: Zen 4, Sapphire Rapids and newer.
    Avx512Bf16,
    /// The same with products of tiles of bytes and of bf16, AMX: Sapphire Rapids and newer.
    Amx,
    /// What every `AArch64` processor has: Neon, with fused multiply-add and conversions of f16.
    Neon,
}

impl Level {
    /// All levels. Of one architecture, a later one has more instructions.
    pub const ALL: [Self; 6] = [
        Self::Baseline,
        Self::Avx2,
        Self::Avx512,
        Self::Avx512Bf16,
        Self::Amx,
        Self::Neon,
    ];

    /// Returns the name, for options and symbols.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Bf16 => "avx512bf16",
            Self::Amx => "amx",
            Self::Neon => "neon",
        }
    }

    /// Returns the level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns the triple of LLVM's target.
    pub fn triple(self) -> &'static str {
        match self {
            Self::Neon => "aarch64-unknown-linux-gnu",
            _ => "x86_64-unknown-linux-gnu",
        }
    }

    /// Returns the architecture, as `cfg(target_arch)` names it.
    pub fn architecture(self) -> &'static str {
        match self {
            Self::Neon => "aarch64",
            _ => "x86_64",
        }
    }

    /// Returns LLVM's name of the processor.
    pub(crate) fn cpu(self) -> &'static str {
        match self {
            Self::Baseline => "x86-64",
            Self::Avx2 => "x86-64-v3",
            Self::Avx512 | Self::Avx512Bf16 | Self::Amx => "x86-64-v4",
            Self::Neon => "generic",
        }
    }

    /// Returns the features that differ from those of [`Level::cpu`], in LLVM's form.
    pub(crate) fn features(self) -> &'static str {
        match self {
            Self::Baseline | Self::Avx2 => "",
            // LLVM's model of this processor splits vectors of 512 bits.
            Self::Avx512 => "-prefer-256-bit",
            Self::Avx512Bf16 => "-prefer-256-bit,+avx512vnni,+avx512bf16",
            Self::Amx => "-prefer-256-bit,+avx512vnni,+avx512bf16,+amx-tile,+amx-int8,+amx-bf16",
            Self::Neon => "+neon",
        }
    }

    /// Returns the number of bytes of a vector register.
    pub fn vector_bytes(self) -> u32 {
        match self {
            Self::Baseline | Self::Neon => 16,
            Self::Avx2 => 32,
            Self::Avx512 | Self::Avx512Bf16 | Self::Amx => 64,
        }
    }

    /// Returns `true` if an instruction computes `a * b + c` with one rounding.
    pub fn has_fma(self) -> bool {
        self != Self::Baseline
    }

    /// Returns `true` if an instruction multiplies 16-bit integers and adds the products of neighbours.
    pub(crate) fn has_pairs(self) -> bool {
        self != Self::Neon
    }

    /// Returns `true` if instructions multiply four bytes, or two bf16, and add the products to a number of 32 bits.
    pub(crate) fn has_dot_products(self) -> bool {
        matches!(self, Self::Avx512Bf16 | Self::Amx)
    }

    /// Returns `true` if instructions multiply tiles of bytes and of bf16, of up to 16 rows of 64 bytes.
    pub(crate) fn has_tile_registers(self) -> bool {
        self == Self::Amx
    }

    /// Returns `true` if vectors can be stored around the caches, in an order that `sfence` ends.
    pub(crate) fn has_streaming_stores(self) -> bool {
        self != Self::Neon
    }

    /// Returns `true` if vectors have 512 bits, and accesses may be masked.
    pub(crate) fn has_masks(self) -> bool {
        matches!(self, Self::Avx512 | Self::Avx512Bf16 | Self::Amx)
    }

    /// Returns `true` if instructions load and store the lanes of a mask, of 4 or 8 bytes each.
    pub(crate) fn has_masked_words(self) -> bool {
        self.has_masks() || self == Self::Avx2
    }

    /// Returns `true` if instructions convert between f16 and f32.
    pub fn has_f16_conversion(self) -> bool {
        self != Self::Baseline
    }

    /// Returns `true` if the processor that runs this has all instructions of the level, and the system saves
    /// its registers.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => cfg!(target_arch = "x86_64"),
            Self::Avx2 => processor::has_v3(),
            Self::Avx512 => Self::Avx2.is_available() && processor::has_v4(),
            Self::Avx512Bf16 => Self::Avx512.is_available() && processor::has_vnni_and_bf16(),
            Self::Amx => Self::Avx512Bf16.is_available() && processor::has_amx(),
            Self::Neon => cfg!(target_arch = "aarch64"),
        }
    }

    /// Returns the levels that the processor that runs this has, the one with the most instructions last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// Returns the level with the most instructions that the processor that runs this has; `None` on an architecture
    /// without a level.
    pub fn of_this_machine() -> Option<Self> {
        Self::available().last()
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The native code of one entry at one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    /// The instructions that the code uses.
    pub level: Level,
    /// Assembly of one function.
    pub assembly: String,
    /// Bytes of memory for the intermediate values of a block.
    pub scratch_bytes: usize,
    /// `true` if the blocks must run one after another, in order of the grid.
    pub in_order: bool,
}

/// The reason why an entry has no native code: it is interpreted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotNative {
    /// The reason, as a sentence.
    pub reason: String,
    /// The operation that has no native code.
    pub loc: Loc,
}

/// Returns the levels of which an entry has different code: without a product for the tile registers, [`Level::Amx`] is
/// [`Level::Avx512Bf16`], and without a product of bytes or bf16 that is [`Level::Avx512`].
pub fn distinct_levels(module: &Module, entry: OpId, levels: &[Level]) -> Vec<Level> {
    let has_dot_products = build::has_dot_products(module, entry);
    let has_tiled_products = build::has_tiled_products(module, entry);
    let mut distinct: Vec<Level> = levels
        .iter()
        .map(|&level| match level {
            Level::Avx512Bf16 | Level::Amx if !has_dot_products => Level::Avx512,
            Level::Amx if !has_tiled_products => Level::Avx512Bf16,
            other => other,
        })
        .collect();
    distinct.dedup();
    distinct
}

/// The largest LLVM IR of a kernel in bytes, which takes LLVM some seconds.
const MAX_TEXT: usize = 2 << 20;

/// Compiles an entry of a canonical module.
///
/// # Errors
///
/// If LLVM fails. The inner error says why the entry is interpreted.
pub fn compile(
    module: &Module,
    entry: OpId,
    level: Level,
    times: &mut Times,
) -> Result<Result<Native, NotNative>, BackendError> {
    let (text, scratch_bytes) = match llvm_text(module, entry, level, times) {
        Ok(text) => text,
        Err(reason) => return Ok(Err(reason)),
    };
    let code = host::compile(&Context::new(), &text, level, "tile", times)?;
    Ok(Ok(Native {
        level,
        assembly: code.assembly,
        scratch_bytes: usize::try_from(scratch_bytes).expect("a size of memory"),
        in_order: interp::runs_in_order(module, entry),
    }))
}

/// Returns the LLVM IR of an entry, and the bytes of its scratch memory.
fn llvm_text(
    module: &Module,
    entry: OpId,
    level: Level,
    times: &mut Times,
) -> Result<(String, u64), NotNative> {
    let module = interp::with_wide_sums(module);
    let kernel = times.measure("loops", || build::build(&module, entry, level))?;
    debug_assert_eq!(
        ir::verify(&kernel),
        Ok(()),
        "{}",
        ir::to_text(&kernel, &module)
    );
    let text = times.measure("emit", || emit::emit(&kernel, &module, level));
    if text.len() > MAX_TEXT {
        return Err(NotNative {
            reason: format!(
                "its code is too large: {} KiB of LLVM IR of at most {}",
                text.len() >> 10,
                MAX_TEXT >> 10
            ),
            loc: module.op(entry).loc,
        });
    }
    Ok((text, kernel.scratch_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_levels() {
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.name()), Some(level));
        }
        assert_eq!(Level::from_name("sse"), None);
    }

    #[test]
    fn levels_of_another_architecture_are_not_available() {
        for level in Level::available() {
            assert_eq!(level.architecture(), std::env::consts::ARCH);
        }
    }

    #[test]
    fn a_higher_level_needs_the_lower_ones() {
        if Level::Avx512.is_available() {
            assert!(Level::Avx2.is_available());
            assert!(Level::of_this_machine() >= Some(Level::Avx512));
        }
        if Level::Avx512Bf16.is_available() {
            assert!(Level::Avx512.is_available());
            assert!(Level::of_this_machine() >= Some(Level::Avx512Bf16));
        }
        if Level::Amx.is_available() {
            assert!(Level::Avx512Bf16.is_available());
            assert_eq!(Level::of_this_machine(), Some(Level::Amx));
        }
    }
}
