//! Shared memory descriptors (PTX ISA, "Shared memory descriptor"), which have more modes than
//! those of `wgmma`. [`crate::isa::wgmma::descriptor`] defines the element layout.

use crate::isa::wgmma::descriptor::{Descriptor, Major, UNIT};

/// An invalid descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix descriptor {bits:#018x}: {why}")]
pub(crate) struct Malformed {
    pub(crate) bits: u64,
    pub(crate) why: Why,
}

/// The rule that a descriptor violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    #[error(
        "bits 14-15 and 30-31 must be 0; addresses and offsets have 14 bits each, in units of 16 bytes"
    )]
    Reserved,
    #[error("bits 46-48 are {0:#05b} and must be 0b001; it may be a descriptor for `wgmma`")]
    Version(u64),
    #[error("bits 53-60 are {0:#x} and must be 0")]
    Fixed(u64),
    #[error("the swizzling mode (bits 61-63) is {0}; modes are 0, 1, 2, 4 and 6")]
    Swizzling(u64),
    #[error("the leading dimension is an address (bit 52), which only `sm_103a` has")]
    AddressTarget,
    #[error(
        "the leading dimension is an address (bit 52), which only K-major matrices with 128 bytes of swizzling and without base offset have"
    )]
    Address,
}

/// Decodes `bits` for a matrix with this layout. `absolute` is `true` if the target has absolute
/// addresses instead of leading-dimension offsets.
pub(crate) fn parse(bits: u64, major: Major, absolute: bool) -> Result<Descriptor, Malformed> {
    let malformed = |why| Err(Malformed { bits, why });
    let field = |from: u32, size: u32| bits >> from & ((1 << size) - 1);
    if field(14, 2) != 0 || field(30, 2) != 0 {
        return malformed(Why::Reserved);
    }
    if field(46, 3) != 1 {
        return malformed(Why::Version(field(46, 3)));
    }
    if field(53, 8) != 0 {
        return malformed(Why::Fixed(field(53, 8)));
    }
    let (span, atom) = match field(61, 3) {
        0 => (UNIT, UNIT),
        1 => (128, 32),
        2 => (128, UNIT),
        4 => (64, UNIT),
        6 => (32, UNIT),
        mode => return malformed(Why::Swizzling(mode)),
    };
    // Without swizzling the base offset has no effect. Triton writes address bits there.
    let base_offset = if span == UNIT { 0 } else { field(49, 3) };
    let goes_on = field(52, 1) == 1;
    if goes_on && !absolute {
        return malformed(Why::AddressTarget);
    }
    if goes_on && (major == Major::Mn || span != 128 || atom != UNIT || base_offset != 0) {
        return malformed(Why::Address);
    }
    let bytes = |from| field(from, 14) << 4;
    Ok(Descriptor {
        start: bytes(0),
        leading: bytes(16),
        stride: bytes(32),
        base_offset,
        span,
        atom,
        goes_on,
    })
}
