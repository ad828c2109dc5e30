//! The graphics and video instructions of the PTX ISA, which are refused by name.
//!
//! Compilers for machine learning and HPC do not emit them: LLVM, NVCC and Triton read tensors
//! through global memory, bulk copies and tensor maps.

use std::fmt;

/// A group of instructions that `tile-sim` does not execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// PTX ISA, "Texture Instructions".
    Texture,
    /// PTX ISA, "Surface Instructions".
    Surface,
    /// PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions".
    Video,
}

/// Returns the family that an opcode belongs to; `None` for opcodes of compute instructions.
pub(crate) fn family(opcode: &str) -> Option<Family> {
    match opcode {
        "tex" | "tld4" | "txq" | "istypep" => Some(Family::Texture),
        "suld" | "sust" | "sured" | "suq" => Some(Family::Surface),
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset"
        | "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4"
        | "vsub4" | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" => Some(Family::Video),
        _ => None,
    }
}

/// The diagnostic for an instruction of the family.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Texture => {
                "texture instructions are not supported: read global memory with `ld.global.nc`"
            }
            Self::Surface => {
                "surface instructions are not supported: access global memory with `ld.global` and `st.global`"
            }
            Self::Video => {
                "video instructions are not supported: use integer arithmetic, `prmt`, `dp2a` or `dp4a`"
            }
        })
    }
}
