//! Views at run time, and the part of a tile that lies in a tensor.

use super::buffers::{Pointer, Span};
use super::machine::{Machine, Slot, Stop, ViewSlot};
use super::memory::normalizer;
use super::shared;
use super::tile::Lane;
use crate::ir::MemoryOrdering;
use crate::types::{PaddingValue, Scalar};
use smallvec::SmallVec;

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
    pub(super) ordering: MemoryOrdering,
}

/// The part of a tile that lies in the tensor.
struct Window {
    /// From the element `0, 0, …` of the tile on.
    span: Span,
    /// Elements inside, per tile axis.
    inside: SmallVec<[usize; 4]>,
    /// Bytes between neighbours, per tile axis.
    strides: SmallVec<[usize; 4]>,
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
        let span = machine
            .buffers
            .span(*base, first, last.saturating_add(bytes))?;
        Ok(Window {
            span,
            inside,
            strides: steps,
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
        self.rows(&window, |span, row, len, stride| {
            let at = span.at;
            let row = &mut lanes[row..row + len];
            if span.contended {
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
        if let Some(normal) = normalizer(self.scalar) {
            for lane in &mut lanes {
                *lane = L::from_bits(normal(lane.to_bits()));
            }
        }
        if machine.options.trace.is_some() && self.ordering != MemoryOrdering::Weak {
            self.rows(&window, |span, row, len, stride| {
                for (index, &lane) in lanes[row..row + len].iter().enumerate() {
                    machine.trace_read(self.ordering, span.skip(index * stride), lane);
                }
            });
        }
        machine.put(out, lanes);
        Ok(())
    }

    /// Stores the part of the tile that lies in the tensor.
    pub(super) fn store<L: Lane>(&self, machine: &Machine<'_>, tile: Slot) -> Result<(), Stop> {
        let window = self.window(machine, size_of::<L>())?;
        let lanes: &[L] = machine.tile(tile);
        self.rows(&window, |span, row, len, stride| {
            let at = span.at;
            let row = &lanes[row..row + len];
            if span.contended {
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
            if machine.options.trace.is_some() {
                for (index, &lane) in row.iter().enumerate() {
                    machine.trace_write(self.ordering, span.skip(index * stride), lane);
                }
            }
        });
        Ok(())
    }

    /// Calls `element` with the place and the position in the tile of every element that
    /// lies in the tensor.
    pub(super) fn each<L: Lane>(
        &self,
        machine: &Machine<'_>,
        mut element: impl FnMut(usize, Span) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let window = self.window(machine, size_of::<L>())?;
        let mut result = Ok(());
        self.rows(&window, |span, row, len, stride| {
            for index in 0..len {
                if result.is_ok() {
                    result = element(row + index, span.skip(index * stride));
                }
            }
        });
        result
    }

    /// Calls `row` with place, position in the tile, length and byte stride of
    /// every run along the last tile axis.
    fn rows(&self, window: &Window, mut row: impl FnMut(Span, usize, usize, usize)) {
        let rank = self.tile.len();
        let last = rank - 1;
        let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, rank);
        loop {
            let (mut bytes, mut position) = (0, 0);
            for axis in 0..rank {
                bytes += at[axis] * window.strides[axis];
                position = position * self.tile[axis] + at[axis];
            }
            let span = window.span.skip(bytes);
            row(span, position, window.inside[last], window.strides[last]);
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
