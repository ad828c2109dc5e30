//! The text forms of attributes.

use super::codec::by_field;
use super::cursor::{Cursor, Parsed};
use super::{Codec, Field, Flag, Map, Named, Optional, Value, record, separate, tagged};
use crate::gpu::{
    Access, AddressedTile, Arrivals, AsyncCopy, AtomicKind, Begins, BulkCopy, Caching, Copied,
    ElementOp, ExpectTx, ExtractSlice, GlobalAxis, GlobalTile, InsertSlice, Mma, MmaKind, MmaLoop,
    MmaScaled, Partials, Piece, PingPong, PipelineBarriers, Printed, Reach, Root, Roots, ScanStep,
    SharedMatrix, Space, TmaLoad, TmaStore, TmaStoreWait, TmaStoreWaitKind, TransposeShared,
    Vector, Wgmma,
};
use crate::layout::{InDim, LinearLayout, OutShape, ReducePlan, ScanPlan, WarpExchange};
use std::fmt::Write as _;
use std::sync::Arc;
use tile_core::Loc;
use tile_core::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, IntegerOverflow, RoundingMode,
    Signedness,
};
use tile_core::ops::{AttrDef, AttrKind, Opcode, Presence};

// Global memory.

tagged! { Access { "read" [Self::Read], "write" [Self::Write], }}
tagged! { Begins {
    "anywhere" [Self::Anywhere],
    "representable" [Self::Representable],
    "inside" [Self::Inside],
}}
tagged! { Caching {
    "normal" [Self::Normal],
    "no_allocate" [Self::NoAllocate],
    "evict_first" [Self::EvictFirst],
    "evict_last" [Self::EvictLast],
}}
tagged! { Space { "global" [Self::Global], "generic" [Self::Generic], }}
tagged! { Root {
    "param" [Self::Param(number)] {number},
    "variable" [Self::Variable(number)] {number},
    "local" [Self::Local(number)] {number},
    "anywhere" [Self::Anywhere],
}}
record! { GlobalAxis {
    size, step: Named("step"), edge_divisor: Named("edge"), begins: Optional("begins"),
}}
record! { GlobalTile {
    element, axes, roots: Named("to"), access, contiguous: Optional("contiguous"),
    vector_elements: Named("vector"), padding: Optional("pad"), fits_32_bits: Flag("fits_32_bits"),
    by_owners: Flag("by_owners"), caching: Optional("cache"),
}}
record! { Vector { elements, axis: Named("along") }}
record! { AddressedTile {
    ordering, element, roots: Named("to"), scope: Named("scope"), space, vector: Optional("vector"),
    is_masked: Flag("masked"), is_padded: Flag("padded"), is_constant: Flag("constant"),
    is_packed: Flag("packed"), by_owners: Flag("by_owners"),
}}

impl Codec for AtomicKind {
    fn print(&self, text: &mut String) {
        match self {
            Self::Modify(mode) => mode.print(text),
            Self::CompareAndSwap => text.push_str("cas"),
        }
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        if cursor.eat_word("cas") {
            return Ok(Self::CompareAndSwap);
        }
        Codec::parse(cursor).map(Self::Modify)
    }
}

impl Codec for Roots {
    fn print(&self, text: &mut String) {
        self.iter().copied().collect::<Vec<_>>().print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        Ok(<Vec<Root>>::parse(cursor)?.into_iter().collect())
    }
}

// Copies and barriers.

tagged! { Reach { "block" [Self::Block], "cluster" [Self::Cluster], }}
tagged! { Arrivals {
    "one" [Self::One],
    "per_warp" [Self::PerWarp],
    "per_cluster_warp" [Self::PerClusterWarp],
}}
tagged! { TmaStoreWaitKind { "read" [Self::Read], "written" [Self::Written], }}
tagged! { PingPong {
    "begin" [Self::Begin],
    "acquire" [Self::Acquire],
    "release" [Self::Release],
    "end" [Self::End],
}}
tagged! { Copied { "tile" [Self::Tile(tile)] {tile}, "addressed" [Self::Addressed(tile)] {tile}, }}
record! { AsyncCopy { buffer, layout: Named("by"), is_prefetch: Flag("prefetch"), from }}
record! { TmaLoad {
    map: Map, buffer, barriers: Named("by"), reach: Optional("reach"),
    is_prefetch: Flag("prefetch"), tile,
}}
record! { BulkCopy { buffer, barriers: Named("by"), is_prefetch: Flag("prefetch"), tile }}
record! { TmaStore { map: Map, buffer, corner: Named("at"), tile }}
record! { TmaStoreWait { buffer, end, left: Optional("left") }}
record! { ExpectTx { barriers, bytes: Named("bytes") }}
record! { PipelineBarriers { full, empty, reach: Optional("reach") }}
record! { TransposeShared { from, to: Named("to") }}

// Matrices, reductions and slices.

