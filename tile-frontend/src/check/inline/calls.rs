//! The items that are being inlined, and what a diagnostic in their bodies says about the calls.

use crate::hir::ExprId;
use crate::parse::ast::Name;
use std::collections::BTreeSet;
use tile_core::Loc;
use tile_core::diag::Diagnostic;

/// An item that is being checked at a use.
#[derive(Clone)]
struct Open {
    name: String,
    /// The location of its declaration, which identifies the item.
    declared: Loc,
    /// The location of the use.
    used: Loc,
    /// The index of its first expression.
    first: usize,
}

/// Expressions that come from an item, and the calls that led there.
struct Inlined {
    first: usize,
    end: usize,
    way: Vec<Open>,
}

/// The items that are being inlined, and the items that have been inlined.
#[derive(Default)]
pub(in crate::check) struct Calls {
    open: Vec<Open>,
    inlined: Vec<Inlined>,
    /// The index of the expression that `finish` examines.
    current: Option<usize>,
    /// Calls of `const fn`.
    constant: BTreeSet<usize>,
    /// Errors in bodies; each is reported for one call only.
    reported: BTreeSet<(&'static str, u32, String)>,
}

impl Calls {
    /// Enters an item.
    pub(in crate::check) fn open(&mut self, name: &Name, used: Loc, first: usize) {
        self.open.push(Open {
            name: name.text.clone(),
            declared: name.loc,
            used,
            first,
        });
    }

    /// Leaves the innermost item.
    pub(in crate::check) fn close(&mut self, end: usize) {
        let way = self.open.clone();
        if let Some(open) = self.open.pop() {
            let first = open.first;
            self.inlined.push(Inlined { first, end, way });
        }
    }

    /// Returns `true` if the item with this declaration is being checked.
    pub(in crate::check) fn is_open(&self, declared: Loc) -> bool {
        self.open.iter().any(|open| open.declared == declared)
    }

    /// Returns `true` if an expression is a call of a `const fn`.
    pub(in crate::check) fn is_constant(&self, id: ExprId) -> bool {
        self.constant.contains(&id.index())
    }

    /// Sets the expression that `finish` examines.
    pub(in crate::check) fn look_at(&mut self, id: ExprId) {
        self.current = Some(id.index());
    }

    /// Returns `true` if any item is being checked.
    pub(super) fn is_any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes that an expression is a call of a `const fn`.
    pub(super) fn note_constant(&mut self, id: ExprId) {
        self.constant.insert(id.index());
    }

    /// Returns the names from an open item to the innermost one.
    pub(super) fn way_from(&self, declared: Loc) -> Vec<String> {
        self.open
            .iter()
            .skip_while(|open| open.declared != declared)
            .map(|open| open.name.clone())
            .collect()
    }

    /// Adds the calls that led to a diagnostic; `None` if it has been reported for another call.
    pub(in crate::check) fn explain(&mut self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        let way: &[Open] = if !self.open.is_empty() {
            &self.open
        } else if let Some(call) = self.current {
            // Calls are closed from the inside out, so the first one that contains the expression
            // is the innermost.
            let around = |inlined: &&Inlined| inlined.first <= call && call < inlined.end;
            self.inlined
                .iter()
                .find(around)
                .map_or(&[], |inlined| &inlined.way)
        } else {
            &[]
        };
        if way.is_empty() {
            return Some(diagnostic);
        }
        let key = (
            diagnostic.code.as_str(),
            diagnostic.primary.loc.tag(),
            diagnostic.message.clone(),
        );
        if !self.reported.insert(key) {
            return None;
        }
        let mut diagnostic = diagnostic;
        for open in way.iter().rev() {
            diagnostic = diagnostic.label(open.used, format!("`{}` is used here", open.name));
        }
        Some(diagnostic)
    }
}
