//! Cache control (PTX ISA, `prefetch`, `discard`, `applypriority`, `createpolicy`, cache hints of
//! `ld` and `st`).
//!
//! Caches are not simulated. Only `discard` has an effect: it destroys the contents of memory.

use super::Slot;
use super::operands::{address_at, address_of, cache_hint, policy, sized};
use super::types::Type;
use crate::check::Trouble;
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;

/// A cache-control instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cache {
    Hint,
    /// Creates a cache policy, which is opaque.
    Policy {
        dest: Slot,
    },
    /// Destroys the contents of 128 bytes.
    Discard {
        address: Address,
    },
}

impl Cache {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        match *self {
            Self::Hint => {}
            Self::Policy { dest } => {
                for lane in lanes(active) {
                    cx.registers.set(lane, dest, 0);
                }
                cx.registers.define(active, dest);
            }
            // The PTX ISA leaves the contents undefined; a pattern makes a use of them visible.
            Self::Discard { address } => {
                for lane in lanes(active) {
                    let address = address_at(cx, lane, address);
                    crate::check::bounds::aligned("global", address, 128)
                        .map_err(|kind| Trouble::at(lane, kind))?;
                    for part in 0..8 {
                        cx.store(lane, Space::Global, address + 16 * part, &[0xa5; 16])?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The eviction priorities of the L2 cache.
const L2: [(&str, ()); 4] = [
    ("L2::evict_last", ()),
    ("L2::evict_normal", ()),
    ("L2::evict_first", ()),
    ("L2::evict_unchanged", ()),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Cache> {
    match d.opcode() {
        "prefetch" => prefetch(d),
        "prefetchu" => {
            d.needs(&[("L1", ())])?;
            d.end(1)?;
            d.address(0)?;
            Ok(Cache::Hint)
        }
        "discard" => {
            d.requires((7, 4), 80)?;
            d.takes("global");
            d.needs(&[("L2", ())])?;
            Ok(Cache::Discard { address: line(d)? })
        }
        "applypriority" => {
            d.requires((7, 4), 80)?;
            d.takes("global");
            d.needs(&[("L2::evict_normal", ())])?;
            line(d)?;
            Ok(Cache::Hint)
        }
        _ => create_policy(d),
    }
}

/// Decodes `[a], 128`.
fn line(d: &mut Decoder<'_>) -> Decoded<Address> {
    d.end(2)?;
    if d.number(1)? != 128 {
        return d.error("the size must be 128");
    }
    address_of(d, 0, &[Space::Global])
}

fn prefetch(d: &mut Decoder<'_>) -> Decoded<Cache> {
    let space = d.one_of(&[
        ("global", Space::Global),
        ("local", Space::Local),
        ("const", Space::Const),
        ("param", Space::Param),
    ]);
    if d.takes("tensormap") {
        d.requires((8, 0), 90)?;
        if matches!(space, Some(Space::Global | Space::Local)) {
            return d.error("a tensor map is prefetched from `.const`, `.param` or generic memory");
        }
        d.end(1)?;
        d.address(0)?;
        return Ok(Cache::Hint);
    }
    if matches!(space, Some(Space::Const | Space::Param)) {
        return d.unexpected();
    }
    if d.one_of(&[("L1", ()), ("L2", ())]).is_none() {
        if space == Some(Space::Local) {
            return d.unexpected();
        }
        d.needs(&L2[..2])?;
        d.requires((7, 4), 80)?;
    }
    d.end(1)?;
    d.address(0)?;
    Ok(Cache::Hint)
}

fn create_policy(d: &mut Decoder<'_>) -> Decoded<Cache> {
    d.requires((7, 4), 80)?;
    if d.takes("cvt") {
        d.needs(&[("L2", ())])?;
        d.needs(&[("b64", ())])?;
        d.end(2)?;
        sized(d, 1, Type::B64)?;
    } else {
        let fractional = d.needs(&[("fractional", true), ("range", false)])?;
        if !fractional {
            d.takes("global");
        }
        d.needs(&L2)?;
        d.one_of(&L2[2..]);
        d.needs(&[("b64", ())])?;
        if fractional {
            d.end_between(1, 2)?;
            if d.operands() == 2 {
                sized(d, 1, Type::F32)?;
            }
        } else {
            d.end(4)?;
            address_of(d, 1, &[Space::Global])?;
            sized(d, 2, Type::U32)?;
            sized(d, 3, Type::U32)?;
        }
    }
    Ok(Cache::Policy {
        dest: d.dest_for(0, Type::B64)?,
    })
}

/// The instruction that cache hints belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hinted {
    Load,
    /// `ld.global.nc`
    LoadNonCoherent,
    Store,
}

/// The restrictions that cache hints put on an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints {
    pub(crate) policy: PolicyOperand,
    /// Is `true` if the access must be 32 bytes wide, as with `.v8.b32` and `.v4.b64`.
    pub(crate) wide_only: bool,
}

/// The presence or absence of a cache-policy operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyOperand {
    Absent,
    Last,
}

/// Decodes the cache hints between the state space and the vector suffix of `ld` and `st`:
///
/// ```text
/// {.cop | {.L1::eviction}{.L2::eviction}}{.L2::cache_hint}{.L2::prefetch_size}
/// ```
///
/// Only loads have a prefetch size. With `.L2::cache_hint` the last operand is a policy, which
/// [`policy_operand`] decodes.
pub(crate) fn hints(d: &mut Decoder<'_>, of: Hinted, space: Space) -> Decoded<Hints> {
    let cop: &[(&str, ())] = match of {
        Hinted::Load => &[("ca", ()), ("cg", ()), ("cs", ()), ("lu", ()), ("cv", ())],
        Hinted::LoadNonCoherent => &[("ca", ()), ("cg", ()), ("cs", ())],
        Hinted::Store => &[("wb", ()), ("cg", ()), ("cs", ()), ("wt", ())],
    };
    let mut wide_only = false;
    let is_cached = matches!(space, Space::Global | Space::Generic);
    // The PTX ISA puts `.nc` after the cache operator and before the hints.
    let plain = d.one_of(cop).is_none();
    if of == Hinted::LoadNonCoherent {
        d.needs(&[("nc", ())])?;
    }
    if plain && d.one_of(cop).is_none() && is_cached {
        let first = [
            ("L1::evict_normal", ()),
            ("L1::evict_unchanged", ()),
            ("L1::evict_first", ()),
            ("L1::evict_last", ()),
            ("L1::no_allocate", ()),
        ];
        if d.one_of(&first).is_some() {
            d.requires((7, 4), 70)?;
        }
        let second = [
            ("L2::evict_normal", ()),
            ("L2::evict_first", ()),
            ("L2::evict_last", ()),
        ];
        if d.one_of(&second).is_some() {
            d.requires((8, 8), 100)?;
            wide_only = true;
        }
    }
    let hinted = is_cached && cache_hint(d);
    if hinted {
        d.requires((7, 4), 80)?;
    }
    if of != Hinted::Store && is_cached {
        let sizes = [("L2::64B", 75), ("L2::128B", 75), ("L2::256B", 80)];
        if let Some(min) = d.one_of(&sizes) {
            d.requires((7, 4), min)?;
        }
    }
    let policy = if hinted {
        PolicyOperand::Last
    } else {
        PolicyOperand::Absent
    };
    Ok(Hints { policy, wide_only })
}

/// Decodes operand `index` as a cache policy.
pub(crate) fn policy_operand(d: &mut Decoder<'_>, index: usize) -> Decoded<()> {
    policy(d, index)
}
