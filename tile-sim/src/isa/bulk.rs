//! Bulk copies and reductions, and asynchronous stores that signal an mbarrier (PTX ISA,
//! `cp.async.bulk`, `cp.reduce.async.bulk`, `st.async`, `red.async`).

use smallvec::SmallVec;

use super::Slot;
use super::operands::{
    Window, address_at, address_in, address_of, cache_hint, policy, sized, sized_of,
};
pub(crate) use super::reduction::{Operation, Reduction};
use super::types::{Class, Type};
use crate::check::{FaultKind, Trouble};
use crate::counters::CopyKind;
use crate::machine::Cx;
use crate::machine::bulk::{Load, Route as Piece, check_bulk};
use crate::machine::flights::{Change, Source};
use crate::machine::registers::lanes;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::{Operand, Space};

/// The direction of a copy and its completion mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Route {
    /// From global to shared memory, completing on an mbarrier.
    Load {
        barrier: Address,
        window: Window,
        /// The mask of destination blocks; `None` for the executing block only.
        multicast: Option<Slot>,
        group: Option<BlockGroup>,
    },
    /// To shared memory of another block of the cluster, completing on an mbarrier there.
    Cluster { barrier: Address },
    /// To global memory, completing in a bulk group of the thread.
    Store,
    /// To all replicas of a multicast address, completing in a bulk group of the thread.
    Multicast,
}

/// `.cta_group`: the block whose mbarrier is signaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockGroup {
    One,
    /// Either block of a pair.
    Two,
}

pub(crate) const OPERATIONS: [(&str, Operation); 8] = [
    ("and", Operation::And),
    ("or", Operation::Or),
    ("xor", Operation::Xor),
    ("add", Operation::Add),
    ("inc", Operation::Increment),
    ("dec", Operation::Decrement),
    ("min", Operation::Min),
    ("max", Operation::Max),
];

/// A bulk copy, or a bulk reduction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bulk {
    pub(crate) route: Route,
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) bytes: Slot,
    /// `.cp_mask`: the bytes of each 16 that are written.
    pub(crate) mask: Option<Slot>,
    pub(crate) reduction: Option<Reduction>,
}

/// An instruction of the `cp.async.bulk` family.
#[derive(Clone, Debug)]
pub(crate) enum BulkOp {
    Copy(Bulk),
    Tensor(Box<super::tensor_copy::TensorCopy>),
    /// A prefetch; only its addresses are checked.
    Prefetch {
        from: Address,
        bytes: Slot,
    },
    /// `st.bulk`: zero-fills shared memory of the block.
    Clear {
        address: Address,
        window: Window,
        bytes: Slot,
    },
    Commit,
    Wait {
        /// The number of groups that may still be in flight.
        left: u64,
        until: Until,
    },
}

/// The condition that `cp.async.bulk.wait_group` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    Done,
    /// The sources have been read (`.read`).
    Read,
}

/// An asynchronous store or reduction that signals an mbarrier.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) address: Address,
    pub(crate) values: Slots,
    pub(crate) ty: Type,
    pub(crate) barrier: Address,
    /// `None` for a store.
    pub(crate) reduction: Option<Operation>,
}

const COUNTED: &str = "mbarrier::complete_tx::bytes";

