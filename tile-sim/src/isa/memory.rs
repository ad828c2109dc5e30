//! Loads and stores (PTX ISA, `ld`, `st`), and what orders them.

use super::control::Control;
use super::types::{Class, Type, mask, signed};
use super::{Op, Slot};
use crate::check::Trouble;
use crate::check::stamp::Scope;
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::machine::sync::Order;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;

/// A load or a store.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) kind: Kind,
    pub(crate) space: Space,
    order: Order,
    /// Of one element.
    bytes: u8,
    signed: bool,
    address: Address,
    /// One register for each element.
    values: Slots,
    /// Of the registers loaded to.
    width: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
}

pub(crate) const SPACES: [(&str, Space); 10] = [
    ("global", Space::Global),
    ("const", Space::Const),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("shared::cluster", Space::Cluster),
    ("local", Space::Local),
    ("param", Space::Param),
    ("param::entry", Space::Param),
    ("param::func", Space::Param),
    ("generic", Space::Generic),
];

pub(crate) const SCOPES: [(&str, Scope); 4] = [
    ("cta", Scope::Block),
    ("cluster", Scope::Cluster),
    ("gpu", Scope::Device),
    ("sys", Scope::Device),
];

/// A fence (PTX ISA, `membar`, `fence`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// Orders what comes before it with what comes behind, in one thread.
    Thread,
    /// Makes writes of the generic proxy visible to the asynchronous one.
    Async,
    /// Of proxies that are one here.
    Nothing,
}

impl Fence {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>) {
        match self {
            Self::Thread => cx.cluster.order.fence(cx.agent),
            Self::Async => cx.cluster.order.fence_proxy(cx.agent),
            Self::Nothing => {}
        }
    }
}

