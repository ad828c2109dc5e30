//! Limits that reader and writer share, so that every written file can be read.

/// The maximum rank of a type, higher than any program needs. A type is stored once in the file but
/// printed at every use in the text of a module, so its size must be bounded.
pub(super) const MAX_RANK: usize = 1024;

/// The maximum nesting depth of hint values.
pub(super) const MAX_HINT_DEPTH: usize = 32;

/// The maximum number of parts of a location or scope after all references are expanded. Shared
/// parts can make the expansion exponentially larger than the file.
pub(super) const MAX_PARTS: u32 = 1024;

/// The maximum nesting depth of the parts of a location.
pub(super) const MAX_DEPTH: u32 = 192;

/// The size of a location or scope including everything that it refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    parts: u32,
    depth: u32,
}

impl Extent {
    /// The extent of an entry without references.
    pub(super) const ONE: Extent = Extent { parts: 1, depth: 1 };

    /// Adds the extent of a referenced entry.
    pub(super) fn add(&mut self, child: Extent) {
        self.parts = self.parts.saturating_add(child.parts);
        self.depth = self.depth.max(child.depth + 1);
    }

    /// Returns `true` if the extent is within the limits.
    pub(super) fn is_allowed(self) -> bool {
        self.parts <= MAX_PARTS && self.depth <= MAX_DEPTH
    }

    /// Returns the message for an extent that exceeds the limits.
    #[cold]
    pub(super) fn error() -> String {
        format!(
            "expected a location of at most {MAX_PARTS} parts nested at most {MAX_DEPTH} deep, found a larger one"
        )
    }
}