/// Decodes the rest of `cp.async.bulk` or `cp.reduce.async.bulk`.
pub(crate) fn decode(d: &mut Decoder<'_>, reduces: bool) -> Decoded<BulkOp> {
    d.requires((8, 0), 90)?;
    if d.takes("tensor") {
        return super::tensor_copy::decode(d, reduces);
    }
    if !reduces {
        if d.takes("commit_group") {
            d.end(0)?;
            return Ok(BulkOp::Commit);
        }
        if d.takes("wait_group") {
            let until = if d.takes("read") {
                Until::Read
            } else {
                Until::Done
            };
            d.end(1)?;
            let left = d.number(0)?;
            return Ok(BulkOp::Wait { left, until });
        }
        if d.takes("prefetch") {
            return prefetch(d);
        }
    }
    let to = d.needs(&[
        ("shared::cluster", Window::Cluster),
        ("shared::cta", Window::Shared),
        ("global", Window::Generic),
    ])?;
    if to == Window::Generic {
        return store(d, reduces, Route::Store);
    }
    let from = d.needs(&[("global", Space::Global), ("shared::cta", Space::Shared)])?;
    // PTX ISA, "cp.async.bulk": copies within a block do not exist, and reductions never read
    // global memory.
    if from == Space::Shared && to == Window::Shared || from == Space::Global && reduces {
        return d.error("there is no such copy between these spaces");
    }
    d.needs(&[(COUNTED, ())])?;
    if to == Window::Shared {
        d.requires((8, 6), 90)?;
    }
    let loads = from == Space::Global;
    let multicast = loads && to == Window::Cluster && d.takes("multicast::cluster");
    let hinted = loads && cache_hint(d);
    let reduction = if reduces {
        Some(reduction(d, Space::Shared)?)
    } else {
        None
    };
    d.end(4 + usize::from(multicast) + usize::from(hinted))?;
    let bytes = sized(d, 2, Type::U32)?;
    let mask = if multicast {
        Some(sized(d, 4, Type::B16)?)
    } else {
        None
    };
    if hinted {
        policy(d, 4 + usize::from(multicast))?;
    }
    let barrier = address_in(d, 3, to)?;
    let route = if loads {
        Route::Load {
            barrier,
            window: to,
            multicast: mask,
            group: None,
        }
    } else {
        Route::Cluster { barrier }
    };
    Ok(BulkOp::Copy(Bulk {
        route,
        to: address_in(d, 0, to)?,
        from: address_of(d, 1, &[from])?,
        bytes,
        mask: None,
        reduction,
    }))
}

/// Decodes the rest of `multimem.cp.async.bulk` or `multimem.cp.reduce.async.bulk`.
pub(crate) fn decode_multicast(d: &mut Decoder<'_>, reduces: bool) -> Decoded<BulkOp> {
    d.requires((9, 1), 90)?;
    d.needs(&[("global", ())])?;
    store(d, reduces, Route::Multicast)
}

fn store(d: &mut Decoder<'_>, reduces: bool, route: Route) -> Decoded<BulkOp> {
    d.needs(&[("shared::cta", ())])?;
    d.needs(&[("bulk_group", ())])?;
    let hinted = matches!(route, Route::Store) && cache_hint(d);
    let masked = !reduces && d.takes("cp_mask");
    if masked {
        d.requires((8, 6), 100)?;
    }
    let reduction = if reduces {
        Some(reduction(d, Space::Global)?)
    } else {
        None
    };
    d.end(3 + usize::from(hinted) + usize::from(masked))?;
    let bytes = sized(d, 2, Type::U32)?;
    if hinted {
        policy(d, 3)?;
    }
    let mask = if masked {
        Some(sized(d, 3 + usize::from(hinted), Type::B16)?)
    } else {
        None
    };
    Ok(BulkOp::Copy(Bulk {
        route,
        to: address_of(d, 0, &[Space::Global])?,
        from: address_of(d, 1, &[Space::Shared])?,
        bytes,
        mask,
        reduction,
    }))
}

fn prefetch(d: &mut Decoder<'_>) -> Decoded<BulkOp> {
    if d.takes("tensor") {
        return super::tensor_copy::decode_prefetch(d);
    }
    d.needs(&[("L2", ())])?;
    d.needs(&[("global", ())])?;
    let hinted = cache_hint(d);
    d.end(2 + usize::from(hinted))?;
    if hinted {
        policy(d, 2)?;
    }
    Ok(BulkOp::Prefetch {
        bytes: sized(d, 1, Type::U32)?,
        from: address_of(d, 0, &[Space::Global])?,
    })
}

