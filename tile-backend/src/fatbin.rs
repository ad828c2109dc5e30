//! Bundles one cubin per architecture, and PTX for newer GPUs, into the fatbin that a program embeds.
//!
//! Input: [`Cubin`]s and one [`Ptx`]. Output: the bytes of a fatbin, written by `fatbinary`. The program
//! keeps them in a static of section `.nv_fatbin`, aligned to 8 bytes; `cuModuleLoadData` picks the cubin
//! that fits the device or compiles the PTX, and `cuobjdump` finds the images in it.
//!
//! Invariants:
//! - the same images give the same bytes, whatever their order;
//! - no image is compressed: by default, `fatbinary` 13 compresses in a format that drivers for CUDA 12 and
//!   older cannot read.

use std::path::Path;
use std::process::Command;

use crate::cubin::{Cubin, absolute};
use crate::error::BackendError;
use crate::ptx::Ptx;
use crate::target::Arch;
use crate::tools::{self, Tool};

/// The alignment that a fatbin needs in the program that embeds it.
pub const ALIGNMENT: usize = 8;

/// Bundles `cubins` and `ptx` with the `fatbinary` at `program`.
pub fn bundle<'a>(
    cubins: impl IntoIterator<Item = &'a Cubin>,
    ptx: Option<&Ptx>,
    program: &Path,
) -> Result<Vec<u8>, BackendError> {
    let folder =
        tempfile::tempdir().map_err(|error| BackendError::io("make a temporary folder", error))?;
    let mut command = Command::new(absolute(program)?);
    command
        .current_dir(folder.path())
        .args(["--64", "--compress=false", "--create=out.fatbin"]);
    let mut add = |kind: &str, extension: &str, arch: Arch, bytes: &[u8]| {
        let file = format!("{arch}.{extension}");
        let number = arch.to_string();
        let number = number.trim_start_matches("sm_");
        command.arg(format!("--image3=kind={kind},sm={number},file={file}"));
        std::fs::write(folder.path().join(file), bytes)
            .map_err(|error| BackendError::io("write an image for `fatbinary`", error))
    };
    let mut sorted: Vec<&Cubin> = cubins.into_iter().collect();
    sorted.sort_by_key(|cubin| cubin.arch());
    for cubin in sorted {
        add("elf", "cubin", cubin.arch(), cubin.bytes())?;
    }
    if let Some(ptx) = ptx {
        add("ptx", "ptx", ptx.arch(), ptx.text().as_bytes())?;
    }
    tools::run(Tool::Fatbinary, &mut command)?;
    std::fs::read(folder.path().join("out.fatbin"))
        .map_err(|error| BackendError::io("read what `fatbinary` wrote", error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::ptx::resources::Report;
    use crate::testing::{ptx, skip};

    /// Returns images for three architectures, and the path of `fatbinary`.
    fn images() -> Result<(Vec<Cubin>, Ptx, std::path::PathBuf), BackendError> {
        let (ptxas, fatbinary) = (Tool::Ptxas.find()?, Tool::Fatbinary.find()?);
        let cubins = [Arch::SM_90A, Arch::SM_80, Arch::SM_120A].map(|arch| {
            Cubin::assemble(&ptx(arch, ""), &ptxas, Level::default()).expect("a cubin")
        });
        Ok((cubins.to_vec(), ptx(Arch::SM_80, ""), fatbinary))
    }

    #[test]
    fn a_bundle_holds_every_image_as_it_is() {
        let (cubins, ptx, program) = match images() {
            Ok(images) => images,
            Err(error) => return skip(&error),
        };
        let bundle = bundle(&cubins, Some(&ptx), &program).expect("a bundle");
        // The magic number of the fatbin header, which `cuModuleLoadData` checks.
        assert!(bundle.starts_with(&0xBA55_ED50_u32.to_le_bytes()));
        let holds = |bytes: &[u8]| bundle.windows(bytes.len()).any(|window| window == bytes);
        for cubin in &cubins {
            assert!(holds(cubin.bytes()), "{}", cubin.arch());
        }
        assert!(holds(ptx.text().as_bytes()));
    }

    #[test]
    fn the_order_of_the_images_does_not_matter() {
        let (mut cubins, ptx, program) = match images() {
            Ok(images) => images,
            Err(error) => return skip(&error),
        };
        let first = bundle(&cubins, Some(&ptx), &program).expect("a bundle");
        cubins.reverse();
        assert_eq!(
            bundle(&cubins, Some(&ptx), &program).expect("a bundle"),
            first
        );
    }

    #[test]
    fn a_refusal_has_fatbinarys_own_words() {
        let program = match Tool::Fatbinary.find() {
            Ok(program) => program,
            Err(error) => return skip(&error),
        };
        let junk = Cubin::from_parts(Arch::SM_80, b"junk".to_vec(), Report::default());
        let error = bundle(&[junk], None, &program).expect_err("not an ELF file");
        assert!(
            error.to_string().starts_with("`fatbinary` failed ("),
            "{error}"
        );
    }
}
