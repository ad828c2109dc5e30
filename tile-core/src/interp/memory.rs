//! Memory at run time: the buffers of a launch, bounds, views; and tokens.
//!
//! A pointer is a buffer and an offset into it, so that an access is checked
//! against exactly the buffer that its pointer came from.

use super::compile::Compiler;
use super::machine::{Exec, Machine, Slot, Stop, ViewSlot};
use super::shared;
use super::tile::Lane;
use crate::ir::Op;
use crate::ops::MemoryOp;
use crate::types::{PaddingValue, Scalar};
use smallvec::SmallVec;

/// Tokens order nothing here: a block runs in program order.
pub(super) fn compile(kind: MemoryOp, cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    match kind {
        MemoryOp::JoinTokens | MemoryOp::MakeToken => {
            cx.define(op.result());
            None
        }
        MemoryOp::Alloca
        | MemoryOp::GdcLaunchDependentsTko
        | MemoryOp::GdcWaitTko
        | MemoryOp::LoadPtrTko
        | MemoryOp::MemoryFenceAliasTko
        | MemoryOp::StorePtrTko => unreachable!("refused before"),
    }
}

/// A position in a buffer of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// Index of the buffer; `u32::MAX` for none.
    pub(super) buffer: u32,
    /// Bytes from its start.
    pub(super) offset: i64,
}

impl Default for Pointer {
    fn default() -> Self {
        Self {
            buffer: u32::MAX,
            offset: 0,
        }
    }
}

/// The buffers of a launch.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    list: Vec<Buffer>,
}

#[derive(Clone, Copy, Debug)]
struct Buffer {
    start: *mut u8,
    bytes: usize,
    /// Whether blocks that run at the same time may write to it.
    contended: bool,
}

// SAFETY: whoever calls `Program::run` promises that the buffers may be read and
// written from any thread while it runs; what several blocks may write is accessed
// with atomic operations.
unsafe impl Send for Buffers {}
// SAFETY: as above.
unsafe impl Sync for Buffers {}

impl Buffers {
    /// Adds a buffer; returns the pointer to its start.
    ///
    /// # Safety
    /// `start` must be valid for reads and writes of `bytes` bytes while `self`
    /// is used, from any thread; unless `contended`, no block may write to it while
    /// another accesses it.
    pub(super) unsafe fn add(&mut self, start: *mut u8, bytes: usize, contended: bool) -> Pointer {
        self.list.push(Buffer {
            start,
            bytes,
            contended,
        });
        Pointer {
            buffer: u32::try_from(self.list.len() - 1).expect("few parameters"),
            offset: 0,
        }
    }

    /// The address of a pointer.
    pub(super) fn address(&self, pointer: Pointer) -> u64 {
        let start = self
            .list
            .get(pointer.buffer as usize)
            .map_or(0, |buffer| buffer.start.addr() as u64);
        start.wrapping_add_signed(pointer.offset)
    }
}

/// A tensor view.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) base: Pointer,
    pub(super) shape: SmallVec<[u64; 4]>,
    /// In elements.
    pub(super) strides: SmallVec<[u64; 4]>,
}

/// How a partition view is accessed.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) view: ViewSlot,
    /// Per tile axis.
    pub(super) index: Vec<Slot>,
    pub(super) tile: Vec<usize>,
    /// The tensor axis of each tile axis.
    pub(super) axes: Vec<usize>,
    pub(super) scalar: Scalar,
    pub(super) padding: Option<PaddingValue>,
}

/// The part of a tile that lies in the tensor.
struct Window {
    /// The element `0, 0, …` of the tile.
    start: *mut u8,
    /// Elements inside, per tile axis.
    inside: SmallVec<[usize; 4]>,
    /// Bytes between neighbours, per tile axis.
    strides: SmallVec<[usize; 4]>,
    /// Whether other blocks may be writing there.
    contended: bool,
}

impl Access {
    /// Finds the window and checks that all of it lies in the buffer.
    fn window(&self, machine: &Machine<'_>, element_bytes: usize) -> Result<Window, Stop> {
        let View {
            base,
            shape,
            strides,
        } = &machine.frame.views[self.view.0];
        let mut inside = SmallVec::new();
        let mut steps = SmallVec::new();
        let (mut first, mut last) = (0_u128, 0_u128);
        let bytes = element_bytes as u128;
        for (axis, &extent) in self.tile.iter().enumerate() {
            let dim = self.axes[axis];
            let index = machine.scalar(self.index[axis]);
            let extent_u64 = extent as u64;
            if index >= shape[dim].div_ceil(extent_u64) {
                return Stop::here(self.outside(machine, shape));
            }
            let start = index * extent_u64;
            let len = (shape[dim] - start).min(extent_u64);
            let stride = u128::from(strides[dim]);
            let step = stride * bytes;
            first = first.saturating_add(u128::from(start).saturating_mul(step));
            last = last.saturating_add(u128::from(len - 1).saturating_mul(step));
            inside.push(usize::try_from(len).unwrap_or(extent));
            // A stride that is used was checked with the last element; another
            // may be anything.
            steps.push(usize::try_from(step).unwrap_or(0));
        }
        let buffer = machine.buffers.list.get(base.buffer as usize);
        let Some(&Buffer {
            start,
            bytes: len,
            contended,
        }) = buffer
        else {
            return Stop::here("access through a pointer that is no buffer's");
        };
        let offset = u128::try_from(base.offset).unwrap_or(u128::MAX);
        let begin = offset.saturating_add(first);
        let end = begin.saturating_add(last).saturating_add(bytes);
        if end > len as u128 {
            return Stop::here(format!(
                "access to bytes {begin}..{end} of a buffer of {len} bytes"
            ));
        }
        let begin = usize::try_from(begin).expect("at most the buffer's length");
        Ok(Window {
            // SAFETY: `begin` is at most `len`, the length of the buffer.
            start: unsafe { start.add(begin) },
            inside,
            strides: steps,
            contended,
        })
    }

