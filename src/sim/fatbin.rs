//! Reads the PTX from a fatbin, in the format of `fatbinary --compress=false`.
//!
//! All numbers are little-endian. The fatbin begins with a header of 16 bytes: magic number,
//! version (u16), bytes of the header (u16), bytes after it (u64). Images follow, each with its own
//! header: kind (u16; 1 is PTX, 2 is a cubin), version (u16), bytes of the header (u32), bytes
//! after it (u64).

const MAGIC: u32 = 0xBA55_ED50;
const PTX: u16 = 1;

fn number<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..offset.checked_add(N)?)?.try_into().ok()
}

/// Returns the PTX text, without the zeros at its end.
pub(super) fn ptx(fatbin: &[u8]) -> Option<&str> {
    if u32::from_le_bytes(number(fatbin, 0)?) != MAGIC {
        return None;
    }
    let mut offset = usize::from(u16::from_le_bytes(number(fatbin, 6)?));
    while offset < fatbin.len() {
        let kind = u16::from_le_bytes(number(fatbin, offset)?);
        let header = usize::try_from(u32::from_le_bytes(number(fatbin, offset + 4)?)).ok()?;
        let bytes = usize::try_from(u64::from_le_bytes(number(fatbin, offset + 8)?)).ok()?;
        let start = offset.checked_add(header)?;
        let end = start.checked_add(bytes)?;
        let image = fatbin.get(start..end)?;
        if kind == PTX {
            let text = std::str::from_utf8(image).ok()?;
            return Some(text.trim_end_matches('\0'));
        }
        // Advances by at least one byte, so that an empty image is not found again.
        offset = end.max(offset + 1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(kind: u16, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(kind.to_le_bytes());
        bytes.extend(0x101u16.to_le_bytes());
        bytes.extend(24u32.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(content);
        bytes
    }

    fn fatbin(images: &[Vec<u8>]) -> Vec<u8> {
        let images = images.concat();
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend(1u16.to_le_bytes());
        bytes.extend(16u16.to_le_bytes());
        bytes.extend((images.len() as u64).to_le_bytes());
        bytes.extend(images);
        bytes
    }

    #[test]
    fn the_text_is_found_behind_cubins() {
        let whole = fatbin(&[
            image(2, b"\x7fELF1234"),
            image(1, b".version 8.0\n\0\0\0\0"),
        ]);
        assert_eq!(ptx(&whole), Some(".version 8.0\n"));
        assert_eq!(ptx(&fatbin(&[image(2, b"\x7fELF1234")])), None);
        assert_eq!(ptx(b""), None);
        assert_eq!(ptx(b"not a fatbin at all"), None);
    }

    #[test]
    fn what_is_cut_short_has_no_text() {
        let whole = fatbin(&[image(2, b"\x7fELF1234"), image(1, b".version 8.0\n")]);
        for len in 0..whole.len() {
            assert_eq!(ptx(&whole[..len]), None, "{len} bytes");
        }
        let mut long = whole.clone();
        long[16 + 8..16 + 16].fill(0xff);
        assert_eq!(ptx(&long), None);
    }
}
