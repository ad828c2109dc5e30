//! The kinds of remarks. A code is declared once, here, and never reused.

use std::fmt::Write as _;

macro_rules! kinds {
    ($($(#[doc = $about:literal])+ $Name:ident = $code:literal, $title:literal, $cure:literal;)+) => {
        /// The subject of a remark: `R00xx` choices, `R01xx` global memory, `R02xx` exchanges in a block,
        /// `R03xx` atomic updates, `R04xx` software pipelining, `R05xx` registers, `R06xx` instructions,
        /// `R07xx` results, `R08xx` compile time, `R09xx` native code for the CPU device.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[doc = $about])+ $Name,)+
        }

        impl Kind {
            /// All kinds, in the order of the codes.
            pub const ALL: &'static [Kind] = &[$(Kind::$Name),+];

            /// Returns the code as printed, such as `R0101`.
            pub fn code(self) -> &'static str {
                match self { $(Kind::$Name => $code,)+ }
            }

            /// Returns a title of a few words.
            pub fn title(self) -> &'static str {
                match self { $(Kind::$Name => $title,)+ }
            }

            /// Returns the explanation.
            pub fn about(self) -> &'static str {
                match self { $(Kind::$Name => concat!($($about, "\n"),+),)+ }
            }

            /// Returns what the author can do about the remark.
            pub fn cure(self) -> &'static str {
                match self { $(Kind::$Name => $cure,)+ }
            }

            /// Returns `true` if the remark is printed without being requested.
            pub fn is_unasked(self) -> bool {
                self == Kind::Slow
            }

            /// Returns the kind with the given code.
            pub fn parse(code: &str) -> Option<Kind> {
                match code { $($code => Some(Kind::$Name),)+ _ => None }
            }
        }
    };
}

