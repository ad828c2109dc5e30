//! Tensor copies (PTX ISA, `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`,
//! `cp.async.bulk.prefetch.tensor`).

use super::bulk::{BlockGroup, BulkOp, OPERATIONS, Operation, Reduction, Route};
use super::operands::{CACHE_HINT, Window, address_at, address_in, policy, sized, sized_of};
use super::types::Type;
use crate::check::{FaultKind, Trouble};
use crate::counters::CopyKind;
use crate::machine::Cx;
use crate::machine::bulk::{Load, Route as Piece};
use crate::machine::flights::Change;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::{Operand, Space};
use crate::parse::target::Target;
use crate::tensor_map::{CopyError, Im2colStart, Start, TensorMap};

/// The load or store mode, which defines the meaning of the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Tile,
    /// `tile::gather4`, `tile::scatter4`.
    Rows,
    Im2col,
    Im2colWide {
        w128: bool,
    },
}

/// A copy between a tensor and shared memory, or a reduction into a tensor.
#[derive(Clone, Debug)]
pub(crate) struct TensorCopy {
    /// `None` for a prefetch, which checks only the coordinates.
    pub(crate) shared: Option<(Route, Address)>,
    /// The address of the tensor map.
    pub(crate) map: Address,
    pub(crate) coordinates: Slots,
    pub(crate) mode: Mode,
    /// The filter offsets of `im2col`; halo and offset of `im2col::w`.
    pub(crate) offsets: Slots,
    pub(crate) reduction: Option<Operation>,
}

const DIMS: [(&str, usize); 5] = [("1d", 1), ("2d", 2), ("3d", 3), ("4d", 4), ("5d", 5)];

/// Requires a target with the features that `.cta_group` introduced.
fn requires_pairs(d: &Decoder<'_>) -> Decoded<()> {
    d.requires_one_of((8, 6), &[Target::family(100), Target::family(110)])
}

/// Requires a target with the newer load modes, some of which work for the executing block only.
fn requires_modes(d: &Decoder<'_>, to: Window) -> Decoded<()> {
    let targets = [
        Target::family(100),
        Target::family(110),
        Target::family(120),
    ];
    let count = if to == Window::Shared { 3 } else { 2 };
    d.requires_one_of((8, 6), &targets[..count])
}

const LOAD_MODES: [(&str, Mode); 5] = [
    ("tile", Mode::Tile),
    ("tile::gather4", Mode::Rows),
    ("im2col", Mode::Im2col),
    ("im2col::w", Mode::Im2colWide { w128: false }),
    ("im2col::w::128", Mode::Im2colWide { w128: true }),
];

const STORE_MODES: [(&str, Mode); 3] = [
    ("tile", Mode::Tile),
    ("tile::scatter4", Mode::Rows),
    ("im2col_no_offs", Mode::Im2col),
];

/// The modifiers after the number of dimensions. The grammar prescribes an order. ptxas accepts any
/// order in which the destination precedes the source, and Triton uses its own.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn read(d: &mut Decoder<'a>) -> Self {
        Self(d.modifiers())
    }

    fn takes(&mut self, word: &str) -> bool {
        self.one_of(&[(word, ())]).is_some()
    }

    /// Removes and returns the first modifier of the table.
    fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let value = |word: &str| table.iter().find(|(name, _)| *name == word);
        let (index, &(_, value)) =
            (self.0.iter().enumerate()).find_map(|(index, word)| Some((index, value(word)?)))?;
        self.0.remove(index);
        Some(value)
    }

    fn needs<T: Copy>(&mut self, d: &Decoder<'_>, table: &[(&str, T)]) -> Decoded<T> {
        match self.one_of(table) {
            Some(value) => Ok(value),
            None => self.unexpected(d),
        }
    }

    /// Reports the next modifier as unexpected.
    fn unexpected<T>(&self, d: &Decoder<'_>) -> Decoded<T> {
        match self.0.first() {
            Some(word) => d.error(format!("unknown modifier `.{word}`")),
            None => d.error("a modifier is missing"),
        }
    }

    /// Checks that every modifier was used.
    fn end(&self, d: &Decoder<'_>) -> Decoded<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.unexpected(d)
    }
}

/// Checks that the mode exists for the number of dimensions and for the target.
fn fits(d: &Decoder<'_>, mode: Mode, dims: usize, to: Window) -> Decoded<()> {
    match mode {
        Mode::Tile => return Ok(()),
        Mode::Rows => {
            requires_modes(d, to)?;
            if dims == 2 {
                return Ok(());
            }
        }
        Mode::Im2colWide { .. } => {
            requires_modes(d, to)?;
            if dims >= 3 {
                return Ok(());
            }
        }
        Mode::Im2col => {
            if dims >= 3 {
                return Ok(());
            }
        }
    }
    d.error(format!("`.{dims}d` has no such mode"))
}

