//! Alignment and bounds checks.

use super::FaultKind;

/// Checks that the address is a multiple of the access size, which is a power of two.
pub(crate) fn aligned(space: &'static str, address: u64, bytes: usize) -> Result<(), FaultKind> {
    let bytes = bytes as u64;
    if address & (bytes - 1) == 0 {
        return Ok(());
    }
    Err(FaultKind::Misaligned {
        space,
        address,
        bytes,
    })
}

/// Converts `address..address + bytes` to an index range of a state space of `length` bytes.
pub(crate) fn range(
    space: &'static str,
    address: u64,
    bytes: usize,
    length: usize,
) -> Result<std::ops::Range<usize>, FaultKind> {
    let start = usize::try_from(address).ok();
    match start.and_then(|start| Some(start..start.checked_add(bytes)?)) {
        Some(range) if range.end <= length => Ok(range),
        _ => Err(FaultKind::OutOfBounds {
            space,
            address,
            bytes: bytes as u64,
            around: format!(", of which there are {length} bytes"),
        }),
    }
}
