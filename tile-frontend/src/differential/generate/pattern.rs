//! Generates `match` and its patterns.

use super::expr::integer_text;
use super::ty::{Scalar, Ty};
use super::{Generator, Pinned, Var};
use std::fmt::Write as _;

/// An arm up to its `=>`.
struct Arm {
    pattern: String,
    /// The variables that the pattern binds.
    vars: Vec<Var>,
    guarded: bool,
}

/// Generates the body of the arm with a number, and returns `true` if the body diverges.
type Body<'b> = &'b mut dyn FnMut(&mut Generator, usize) -> (String, bool);

impl Generator {
    /// Generates `match value { .. }`; returns `true` if every arm diverges.
    pub(super) fn match_with(&mut self, depth: usize, body: Body<'_>) -> (String, bool) {
        let (value, arms) = match self.choices.below(10) {
            0..=4 => {
                let scalar = self.integer();
                let value = self.scrutinee(scalar, depth);
                (value, self.integer_arms(scalar))
            }
            5 => {
                self.cover("bool match");
                let value = self
                    .dynamic(Scalar::Bool, depth.saturating_sub(1), Pinned::No)
                    .text;
                (value, self.bool_arms())
            }
            _ => {
                let nested = self.choices.chance(30);
                self.cover(if nested {
                    "nested tuple match"
                } else {
                    "tuple match"
                });
                self.tuple_arms(nested, depth)
            }
        };
        // A guard may assign to the matched place, which rustc refuses.
        let is_place = |it: char| it.is_ascii_alphanumeric() || "_.()".contains(it);
        let guarded = arms.iter().any(|arm| arm.guarded);
        let mut text = if guarded && value.chars().all(is_place) {
            format!("match {{ {value} }} {{\n")
        } else {
            format!("match {value} {{\n")
        };
        let mut all_end = true;
        for (index, arm) in arms.into_iter().enumerate() {
            let mark = self.vars.len();
            self.vars.extend(arm.vars);
            let guard = if arm.guarded {
                self.guard(depth)
            } else {
                String::new()
            };
            let (value, ends) = body(self, index);
            self.vars.truncate(mark);
            all_end &= ends;
            let _ = writeln!(text, "{}{guard} => {value},", arm.pattern);
        }
        text.push('}');
        (text, all_end)
    }

    /// Generates an integer that small patterns are likely to match.
    fn scrutinee(&mut self, scalar: Scalar, depth: usize) -> String {
        let value = self
            .dynamic(scalar, depth.saturating_sub(1), Pinned::No)
            .text;
        if self.choices.chance(60) {
            format!("({value} & 7)")
        } else {
            value
        }
    }

    fn guard(&mut self, depth: usize) -> String {
        self.cover("guard");
        let cond = self
            .dynamic(Scalar::Bool, depth.saturating_sub(1), Pinned::No)
            .text;
        if self.choices.chance(30) {
            self.cover("side effect in a guard");
            let trace = self.trace_line();
            return format!(" if {{ {trace} {cond} }}");
        }
        format!(" if {cond}")
    }

    fn bound(&mut self, ty: Ty) -> Var {
        Var {
            name: self.fresh("n"),
            ty,
            mutable: false,
            constant: false,
        }
    }

    fn plain(pattern: impl Into<String>) -> Arm {
        Arm {
            pattern: pattern.into(),
            vars: Vec::new(),
            guarded: false,
        }
    }

    /// Formats a number as a pattern.
    fn number(&mut self, scalar: Scalar, value: i128) -> String {
        let (least, greatest) = scalar.range();
        if value == least && scalar.is_signed() || value == greatest {
            self.cover("constant pattern");
            let name = if value == least { "MIN" } else { "MAX" };
            return format!("{}::{name}", scalar.name());
        }
        self.cover("literal pattern");
        value.to_string()
    }