/// Decodes `[map, {coordinates}]`.
fn tensor(d: &mut Decoder<'_>, index: usize, mode: Mode, dims: usize) -> Decoded<(Address, Slots)> {
    let (map, coordinates) = d.tensor_address(index)?;
    let expected = if mode == Mode::Rows { 5 } else { dims };
    if coordinates.len() != expected {
        return d.error(format!(
            "operand {} needs {expected} coordinates",
            index + 1
        ));
    }
    match map.space {
        None | Some(Space::Global | Space::Const | Space::Generic) => Ok((map, coordinates)),
        Some(_) => {
            d.error("take the generic address of the tensor map, with `mov` and `cvta.param`")
        }
    }
}

/// Decodes the `{offsets}` of a load or prefetch.
fn offsets(d: &mut Decoder<'_>, index: usize, count: usize) -> Decoded<Slots> {
    let Operand::Vector(elements) = d.operand(index)? else {
        return d.error("the offsets must be in `{}`");
    };
    if elements.len() != count {
        return d.error(format!("operand {} needs {count} offsets", index + 1));
    }
    elements
        .iter()
        .map(|element| sized_of(d, element, Type::B16))
        .collect()
}

/// Returns the number of offsets of the mode.
fn offset_count(mode: Mode, dims: usize) -> usize {
    match mode {
        Mode::Tile | Mode::Rows => 0,
        Mode::Im2col => dims - 2,
        Mode::Im2colWide { .. } => 2,
    }
}

/// Decodes the rest of `cp.async.bulk.tensor` or `cp.reduce.async.bulk.tensor`.
pub(crate) fn decode(d: &mut Decoder<'_>, reduces: bool) -> Decoded<BulkOp> {
    let dims = d.needs(&DIMS)?;
    let mut words = Words::read(d);
    let spaces = [
        ("shared::cluster", Window::Cluster),
        ("shared::cta", Window::Shared),
        ("global", Window::Generic),
    ];
    let to = words.needs(d, &spaces)?;
    if to == Window::Generic {
        return store(d, words, dims, reduces);
    }
    if reduces {
        return d.error("the destination of a reduction must be `.global`");
    }
    words.needs(d, &[("global", ())])?;
    if to == Window::Shared {
        d.requires((8, 6), 90)?;
    }
    let mode = words.one_of(&LOAD_MODES).unwrap_or(Mode::Tile);
    fits(d, mode, dims, to)?;
    words.needs(d, &[("mbarrier::complete_tx::bytes", ())])?;
    let multicast = to == Window::Cluster && words.takes("multicast::cluster");
    let group = words.one_of(&[
        ("cta_group::1", BlockGroup::One),
        ("cta_group::2", BlockGroup::Two),
    ]);
    if group.is_some() {
        requires_pairs(d)?;
    }
    let hinted = words.takes(CACHE_HINT);
    words.end(d)?;
    // Operands: destination, tensor, mbarrier, im2col offsets, multicast mask, cache policy (PTX
    // ISA, "cp.async.bulk.tensor").
    let count = offset_count(mode, dims);
    let mut next = 3 + usize::from(count > 0);
    d.end(next + usize::from(multicast) + usize::from(hinted))?;
    let (map, coordinates) = tensor(d, 1, mode, dims)?;
    let offsets = if count > 0 {
        offsets(d, 3, count)?
    } else {
        Slots::new()
    };
    let mask = if multicast {
        next += 1;
        Some(sized(d, next - 1, Type::B16)?)
    } else {
        None
    };
    if hinted {
        policy(d, next)?;
    }
    let route = Route::Load {
        barrier: address_in(d, 2, to)?,
        window: to,
        multicast: mask,
        group,
    };
    Ok(BulkOp::Tensor(Box::new(TensorCopy {
        shared: Some((route, address_in(d, 0, to)?)),
        map,
        coordinates,
        mode,
        offsets,
        reduction: None,
    })))
}

fn store(d: &mut Decoder<'_>, mut words: Words<'_>, dims: usize, reduces: bool) -> Decoded<BulkOp> {
    words.needs(d, &[("shared::cta", ())])?;
    let reduction = if reduces {
        Some(words.needs(d, &OPERATIONS)?)
    } else {
        None
    };
    let mode = words.one_of(&STORE_MODES).unwrap_or(Mode::Tile);
    if reduces && mode == Mode::Rows {
        return d.error("there is no reduction with `.tile::scatter4`");
    }
    fits(d, mode, dims, Window::Cluster)?;
    words.needs(d, &[("bulk_group", ())])?;
    let hinted = words.takes(CACHE_HINT);
    words.end(d)?;
    d.end(2 + usize::from(hinted))?;
    if hinted {
        policy(d, 2)?;
    }
    let (map, coordinates) = tensor(d, 0, mode, dims)?;
    Ok(BulkOp::Tensor(Box::new(TensorCopy {
        shared: Some((Route::Store, address_in(d, 1, Window::Shared)?)),
        map,
        coordinates,
        mode,
        offsets: Slots::new(),
        reduction,
    })))
}