tagged! { MmaKind {
    "f16" [Self::F16],
    "bf16" [Self::BF16],
    "tf32" [Self::TF32],
    "f16_acc_f16" [Self::F16AccF16],
    "e4m3" [Self::E4M3],
    "e5m2" [Self::E5M2],
    "f64" [Self::F64],
    "i8" [Self::I8 { lhs_signed, rhs_signed }]
        {lhs_signed: Flag("lhs_signed"), rhs_signed: Flag("rhs_signed")},
}}
record! { Mma {
    kind, is_half: Flag("half"), swapped: Flag("swapped"), interleaved: Optional("interleaved"),
}}
record! { MmaScaled { elements, scale, block: Named("block") }}
record! { MmaLoop { lhs, rhs, scales: Optional("scales"), signed: Optional("signed") }}
record! { SharedMatrix { buffer, is_transposed: Flag("transposed") }}
record! { Wgmma {
    kind, lhs: Optional("lhs"), rhs: Named("rhs"), has_two_level_accumulation: Flag("two_level"),
    in_flight: Optional("in_flight"),
}}
record! { WarpExchange {
    slot_bits: Named("slots"), warp_masks: Named("warps"), idle_lane_mask: Named("idle_lanes"),
    idle_warp_mask: Named("idle_warps"),
}}
record! { ReducePlan {
    lane_masks: Named("lanes"), warps: Optional("exchange"), groups: Named("groups"),
    result: Named("result"),
}}
record! { ScanPlan {
    first_lane_bit: Named("first_lane_bit"), lane_bits: Named("lane_bits"), reduce,
}}
record! { ScanStep { reverse: Flag("reverse"), plan }}
record! { Partials { buffers, reach: Optional("reach"), plan }}
record! { InsertSlice {
    slice, at: Optional("at"), tile: Named("tile"), part: Named("part"),
}}
record! { ExtractSlice { counts, sources: Named("sources") }}

// Layouts and elements.

impl Codec for OutShape {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "{self}");
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let mut start = cursor.clone();
        let sizes = <Vec<u64>>::parse(cursor)?;
        let is_small = sizes
            .iter()
            .try_fold(1_u64, |all, size| all.checked_mul(*size));
        let shape = is_small.and_then(|_| Self::new(&sizes));
        shape.ok_or_else(|| start.error("the sizes of a tile are powers of two"))
    }
}

/// The text is that of [`std::fmt::Display`].
impl Codec for LinearLayout {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "{self}");
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let mut start = cursor.clone();
        let mut bases = Vec::new();
        for dim in InDim::ALL {
            if cursor.eat_word(dim.name()) {
                let numbers = |cursor: &mut Cursor<'_>| cursor.list(("(", ")"), Cursor::number);
                bases.push((dim, cursor.list(("[", "]"), numbers)?));
            }
        }
        cursor.expect("->")?;
        let shape = OutShape::parse(cursor)?;
        let inputs: usize = bases.iter().map(|(_, list)| list.len()).sum();
        let is_inside = |place: &Vec<u64>| {
            let sizes = shape.sizes();
            place.len() == sizes.len() && place.iter().zip(sizes).all(|(at, size)| *at < size)
        };
        let fits = inputs < 64 && bases.iter().all(|(_, list)| list.len() < 32);
        if !fits || !bases.iter().all(|(_, list)| list.iter().all(is_inside)) {
            return Err(start.error("a basis of the layout lies outside the tile"));
        }
        let bases = bases.into_iter().map(|(dim, list)| {
            let flat = list.iter().map(|place: &Vec<u64>| shape.flatten(place));
            (dim, flat.collect::<Vec<_>>())
        });
        let bases: Vec<_> = bases.collect();
        Ok(Self::new(shape, bases))
    }
}

impl Codec for Arc<DenseElements> {
    fn print(&self, text: &mut String) {
        self.scalar().print(text);
        match &**self {
            DenseElements::Splat { bits, .. } => {
                let _ = write!(text, " splat {bits:#x}");
            }
            DenseElements::Each { bits, .. } => {
                let bits: Vec<String> = bits.iter().map(|bits| format!("{bits:#x}")).collect();
                let _ = write!(text, " [{}]", bits.join(", "));
            }
        }
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let scalar = Codec::parse(cursor)?;
        let elements = if cursor.eat_word("splat") {
            let bits = cursor.number()?;
            DenseElements::Splat { scalar, bits }
        } else {
            let bits = <Vec<u64>>::parse(cursor)?;
            DenseElements::Each { scalar, bits }
        };
        Ok(Arc::new(elements))
    }
}

// Printing.

/// Bytes of a text, which need not be UTF-8.
impl Codec for Box<[u8]> {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "\"{}\"", self.escape_ascii());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        cursor.string().map(Into::into)
    }
}

impl Codec for Box<str> {
    fn print(&self, text: &mut String) {
        <Arc<str>>::from(&**self).print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        Ok((&*<Arc<str>>::parse(cursor)?).into())
    }
}

tagged! { Piece {
    "text" [Self::Text(bytes)] {bytes},
    "value" [Self::Value(printed)] {printed},
    "opening" [Self::Opening(sizes)] {sizes},
    "closing" [Self::Closing { sizes, after }] {sizes, after: Named("after")},
}}
record! { Printed { flags, bits: Optional("bits"), letter: Named("letter"), prints }}