/// Hints to the caches, which change nothing here.
const HINTS: [(&str, ()); 19] = [
    ("ca", ()),
    ("cg", ()),
    ("cs", ()),
    ("lu", ()),
    ("cv", ()),
    ("wb", ()),
    ("wt", ()),
    ("nc", ()),
    ("L1::evict_normal", ()),
    ("L1::evict_unchanged", ()),
    ("L1::evict_first", ()),
    ("L1::evict_last", ()),
    ("L1::no_allocate", ()),
    ("L2::evict_normal", ()),
    ("L2::evict_first", ()),
    ("L2::evict_last", ()),
    ("L2::64B", ()),
    ("L2::128B", ()),
    ("L2::256B", ()),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let kind = match d.opcode() {
        "ld" | "ldu" => Kind::Load,
        "st" => Kind::Store,
        "prefetch" | "prefetchu" => {
            d.one_of(&[("global", ()), ("local", ())]);
            d.needs(&[
                ("L1", ()),
                ("L2", ()),
                ("L2::evict_last", ()),
                ("L2::evict_normal", ()),
            ])?;
            d.end(1)?;
            d.address(0)?;
            return Ok(Op::Control(Control::Nothing));
        }
        "membar" => {
            d.needs(&[("cta", ()), ("gl", ()), ("sys", ())])?;
            d.end(0)?;
            return Ok(Op::Fence(Fence::Thread));
        }
        _ => {
            if d.takes("proxy") {
                let fence = d.needs(&[("async", Fence::Async), ("alias", Fence::Nothing)])?;
                if fence == Fence::Async {
                    d.one_of(&[("global", ()), ("shared::cta", ()), ("shared::cluster", ())]);
                }
                d.end(0)?;
                return Ok(Op::Fence(fence));
            }
            d.one_of(&[
                ("sc", ()),
                ("acq_rel", ()),
                ("acquire", ()),
                ("release", ()),
            ]);
            d.needs(&SCOPES)?;
            d.end(0)?;
            return Ok(Op::Fence(Fence::Thread));
        }
    };
    let order = order(d, kind)?;
    let mut space = d.one_of(&SPACES).unwrap_or(Space::Generic);
    let read_only = space == Space::Global;
    let mut policy = false;
    loop {
        if d.peek() == Some("nc") && !read_only {
            return d.error("`.nc` is for global memory");
        }
        let hint = d.takes("L2::cache_hint");
        policy |= hint;
        if !hint && d.one_of(&HINTS).is_none() {
            break;
        }
    }
    let count = d.one_of(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    let ty = d.ty_where(|ty| {
        ty.bits >= 8
            && ty.packed == 1
            && matches!(
                ty.class,
                Class::Bits | Class::Unsigned | Class::Signed | Class::Float
            )
            && (ty.class != Class::Float || ty.bits >= 32)
    })?;
    if usize::from(ty.bits) * count > 256 {
        return d.error("at most 32 bytes are moved at once");
    }
    d.end(2 + usize::from(policy))?;
    if policy {
        d.source(2, Type::B64)?;
    }
    let (values, address) = match kind {
        Kind::Load => (0, 1),
        Kind::Store => (1, 0),
    };
    let address = d.address(address)?;
    if address.space == Some(Space::Param) && space == Space::Generic {
        return d.error("`.param` is missing: a parameter is no generic address");
    }
    if space == Space::Param && address.of_call {
        space = Space::Local;
    }
    if space == Space::Param && kind == Kind::Store {
        return d.error("the parameters of a kernel are only read");
    }
    let values = match kind {
        Kind::Load => d.dests(values, count)?,
        Kind::Store => d.sources(values, count, ty)?,
    };
    let width = d.names.width(values[0]);
    if values
        .iter()
        .any(|&slot| u16::from(d.names.width(slot)) < ty.total_bits())
    {
        return d.error("a register is too narrow");
    }
    Ok(Op::Memory(Access {
        kind,
        space,
        order,
        bytes: ty.bits / 8,
        signed: ty.is_signed(),
        address,
        values,
        width,
    }))
}

fn order(d: &mut Decoder<'_>, kind: Kind) -> Decoded<Order> {
    if d.takes("weak") {
        return Ok(Order::Weak);
    }
    if d.takes("volatile") {
        return Ok(Order::Relaxed(Scope::Device));
    }
    if d.takes("relaxed") {
        return Ok(Order::Relaxed(d.needs(&SCOPES)?));
    }
    if kind == Kind::Load && d.takes("acquire") {
        return Ok(Order::Acquire(d.needs(&SCOPES)?));
    }
    if kind == Kind::Store && d.takes("release") {
        return Ok(Order::Release(d.needs(&SCOPES)?));
    }
    Ok(Order::Weak)
}

/// The address of one lane, and the space it is in.
pub(crate) fn resolve(space: Space, address: u64) -> (Space, u64) {
    use crate::machine::memory::{LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW};
    if space != Space::Generic {
        return (space, address);
    }
    match super::moves::space_of(address) {
        Space::Shared => match address - SHARED_WINDOW {
            own if own >> RANK_SHIFT == 0 => (Space::Shared, own),
            other => (Space::Cluster, other),
        },
        Space::Local => (Space::Local, address - LOCAL_WINDOW),
        Space::Param => (Space::Param, address - super::moves::PARAM_WINDOW),
        space => (space, address),
    }
}

impl Access {
    /// Whether it may order blocks.
    pub(crate) fn is_strong_global(&self) -> bool {
        self.order != Order::Weak && matches!(self.space, Space::Global | Space::Generic)
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        let count = self.values.len();
        let size = usize::from(self.bytes);
        let total = size * count;
        let bases = cx.registers.row(self.address.base);
        let mut buffer = [0u8; 32];
        let how = self.order.how();
        cx.requests.clear();
        for lane in lanes(active) {
            let address = bases[lane].wrapping_add_signed(self.address.offset);
            let (space, address) = resolve(self.space, address);
            match self.kind {
                Kind::Load => {
                    cx.load_as(how, lane, space, address, &mut buffer[..total])?;
                    cx.loaded(self.order, lane, space, address)?;
                    for (element, &dest) in buffer[..total].chunks_exact(size).zip(&self.values) {
                        let mut word = [0; 8];
                        word[..size].copy_from_slice(element);
                        let mut value = u64::from_le_bytes(word);
                        if self.signed {
                            value = signed(value, self.bytes * 8).cast_unsigned()
                                & mask(u16::from(self.width));
                        }
                        cx.registers.set(lane, dest, value);
                    }
                }
                Kind::Store => {
                    for (element, &src) in buffer[..total].chunks_exact_mut(size).zip(&self.values)
                    {
                        let word = cx.registers.get(lane, src).to_le_bytes();
                        element.copy_from_slice(&word[..size]);
                    }
                    cx.store_as(how, lane, space, address, &buffer[..total])?;
                    cx.stored(self.order, false, lane, space, address)?;
                }
            }
        }
        if self.kind == Kind::Load {
            for &dest in &self.values {
                cx.registers.define(active, dest);
            }
        }
        cx.count_requests(self.kind, total as u64);
        Ok(())
    }
}

/// Slots that an access writes, for instructions that load in another way.
pub(crate) fn define(cx: &mut Cx<'_, '_>, active: u32, dests: &[Slot]) {
    for &dest in dests {
        cx.registers.define(active, dest);
    }
}