kinds! {
    /// The warps of a block, the stages of its software pipelines, and its occupancy with what limits it; also the raster
    /// order, if it is not the hardware's.
    Chosen = "R0001", "what was chosen",
        "nothing needs to be done; `num_warps`, `stages`, `occupancy` and `cluster` in the attribute choose otherwise";
    /// An optimization hint of the module asks for something that the compiler does not do.
    Hint = "R0002", "a hint that is not followed",
        "remove the hint, or give it a value that the note names";
    /// Tiles need more registers than a block has, or clusters were requested, and a cluster cannot split the work tile:
    /// an operation needs a whole tile in one block.
    NotSplit = "R0003", "a work tile that is not split over a cluster",
        "use smaller tiles, or move the operation into another kernel: only reductions and element-wise operations can be split";
    /// Each block processes one work tile, and no loads of the next overlap its epilogue. Matmuls by two consumer
    /// warpgroups are persistent unless an operation prevents it.
    NotPersistent = "R0004", "a kernel that is not persistent",
        "give all work tiles the same number of iterations, and move operations that wait for other blocks, or for which others may wait, into another kernel; otherwise nothing needs to be done";
    /// The kernel has more instances than the `candidates` of `tune`, and the model expects others to be faster on the
    /// architectures that the message names.
    LeftOut = "R0005", "an instance that is not compiled",
        "raise `candidates`, or name the instance in an `instances(..)` of its own kernel; otherwise nothing needs to be done";
    /// Lanes load or store fewer bytes at a time than the hardware could, since memory is not known to be aligned and
    /// contiguous enough. The note names the missing fact.
    Narrow = "R0101", "a narrow memory access",
        "state what is known, such as `assume(a.stride(0) % 8 == 0)`, or pass a tensor that is contiguous along its last axis";
    /// The lanes of a warp access distant addresses, so most of each 32-byte sector is transferred in vain.
    Scattered = "R0102", "an access that is not coalesced",
        "make the contiguous axis the last one of tile and tensor, or load the tile transposed and transpose it back";
    /// Threads other than those that hold a tile need it, so it goes through shared memory.
    Conversion = "R0201", "a layout conversion through shared memory",
        "move the operation out of the loop, or compute both sides in one shape; matmul operands always go this way";
    /// The axis of a reduction or scan is spread over several warps, which combine their results through shared memory.
    Reduction = "R0202", "a reduction through shared memory",
        "fewer warps (`num_warps`) or more rows per tile give each warp whole rows; in loops, reduce once after the loop";
    /// All threads of the block wait for each other in every iteration.
    BarrierInLoop = "R0203", "barriers in a loop",
        "do more in each iteration, or take what needs the exchange out of the loop";
    /// Atomic updates that happen one after the other: all of a tile at one address, or by compare and swap until it
    /// succeeds.
    Serialized = "R0301", "atomic updates that are serialized",
        "reduce the tile first and update once; choose an element type for which the hardware has an atomic addition";
    /// A loop waits for data that it loads from global memory in the same iteration.
    NotPipelined = "R0401", "a load that is not software-pipelined",
        "the note names the reason: most often the kernel writes to that memory, or the vectors are short";
    /// More values are live than there are registers: some are spilled to local memory.
    Spill = "R0501", "register spills",
        "use smaller tiles or more warps";
    /// The first choice spilled registers, so another one was compiled.
    SpillAvoided = "R0502", "a retry because of spills",
        "nothing needs to be done; `num_warps` in the attribute saves the compile time of the first choice";
    /// Memory of a thread or block that is not on chip.
    LocalMemory = "R0503", "off-chip memory of a block or thread",
        "use less: up to 32 KiB of `alloca` are in shared memory";
    /// The target has no instruction for this operation, and several are needed.
    Emulated = "R0601", "an operation that is emulated",
        "compute in another element type, or compile for a newer architecture";
    /// A matmul is computed without tensor cores.
    NoTensorCore = "R0602", "a matmul without tensor cores",
        "use operands of f16, bf16, tf32, f8, i8 or f64, with K at least that of one instruction";
    /// A tile that may extend beyond the end of its tensor is padded with zeros, and the zeros take part in a reduction:
    /// in a maximum of negative numbers, a minimum of positive ones, a product, or a sum that is divided by the extent of
    /// the tile.
    Padding = "R0701", "padding that takes part in a reduction",
        "load with a neutral padding, `load_padded`, or select the elements that exist; state that the extent is a multiple of the tile's if it is: `assume(x.dim(0) % 64 == 0)`";
    /// Compiling a kernel for one architecture takes more than a second of a processor. The remark names the stage that
    /// takes longest, and points at the tile of which a thread holds most elements: each element has its own
    /// instructions, and LLVM and `ptxas` take time for each. It is printed by default when the kernel is compiled;
    /// kernels from the cache take no time.
    Slow = "R0801", "a slow compilation",
        "use smaller tiles, a loop over parts of the tile, or more warps; where several numbers of warps were tried, write the chosen one";
    /// On the CPU device, elements of memory are loaded, stored or updated one at a time and not as vectors. The note says
    /// why.
    CpuOneByOne = "R0901", "an access that is not a vector on the CPU",
        "load and store through views of tensors, or compute addresses as a start plus a multiple of `iota`; reduce a tile before one atomic update; otherwise nothing";
    /// On the CPU device, a reduction or a scan is computed one element after the other, since its order is part of the
    /// result and the tile has no other axis whose elements could fill a vector.
    CpuSequential = "R0902", "a reduction without vectors on the CPU",
        "use tiles with several rows, reduce by one operation, such as a sum, or reduce rows of at least 32 elements";
    /// On the CPU device, a tile of at least 16 KiB is computed into memory and loaded from there, in place of being computed
    /// where it is used. The note says why the loops are not fused. Operands and results of matmuls always go this way,
    /// without a remark.
    CpuStored = "R0903", "a tile that is not fused on the CPU",
        "use smaller tiles, so that it stays in a first-level cache, or load what it is computed from after the store; otherwise nothing";
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// Returns the page `docs/remarks.md`, without what the tests add to it.
pub fn page() -> String {
    let mut page = String::from(
        "# Remarks\n\n\
        Remarks tell the author of a kernel which choices the compiler made and which code costs time. They are printed with `TILE_REMARKS=1` in the environment \
        of a build, with a list of codes and kernels, as in `TILE_REMARKS=R0401,R0501,attention`, or by \
        `tilec build --remarks` (`--remarks=json`, one object per line). They do not change the code.\n\n\
        A compilation that takes more than a second of CPU time for an architecture ([`R0801`](#r0801)) is reported by default, and `cargo build` reports register spills in one line for each variant.\n\n\
        ```text\n\
        src/kernels.rs:14:15: remark[R0101]: each lane loads 4 bytes at a time, where 16 would do\n  \
        = in: `scale<f32, 64>`, for `sm_80`\n  \
        = note: the stride of axis 0 is not known to be a multiple of 4\n  \
        = help: state it: `assume(a.stride(0) % 4 == 0)`\n\
        ```\n\n\
        Those on native code for the CPU device (`R09xx`) are printed by builds only, with `TILE_REMARKS`; it also says which kernels are interpreted there, and why.\n\n\
        Cargo compiles only what has changed, so touch the file to see its remarks again. This page is generated from \
        `tile-backend/src/remarks/kind.rs` and the files in `tile-backend/tests/remarks/files` by `cargo test -p tile-backend --test remarks`.\n\n\
        | code | remark |\n|---|---|\n",
    );
    for kind in Kind::ALL {
        let _ = writeln!(
            page,
            "| [`{kind}`](#{}) | {} |",
            kind.code().to_lowercase(),
            kind.title()
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_in_order_and_read_back() {
        let codes: Vec<&str> = Kind::ALL.iter().map(|kind| kind.code()).collect();
        assert!(codes.is_sorted());
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
        for &kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.code()), Some(kind));
            assert!(!kind.title().is_empty() && !kind.about().trim().is_empty());
        }
        assert_eq!(Kind::parse("R9999"), None);
    }
}
