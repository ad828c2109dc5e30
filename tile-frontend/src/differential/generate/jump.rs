//! Generates `break`, `continue`, `return` and labels.

use super::ty::Ty;
use super::{Generator, Pinned, TargetKind};

/// A jump out of the current scope.
enum Jump {
    Break(usize),
    Continue(usize),
    Return,
}

impl Generator {
    /// Generates a label for a loop; returns `None` for a loop without a label.
    pub(super) fn label(&mut self) -> Option<String> {
        if Self::may("label") && self.choices.chance(50) {
            self.cover("label");
            return Some(self.fresh("'l"));
        }
        None
    }

    /// Returns `true` if a jump to a target needs no label: it is the innermost loop, with no
    /// labelled block or condition in between.
    fn is_nearest(&self, index: usize) -> bool {
        index + 1 == self.targets.len() && !matches!(self.targets[index].kind, TargetKind::Block(_))
    }

    /// Generates a diverging statement without braces, or `None` if none is possible.
    pub(super) fn jump(&mut self) -> Option<String> {
        let mut open = Vec::new();
        for index in (0..self.targets.len()).rev() {
            if !self.is_nearest(index) && self.targets[index].label.is_none() {
                continue;
            }
            match self.targets[index].kind {
                TargetKind::Counted | TargetKind::Loop(_) if Self::may("break") => {
                    open.extend([Jump::Break(index), Jump::Continue(index)]);
                }
                TargetKind::Counted | TargetKind::Loop(_) => {}
                TargetKind::Endless => open.push(Jump::Continue(index)),
                TargetKind::Block(_) => open.push(Jump::Break(index)),
                TargetKind::Condition => {}
            }
        }
        if Self::may("return") {
            open.push(Jump::Return);
        }
        if open.is_empty() {
            return None;
        }
        let index = self.choices.below(open.len());
        let text = match open[index] {
            Jump::Return => {
                self.cover("return");
                if self
                    .targets
                    .iter()
                    .any(|target| !matches!(target.kind, TargetKind::Block(_)))
                {
                    self.cover("return in a loop");
                }
                let stored = self.stored();
                let trace = self.trace_line();
                format!("{trace}\n{stored}return;")
            }
            Jump::Continue(index) => {
                let label = self.label_of(index);
                self.cover(if label.is_empty() {
                    "continue"
                } else {
                    "continue to a label"
                });
                let trace = self.trace_line();
                format!("{trace} continue{label};")
            }
            Jump::Break(index) => {
                let label = self.label_of(index);
                let value = match self.targets[index].kind.clone() {
                    TargetKind::Loop(ty) | TargetKind::Block(ty) if ty != Ty::Tuple(Vec::new()) => {
                        Some(self.expr(&ty, 1, Pinned::No))
                    }
                    _ => None,
                };
                self.cover(match (label.is_empty(), &value) {
                    (true, None) => "break",
                    (true, Some(_)) => "break with a value",
                    (false, None) => "break to a label",
                    (false, Some(_)) => "break to a label with a value",
                });
                let trace = self.trace_line();
                let value = value.map_or_else(String::new, |value| format!(" {}", value.text));
                format!("{trace} break{label}{value};")
            }
        };
        Some(text)
    }

    fn label_of(&mut self, index: usize) -> String {
        let needed = !self.is_nearest(index);
        match &self.targets[index].label {
            Some(label) if needed || self.choices.chance(30) => format!(" {label}"),
            _ => String::new(),
        }
    }
}