    /// Generates disjoint patterns in random order, and returns `true` if they are exhaustive.
    fn pieces(&mut self, scalar: Scalar) -> (Vec<String>, bool) {
        let (least, greatest) = scalar.range();
        let mut cuts: Vec<i128> = Vec::new();
        for _ in 0..2 + self.choices.below(5) {
            cuts.push(match self.choices.below(8) {
                6 if scalar != Scalar::Usize => greatest,
                7 => least,
                5 if scalar.is_signed() => -(self.choices.below(9) as i128),
                _ => self.choices.below(9) as i128,
            });
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut pieces = Vec::new();
        // `usize` has values above the largest number used here; only an open range matches them.
        let more = i128::from(scalar == Scalar::Usize);
        // At most one end is open, since otherwise nothing might remain for the last arm.
        let mut below = false;
        let mut taken = 0_i128;
        let mut cut = 0;
        while cut < cuts.len() {
            let value = cuts[cut];
            let next = cuts.get(cut + 1).copied();
            cut += 1;
            let mut size = 1;
            let kind = self.choices.below(6);
            let piece = match (kind, next) {
                (3, Some(end)) => {
                    cut += 1;
                    size = end - value + 1;
                    self.cover("range pattern");
                    format!(
                        "{}..={}",
                        self.number(scalar, value),
                        self.number(scalar, end)
                    )
                }
                (4, Some(end)) => {
                    size = end - value;
                    self.cover("half-open range pattern");
                    format!(
                        "{}..{}",
                        self.number(scalar, value),
                        self.number(scalar, end)
                    )
                }
                (5, None) if value < greatest && value > least && !below => {
                    size = greatest - value + 1 + more;
                    self.cover("open range pattern");
                    format!("{}..", self.number(scalar, value))
                }
                (5, _) if cut == 1 && value > least && value < greatest => {
                    size = value - least + 1;
                    self.cover("open range pattern");
                    below = true;
                    format!("..={}", self.number(scalar, value))
                }
                _ => self.number(scalar, value),
            };
            taken += size;
            let place = self.choices.below(pieces.len() + 1);
            pieces.insert(place, piece);
        }
        (pieces, taken == greatest - least + 1 + more)
    }

    /// Combines neighbouring patterns into or-patterns.
    fn alternatives(&mut self, scalar: Scalar) -> (Vec<String>, bool) {
        let mut merged: Vec<String> = Vec::new();
        let (pieces, is_exhaustive) = self.pieces(scalar);
        for piece in pieces {
            if self.choices.chance(35)
                && let Some(last) = merged.last_mut()
            {
                last.push_str(" | ");
                last.push_str(&piece);
                self.cover("or-pattern");
            } else {
                merged.push(piece);
            }
        }
        (merged, is_exhaustive)
    }

    fn integer_arms(&mut self, scalar: Scalar) -> Vec<Arm> {
        let ty = Ty::Scalar(scalar);
        if self.choices.chance(10) {
            self.cover("exhaustive ranges");
            let cut = self.choices.below(9) as i128;
            return vec![
                Self::plain(format!("..={cut}")),
                Self::plain(format!("{}..", cut + 1)),
            ];
        }
        let mut arms = Vec::new();
        let (patterns, is_exhaustive) = self.alternatives(scalar);
        for pattern in patterns {
            if self.choices.chance(15) {
                arms.push(self.guarded_binding(ty.clone()));
            }
            let mut arm = Self::plain(pattern);
            if self.choices.chance(15) {
                self.cover("binding with @");
                let var = self.bound(ty.clone());
                let inner = if arm.pattern.contains('|') {
                    format!("({})", arm.pattern)
                } else {
                    arm.pattern
                };
                arm.pattern = format!("{} @ {inner}", var.name);
                arm.vars.push(var);
            }
            arm.guarded = !is_exhaustive && self.choices.chance(15);
            arms.push(arm);
        }
        if is_exhaustive {
            self.cover("exhaustive ranges");
        } else {
            arms.push(self.last_arm(ty));
        }
        arms
    }

    fn guarded_binding(&mut self, ty: Ty) -> Arm {
        self.cover("binding");
        let var = self.bound(ty);
        Arm {
            pattern: var.name.clone(),
            vars: vec![var],
            guarded: true,
        }
    }

    fn last_arm(&mut self, ty: Ty) -> Arm {
        if self.choices.chance(50) {
            let mut arm = self.guarded_binding(ty);
            arm.guarded = false;
            return arm;
        }
        self.cover("wild arm");
        Self::plain("_")
    }

    fn bool_arms(&mut self) -> Vec<Arm> {
        let mut arms = Vec::new();
        if self.choices.chance(30) {
            arms.push(self.guarded_binding(Ty::Scalar(Scalar::Bool)));
        }
        let first = self.choices.below(2);
        let names = ["true", "false"];
        arms.push(Self::plain(names[first]));
        arms.push(if self.choices.chance(30) {
            self.last_arm(Ty::Scalar(Scalar::Bool))
        } else {
            Self::plain(names[1 - first])
        });
        arms
    }

    /// Generates arms for a tuple of an integer and another value; the integers of the arms are
    /// distinct.
    fn tuple_arms(&mut self, nested: bool, depth: usize) -> (String, Vec<Arm>) {
        let (first, second) = (
            self.integer(),
            self.choices.pick(&[Scalar::Bool, Scalar::I32, Scalar::U8]),
        );
        let left = self.scrutinee(first, depth);
        let right = if second == Scalar::Bool {
            self.dynamic(second, depth.saturating_sub(1), Pinned::No)
                .text
        } else {
            self.scrutinee(second, depth)
        };
        let third = self.choices.pick(&[Scalar::I64, Scalar::Bool]);
        let (value, ty) = if nested {
            let other = self
                .dynamic(third, depth.saturating_sub(1), Pinned::No)
                .text;
            let inner = Ty::Tuple(vec![Ty::Scalar(second), Ty::Scalar(third)]);
            (
                format!("({left}, ({right}, {other}))"),
                Ty::Tuple(vec![Ty::Scalar(first), inner]),
            )
        } else {
            (
                format!("({left}, {right})"),
                Ty::Tuple(vec![Ty::Scalar(first), Ty::Scalar(second)]),
            )
        };
        let mut arms = Vec::new();
        let (patterns, is_exhaustive) = self.alternatives(first);
        for (index, pattern) in patterns.into_iter().enumerate() {
            let mut vars = Vec::new();
            let right = self.part(second, &mut vars);
            let right = if nested {
                let other = self.part(third, &mut vars);
                if self.choices.chance(30) {
                    "_".to_owned()
                } else {
                    format!("({right}, {other})")
                }
            } else {
                right
            };
            // A binding that was dropped from the pattern is not in scope.
            vars.retain(|var| right.contains(&var.name));
            // The first of exhaustive arms is guarded, since otherwise nothing might remain for the
            // last arm.
            let guarded = is_exhaustive && index == 0 || self.choices.chance(20);
            arms.push(Arm {
                pattern: format!("({pattern}, {right})"),
                vars,
                guarded,
            });
        }
        if self.choices.chance(50) {
            arms.push(self.last_arm(ty));
        } else {
            let var = self.bound(Ty::Scalar(first));
            self.cover("binding");
            arms.push(Arm {
                pattern: format!("({}, _)", var.name),
                vars: vec![var],
                guarded: false,
            });
        }
        (value, arms)
    }

    /// Generates a pattern for an element of a tuple.
    fn part(&mut self, scalar: Scalar, vars: &mut Vec<Var>) -> String {
        match self.choices.below(4) {
            0 => "_".to_owned(),
            1 => {
                self.cover("binding");
                let var = self.bound(Ty::Scalar(scalar));
                let name = var.name.clone();
                vars.push(var);
                name
            }
            2 if scalar == Scalar::Bool => self.choices.pick(&["true", "false"]).to_owned(),
            2 => {
                let value = self.choices.below(8) as i128;
                self.number(scalar, value)
            }
            _ if scalar == Scalar::Bool => {
                self.cover("or-pattern");
                "true | false".to_owned()
            }
            _ => {
                self.cover("or-pattern");
                self.cover("range pattern");
                let value = self.choices.below(4) as i128;
                format!("{} | {}..={}", integer_text(value), value + 2, value + 4)
            }
        }
    }
}
