//! Code images: PTX texts, fatbins, and what is refused.
//!
//! All numbers of a fatbin are little-endian. Its header has 16 bytes: magic number, version (u16), bytes of the
//! header (u16), bytes after it (u64). Each image has a header: kind (u16; 1 is PTX, 2 is a cubin), version (u16),
//! bytes of the header (u32), bytes after it (u64), and flags at byte 40. Where the flags say that the image is
//! compressed, its compressed bytes are at byte 16 (u32), the others are padding, and its plain ones at byte 56 (u64).

use std::io::Read;

/// The start of a fatbin.
const FATBIN: [u8; 4] = 0xBA55_ED50_u32.to_le_bytes();
/// The start of the structure with the address of a fatbin that `nvcc` puts into programs.
const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();
const ELF: [u8; 4] = *b"\x7fELF";
const PTX: u16 = 1;
/// The flag of an image that is an LZ4 block.
const LZ4: u64 = 0x2000;
/// The flag of an image that is a frame of Zstandard.
const ZSTD: u64 = 0x8000;
/// The maximum number of bytes of a PTX that is decompressed.
const MAX_PTX: usize = 1 << 30;

/// Why an image has no PTX that can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoCode {
    /// There is no PTX for the device, as the text says.
    ForDevice(String),
    /// The bytes are no image.
    Invalid(String),
}

/// A reader of memory of unknown length: of the program, or of a file.
pub(crate) trait Image {
    /// Reads `N` bytes from `offset`.
    fn bytes<const N: usize>(&self, offset: usize) -> Option<[u8; N]>;

    /// Reads `length` bytes.
    fn slice(&self, offset: usize, length: usize) -> Option<Vec<u8>>;

    /// Reads up to the first NUL, or to the end.
    fn text(&self) -> Vec<u8>;

    /// Returns the image at an address of the program.
    fn at(&self, address: u64) -> Option<Self>
    where
        Self: Sized;
}

impl Image for &[u8] {
    fn bytes<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        self.get(offset..offset.checked_add(N)?)?.try_into().ok()
    }

    fn slice(&self, offset: usize, length: usize) -> Option<Vec<u8>> {
        Some(self.get(offset..offset.checked_add(length)?)?.to_vec())
    }

    fn text(&self) -> Vec<u8> {
        self.iter().copied().take_while(|&byte| byte != 0).collect()
    }

    fn at(&self, _address: u64) -> Option<Self> {
        None
    }
}

/// An image in memory of the program, whose length its header or a NUL tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointed(*const u8);

impl Pointed {
    /// # Safety
    /// The pointer must be to a fatbin, a cubin, or a text with a NUL at its end.
    pub(crate) unsafe fn new(start: *const u8) -> Self {
        Self(start)
    }
}

impl Image for Pointed {
    fn bytes<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        // SAFETY: the maker of `self` promised an image. The offsets below are within what its headers say, and
        // the first four bytes are read one by one in `text_starts`.
        Some(unsafe { self.0.add(offset).cast::<[u8; N]>().read_unaligned() })
    }

    fn slice(&self, offset: usize, length: usize) -> Option<Vec<u8>> {
        // SAFETY: as above.
        let bytes = unsafe { std::slice::from_raw_parts(self.0.add(offset), length) };
        Some(bytes.to_vec())
    }

    fn text(&self) -> Vec<u8> {
        // SAFETY: what does not begin as a fatbin or a cubin is a text with a NUL.
        unsafe { std::ffi::CStr::from_ptr(self.0.cast()) }
            .to_bytes()
            .to_vec()
    }

    fn at(&self, address: u64) -> Option<Self> {
        let address = usize::try_from(address).ok()?;
        Some(Self(std::ptr::with_exposed_provenance(address)))
    }
}

fn u16_at(image: &impl Image, offset: usize) -> Option<u16> {
    image.bytes(offset).map(u16::from_le_bytes)
}

fn u32_at(image: &impl Image, offset: usize) -> Option<u32> {
    image.bytes(offset).map(u32::from_le_bytes)
}

fn u64_at(image: &impl Image, offset: usize) -> Option<u64> {
    image.bytes(offset).map(u64::from_le_bytes)
}

/// Compares the start of an image byte by byte, since a text may be shorter than four.
fn begins_with(image: &impl Image, magic: [u8; 4]) -> bool {
    (0..4).all(|index| image.bytes::<1>(index) == Some([magic[index]]))
}

/// Returns the PTX of an image that a device of this compute capability can run.
pub(crate) fn ptx(image: &impl Image, capability: (i32, i32)) -> Result<String, NoCode> {
    if begins_with(image, ELF) {
        return Err(NoCode::ForDevice(
            "the image is a cubin, and the simulated GPU runs PTX only: add PTX to the fatbin"
                .to_owned(),
        ));
    }
    if begins_with(image, WRAPPER) {
        let address = u64_at(image, 8).ok_or_else(short)?;
        let inner = image.at(address).ok_or_else(short)?;
        return ptx(&inner, capability);
    }
    if begins_with(image, FATBIN) {
        return of_fatbin(image, capability);
    }
    let text = image.text();
    let text = String::from_utf8(text);
    let text =
        text.map_err(|_| NoCode::Invalid("the image is neither a fatbin nor a text".to_owned()))?;
    if !text.contains(".version") {
        return Err(NoCode::Invalid(
            "the image is neither a fatbin nor a cubin, and no PTX: it has no `.version`"
                .to_owned(),
        ));
    }
    Ok(text)
}

