//! Resolves `.loc` directives to source locations.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Text;
use crate::module::SourceLocation;
use crate::parse::syntax::Location;

/// The maximum length of a chain of inlined calls; longer ones are truncated.
const MAX_CHAIN: u32 = 64;

/// The source locations of an inlined function.
#[derive(Default)]
pub(super) struct Sources {
    /// The location of the call; `None` in the entry.
    call: Option<(Arc<SourceLocation>, u32)>,
    current: Option<(Arc<SourceLocation>, u32)>,
    /// Locations by file, line and column, with the length of their chains.
    known: FxHashMap<[u64; 3], (Arc<SourceLocation>, u32)>,
}

impl Sources {
    /// Returns the state for a function that is called at the current location.
    pub(super) fn called(&self) -> Self {
        Self {
            call: self.current.clone(),
            current: None,
            known: FxHashMap::default(),
        }
    }

    /// Returns the location of the next instruction.
    pub(super) fn current(&self) -> Option<Arc<SourceLocation>> {
        let (location, _) = self.current.as_ref().or(self.call.as_ref())?;
        Some(Arc::clone(location))
    }

    /// Sets the location from a `.loc` in the function `name`.
    pub(super) fn set(&mut self, text: &Text<'_>, name: &str, location: &Location) {
        let outer = match location.inlined_at {
            None => self.call.clone(),
            Some(offset) => Some(match self.known.get(&offset) {
                Some(entry) => entry.clone(),
                None => (Arc::new(place(text, offset)), 1),
            }),
        };
        let outer = outer.filter(|&(_, length)| length < MAX_CHAIN);
        let mut place = place(text, location.at);
        place.function = match &location.function {
            Some(label) => text.unit.strings.get(label).cloned(),
            None if outer.is_some() => Some(Arc::from(name)),
            None => None,
        };
        let length = outer.as_ref().map_or(1, |(_, length)| length + 1);
        place.inlined_at = outer.map(|(outer, _)| outer);
        let entry = (Arc::new(place), length);
        self.known.insert(location.at, entry.clone());
        self.current = Some(entry);
    }
}

fn place(text: &Text<'_>, [file, line, column]: [u64; 3]) -> SourceLocation {
    let path = text.unit.files.get(&file);
    SourceLocation {
        file: path.cloned().unwrap_or_else(|| Arc::from("<unknown>")),
        line: u32::try_from(line).unwrap_or(0),
        column: u32::try_from(column).unwrap_or(0),
        function: None,
        inlined_at: None,
    }
}