/// Decodes operation and type (PTX ISA, `cp.reduce.async.bulk`, table of types).
fn reduction(d: &mut Decoder<'_>, to: Space) -> Decoded<Reduction> {
    let operation = d.needs(&OPERATIONS)?;
    let keeps_subnormals = d.takes("noftz");
    let shared = to == Space::Shared;
    let ty = d.ty_where(|ty| {
        if ty.packed != 1 || !matches!(ty.bits, 16 | 32 | 64) {
            return false;
        }
        let half = ty.is_float() && ty.bits == 16 && !shared;
        match operation {
            Operation::And | Operation::Or | Operation::Xor => {
                ty.class == Class::Bits && (ty.bits == 32 || ty.bits == 64 && !shared)
            }
            Operation::Increment | Operation::Decrement => ty == Type::U32,
            Operation::Add => {
                let integer =
                    ty == Type::U32 || ty == Type::S32 || ty == Type::new(Class::Unsigned, 64);
                integer || (ty.is_float() && !shared)
            }
            Operation::Min | Operation::Max => {
                ty.is_integer() && (ty.bits == 32 || ty.bits == 64 && !shared) || half
            }
        }
    })?;
    if (operation == Operation::Add && ty.bits == 16) != keeps_subnormals {
        return d.error(
            "`.add.f16` and `.add.bf16` require `.noftz`, which no other operation accepts",
        );
    }
    Ok(Reduction { operation, ty })
}

/// Decodes the rest of `st.async`.
pub(crate) fn decode_store(d: &mut Decoder<'_>) -> Decoded<Counted> {
    d.requires((8, 1), 90)?;
    d.takes("weak");
    let windows = [("shared::cluster", ()), ("shared::cta", ())];
    let windowed = d.one_of(&windows).is_some();
    d.needs(&[(COUNTED, ())])?;
    if !windowed {
        // The grammar puts the state space before the completion mechanism; examples of the PTX ISA
        // put it after.
        d.one_of(&windows);
    }
    let count = d.one_of(&[("v2", 2), ("v4", 4)]).unwrap_or(1);
    let ty = d.ty_where(|ty| {
        let class = matches!(
            ty.class,
            Class::Bits | Class::Unsigned | Class::Signed | Class::Float
        );
        class && ty.packed == 1 && ty.bits >= 32
    })?;
    if usize::from(ty.bits) * count > 128 {
        return d.error("at most 16 bytes can be stored");
    }
    d.end(3)?;
    let elements = d.elements(1)?;
    if elements.len() != count {
        return d.error(format!("operand 2 needs {count} registers"));
    }
    let values = elements
        .iter()
        .map(|element| sized_of(d, element, ty))
        .collect::<Decoded<_>>()?;
    Ok(Counted {
        address: address_in(d, 0, Window::Cluster)?,
        barrier: address_in(d, 2, Window::Cluster)?,
        values,
        ty,
        reduction: None,
    })
}

/// Decodes the rest of `st.bulk` (PTX ISA, "st.bulk"): `size` bytes, a multiple of 8, become zero.
pub(crate) fn decode_clear(d: &mut Decoder<'_>) -> Decoded<BulkOp> {
    d.requires((8, 6), 100)?;
    d.takes("weak");
    let window = if d.takes("shared::cta") {
        Window::Shared
    } else {
        Window::Generic
    };
    d.end(3)?;
    if d.number(2)? != 0 {
        return d.error("the value that is stored must be 0");
    }
    let bytes = match d.operand(1)? {
        Operand::Int(_) => {
            if !d.number(1)?.is_multiple_of(8) {
                return d.error("the size must be a multiple of 8");
            }
            d.source(1, Type::B64)?
        }
        Operand::Name(name) if d.names.value(name).is_some_and(|(_, ty)| ty.bits == 32) => {
            d.source(1, Type::U32)?
        }
        _ => sized(d, 1, Type::B64)?,
    };
    Ok(BulkOp::Clear {
        address: address_in(d, 0, window)?,
        window,
        bytes,
    })
}

