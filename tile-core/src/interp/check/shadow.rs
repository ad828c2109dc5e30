//! Shadow memory: the access history of every byte of a buffer.
//!
//! All cells of a page have the size of the smallest element that was accessed in the page: an
//! access to a smaller element splits them. A page that was never accessed takes no memory.

use super::graph::NodeId;
use crate::interp::buffers::BufferFacts;

/// The number of bytes of a page.
const PAGE: usize = 4096;

/// The [`Access::node`] of data that the host wrote before the launch.
pub(super) const HOST: NodeId = 0;

/// An access by one element of the tile of an executed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) node: NodeId,
    /// The element's position in row-major order.
    pub(super) element: u32,
}

/// The access history of a few bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The last weak write.
    pub(super) write: Access,
    /// Weak reads since the last weak write; a later write must be ordered after them.
    pub(super) reads: List,
    /// Strong accesses since the last weak write.
    pub(super) strong: List,
    /// Is `true` if the bytes were written.
    pub(super) written: bool,
}

/// A list of accesses, the last one first; 0 is the empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct List(u32);

/// The links of all lists. Copied lists share their links.
#[derive(Debug, Default)]
pub(super) struct Links(Vec<(Access, List)>);

impl Links {
    /// Returns the last access of a list, and the list without it; `None` if the list is empty.
    pub(super) fn split(&self, list: List) -> Option<(Access, List)> {
        let index = list.0.checked_sub(1)?;
        Some(self.0[index as usize])
    }

    /// Returns a list with one more access.
    pub(super) fn push(&mut self, list: List, access: Access) -> List {
        self.0.push((access, list));
        List(u32::try_from(self.0.len()).expect("memory ends before 2^32 accesses"))
    }
}

/// The cells of a buffer.
#[derive(Debug)]
pub(super) struct Shadow {
    /// The state of bytes that were never accessed.
    fresh: Cell,
    pages: Vec<Option<Page>>,
}

#[derive(Debug)]
struct Page {
    /// The size of a cell in bytes, a power of two.
    grain: usize,
    cells: Vec<Cell>,
}

impl Shadow {
    /// Makes the shadow of a buffer that was never accessed.
    pub(super) fn new(buffer: BufferFacts) -> Self {
        let fresh = Cell {
            write: Access {
                node: HOST,
                element: 0,
            },
            reads: List::default(),
            strong: List::default(),
            written: buffer.initialized,
        };
        let mut pages = Vec::new();
        pages.resize_with(buffer.bytes.div_ceil(PAGE), || None);
        Self { fresh, pages }
    }

    /// Calls `f` with every cell of a byte range.
    pub(super) fn each<E>(
        &mut self,
        offset: usize,
        bytes: usize,
        mut f: impl FnMut(&mut Cell) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut byte, end) = (offset, offset + bytes);
        while byte < end {
            let inside = byte % PAGE;
            let len = (end - byte).min(PAGE - inside);
            // The greatest power of two that divides the start and the end of the range.
            let grain = 1 << (inside | len).trailing_zeros().min(3);
            let fresh = self.fresh;
            let page = self.pages[byte / PAGE].get_or_insert_with(|| Page {
                grain,
                cells: vec![fresh; PAGE / grain],
            });
            page.split(grain);
            let cells = inside / page.grain..(inside + len) / page.grain;
            page.cells[cells].iter_mut().try_for_each(&mut f)?;
            byte += len;
        }
        Ok(())
    }
}

impl Page {
    /// Splits the cells to at most `grain` bytes.
    fn split(&mut self, grain: usize) {
        if grain >= self.grain {
            return;
        }
        let times = self.grain / grain;
        let cells = self.cells.iter();
        self.cells = cells
            .flat_map(|&cell| std::iter::repeat_n(cell, times))
            .collect();
        self.grain = grain;
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, List, Shadow};
    use crate::interp::buffers::{BufferFacts, Origin};

    fn writers(shadow: &mut Shadow, bytes: std::ops::Range<usize>) -> Vec<u32> {
        let node = |byte| {
            let mut nodes = Vec::new();
            let result = shadow.each(byte, 1, |cell| {
                nodes.push(cell.write.node);
                Ok::<(), ()>(())
            });
            assert_eq!((result, nodes.len()), (Ok(()), 1));
            nodes[0]
        };
        bytes.map(node).collect()
    }

    #[test]
    fn cells_are_split_and_keep_what_happened_to_them() {
        let mut shadow = Shadow::new(BufferFacts {
            bytes: 8192,
            origin: Origin::Argument,
            number: 0,
            stored: true,
            initialized: false,
        });
        let write = |shadow: &mut Shadow, offset, bytes, node| {
            let access = Access { node, element: 0 };
            let done = shadow.each(offset, bytes, |cell| {
                cell.write = access;
                cell.written = true;
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
        };
        write(&mut shadow, 8, 8, 1);
        write(&mut shadow, 12, 2, 2);
        write(&mut shadow, 4093, 8, 3);
        assert_eq!(writers(&mut shadow, 7..17), [0, 1, 1, 1, 1, 2, 2, 1, 1, 0]);
        assert_eq!(
            writers(&mut shadow, 4091..4103),
            [0, 0, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0]
        );
        let mut written = Vec::new();
        let result = shadow.each(0, 16, |cell| {
            written.push((cell.written, cell.reads == List::default()));
            Ok::<(), ()>(())
        });
        assert_eq!(result, Ok(()));
        assert_eq!(written[0], (false, true));
        assert_eq!(written[written.len() - 1], (true, true));
    }
}
