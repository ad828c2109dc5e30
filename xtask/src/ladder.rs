//! Ladders of techniques: a kernel from its simplest form to what the compiler makes of it, one technique a step.
//!
//! Each step is the same bytecode but for the size of its tiles, compiled with options of `tilec build`. Steps of
//! the product follow fast.cu's ladder (<https://github.com/pranjalssh/fast.cu>), those of attention
//! FlashAttention-3 (arXiv:2407.08608).

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bench::corpus;
use crate::workspace;

/// A kernel in steps.
pub(crate) struct Ladder {
    /// The start of the names of its files, and of its benchmark.
    pub(crate) name: &'static str,
    pub(crate) steps: &'static [Step],
}

/// One form of a kernel.
pub(crate) struct Step {
    /// The technique that it has beside those of the step before.
    pub(crate) what: &'static str,
    /// The bytecode, by its name in the corpus or in `benches/gpu`.
    pub(crate) file: &'static str,
    pub(crate) gpu_name: &'static str,
    /// Whether the host passes tensor maps.
    has_maps: bool,
    options: &'static [&'static str],
}

const HOPPER: &str = "sm_90a";
/// Without `wgmma`.
const PLAIN: &str = "sm_90";

const SMALL: &str = "matmul_128x128x64";
const LARGE: &str = "matmul_128x256x64";
const CAUSAL: &str = "attention_causal_128x128x128";

const fn step(what: &'static str, file: &'static str, options: &'static [&'static str]) -> Step {
    Step {
        what,
        file,
        gpu_name: HOPPER,
        has_maps: false,
        options,
    }
}

impl Step {
    const fn with_maps(self) -> Self {
        Self {
            has_maps: true,
            ..self
        }
    }

    const fn for_gpu(self, gpu_name: &'static str) -> Self {
        Self { gpu_name, ..self }
    }

    /// `tilec build` of this step, but for where its products go.
    pub(crate) fn build(&self, tilec: &std::path::Path) -> Result<Command> {
        let mut build = Command::new(tilec);
        build.arg("build").arg(self.path()?);
        build.arg(format!("--gpu-name={}", self.gpu_name));
        let maps = if self.has_maps { "host" } else { "none" };
        build.arg(format!("--tensor-maps={maps}"));
        build.args(self.options);
        Ok(build)
    }

    fn path(&self) -> Result<PathBuf> {
        let of_benches = workspace::root().join(format!("benches/gpu/{}.tilebc", self.file));
        if of_benches.is_file() {
            return Ok(of_benches);
        }
        let mut files = corpus::files()?.into_iter();
        let found = files.find(|(name, _)| name == self.file);
        found
            .map(|(_, path)| path)
            .with_context(|| format!("there is no bytecode of {}", self.file))
    }
}

/// All ladders.
pub(crate) const LADDERS: [Ladder; 2] = [
    Ladder {
        name: "matmul",
        steps: &[
            step(
                "`mma.sync`, tiles copied by threads",
                SMALL,
                &["--stages=1"],
            )
            .for_gpu(PLAIN),
            step("a ring of slots, copied ahead (`cp.async`)", SMALL, &[]).for_gpu(PLAIN),
            step(
                "`wgmma`, each waited for",
                SMALL,
                &["--without=strips,open-products"],
            ),
            step("one product under way", SMALL, &["--without=strips"]),
            step(
                "copies of tensors (TMA)",
                SMALL,
                &["--cluster=1", "--without=strips,producers,tensor-stores"],
            )
            .with_maps(),
            step(
                "warps of their own that copy, `setmaxnreg`",
                SMALL,
                &["--cluster=1", "--without=strips,tensor-stores"],
            )
            .with_maps(),
            step(
                "tiles of 128x256 over two warpgroups",
                LARGE,
                &["--cluster=1", "--without=strips,tensor-stores"],
            )
            .with_maps(),
            step(
                "stores by copies of tensors (`stmatrix`, TMA)",
                LARGE,
                &["--cluster=1", "--without=strips"],
            )
            .with_maps(),
            step("strips of the grid", LARGE, &["--cluster=1"]).with_maps(),
            step("clusters of two, multicast", LARGE, &["--cluster=2"]).with_maps(),
            step(
                "blocks that take turns, stores beside the next tile",
                LARGE,
                &["--cluster=2", "--blocks=at-once", "--without=pieces"],
            )
            .with_maps(),
            step(
                "tiles stored in pieces, for a slot more",
                LARGE,
                &["--cluster=2", "--blocks=at-once"],
            )
            .with_maps(),
        ],
    },
    Ladder {
        name: "attention causal",
        steps: &[
            step(
                "`mma.sync`, a ring of slots",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling"],
            )
            .for_gpu(PLAIN),
            step(
                "`wgmma`",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling"],
            ),
            step(
                "copies of tensors (TMA)",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling,producers"],
            )
            .with_maps(),
            step(
                "warps of their own that copy, `setmaxnreg`",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling,rotation"],
            )
            .with_maps(),
            step(
                "softmax beside the next product",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling,turns"],
            )
            .with_maps(),
            step(
                "two warpgroups in turns",
                CAUSAL,
                &["--without=longest-first,skips,masks,rescaling"],
            )
            .with_maps(),
            step(
                "sums scaled where a maximum moves",
                CAUSAL,
                &["--without=longest-first,skips,masks"],
            )
            .with_maps(),
            step(
                "blocks behind the diagonal skipped",
                CAUSAL,
                &["--without=longest-first,masks"],
            )
            .with_maps(),
            step(
                "masks on the diagonal alone",
                CAUSAL,
                &["--without=longest-first"],
            )
            .with_maps(),
            step("blocks with more keys first", CAUSAL, &[]).with_maps(),
        ],
    },
];