    fn outside(&self, machine: &Machine<'_>, shape: &[u64]) -> String {
        let index: Vec<u64> = self
            .index
            .iter()
            .map(|&slot| machine.scalar(slot))
            .collect();
        let space: Vec<u64> = self
            .tile
            .iter()
            .zip(&self.axes)
            .map(|(&extent, &dim)| shape[dim].div_ceil(extent as u64))
            .collect();
        format!("index {index:?} is outside of the index space {space:?}")
    }

    /// The element outside of the tensor; zero where the view does not say.
    fn padding<L: Lane>(&self) -> L {
        let padding = self.padding.unwrap_or(PaddingValue::Zero);
        L::from_bits(padding_bits(self.scalar, padding))
    }

    /// Loads the tile into `out`.
    pub(super) fn load<L: Lane>(&self, machine: &mut Machine<'_>, out: Slot) -> Result<(), Stop> {
        let window = self.window(machine, size_of::<L>())?;
        let mut lanes: Vec<L> = machine.take(out);
        let count = self.tile.iter().product();
        let padding = self.padding();
        if window.inside[..] == self.tile[..] {
            // Every element is overwritten.
            lanes.resize(count, padding);
        } else {
            lanes.clear();
            lanes.resize(count, padding);
        }
        self.rows(&window, |at, row, len, stride| {
            let row = &mut lanes[row..row + len];
            if window.contended {
                for (index, lane) in row.iter_mut().enumerate() {
                    // SAFETY: `window` checked that the elements lie in the buffer, all
                    // of whose accesses are of this kind.
                    *lane = unsafe { shared::read(at.add(index * stride)) };
                }
            } else if stride == size_of::<L>() {
                // SAFETY: `window` checked that the elements lie in the buffer,
                // and the row is as long.
                unsafe {
                    let to = row.as_mut_ptr().cast::<u8>();
                    to.copy_from_nonoverlapping(at, size_of_val(row));
                }
            } else {
                for (index, lane) in row.iter_mut().enumerate() {
                    // SAFETY: `window` checked that the elements lie in the buffer.
                    *lane = unsafe { at.add(index * stride).cast::<L>().read_unaligned() };
                }
            }
        });
        match self.scalar {
            // A truth value is a byte, true if it is not zero.
            Scalar::I1 => normalize(&mut lanes, |bits| u64::from(bits != 0)),
            Scalar::F4E2M1FN | Scalar::I4 => normalize(&mut lanes, |bits| bits & 0xf),
            // The multiplier reads the upper 19 bits.
            Scalar::TF32 => normalize(&mut lanes, |bits| bits & !0x1fff),
            _ => {}
        }
        machine.put(out, lanes);
        Ok(())
    }

    /// Stores the part of the tile that lies in the tensor.
    pub(super) fn store<L: Lane>(&self, machine: &Machine<'_>, tile: Slot) -> Result<(), Stop> {
        let window = self.window(machine, size_of::<L>())?;
        let lanes: &[L] = machine.tile(tile);
        self.rows(&window, |at, row, len, stride| {
            let row = &lanes[row..row + len];
            if window.contended {
                for (index, &lane) in row.iter().enumerate() {
                    // SAFETY: `window` checked that the elements lie in the buffer, all
                    // of whose accesses are of this kind.
                    unsafe { shared::write(at.add(index * stride), lane) };
                }
            } else if stride == size_of::<L>() {
                // SAFETY: `window` checked that the elements lie in the buffer,
                // and the row is as long.
                unsafe { at.copy_from_nonoverlapping(row.as_ptr().cast::<u8>(), size_of_val(row)) };
            } else {
                for (index, &lane) in row.iter().enumerate() {
                    // SAFETY: `window` checked that the elements lie in the buffer.
                    unsafe { at.add(index * stride).cast::<L>().write_unaligned(lane) };
                }
            }
        });
        Ok(())
    }

    /// Calls `row` with address, position in the tile, length and byte stride of
    /// every run along the last tile axis.
    fn rows(&self, window: &Window, mut row: impl FnMut(*mut u8, usize, usize, usize)) {
        let rank = self.tile.len();
        let last = rank - 1;
        let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, rank);
        loop {
            let (mut bytes, mut position) = (0, 0);
            for axis in 0..rank {
                bytes += at[axis] * window.strides[axis];
                position = position * self.tile[axis] + at[axis];
            }
            // SAFETY: the element lies in the window, which lies in the buffer.
            let address = unsafe { window.start.add(bytes) };
            row(address, position, window.inside[last], window.strides[last]);
            let mut axis = last;
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                at[axis] += 1;
                if at[axis] < window.inside[axis] {
                    break;
                }
                at[axis] = 0;
            }
        }
    }
}

fn normalize<L: Lane>(lanes: &mut [L], f: impl Fn(u64) -> u64) {
    for lane in lanes {
        *lane = L::from_bits(f(lane.to_bits()));
    }
}

/// Stored bits of a padding value.
fn padding_bits(scalar: Scalar, padding: PaddingValue) -> u64 {
    let value = match padding {
        PaddingValue::Zero => return 0,
        PaddingValue::NegZero => -0.0,
        PaddingValue::Nan => f64::NAN,
        PaddingValue::PosInf => f64::INFINITY,
        PaddingValue::NegInf => f64::NEG_INFINITY,
    };
    super::exact::encode(scalar, value, crate::ir::RoundingMode::NearestEven)
}
