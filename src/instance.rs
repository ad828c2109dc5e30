//! The state of a kernel's instance: what its launches have decoded and loaded.

use std::sync::OnceLock;

use tile_core::interp::Program;

#[cfg(feature = "sim")]
use crate::args::Value;
use crate::cpu::Timing;
use crate::driver::{Code, ModuleCache};
use crate::image::{KernelImage, NativeLevel, VariantImage, VariantKind};
use crate::{Error, Result};

/// An instance of a kernel: its image, and what launches have made of it.
#[derive(Debug)]
pub struct Instance {
    /// The code and the facts.
    pub image: KernelImage,
    program: OnceLock<std::result::Result<Program, String>>,
    modules: [ModuleCache; VariantKind::COUNT],
    /// For each level of native code, what its launches have taken.
    pub(crate) timings: [Timing; NativeLevel::ALL.len()],
    #[cfg(feature = "sim")]
    simulated: [crate::sim::Cache; VariantKind::COUNT],
}

impl Instance {
    /// Returns an instance that has not been launched.
    pub const fn new(image: KernelImage) -> Instance {
        Instance {
            image,
            program: OnceLock::new(),
            modules: [const { ModuleCache::new() }; VariantKind::COUNT],
            timings: [const { Timing::new() }; NativeLevel::ALL.len()],
            #[cfg(feature = "sim")]
            simulated: [const { crate::sim::Cache::new() }; VariantKind::COUNT],
        }
    }

    /// Returns a variant.
    pub(crate) fn variant(&self, kind: VariantKind) -> Result<&VariantImage> {
        self.image.variant(kind).ok_or_else(|| Error::Artifact {
            kernel: self.image.name,
            reason: "it has no general variant".to_owned(),
        })
    }

    /// Returns the code of a variant, with the functions that devices loaded from it.
    pub(crate) fn code(&'static self, kind: VariantKind) -> Result<Code> {
        Ok(Code {
            image: &self.image,
            variant: self.variant(kind)?,
            loaded: &self.modules[kind as usize],
        })
    }

    /// Runs every block of a grid, or only one, on the simulated GPU. Returns `false` if nothing ran
    /// because the device cannot launch the variant, or not one of its blocks, or a tensor lacks a
    /// tensor map.
    #[cfg(feature = "sim")]
    pub(crate) fn simulate(
        &'static self,
        kind: VariantKind,
        grid: [u32; 3],
        only_block: Option<[u32; 3]>,
        values: &[Value],
    ) -> Result<bool> {
        let program = &self.simulated[kind as usize];
        let variant = self.variant(kind)?;
        crate::sim::launch(&self.image, variant, program, grid, only_block, values)
    }

    /// Returns the decoded bytecode.
    pub(crate) fn program(&self) -> Result<&Program> {
        let image = &self.image;
        if image.no_cpu {
            return Err(Error::NoCpuCode { kernel: image.name });
        }
        if let Some(line) = image.ptx_alone {
            return Err(Error::NotOnCpu {
                kernel: image.name,
                file: image.file,
                line,
            });
        }
        self.program
            .get_or_init(|| Program::decode(image.bytecode).map_err(|error| error.to_string()))
            .as_ref()
            .map_err(|reason| Error::Artifact {
                kernel: image.name,
                reason: reason.clone(),
            })
    }
}