// Operations of tile IR.

impl ElementOp {
    /// Appends the attributes that differ from their defaults.
    pub(in crate::gpu) fn print_attributes(&self, text: &mut String) {
        for (slot, attr) in self.def().attrs.iter().zip(self.attrs.iter()) {
            if let Some(attr) = attr
                && default(slot).as_ref() != Some(attr)
            {
                separate(text);
                text.push_str(&keyword(slot, attr));
            }
        }
    }
}

impl Codec for ElementOp {
    fn print(&self, text: &mut String) {
        text.push_str(self.def().mnemonic);
        self.print_attributes(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let mut start = cursor.clone();
        let mnemonic = cursor.word("an operation")?;
        let Some(opcode) = Opcode::from_mnemonic(mnemonic) else {
            return Err(start.error(format!("unknown operation `{mnemonic}`")));
        };
        let mut op = tile_core::ir::Op::new(opcode, Loc::UNKNOWN);
        for slot in opcode.def().attrs {
            let attr = parsed(slot, cursor)?.or_else(|| default(slot));
            if attr.is_none() && slot.presence == Presence::Required {
                return Err(cursor.expected(&format!("attribute `{}`", slot.name)));
            }
            op.attrs.push(attr);
        }
        Ok(Self::from_tile_op(&op))
    }
}

/// Returns the attribute with this number in bytecode, of a kind that is printed as a keyword.
fn numbered(kind: AttrKind, number: u64) -> Option<Attr> {
    match kind {
        AttrKind::Signedness => Signedness::from_number(number).map(Attr::Signedness),
        AttrKind::Overflow => IntegerOverflow::from_number(number).map(Attr::Overflow),
        AttrKind::Rounding(_) => RoundingMode::from_number(number).map(Attr::Rounding),
        AttrKind::Predicate => ComparisonPredicate::from_number(number).map(Attr::Predicate),
        AttrKind::Ordering => ComparisonOrdering::from_number(number).map(Attr::Ordering),
        AttrKind::U32 | AttrKind::U64 => i64::try_from(number).ok().map(Attr::Int),
        // No element-wise operation has such attributes, or their defaults are no numbers.
        AttrKind::Unit
        | AttrKind::Bool
        | AttrKind::Str
        | AttrKind::Symbol
        | AttrKind::Type
        | AttrKind::Dense
        | AttrKind::I32Array
        | AttrKind::BoolArray
        | AttrKind::Scalars
        | AttrKind::Assume
        | AttrKind::Hints
        | AttrKind::MemoryOrdering(_)
        | AttrKind::MemoryScope(_)
        | AttrKind::RmwMode(_)
        | AttrKind::Visibility => None,
    }
}

fn default(slot: &AttrDef) -> Option<Attr> {
    match slot.presence {
        Presence::Default(number) => numbered(slot.kind, number),
        Presence::Required | Presence::Optional | Presence::AllFalse => None,
    }
}

/// Returns the text of an attribute.
fn keyword(slot: &AttrDef, attr: &Attr) -> String {
    match attr {
        Attr::Signedness(value) => value.name().to_owned(),
        Attr::Overflow(value) => value.name().to_owned(),
        Attr::Rounding(value) => value.name().to_owned(),
        Attr::Predicate(value) => value.name().to_owned(),
        Attr::Ordering(value) => value.name().to_owned(),
        Attr::Int(number) => format!("{}={number}", slot.name),
        Attr::Str(text) => format!("\"{}\"", text.as_bytes().escape_ascii()),
        Attr::Unit => slot.name.to_owned(),
        Attr::Bool(_)
        | Attr::I32Array(_)
        | Attr::BoolArray(_)
        | Attr::Symbol(_)
        | Attr::Type(_)
        | Attr::Dense(_)
        | Attr::Scalars(_)
        | Attr::MemoryOrdering(_)
        | Attr::MemoryScope(_)
        | Attr::RmwMode(_)
        | Attr::Visibility(_)
        | Attr::Assume(_)
        | Attr::Hints(_) => unreachable!("no element-wise operation has such attributes"),
    }
}

/// Takes the attribute of a slot, if it is next.
fn parsed(slot: &AttrDef, cursor: &mut Cursor<'_>) -> Parsed<Option<Attr>> {
    match slot.kind {
        AttrKind::Unit => Ok(cursor.eat_word(slot.name).then_some(Attr::Unit)),
        AttrKind::U32 | AttrKind::U64 if cursor.eat_key(slot.name) => {
            let number: u32 = cursor.number()?;
            Ok(Some(Attr::Int(number.into())))
        }
        AttrKind::Str => {
            let text = <Arc<str>>::parse(cursor)?;
            Ok(Some(Attr::Str((&*text).into())))
        }
        kind => {
            let word = cursor.peek_word();
            let attrs = (0..).map_while(|number| numbered(kind, number));
            // Keywords of an enum are few; numbers have no keyword.
            let attr = attrs.take(16).find(|attr| keyword(slot, attr) == word);
            Ok(attr.filter(|_| cursor.eat_word(word)))
        }
    }
}
