//! Mutates bytes, numbers and sections of bytecode.

use crate::testing::random::Random;

/// The length in bytes of the magic number and the version.
const HEADER: usize = 12;

/// Changes one to three things in a bytecode file; deterministic for a seed.
pub fn mutate_bytes(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = bytes.to_vec();
    let edits = if random.one_in(3) {
        2 + random.below(2)
    } else {
        1
    };
    for _ in 0..edits {
        if bytes.is_empty() {
            break;
        }
        match random.below(16) {
            0 => sections(&mut random, &mut bytes),
            1 => splice(&mut random, &mut bytes),
            2 => {
                // The version.
                if let Some(minor) = bytes.get_mut(9) {
                    *minor = random.pick(&[0, 1, 2, 3, 4, 5, 250]);
                }
            }
            3 => {
                let offset = random.below(bytes.len());
                bytes.truncate(offset);
            }
            4 => varint(&mut random, &mut bytes),
            _ => byte(&mut random, &mut bytes),
        }
    }
    bytes
}

fn byte(random: &mut Random<'_>, bytes: &mut [u8]) {
    let offset = random.below(bytes.len());
    bytes[offset] = match random.below(7) {
        0 => 0xff,
        // A copy of another byte of the file, such as another type or value.
        5..=6 => bytes[random.below(bytes.len())],
        1 => bytes[offset].wrapping_add(1),
        2 => bytes[offset].wrapping_sub(1),
        3 => bytes[offset] ^ 1 << random.below(8),
        _ => u8::try_from(random.below(256)).expect("a byte"),
    };
}

/// Replaces a byte by a large number.
fn varint(random: &mut Random<'_>, bytes: &mut Vec<u8>) {
    const NUMBERS: [u64; 8] = [
        127,
        128,
        1 << 20,
        u32::MAX as u64,
        1 << 32,
        1 << 40,
        i64::MAX as u64,
        u64::MAX,
    ];
    let offset = random.below(bytes.len());
    let mut number = random.pick(&NUMBERS);
    let mut encoded = Vec::new();
    while number >= 0x80 {
        encoded.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
        number >>= 7;
    }
    encoded.push(u8::try_from(number).expect("seven bits"));
    // One time in three the number overwrites as many bytes as it has; otherwise it replaces one
    // byte and shifts the rest.
    let end = if random.one_in(3) {
        (offset + encoded.len()).min(bytes.len())
    } else {
        offset + 1
    };
    bytes.splice(offset..end, encoded);
}

/// Removes, repeats or moves a slice.
fn splice(random: &mut Random<'_>, bytes: &mut Vec<u8>) {
    let start = random.below(bytes.len());
    let len = 1 + random.below(16);
    let end = (start + len).min(bytes.len());
    let piece = bytes[start..end].to_vec();
    let to = random.below(bytes.len());
    match random.below(4) {
        0 => {
            bytes.drain(start..end);
        }
        1 => {
            bytes.splice(to..to, piece);
        }
        2 => {
            let end = (to + piece.len()).min(bytes.len());
            bytes.splice(to..end, piece);
        }
        _ => {
            let times = 1 << random.below(10);
            bytes.splice(to..to, piece.repeat(times));
        }
    }
}

/// Returns the position of the identifier and of the payload of each section, up to the first
/// malformed one.
fn layout(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut fields = Vec::new();
    let mut offset = HEADER;
    while let Some(&id) = bytes.get(offset) {
        let start = offset;
        let mut cursor = offset + 1;
        let Some(length) = read_varint(bytes, &mut cursor) else {
            break;
        };
        if id & 0x80 != 0 {
            let Some(alignment) = read_varint(bytes, &mut cursor) else {
                break;
            };
            cursor = match cursor.checked_next_multiple_of(alignment.clamp(1, 4096)) {
                Some(aligned) => aligned,
                None => break,
            };
        }
        let Some(end) = cursor.checked_add(length).filter(|&end| end <= bytes.len()) else {
            break;
        };
        if id == 0 {
            break;
        }
        fields.push((start, end));
        offset = end;
    }
    fields
}

fn read_varint(bytes: &[u8], offset: &mut usize) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.get(*offset)?;
        *offset += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Removes, repeats, exchanges, renames or fills a section.
fn sections(random: &mut Random<'_>, bytes: &mut Vec<u8>) {
    let layout = layout(bytes);
    if layout.is_empty() {
        return byte(random, bytes);
    }
    let (start, end) = random.pick(&layout);
    let section = bytes[start..end].to_vec();
    match random.below(5) {
        0 => {
            bytes.drain(start..end);
        }
        1 => {
            bytes.splice(start..start, section);
        }
        2 => {
            let (to, _) = random.pick(&layout);
            bytes.drain(start..end);
            let to = to.min(bytes.len());
            bytes.splice(to..to, section);
        }
        3 => bytes[start] = bytes[start] & 0x80 | u8::try_from(random.below(9)).expect("small"),
        _ => {
            // Its first numbers: counts and offsets.
            let offset = (start + 2 + random.below(12)).min(bytes.len() - 1);
            bytes[offset] = random.pick(&[0, 1, 0x7f, 0x80, 0xff]);
        }
    }
}