/// Decodes the rest of `cp.async.bulk.prefetch.tensor`.
pub(crate) fn decode_prefetch(d: &mut Decoder<'_>) -> Decoded<BulkOp> {
    let dims = d.needs(&DIMS)?;
    let mut words = Words::read(d);
    words.needs(d, &[("L2", ())])?;
    words.needs(d, &[("global", ())])?;
    let mode = words.one_of(&LOAD_MODES).unwrap_or(Mode::Tile);
    fits(d, mode, dims, Window::Cluster)?;
    let hinted = words.takes(CACHE_HINT);
    words.end(d)?;
    let count = offset_count(mode, dims);
    let next = 1 + usize::from(count > 0);
    d.end(next + usize::from(hinted))?;
    let (map, coordinates) = tensor(d, 0, mode, dims)?;
    let offsets = if count > 0 {
        offsets(d, 1, count)?
    } else {
        Slots::new()
    };
    if hinted {
        policy(d, next)?;
    }
    Ok(BulkOp::Tensor(Box::new(TensorCopy {
        shared: None,
        map,
        coordinates,
        mode,
        offsets,
        reduction: None,
    })))
}

impl TensorCopy {
    pub(super) fn execute(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let fail = |message: String| Trouble::at(lane, FaultKind::Copy(message));
        let address = address_at(cx, lane, self.map);
        let space = self.map.space.unwrap_or(Space::Generic);
        let bytes = super::tensor_map::read(cx, lane, space, address)?;
        let map = TensorMap::from_bytes(&bytes)
            .map_err(|error| fail(format!("tensor map at {address:#x}: {error}")))?;
        // Coordinates are signed, offsets unsigned.
        let coordinates: Vec<i32> = self
            .coordinates
            .iter()
            .map(|&slot| (cx.registers.get(lane, slot) as u32).cast_signed())
            .collect();
        let offsets: Vec<u16> = self
            .offsets
            .iter()
            .map(|&slot| cx.registers.get(lane, slot) as u16)
            .collect();
        let start = self.start(&coordinates, &offsets);
        let Some((route, shared)) = self.shared else {
            map.pieces(start, 0)
                .map_err(|error| fail(error.to_string()))?;
            return Ok(());
        };
        let shared = address_at(cx, lane, shared);
        let pieces = map
            .pieces(start, shared)
            .map_err(|error: CopyError| fail(error.to_string()))?;
        let pieces: Vec<Piece> = pieces
            .into_iter()
            .map(|piece| Piece {
                global: piece.global,
                shared: piece.shared,
                bytes: piece.bytes as usize,
            })
            .collect();
        match route {
            Route::Load {
                barrier,
                window,
                multicast,
                group,
            } => {
                let barrier = address_at(cx, lane, barrier);
                let barrier = cx.barrier_spot(lane, window.space(), barrier)?;
                // The mask has 16 bits.
                let mask = multicast.map(|mask| cx.registers.get(lane, mask) as u32 & 0xffff);
                let load = Load {
                    kind: CopyKind::Tensor,
                    routes: &pieces,
                    fill: map.fill(),
                    change: Change::Convert(map.data_type()),
                    group,
                };
                cx.start_load(lane, &load, barrier, mask)
            }
            Route::Cluster { .. } | Route::Multicast => {
                Err(fail("tensor copies do not support this direction".into()))
            }
            Route::Store => {
                let reduction = match self.reduction {
                    None => None,
                    Some(operation) => match Reduction::of_tensor(operation, map.data_type()) {
                        None => {
                            let message =
                                "the reduction does not exist for the element type of the tensor";
                            return Err(fail(message.into()));
                        }
                        other => other,
                    },
                };
                cx.start_store(lane, CopyKind::Tensor, &pieces, reduction)
            }
        }
    }

    fn start<'a>(&self, coordinates: &'a [i32], offsets: &'a [u16]) -> Start<'a> {
        match self.mode {
            Mode::Tile => Start::Tile(coordinates),
            // The decoder has checked that there are five coordinates.
            Mode::Rows => Start::Rows(std::array::from_fn(|axis| coordinates[axis])),
            Mode::Im2col => Start::Im2col(Im2colStart {
                coordinates,
                offsets,
            }),
            Mode::Im2colWide { w128 } => Start::Im2colWide {
                coordinates,
                halo: offsets[0],
                offset: offsets[1],
                w128,
            },
        }
    }
}