fn clear(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    address: Address,
    window: Window,
    bytes: Slot,
) -> Result<(), Trouble> {
    let bytes = cx.registers.get(lane, bytes);
    let (space, address) = cx.resolve(window.space(), address_at(cx, lane, address));
    if space != Space::Shared {
        let message = format!("the address {address:#x} is not in shared memory of the block");
        return Err(Trouble::at(lane, FaultKind::Copy(message)));
    }
    if !bytes.is_multiple_of(8) {
        let message = format!("{bytes} bytes are not a multiple of 8");
        return Err(Trouble::at(lane, FaultKind::Copy(message)));
    }
    for offset in (0..bytes).step_by(8) {
        cx.store(lane, space, address.wrapping_add(offset), &[0; 8])?;
    }
    Ok(())
}

/// Decodes the rest of `red.async`.
pub(crate) fn decode_reduce(d: &mut Decoder<'_>) -> Decoded<Counted> {
    d.requires((8, 1), 90)?;
    d.needs(&[("relaxed", ())])?;
    d.needs(&[("cluster", ())])?;
    // The grammar has the space first and the operation last; ptxas accepts any order.
    let (mut space, mut mechanism, mut named) = (None, None, None);
    for _ in 0..3 {
        space = space.or_else(|| d.one_of(&[("shared::cluster", ())]));
        mechanism = mechanism.or_else(|| d.one_of(&[(COUNTED, ())]));
        named = named.or_else(|| d.one_of(&OPERATIONS));
    }
    let (Some(()), Some(operation)) = (mechanism, named) else {
        return d.unexpected();
    };
    let ty = d.ty_where(|ty| match operation {
        Operation::And | Operation::Or | Operation::Xor => ty == Type::B32,
        Operation::Increment | Operation::Decrement => ty == Type::U32,
        Operation::Min | Operation::Max => ty == Type::U32 || ty == Type::S32,
        Operation::Add => ty.is_integer() && ty.packed == 1 && ty.bits >= 32,
    })?;
    d.end(3)?;
    let value = sized(d, 1, ty)?;
    Ok(Counted {
        address: address_in(d, 0, Window::Cluster)?,
        barrier: address_in(d, 2, Window::Cluster)?,
        values: SmallVec::from_slice(&[value]),
        ty,
        reduction: Some(operation),
    })
}

impl BulkOp {
    /// Returns `true` if the result may depend on the order of blocks.
    pub(crate) fn is_seen_by_other_blocks(&self) -> bool {
        match self {
            Self::Copy(copy) => copy.reduction.is_some(),
            Self::Tensor(copy) => copy.reduction.is_some(),
            Self::Prefetch { .. } | Self::Clear { .. } | Self::Commit | Self::Wait { .. } => false,
        }
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        for lane in lanes(active) {
            match self {
                Self::Copy(copy) => copy.execute(cx, lane)?,
                Self::Tensor(copy) => copy.execute(cx, lane)?,
                &Self::Prefetch { from, bytes } => {
                    let bytes = cx.registers.get(lane, bytes) as u32;
                    let from = address_at(cx, lane, from);
                    check_bulk(lane, bytes, [("global", from), ("global", from)])?;
                    cx.global_spot(lane, Space::Global, from, bytes as usize)?;
                }
                &Self::Clear {
                    address,
                    window,
                    bytes,
                } => clear(cx, lane, address, window, bytes)?,
                Self::Commit => cx.copies.stores[lane].commit(),
                &Self::Wait { left, until } => cx.finish_stores(lane, Some(left), until),
            }
        }
        Ok(())
    }
}

