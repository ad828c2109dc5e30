//! Reads the header of a shared library before the loader does.
//!
//! In: a file. Out: nothing, or the reason why it cannot be loaded here, as the rest of a sentence about it.
//!
//! The loader says of a library for another machine that there is no such file, and maps a truncated one without
//! looking, so that the process dies when it reads beyond the end.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

/// The start of an ELF file.
const MAGIC: &[u8; 4] = b"\x7fELF";

/// Bytes of the header of a 64-bit file, and of an entry of its table of segments.
const HEADER: usize = 64;
const SEGMENT: usize = 56;

/// The type of a segment that is mapped.
const LOAD: u32 = 1;

/// Machines by their number in the header.
const MACHINES: [(u16, &str); 6] = [
    (3, "32-bit x86"),
    (21, "64-bit PowerPC"),
    (22, "s390x"),
    (62, "x86-64"),
    (183, "AArch64"),
    (243, "RISC-V"),
];

/// The number of this machine; `None` where the loader has to judge.
const HERE: Option<u16> = if cfg!(all(target_arch = "x86_64", target_pointer_width = "64")) {
    Some(62)
} else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
    Some(183)
} else {
    None
};

/// Returns the reason why the loader could not load `file`, if its header shows one.
pub(super) fn fault(file: &mut File) -> io::Result<Option<String>> {
    let Some(here) = HERE.filter(|_| cfg!(target_os = "linux")) else {
        return Ok(None);
    };
    let length = file.metadata()?.len();
    let header = read(file, 0, HEADER)?;
    if header.is_empty() {
        return Ok(Some("is empty".to_owned()));
    }
    if !header.starts_with(MAGIC) {
        return Ok(Some("is no shared library, but another file".to_owned()));
    }
    if header.len() < HEADER {
        return Ok(Some(truncated(length, HEADER as u64)));
    }
    let machine = number(&header, 18, 2);
    if machine != u64::from(here) {
        return Ok(Some(format!(
            "is a library for {}, and this machine is {}",
            name(machine),
            name(here.into())
        )));
    }
    let (start, count) = (number(&header, 32, 8), number(&header, 56, 2));
    let table = read(file, start, SEGMENT * usize::try_from(count).unwrap_or(0))?;
    let end_of_table = start.saturating_add(count * SEGMENT as u64);
    let ends = table.chunks_exact(SEGMENT).filter_map(|segment| {
        let end = number(segment, 8, 8).saturating_add(number(segment, 32, 8));
        (number(segment, 0, 4) == u64::from(LOAD)).then_some(end)
    });
    let needed = ends.fold(end_of_table, u64::max);
    Ok((needed > length).then(|| truncated(length, needed)))
}

fn truncated(length: u64, needed: u64) -> String {
    format!("is truncated: it has {length} of at least {needed} bytes")
}

/// Reads up to `count` bytes from `start` on.
fn read(file: &mut File, start: u64, count: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the little-endian number of `count` bytes at `start`.
fn number(bytes: &[u8], start: usize, count: usize) -> u64 {
    let digits = bytes[start..start + count].iter().rev();
    digits.fold(0, |number, &byte| (number << 8) | u64::from(byte))
}

fn name(machine: u64) -> String {
    let known = MACHINES
        .iter()
        .find(|(number, _)| u64::from(*number) == machine);
    known.map_or_else(
        || format!("machine {machine}"),
        |(_, name)| (*name).to_owned(),
    )
}
