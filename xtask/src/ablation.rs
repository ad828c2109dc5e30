//! Ablations: a kernel from its simplest form to the compiler's default, one technique more at each
//! step.
//!
//! All steps have the same bytecode except for tile sizes, compiled with options of `tilec build`.
//! The steps of the matmul follow the optimizations of fast.cu
//! (<https://github.com/pranjalssh/fast.cu>), those of attention FlashAttention-3
//! (arXiv:2407.08608).

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bench::corpus;
use crate::workspace;

/// A kernel and its steps.
pub(crate) struct Ablation {
    /// The prefix of the names of its files, and of its benchmark.
    pub(crate) name: &'static str,
    pub(crate) steps: &'static [Step],
}

/// One form of a kernel.
pub(crate) struct Step {
    /// The technique that the step before does not have.
    pub(crate) what: &'static str,
    /// The name of the bytecode file in the corpus or in `benches/gpu`.
    pub(crate) file: &'static str,
    pub(crate) gpu_name: &'static str,
    /// `true` if the host passes tensor maps.
    has_maps: bool,
    options: &'static [&'static str],
}

const HOPPER: &str = "sm_90a";
/// An architecture without `wgmma`.
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

    /// Returns the `tilec build` command of this step, without options for the output.
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
        let entry = files.find(|(name, _)| name == self.file);
        entry
            .map(|(_, path)| path)
            .with_context(|| format!("there is no bytecode of {}", self.file))
    }
}

/// All ablations.
pub(crate) const ABLATIONS: [Ablation; 2] = [
    Ablation {
        name: "matmul",
        steps: &[
            step(
                "`mma.sync`, no pipelining",
                SMALL,
                &["--stages=1"],
            )
            .for_gpu(PLAIN),
            step("multistage software pipelining (`cp.async`)", SMALL, &[]).for_gpu(PLAIN),
            step(
                "`wgmma`, each waited for",
                SMALL,
                &["--disable=grouped-raster,async-mma"],
            ),
            step("one MMA in flight", SMALL, &["--disable=grouped-raster"]),
            step(
                "TMA loads",
                SMALL,
                &["--cluster=1", "--disable=grouped-raster,warp-specialization,tma-stores"],
            )
            .with_maps(),
            step(
                "warp specialization, `setmaxnreg`",
                SMALL,
                &["--cluster=1", "--disable=grouped-raster,tma-stores"],
            )
            .with_maps(),
            step(
                "tiles of 128x256 over two warpgroups",
                LARGE,
                &["--cluster=1", "--disable=grouped-raster,tma-stores"],
            )
            .with_maps(),
            step(
                "TMA stores (`stmatrix`)",
                LARGE,
                &["--cluster=1", "--disable=grouped-raster"],
            )
            .with_maps(),
            step("grouped tile rasterization", LARGE, &["--cluster=1"]).with_maps(),
            step("2-CTA clusters, TMA multicast", LARGE, &["--cluster=2"]).with_maps(),
            step(
                "persistent kernel, epilogue overlapped with the next tile",
                LARGE,
                &["--cluster=2", "--persistent=auto", "--disable=epilogue-subtiling"],
            )
            .with_maps(),
            step(
                "epilogue subtiling, for one more stage",
                LARGE,
                &["--cluster=2", "--persistent=auto"],
            )
            .with_maps(),
        ],
    },
    Ablation {
        name: "attention causal",
        steps: &[
            step(
                "`mma.sync`, multistage pipelining",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling"],
            )
            .for_gpu(PLAIN),
            step(
                "`wgmma`",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling"],
            ),
            step(
                "TMA loads",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling,warp-specialization"],
            )
            .with_maps(),
            step(
                "warp specialization, `setmaxnreg`",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling,loop-rotation"],
            )
            .with_maps(),
            step(
                "softmax overlapped with the next MMA",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling,ping-pong"],
            )
            .with_maps(),
            step(
                "ping-pong scheduling",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision,lazy-rescaling"],
            )
            .with_maps(),
            step(
                "lazy rescaling",
                CAUSAL,
                &["--disable=lpt-order,block-skipping,mask-elision"],
            )
            .with_maps(),
            step(
                "block skipping",
                CAUSAL,
                &["--disable=lpt-order,mask-elision"],
            )
            .with_maps(),
            step(
                "mask elision",
                CAUSAL,
                &["--disable=lpt-order"],
            )
            .with_maps(),
            step("LPT tile order", CAUSAL, &[]).with_maps(),
        ],
    },
];
