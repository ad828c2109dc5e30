//! Loads, stores and atomically updates tiles of views, element by element.
//!
//! A [`Window`] gives the elements that an index selects. A load reads the view's padding for
//! out-of-bounds elements; a store skips them. Two 4-bit elements share a byte: a store of one does
//! not change the other.

use super::buffers::Span;
use super::check::{AccessKind, Visit, Watched, watched};
use super::compile::Compiler;
use super::machine::{Exec, Machine, Slot, Stop, ViewSlot};
use super::memory::normalizer;
use super::nibble;
use super::shared;
use super::tile::{Lane, to_stored};
use super::window::{Axis, Row, Width, Window};
use crate::ir::{MemoryOrdering, Op};
use crate::types::{PaddingValue, Scalar};

/// The access of an operation to a view.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) view: ViewSlot,
    /// The axes of a tile.
    pub(super) axes: Vec<Axis>,
    /// The axis whose index is a tile.
    pub(super) sparse: Option<usize>,
    pub(super) scalar: Scalar,
    pub(super) padding: Option<PaddingValue>,
    pub(super) ordering: MemoryOrdering,
}

impl Access {
    fn width(&self) -> Width {
        match self.scalar.bits() {
            4 => Width::Nibble,
            _ => Width::Bytes(self.scalar.bytes()),
        }
    }

    fn find(&self, machine: &Machine<'_>) -> Result<Option<Window>, Stop> {
        Window::find(machine, self.view, &self.axes, self.sparse, self.width())
    }

    /// Returns the selected window; `None` for an undefined index if the launch tolerates it.
    fn window(&self, machine: &Machine<'_>) -> Result<Option<Window>, Stop> {
        self.find(machine)
            .or_else(|stop| machine.undefined(stop).map(|()| None))
    }

    /// Adds the memory checks of this access before the closure of its operation.
    pub(super) fn watch(
        &self,
        cx: &mut Compiler<'_>,
        op: &Op,
        kind: AccessKind,
        exec: Exec,
    ) -> Exec {
        let access = self.clone();
        let each = move |machine: &Machine<'_>, visit: Visit<'_>| {
            // The operation itself reports an undefined index.
            let Ok(Some(window)) = access.find(machine) else {
                return Ok(());
            };
            let mut result = Ok(());
            window.rows(|row| {
                for index in 0..row.len {
                    if result.is_ok() {
                        result = visit(row.position + index, window.place(row, index));
                    }
                }
            });
            result
        };
        let tile = match self.width() {
            Width::Bytes(bytes) => Watched::bytes(self.shape(), bytes),
            Width::Nibble => Watched::nibbles(self.shape()),
        };
        watched(cx, op, kind, tile, each, exec)
    }

    fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.extent).collect()
    }

    /// Returns the value of an out-of-bounds element, which is zero if the view has no padding.
    fn outside<L: Lane>(&self) -> L {
        let padding = self.padding.unwrap_or(PaddingValue::Zero);
        L::from_bits(padding_bits(self.scalar, padding))
    }

    /// Loads the tile into `out`.
    pub(super) fn load<L: Lane>(&self, machine: &mut Machine<'_>, out: Slot) -> Result<(), Stop> {
        let window = self.window(machine)?;
        let mut lanes: Vec<L> = machine.take(out);
        let count = self.axes.iter().map(|axis| axis.extent).product();
        if window.as_ref().map(Window::count) != Some(count) {
            // Without out-of-bounds elements, every element is overwritten.
            lanes.clear();
        }
        lanes.resize(count, self.outside());
        if let Some(window) = window {
            window.rows(|row| {
                let to = &mut lanes[row.position..row.position + row.len];
                match window.width {
                    Width::Bytes(_) => load_row(&window, row, to),
                    Width::Nibble => nibble::load_row(&window, row, to),
                }
            });
            if let Some(normal) = normalizer(self.scalar) {
                for lane in &mut lanes {
                    *lane = L::from_bits(normal(lane.to_bits()));
                }
            }
            if machine.options.trace.is_some() && self.ordering != MemoryOrdering::Weak {
                window.rows(|row| {
                    for index in 0..row.len {
                        let lane = lanes[row.position + index];
                        machine.trace_read(self.ordering, window.place(row, index), lane);
                    }
                });
            }
        }
        machine.put(out, lanes);
        Ok(())
    }

    /// Stores the in-bounds part of the tile.
    pub(super) fn store<L: Lane>(&self, machine: &Machine<'_>, tile: Slot) -> Result<(), Stop> {
        let Some(window) = self.window(machine)? else {
            return Ok(());
        };
        window.span.to_store()?;
        let lanes: &[L] = machine.tile(tile);
        window.rows(|row| {
            let from = &lanes[row.position..row.position + row.len];
            match window.width {
                Width::Bytes(_) => store_row(&window, row, from),
                Width::Nibble => nibble::store_row(&window, row, from),
            }
            if machine.options.trace.is_some() {
                for (index, &lane) in from.iter().enumerate() {
                    machine.trace_write(self.ordering, window.place(row, index), lane);
                }
            }
        });
        Ok(())
    }

    /// Calls `element` with the memory and the position in the tile of every in-bounds element.
    pub(super) fn each<L: Lane>(
        &self,
        machine: &Machine<'_>,
        mut element: impl FnMut(usize, Span) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(window) = self.window(machine)? else {
            return Ok(());
        };
        let mut result = Ok(());
        window.rows(|row| {
            for index in 0..row.len {
                if result.is_ok() {
                    let position = row.position + index;
                    result = element(position, window.place(row, index)).or_else(|stop| {
                        machine.undefined(stop.in_element(&self.shape(), position))
                    });
                }
            }
        });
        result
    }
}

/// Loads a row of elements that take whole bytes.
fn load_row<L: Lane>(window: &Window, row: Row, to: &mut [L]) {
    let Span { ptr, contended, .. } = window.span.skip(row.offset * size_of::<L>());
    let stride = row.stride * size_of::<L>();
    if contended {
        for (index, lane) in to.iter_mut().enumerate() {
            // SAFETY: the window is inside the buffer, all of whose accesses are of this kind.
            *lane = unsafe { shared::read(ptr.add(index * stride)) };
        }
    } else if row.stride == 1 {
        // SAFETY: the window is inside the buffer, and the row has the same length.
        unsafe {
            let to_bytes = to.as_mut_ptr().cast::<u8>();
            to_bytes.copy_from_nonoverlapping(ptr, size_of_val(to));
        }
    } else {
        for (index, lane) in to.iter_mut().enumerate() {
            // SAFETY: the window is inside the buffer.
            *lane = unsafe { ptr.add(index * stride).cast::<L>().read_unaligned() };
        }
    }
}

/// Stores a row of elements that take whole bytes.
fn store_row<L: Lane>(window: &Window, row: Row, from: &[L]) {
    let Span { ptr, contended, .. } = window.span.skip(row.offset * size_of::<L>());
    let stride = row.stride * size_of::<L>();
    if contended {
        for (index, &lane) in from.iter().enumerate() {
            // SAFETY: the window is inside the buffer, all of whose accesses are of this kind.
            unsafe { shared::write(ptr.add(index * stride), lane) };
        }
    } else if row.stride == 1 {
        // SAFETY: the window is inside the buffer, and the row has the same length.
        unsafe { ptr.copy_from_nonoverlapping(from.as_ptr().cast::<u8>(), size_of_val(from)) };
    } else {
        for (index, &lane) in from.iter().enumerate() {
            // SAFETY: the window is inside the buffer.
            unsafe { ptr.add(index * stride).cast::<L>().write_unaligned(lane) };
        }
    }
}
/// Returns the stored bits of a padding value.
fn padding_bits(scalar: Scalar, padding: PaddingValue) -> u64 {
    let value = match padding {
        PaddingValue::Zero => return 0,
        PaddingValue::NegZero => -0.0,
        PaddingValue::Nan => f64::NAN,
        PaddingValue::PosInf => f64::INFINITY,
        PaddingValue::NegInf => f64::NEG_INFINITY,
    };
    to_stored(scalar, super::encoding::encode_float(scalar, value))
}