fn short() -> NoCode {
    NoCode::Invalid("the fatbin is cut short".to_owned())
}

fn of_fatbin(image: &impl Image, capability: (i32, i32)) -> Result<String, NoCode> {
    let header = usize::from(u16_at(image, 6).ok_or_else(short)?);
    let length = usize::try_from(u64_at(image, 8).ok_or_else(short)?).map_err(|_| short())?;
    let end = header.checked_add(length).ok_or_else(short)?;
    let mut offset = header;
    let mut best: Option<((u16, bool), String)> = None;
    let mut others = Vec::new();
    while offset < end {
        let kind = u16_at(image, offset).ok_or_else(short)?;
        let header = u32_at(image, offset + 4).ok_or_else(short)? as usize;
        let bytes =
            usize::try_from(u64_at(image, offset + 8).ok_or_else(short)?).map_err(|_| short())?;
        let start = offset.checked_add(header).ok_or_else(short)?;
        let next = start.checked_add(bytes).ok_or_else(short)?;
        if header < 16 || next > end {
            return Err(short());
        }
        if kind == PTX {
            let text = image.slice(start, bytes).ok_or_else(short)?;
            let text = match Compressed::of(image, (offset, header))? {
                Some(compressed) => compressed.expand(&text)?,
                None => text,
            };
            let text = String::from_utf8(text)
                .map_err(|_| NoCode::Invalid("PTX is not UTF-8".to_owned()))?;
            let text = text.trim_end_matches('\0');
            match target(text) {
                Some(target) if fits(target, capability) => {
                    let rank = (target.0, target.1.is_some());
                    if best.as_ref().is_none_or(|(known, _)| *known < rank) {
                        best = Some((rank, text.to_owned()));
                    }
                }
                Some((number, suffix)) => {
                    let suffix = suffix.map(String::from).unwrap_or_default();
                    others.push(format!("PTX for sm_{number}{suffix}"));
                }
                None => others.push("PTX without `.target`".to_owned()),
            }
        } else {
            others.push("a cubin".to_owned());
        }
        offset = next;
    }
    let (major, minor) = capability;
    best.map(|(_, text)| text).ok_or_else(|| {
        NoCode::ForDevice(format!(
            "the fatbin has no PTX that sm_{major}{minor} runs, only: {}",
            if others.is_empty() {
                "nothing".to_owned()
            } else {
                others.join(", ")
            }
        ))
    })
}

/// How an image is compressed.
struct Compressed {
    by_lz4: bool,
    bytes: usize,
    plain: usize,
}

impl Compressed {
    /// Reads the header of an image, from this offset and of this length.
    fn of(image: &impl Image, (offset, header): (usize, usize)) -> Result<Option<Self>, NoCode> {
        let flags = if header >= 64 {
            u64_at(image, offset + 40).ok_or_else(short)?
        } else {
            0
        };
        if flags & (LZ4 | ZSTD) == 0 {
            return Ok(None);
        }
        let bytes = u32_at(image, offset + 16).ok_or_else(short)? as usize;
        let plain = u64_at(image, offset + 56).ok_or_else(short)?;
        let plain = usize::try_from(plain)
            .ok()
            .filter(|&bytes| bytes <= MAX_PTX);
        let plain =
            plain.ok_or_else(|| NoCode::Invalid("an image has more than 1 GiB".to_owned()))?;
        Ok(Some(Self {
            by_lz4: flags & LZ4 != 0,
            bytes,
            plain,
        }))
    }

    fn expand(&self, image: &[u8]) -> Result<Vec<u8>, NoCode> {
        let invalid = |why: String| NoCode::Invalid(format!("an image does not decompress: {why}"));
        let image = image.get(..self.bytes).ok_or_else(short)?;
        let plain = if self.by_lz4 {
            lz4_flex::block::decompress(image, self.plain)
                .map_err(|error| invalid(error.to_string()))?
        } else {
            let decoder = ruzstd::decoding::StreamingDecoder::new(image)
                .map_err(|error| invalid(error.to_string()))?;
            let mut plain = Vec::new();
            // One byte more, to see that there are too many.
            decoder
                .take(self.plain as u64 + 1)
                .read_to_end(&mut plain)
                .map_err(|error| invalid(error.to_string()))?;
            plain
        };
        if plain.len() == self.plain {
            return Ok(plain);
        }
        Err(invalid(format!(
            "it has {} bytes, and its header says {}",
            plain.len(),
            self.plain
        )))
    }
}

