//! Bounds that reader and writer share, so that what is written can be read.

/// More axes than any program has: a type stands in the file once and in the
/// text of a module at every use.
pub(super) const MAX_RANK: usize = 1024;

/// Values of hints nest no deeper than this.
pub(super) const MAX_HINT_DEPTH: usize = 32;

/// How many parts a location or scope may have when what it refers to is written
/// out: shared parts can make it exponentially larger than the file.
pub(super) const MAX_PARTS: u32 = 1024;

/// How deep the parts of a location may be nested.
pub(super) const MAX_DEPTH: u32 = 192;

/// How large a location or scope is with all that it refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    parts: u32,
    depth: u32,
}

impl Extent {
    /// Something that refers to nothing.
    pub(super) const ONE: Extent = Extent { parts: 1, depth: 1 };

    /// Adds something that is referred to.
    pub(super) fn add(&mut self, child: Extent) {
        self.parts = self.parts.saturating_add(child.parts);
        self.depth = self.depth.max(child.depth + 1);
    }

    /// Whether it is small enough.
    pub(super) fn is_allowed(self) -> bool {
        self.parts <= MAX_PARTS && self.depth <= MAX_DEPTH
    }

    /// What is wrong if it is not.
    #[cold]
    pub(super) fn error() -> String {
        format!(
            "expected a location of at most {MAX_PARTS} parts nested at most {MAX_DEPTH} deep, found a larger one"
        )
    }
}
