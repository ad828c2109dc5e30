//! Generates expressions.

use super::ty::{Scalar, Ty};
use super::{Generator, Pinned, Target, TargetKind, Text};

impl Generator {
    /// Generates a value of a type, at most `depth` levels deep.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> Text {
        self.budget -= 1;
        let depth = if self.budget < 0 { 0 } else { depth };
        if depth > 0 && self.choices.chance(8) {
            return self.effectful(ty, depth - 1, pinned);
        }
        match ty {
            Ty::Tuple(parts) => self.tuple(ty, parts, depth, pinned),
            Ty::Scalar(Scalar::Bool) => self.boolean(depth),
            Ty::Scalar(scalar) if scalar.is_float() => self.float(*scalar, depth, pinned),
            Ty::Scalar(scalar) => self.int(*scalar, depth, pinned),
        }
    }

    /// Generates a value that is not known at compile time.
    pub(super) fn dynamic(&mut self, scalar: Scalar, depth: usize, pinned: Pinned) -> Text {
        let value = self.expr(&Ty::Scalar(scalar), depth, pinned);
        if value.constant {
            self.argument(scalar)
        } else {
            value
        }
    }

    /// Generates a parameter, converted to the type.
    fn argument(&mut self, scalar: Scalar) -> Text {
        let index = self.choices.below(self.params.len());
        let (name, from) = self.params[index].clone();
        // Another variable may shadow the name by now.
        let shown = self.vars.iter().rev().find(|var| var.name == name);
        debug_assert!(
            shown.is_some_and(|var| var.ty == Ty::Scalar(from)),
            "parameters are not shadowed"
        );
        if from == scalar {
            return Text::new(name);
        }
        let target = scalar.name();
        Text::new(match (from, scalar) {
            (_, Scalar::Bool) if from.is_float() => format!("({name} > 0.0)"),
            (_, Scalar::Bool) => format!("({name} > 3)"),
            (Scalar::Bool, _) if scalar.is_float() => format!("({name} as i32 as {target})"),
            _ => format!("({name} as {target})"),
        })
    }

    fn variable(&mut self, ty: &Ty) -> Option<Text> {
        let mut candidates: Vec<Text> = Vec::new();
        let mut part = None;
        for (index, var) in self.vars.iter().enumerate() {
            if self.vars[index + 1..]
                .iter()
                .any(|later| later.name == var.name)
            {
                continue;
            }
            collect(&var.ty, &var.name, ty, var.constant, &mut candidates);
        }
        if !candidates.is_empty() {
            part = Some(candidates.swap_remove(self.choices.below(candidates.len())));
        }
        if let Some(candidates) = &part {
            match candidates.text.matches('.').count() {
                0 => self.cover("variable"),
                1 => self.cover("tuple part"),
                _ => self.cover("part of a part"),
            }
        }
        part
    }

    fn tuple(&mut self, ty: &Ty, parts: &[Ty], depth: usize, pinned: Pinned) -> Text {
        if self.choices.chance(30)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        if depth > 1 && self.choices.chance(20) {
            return self.structured(ty, depth - 1, pinned);
        }
        self.cover("tuple");
        let parts: Vec<Text> = parts
            .iter()
            .map(|part| self.expr(part, depth.saturating_sub(1), pinned))
            .collect();
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        Text {
            text: format!("({})", texts.join(", ")),
            constant: parts.iter().any(|part| part.constant),
        }
    }

    /// Generates a value in a block that has an effect first.
    pub(super) fn effectful(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> Text {
        let mark = self.vars.len();
        let first = match self.assignable() {
            Some((name, assigned)) if self.choices.chance(60) => {
                self.cover("assignment in an expression");
                let value = self.expr(&assigned, depth, Pinned::Yes);
                format!("{name} = {};", value.text)
            }
            _ => {
                self.cover("side effect in an expression");
                self.trace_line()
            }
        };
        let value = self.expr(ty, depth, pinned);
        self.vars.truncate(mark);
        Text {
            text: format!("{{ {first} {} }}", value.text),
            constant: value.constant,
        }
        .parenthesized()
    }

    /// Generates an update of the trace, such as `trace = trace * 31 + 5;`.
    pub(super) fn trace_line(&mut self) -> String {
        let number = 1 + self.choices.below(29);
        format!("trace = trace * 31 + {number};")
    }

    /// Returns a mutable variable.
    pub(super) fn assignable(&mut self) -> Option<(String, Ty)> {
        let open: Vec<(String, Ty)> = self
            .vars
            .iter()
            .enumerate()
            .filter(|(index, var)| {
                var.mutable
                    && !self.vars[index + 1..]
                        .iter()
                        .any(|later| later.name == var.name)
            })
            .map(|(_, var)| (var.name.clone(), var.ty.clone()))
            .collect();
        if open.is_empty() {
            return None;
        }
        let index = self.choices.below(open.len());
        Some(open[index].clone())
    }

    /// Generates `if`, `match`, blocks and loops, for any type.
    fn structured(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> Text {
        let kind = self.choose(&[
            (4, "if as a value"),
            (4, "match as a value"),
            (2, "block as a value"),
            (2, "labelled block as a value"),
            (2, "loop as a value"),
        ]);
        let text = match kind {
            "if as a value" => self.if_value(ty, depth, pinned),
            "match as a value" => self.match_value(ty, depth, pinned),
            "block as a value" => return self.block_value(ty, depth, pinned).parenthesized(),
            "labelled block as a value" => {
                let label = self.fresh("'l");
                self.cover("label");
                self.targets.push(Target {
                    label: Some(label.clone()),
                    kind: TargetKind::Block(ty.clone()),
                });
                let block = self.block_value(ty, depth, pinned);
                self.targets.pop();
                return Text {
                    text: format!("{label}: {}", block.text),
                    constant: block.constant,
                }
                .parenthesized();
            }
            _ => self.loop_value(ty, depth, pinned),
        };
        Text::new(text).parenthesized()
    }

    fn if_value(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> String {
        let cond = self.dynamic(Scalar::Bool, depth, Pinned::No);
        let then = self.block_value(ty, depth, pinned).text;
        let other = if depth > 1 && self.choices.chance(30) {
            self.cover("else if as a value");
            self.if_value(ty, depth - 1, pinned)
        } else if self.choices.chance(15)
            && let Some(jump) = self.jump()
        {
            self.cover("jump in place of a value");
            format!("{{ {jump} }}")
        } else {
            self.block_value(ty, depth, pinned).text
        };
        format!("if {} {then} else {other}", cond.text)
    }

    fn match_value(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> String {
        self.match_with(depth, &mut |generator, arm| {
            // At least one arm must have a value.
            if arm > 0
                && generator.choices.chance(15)
                && let Some(jump) = generator.jump()
            {
                generator.cover("jump in place of a value");
                return (format!("{{ {jump} }}"), false);
            }
            let text = if generator.choices.chance(25) {
                generator.block_value(ty, depth, pinned).text
            } else {
                generator.expr(ty, depth, pinned).text
            };
            (text, false)
        })
        .0
    }

    /// Generates `{ statements; value }`.
    fn block_value(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> Text {
        let mark = self.vars.len();
        let count = if self.budget > 0 && depth > 0 {
            self.choices.below(3)
        } else {
            0
        };
        let mut text = String::new();
        for _ in 0..count {
            // A statement that diverges would leave the block without a value.
            let (stmt, ends) = self.statement(2, true);
            debug_assert!(
                !ends,
                "control flow continues after a statement before a value"
            );
            text.push_str(&stmt);
        }
        let value = self.expr(ty, depth.saturating_sub(1), pinned);
        self.vars.truncate(mark);
        Text {
            text: format!("{{ {text}{} }}", value.text),
            constant: value.constant,
        }
    }

    /// Generates `loop { .. break value; .. }`.
    fn loop_value(&mut self, ty: &Ty, depth: usize, pinned: Pinned) -> String {
        let label = self.label();
        // The code generated next is inside the loop but before its body, where jumps need a label.
        self.targets.push(Target {
            label: None,
            kind: TargetKind::Condition,
        });
        let last = self.expr(ty, depth.saturating_sub(1), pinned);
        self.targets.pop();
        self.cover("break with a value");
        self.targets.push(Target {
            label: label.clone(),
            kind: TargetKind::Loop(ty.clone()),
        });
        let mark = self.vars.len();
        let count = 1 + self.choices.below(2);
        let (body, _) = self.statements(count, 2);
        self.vars.truncate(mark);
        self.targets.pop();
        let label = label.map_or_else(String::new, |label| format!("{label}: "));
        format!(
            "{label}loop {{ if fuel == 0 {{ break {}; }} fuel -= 1;\n{body} }}",
            last.text
        )
    }

    fn int(&mut self, scalar: Scalar, depth: usize, pinned: Pinned) -> Text {
        let ty = Ty::Scalar(scalar);
        if depth == 0 {
            if self.choices.chance(65)
                && let Some(variable) = self.variable(&ty)
            {
                return variable;
            }
            if self.choices.chance(25) {
                return self.argument(scalar);
            }
            return self.int_literal(scalar, pinned);
        }
        match self.choices.below(20) {
            0..=2 => self.int(scalar, 0, pinned),
            3 => {
                self.cover("associated constant");
                let name = self.choices.pick(&["MAX", "MIN"]);
                let text = format!("{}::{name}", scalar.name());
                Text {
                    text,
                    constant: true,
                }
            }
            4..=6 => self.cast(scalar, depth),
            7..=11 => {
                let op = self.choose(&[
                    (3, "+"),
                    (3, "-"),
                    (3, "*"),
                    (2, "/"),
                    (2, "%"),
                    (2, "&"),
                    (2, "|"),
                    (2, "^"),
                    (2, "<<"),
                    (2, ">>"),
                ]);
                self.int_binary(scalar, op, depth, pinned)
            }
            12 if scalar.is_signed() => {
                self.cover("unary -");
                let value = self.dynamic(scalar, depth - 1, pinned);
                Text::new(format!("(-{})", value.text))
            }
            12 | 13 => {
                self.cover("unary !");
                let value = self.expr(&ty, depth - 1, pinned);
                Text {
                    text: format!("(!{})", value.text),
                    constant: value.constant,
                }
            }
            14 | 15 => {
                self.cover("integer method");
                let value = self.dynamic(scalar, depth - 1, Pinned::No);
                let abs = scalar.is_signed() && self.choices.chance(30);
                if abs {
                    return Text::new(format!("{}.abs()", value.text));
                }
                let name = self.choices.pick(&["max", "min"]);
                let other = self.expr(&ty, depth - 1, Pinned::Yes);
                Text::new(format!("{}.{name}({})", value.text, other.text))
            }
            _ => self.structured(&ty, depth - 1, pinned),
        }
    }

    /// Generates an integer operation that cannot fault.
    fn int_binary(
        &mut self,
        scalar: Scalar,
        op: &'static str,
        depth: usize,
        pinned: Pinned,
    ) -> Text {
        let lhs = self.expr(&Ty::Scalar(scalar), depth - 1, pinned);
        let (rhs, literal) = self.right_side(scalar, op, depth - 1, Pinned::Yes);
        // Bit operations on constants never overflow.
        let bitwise = matches!(op, "&" | "|" | "^");
        let lhs = if lhs.constant && (rhs.constant || literal) && !bitwise {
            self.argument(scalar)
        } else {
            lhs
        };
        Text {
            text: format!("({} {op} {})", lhs.text, rhs.text),
            constant: lhs.constant && rhs.constant,
        }
    }

    /// Generates the right side of an operator; also returns `true` if the right side is a
    /// constant.
    pub(super) fn right_side(
        &mut self,
        scalar: Scalar,
        op: &str,
        depth: usize,
        pinned: Pinned,
    ) -> (Text, bool) {
        match op {
            "/" | "%" if scalar.is_float() => {
                (self.expr(&Ty::Scalar(scalar), depth, pinned), false)
            }
            "/" | "%" if self.choices.chance(40) => {
                let mut number = 2 + self.choices.below(60) as i128;
                if scalar.is_signed() && self.choices.chance(40) {
                    number = -number;
                }
                (
                    Text {
                        text: integer_text(number),
                        constant: true,
                    },
                    true,
                )
            }
            "/" | "%" => {
                let value = self.dynamic(scalar, depth, pinned);
                let text = if !scalar.is_signed() {
                    format!("({} | 1)", value.text)
                } else if self.choices.chance(50) {
                    format!("(-({} & 7) - 2)", value.text)
                } else {
                    format!("(({} & 15) + 1)", value.text)
                };
                (Text::new(text), false)
            }
            "<<" | ">>" => {
                let by = self.integer();
                if self.choices.chance(50) {
                    let amount = self.choices.below(scalar.bits() as usize);
                    return (
                        Text {
                            text: amount.to_string(),
                            constant: true,
                        },
                        true,
                    );
                }
                (self.dynamic(by, depth, Pinned::No), false)
            }
            _ => (self.expr(&Ty::Scalar(scalar), depth, pinned), false),
        }
    }

    fn cast(&mut self, scalar: Scalar, depth: usize) -> Text {
        self.cover("as");
        let from = if scalar.is_float() {
            let numbers: Vec<Scalar> = Scalar::ALL
                .into_iter()
                .filter(|&from| from != Scalar::Bool)
                .collect();
            self.choices.pick(&numbers)
        } else {
            self.choices.pick(&Scalar::ALL)
        };
        let value = self.expr(&Ty::Scalar(from), depth - 1, Pinned::No);
        Text {
            text: format!("({} as {})", value.text, scalar.name()),
            constant: value.constant,
        }
    }

    pub(super) fn int_literal(&mut self, scalar: Scalar, pinned: Pinned) -> Text {
        self.cover("integer literal");
        let (least, greatest) = scalar.range();
        let value = match self.choices.below(6) {
            0..=3 => self.choices.below(20) as i128,
            4 if scalar.is_signed() => -(self.choices.below(20) as i128),
            4 => greatest - self.choices.below(5) as i128,
            _ => self
                .choices
                .pick(&[greatest, least, 1 << (scalar.bits() - 2), 100]),
        };
        let mut text = value.to_string();
        if pinned == Pinned::No || self.choices.chance(25) {
            text.push('_');
            text.push_str(scalar.name());
        } else {
            self.cover("literal without suffix");
        }
        if value < 0 {
            text = format!("({text})");
        }
        Text {
            text,
            constant: true,
        }
    }

    fn float(&mut self, scalar: Scalar, depth: usize, pinned: Pinned) -> Text {
        let ty = Ty::Scalar(scalar);
        if depth == 0 {
            if self.choices.chance(65)
                && let Some(variable) = self.variable(&ty)
            {
                return variable;
            }
            return self.float_literal(scalar, pinned);
        }
        match self.choices.below(16) {
            0..=2 => self.float(scalar, 0, pinned),
            3 => {
                self.cover("associated constant");
                let name = self.choices.pick(&[
                    "MAX",
                    "MIN",
                    "INFINITY",
                    "NEG_INFINITY",
                    "NAN",
                    "EPSILON",
                    "MIN_POSITIVE",
                ]);
                Text::new(format!("{}::{name}", scalar.name()))
            }
            4 | 5 => self.cast(scalar, depth),
            6..=9 => {
                let op = self.choose(&[(3, "+"), (3, "-"), (3, "*"), (2, "/"), (1, "%")]);
                let lhs = self.expr(&ty, depth - 1, pinned);
                let rhs = self.expr(&ty, depth - 1, Pinned::No);
                Text::new(format!("({} {op} {})", lhs.text, rhs.text))
            }
            10 => {
                self.cover("unary -");
                let value = self.expr(&ty, depth - 1, pinned);
                Text::new(format!("(-{})", value.text))
            }
            11 | 12 => {
                self.cover("float method");
                let value = self.expr(&ty, depth - 1, Pinned::No);
                let value = value.text;
                match self
                    .choices
                    .pick(&["abs", "floor", "ceil", "sqrt", "mul_add"])
                {
                    "mul_add" => {
                        let [y, z] = [0, 1].map(|_| self.expr(&ty, depth - 1, Pinned::Yes).text);
                        Text::new(format!("{value}.mul_add({y}, {z})"))
                    }
                    name => Text::new(format!("{value}.{name}()")),
                }
            }
            _ => self.structured(&ty, depth - 1, pinned),
        }
    }

    fn float_literal(&mut self, scalar: Scalar, pinned: Pinned) -> Text {
        self.cover("float literal");
        let mut text = self
            .choices
            .pick(&[
                "0.0",
                "1.0",
                "-1.5",
                "0.1",
                "2.5",
                "-0.0",
                "1e10",
                "16777217.0",
                "3e38",
                "1e-40",
                "255.9",
                "-129.0",
                "1e19",
            ])
            .to_owned();
        if pinned == Pinned::No || self.choices.chance(25) {
            text.push('_');
            text.push_str(scalar.name());
        }
        if text.starts_with('-') {
            text = format!("({text})");
        }
        Text::new(text)
    }

    fn boolean(&mut self, depth: usize) -> Text {
        let ty = Ty::Scalar(Scalar::Bool);
        if depth == 0 {
            if self.choices.chance(70)
                && let Some(variable) = self.variable(&ty)
            {
                return variable;
            }
            if self.choices.chance(60) {
                return self.argument(Scalar::Bool);
            }
            self.cover("bool literal");
            let text = self.choices.pick(&["false", "true"]);
            return Text {
                text: text.to_owned(),
                constant: true,
            };
        }
        match self.choices.below(20) {
            0 | 1 => self.boolean(0),
            2..=8 => {
                self.cover("comparison");
                let element = self.choices.pick(&Scalar::ALL);
                let op = self.choices.pick(&["<", "==", "!=", "<=", ">", ">="]);
                let lhs = self.expr(&Ty::Scalar(element), depth - 1, Pinned::No);
                let rhs = self.expr(&Ty::Scalar(element), depth - 1, Pinned::Yes);
                Text {
                    text: format!("({} {op} {})", lhs.text, rhs.text),
                    constant: lhs.constant && rhs.constant,
                }
            }
            9..=12 => {
                let op = self.choose(&[(1, "&&"), (1, "||")]);
                let lhs = self.dynamic(Scalar::Bool, depth - 1, Pinned::No);
                let rhs = if self.choices.chance(60) {
                    self.effectful(&ty, depth - 1, Pinned::No)
                } else {
                    self.expr(&ty, depth - 1, Pinned::No)
                };
                Text::new(format!("({} {op} {})", lhs.text, rhs.text))
            }
            13 => {
                self.cover("unary !");
                let value = self.expr(&ty, depth - 1, Pinned::No);
                Text {
                    text: format!("(!{})", value.text),
                    constant: value.constant,
                }
            }
            14 => {
                let op = self.choose(&[(1, "&"), (1, "|"), (1, "^")]);
                let lhs = self.expr(&ty, depth - 1, Pinned::No);
                let rhs = self.expr(&ty, depth - 1, Pinned::No);
                Text {
                    text: format!("({} {op} {})", lhs.text, rhs.text),
                    constant: lhs.constant && rhs.constant,
                }
            }
            15 => {
                self.cover("guarded division");
                let scalar = self.integer();
                let name = self.fresh("v");
                let value = self.dynamic(scalar, depth - 1, Pinned::Yes);
                let op = self.choices.pick(&["/", "%"]);
                let (over, above) = (self.choices.below(100), self.choices.below(10));
                Text::new(format!(
                    "{{ let {name}: {} = {}; {name} != 0 && {over} {op} {name} > {above} }}",
                    scalar.name(),
                    value.text
                ))
                .parenthesized()
            }
            _ => self.structured(&ty, depth - 1, Pinned::No),
        }
    }
}

impl Text {
    fn parenthesized(self) -> Self {
        Self {
            text: format!("({})", self.text),
            ..self
        }
    }
}

/// Formats an integer as an operand.
pub(super) fn integer_text(value: i128) -> String {
    if value < 0 {
        format!("({value})")
    } else {
        value.to_string()
    }
}

/// Collects every component of a variable that has the wanted type.
fn collect(ty: &Ty, path: &str, wanted: &Ty, constant: bool, candidates: &mut Vec<Text>) {
    if ty == wanted {
        candidates.push(Text {
            text: path.to_owned(),
            constant,
        });
    }
    if let Ty::Tuple(parts) = ty {
        for (index, part) in parts.iter().enumerate() {
            collect(
                part,
                &format!("{path}.{index}"),
                wanted,
                constant,
                candidates,
            );
        }
    }
}