/// Returns the number and the suffix of a text's `.target`.
fn target(text: &str) -> Option<(u16, Option<char>)> {
    let mut lines = text.lines();
    let rest = lines.find_map(|line| line.trim_start().strip_prefix(".target"))?;
    let word = rest.split([',', ' ', '\t']).find(|word| !word.is_empty())?;
    let digits = word.strip_prefix("sm_")?;
    let suffix = digits.chars().last().filter(char::is_ascii_alphabetic);
    let digits = digits.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    Some((digits.parse().ok()?, suffix))
}

/// Returns `true` if PTX for a target runs on a device.
pub(crate) fn fits((number, suffix): (u16, Option<char>), (major, minor): (i32, i32)) -> bool {
    let number = i32::from(number);
    let device = major * 10 + minor;
    match suffix {
        None => number <= device,
        Some('f') => number <= device && number / 10 == major,
        Some(_) => number == device,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(kind: u16, flags: u64, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(kind.to_le_bytes());
        bytes.extend(0x101u16.to_le_bytes());
        bytes.extend(64u32.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.resize(40, 0);
        bytes.extend(flags.to_le_bytes());
        bytes.resize(64, 0);
        bytes.extend(content);
        bytes
    }

    fn fatbin(images: &[Vec<u8>]) -> Vec<u8> {
        let images = images.concat();
        let mut bytes = FATBIN.to_vec();
        bytes.extend(1u16.to_le_bytes());
        bytes.extend(16u16.to_le_bytes());
        bytes.extend((images.len() as u64).to_le_bytes());
        bytes.extend(images);
        bytes
    }

    fn text(target: &str) -> Vec<u8> {
        format!(".version 8.0\n.target {target}\n\0\0").into_bytes()
    }

    fn chosen(images: &[Vec<u8>], capability: (i32, i32)) -> Result<String, NoCode> {
        let text = ptx(&&*fatbin(images), capability)?;
        let target = text.lines().find_map(|line| line.strip_prefix(".target "));
        Ok(target.unwrap_or("").to_owned())
    }

    #[test]
    fn the_newest_ptx_that_the_device_runs_is_chosen() {
        let images: Vec<_> = ["sm_80", "sm_90a", "sm_90", "sm_100f"]
            .map(|target| image(1, 0, &text(target)))
            .into_iter()
            .chain([image(2, 0, b"\x7fELF1234")])
            .collect();
        for (capability, target) in [
            ((8, 0), "sm_80"),
            ((8, 9), "sm_80"),
            ((9, 0), "sm_90a"),
            ((10, 0), "sm_100f"),
            ((10, 3), "sm_100f"),
            ((12, 0), "sm_90"),
        ] {
            assert_eq!(chosen(&images, capability).as_deref(), Ok(target));
        }
    }

    #[test]
    fn what_does_not_run_is_listed() {
        let images = [image(2, 0, b"\x7fELF1234"), image(1, 0, &text("sm_100a"))];
        let Err(NoCode::ForDevice(why)) = chosen(&images, (9, 0)) else {
            panic!("nothing runs");
        };
        assert!(why.contains("a cubin, PTX for sm_100a"), "{why}");
        assert!(matches!(
            ptx(&&b"\x7fELF.."[..], (9, 0)),
            Err(NoCode::ForDevice(_))
        ));
        assert!(matches!(
            ptx(&&b"junk"[..], (9, 0)),
            Err(NoCode::Invalid(_))
        ));
        assert!(matches!(ptx(&&b""[..], (9, 0)), Err(NoCode::Invalid(_))));
    }

    /// What `fatbinary --compress-mode=speed` and `=default` of CUDA 13.5 make of a kernel `one`.
    const COMPRESSED: [&[u8]; 2] = [include_bytes!("lz4.fatbin"), include_bytes!("zstd.fatbin")];

    #[test]
    fn compressed_ptx_is_expanded() {
        for fatbin in COMPRESSED {
            let text = ptx(&fatbin, (9, 0)).unwrap();
            // Without the zero at its end.
            assert_eq!(text.len(), 918);
            assert!(text.contains(".visible .entry one(") && text.ends_with("ret;\n}\n"));
        }
    }

    #[test]
    fn a_damaged_image_is_invalid() {
        for fatbin in COMPRESSED {
            for index in 96..fatbin.len() {
                let mut damaged = fatbin.to_vec();
                damaged[index] ^= 0xff;
                // A literal may have changed; no byte is read beyond the end, and nothing panics.
                let _ = ptx(&&*damaged, (9, 0));
            }
            let mut longer = fatbin.to_vec();
            longer[16 + 56] += 1;
            assert!(matches!(ptx(&&*longer, (9, 0)), Err(NoCode::Invalid(_))));
        }
    }

    #[test]
    fn no_fatbin_that_is_cut_short_is_read_beyond_its_end() {
        let whole = fatbin(&[image(2, 0, b"\x7fELF1234"), image(1, 0, &text("sm_80"))]);
        for length in 4..whole.len() {
            assert!(ptx(&&whole[..length], (9, 0)).is_err(), "{length}");
        }
    }
}