impl Bulk {
    fn execute(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let bytes = cx.registers.get(lane, self.bytes) as u32;
        let to = address_at(cx, lane, self.to);
        let from = address_at(cx, lane, self.from);
        match self.route {
            Route::Load {
                barrier,
                window,
                multicast,
                group,
            } => {
                check_bulk(lane, bytes, [("shared", to), ("global", from)])?;
                let barrier = address_at(cx, lane, barrier);
                let barrier = cx.barrier_spot(lane, window.space(), barrier)?;
                // The mask has 16 bits.
                let mask = multicast.map(|mask| cx.registers.get(lane, mask) as u32 & 0xffff);
                let piece = Piece {
                    global: Some(from),
                    shared: to,
                    bytes: bytes as usize,
                };
                let load = Load {
                    kind: CopyKind::Bulk,
                    routes: &[piece],
                    fill: &[0],
                    change: Change::None,
                    group,
                };
                cx.start_load(lane, &load, barrier, mask)
            }
            Route::Cluster { barrier } => {
                check_bulk(lane, bytes, [("shared", to), ("shared", from)])?;
                let barrier = address_at(cx, lane, barrier);
                let barrier = cx.barrier_spot(lane, Space::Cluster, barrier)?;
                let bytes = bytes as usize;
                let from = cx.shared_spot(lane, Space::Shared, from, bytes)?;
                let to = cx.shared_spot(lane, Space::Cluster, to, bytes)?;
                cx.start_remote(
                    lane,
                    Source::Shared(from),
                    to,
                    bytes,
                    self.reduction,
                    barrier,
                )
            }
            Route::Store | Route::Multicast => {
                check_bulk(lane, bytes, [("global", to), ("shared", from)])?;
                let mask = match self.mask {
                    // The mask has 16 bits.
                    Some(mask) => cx.registers.get(lane, mask) as u16,
                    None => u16::MAX,
                };
                let targets = match self.route {
                    Route::Multicast => super::multimem::replicas(cx, lane, to, bytes as usize)?,
                    _ => SmallVec::from_slice(&[to]),
                };
                let pieces: Vec<Piece> = targets
                    .into_iter()
                    .flat_map(|to| masked(to, from, bytes, mask))
                    .collect();
                cx.start_store(lane, CopyKind::Bulk, &pieces, self.reduction)
            }
        }
    }
}

/// Splits a copy into the pieces that a `.cp_mask` selects.
fn masked(to: u64, from: u64, bytes: u32, mask: u16) -> Vec<Piece> {
    let piece = |offset: u64, bytes: usize| Piece {
        global: Some(to + offset),
        shared: from + offset,
        bytes,
    };
    if mask == u16::MAX {
        return vec![piece(0, bytes as usize)];
    }
    (0..u64::from(bytes))
        .filter(|offset| mask >> (offset % 16) & 1 == 1)
        .map(|offset| piece(offset, 1))
        .collect()
}

impl Counted {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        let size = usize::from(self.ty.bits / 8);
        let bytes = size * self.values.len();
        for lane in lanes(active) {
            let mut value = [0; 16];
            for (part, &slot) in value.chunks_exact_mut(size).zip(&self.values) {
                part.copy_from_slice(&cx.registers.get(lane, slot).to_le_bytes()[..size]);
            }
            let to = address_at(cx, lane, self.address);
            crate::check::bounds::aligned("shared", to, bytes)
                .map_err(|kind| Trouble::at(lane, kind))?;
            let to = cx.shared_spot(lane, Space::Cluster, to, bytes)?;
            let barrier = address_at(cx, lane, self.barrier);
            let barrier = cx.barrier_spot(lane, Space::Cluster, barrier)?;
            let reduction = self.reduction.map(|operation| Reduction {
                operation,
                ty: self.ty,
            });
            cx.start_remote(lane, Source::Value(value), to, bytes, reduction, barrier)?;
        }
        Ok(())
    }
}
