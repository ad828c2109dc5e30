//! Runs programs as kernels: through the front end and in the interpreter, as built and after
//! compilation. The compiled module is also the input of [`super::device`].

use super::device::{Device, device};
use super::generate::Sample;
use super::generate::ty::Scalar;
use super::rustc::Outcome;
use crate::build::{Variant, entry_name};
use crate::testing::front;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tile_core::Diagnostics;
use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Arg, Program};
use tile_core::verify::verify;

/// A program that can run.
pub(super) struct Kernel {
    built: Program,
    compiled: Program,
    /// The module after compilation.
    canonical: Canonical,
    entry: String,
}

/// Compiles the kernel of a program.
///
/// # Errors
///
/// Returns the reason if the program cannot be compiled.
pub(super) fn kernel(sample: &Sample) -> Result<Kernel, String> {
    guarded(|| {
        let source = format!("fn k{}", sample.text);
        let expansion = front("grid = 1", &source).map_err(|faults| faults.concat())?;
        let (variant, module) = &expansion.artifacts[0][Variant::General as usize];
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module.clone(), &mut diagnostics)
            .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
        let flat = flat.map_err(|_| format!("{:?}", diagnostics.take()))?;
        let built = Program::new(&flat.module);
        let canonical = canonicalize(flat.module);
        let compiled = Program::new(canonical.module());
        Ok(Kernel {
            built,
            compiled,
            canonical,
            entry: entry_name("k", *variant),
        })
    })
}

fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("a panic: {}", text.unwrap_or_default()))
    })
}

impl Kernel {
    /// Compiles the kernel for a GPU.
    pub(super) fn device(&self) -> Result<Device, String> {
        guarded(|| device(&self.canonical))
    }

    /// Runs the program with a row of arguments, both as built and after compilation.
    pub(super) fn run(&self, sample: &Sample, row: &[u64]) -> [Result<Outcome, String>; 2] {
        [&self.built, &self.compiled].map(|program| {
            guarded(|| {
                self.run_one(program, sample, row)
                    .map_err(|fault| format!("a fault: {fault}"))
            })
        })
    }

    fn run_one(&self, program: &Program, sample: &Sample, row: &[u64]) -> Result<Outcome, String> {
        let mut outcome = [[0_u8; 8]; 2];
        let mut args: Vec<Arg> = row.iter().map(|&bits| Arg::Scalar { bits }).collect();
        for (bytes, size) in outcome.iter_mut().zip([size(sample.result), 8]) {
            args.push(Arg::Pointer {
                ptr: bytes.as_mut_ptr(),
                bytes: size,
            });
            // The tensor has one axis with extent 1 and stride 1.
            args.extend([Arg::Scalar { bits: 1 }; 2]);
        }
        // SAFETY: `outcome` outlives the call, and only the single block writes it.
        unsafe { program.run(&self.entry, [1; 3], &args) }.map_err(|fault| fault.to_string())?;
        Ok(outcome.map(u64::from_le_bytes))
    }
}

pub(super) fn size(scalar: Scalar) -> usize {
    (scalar.bits() as usize).div_ceil(8)
}
