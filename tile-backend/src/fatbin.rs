//! Bundles one cubin per architecture, and PTX for newer GPUs, into the fatbin that a program embeds.
//!
//! Input: [`Cubin`]s and one [`Ptx`], or, without ptxas, the PTX of each architecture. Output: the bytes of a fatbin,
//! with cubins written by `fatbinary`, of PTX alone by this module. The program keeps them in a static of section
//! `.nv_fatbin`, aligned to 8 bytes; `cuModuleLoadData` picks the cubin that fits the device or compiles the PTX,
//! and `cuobjdump` finds the images in it.
//!
//! Invariants:
//! - the same images give the same bytes, whatever their order;
//! - no image is compressed: by default, `fatbinary` 13 compresses in a format that drivers for CUDA 12 and
//!   older cannot read.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::cubin::{Cubin, absolute};
use crate::error::BackendError;
use crate::ptx::Ptx;
use crate::target::{Arch, Portability};
use crate::tools::{self, Tool};

/// The alignment that a fatbin needs in the program that embeds it.
pub const ALIGNMENT: usize = 8;

/// Bundles `cubins` and `ptx` with the `fatbinary` at `program`.
pub fn bundle<'a>(
    cubins: impl IntoIterator<Item = &'a Cubin>,
    ptx: Option<&Ptx>,
    program: &Path,
) -> Result<Vec<u8>, BackendError> {
    let folder = tempfile::tempdir().map_err(|source| BackendError::Temporary {
        what: "make a folder for `fatbinary`",
        source,
    })?;
    let mut command = Command::new(absolute(program)?);
    command
        .current_dir(folder.path())
        .args(["--64", "--compress=false", "--create=out.fatbin"]);
    let mut add = |kind: &str, extension: &str, arch: Arch, bytes: &[u8]| {
        let file = format!("{arch}.{extension}");
        let number = arch.to_string();
        let number = number.trim_start_matches("sm_");
        command.arg(format!("--image3=kind={kind},sm={number},file={file}"));
        std::fs::write(folder.path().join(file), bytes).map_err(|source| BackendError::Temporary {
            what: "write an image for `fatbinary`",
            source,
        })
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
    let fault = |what: String| BackendError::ToolOutput {
        tool: Tool::Fatbinary,
        program: program.to_owned(),
        what,
    };
    let file = folder.path().join("out.fatbin");
    let bytes = std::fs::read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => fault("no fatbin".to_owned()),
        _ => fault(format!("a fatbin that cannot be read: {error}")),
    })?;
    if !bytes.starts_with(&MAGIC.to_le_bytes()) {
        return Err(fault("a file that is no fatbin".to_owned()));
    }
    Ok(bytes)
}

/// The magic number at the start of a fatbin.
const MAGIC: u32 = 0xBA55_ED50;
/// Bytes of the header of a fatbin, and of that of an image of PTX.
const HEADER: u16 = 16;
const PTX_HEADER: u32 = 80;

/// Bundles PTX alone, as `fatbinary --64 --compress=false` does, byte for byte. The texts are sorted by architecture.
///
/// All numbers are little-endian. A header of 16 bytes has the magic number, a version, its own size, and the bytes
/// that follow. Each image has a header: kind (1), version, size of the header, size of the image, and from offset 20
/// the place of its last part, minor and major version of the PTX ISA, the compute capability, and at 40 the flags of
/// 64-bit code and of its portability. The last part is the number 72, whatever the text is. The image is the text and
/// zeros up to a multiple of 8, at least one.
pub fn bundle_ptx<'a>(texts: impl IntoIterator<Item = &'a Ptx>) -> Vec<u8> {
    let mut sorted: Vec<&Ptx> = texts.into_iter().collect();
    sorted.sort_by_key(|ptx| ptx.arch());
    let images: Vec<u8> = sorted.into_iter().flat_map(ptx_image).collect();
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(HEADER.to_le_bytes());
    bytes.extend((images.len() as u64).to_le_bytes());
    bytes.extend(images);
    bytes
}

/// Returns an image of PTX with its header.
fn ptx_image(ptx: &Ptx) -> Vec<u8> {
    let text = ptx.text().as_bytes();
    let padded = (text.len() + 1).next_multiple_of(ALIGNMENT);
    let version = ptx.version();
    let portability: u64 = match ptx.arch().portability() {
        Portability::Forward => 0,
        Portability::Exact => 1 << 20,
    };
    let mut bytes = Vec::with_capacity(PTX_HEADER as usize + padded);
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(0x101_u16.to_le_bytes());
    bytes.extend(PTX_HEADER.to_le_bytes());
    bytes.extend((padded as u64).to_le_bytes());
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend((PTX_HEADER - 16).to_le_bytes());
    bytes.extend(u16::from(version.minor).to_le_bytes());
    bytes.extend(u16::from(version.major).to_le_bytes());
    bytes.extend(u32::from(ptx.arch().capability()).to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend((0x11 | portability).to_le_bytes());
    bytes.extend([0; 16]);
    bytes.extend(72_u64.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(text);
    bytes.resize(PTX_HEADER as usize + padded, 0);
    bytes
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
    fn ptx_alone_is_bundled_as_fatbinary_does() {
        let program = match Tool::Fatbinary.find() {
            Ok(program) => program,
            Err(error) => return skip(&error),
        };
        for &arch in Arch::ALL {
            let ptx = ptx(arch, "");
            let theirs = bundle(&[], Some(&ptx), &program).expect("a bundle");
            assert_eq!(bundle_ptx([&ptx]), theirs, "{arch}");
        }
        // `bundle` takes one text only.
        let texts = [Arch::SM_90A, Arch::SM_80].map(|arch| ptx(arch, ""));
        let both = bundle_ptx(&texts);
        let [high, low] = texts.each_ref().map(ptx_image);
        assert_eq!(both[usize::from(HEADER)..], [low, high].concat());
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
