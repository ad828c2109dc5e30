//! Generates statements and loops.

use super::ty::{Scalar, Ty};
use super::{Generator, Pinned, Target, TargetKind, Var};
use std::fmt::Write as _;

/// Maximum nesting depth of statements.
const DEEPEST: usize = 4;

impl Generator {
    /// Generates statements; returns `true` if they diverge.
    pub(super) fn statements(&mut self, count: usize, level: usize) -> (String, bool) {
        let mut text = String::new();
        for _ in 0..count {
            let (stmt, ends) = self.statement(level, false);
            text.push_str(&stmt);
            if ends {
                return (text, true);
            }
        }
        (text, false)
    }

    /// Generates `{ .. }` with its own scope.
    fn body(&mut self, level: usize) -> (String, bool) {
        let mark = self.vars.len();
        let count = 1 + self.choices.below(3);
        let (text, ends) = self.statements(count, level + 1);
        self.vars.truncate(mark);
        (format!("{{\n{text}}}"), ends)
    }

    /// Generates a body that does not diverge.
    fn body_that_goes_on(&mut self, level: usize) -> String {
        let mark = self.vars.len();
        let mut text = String::new();
        for _ in 0..=self.choices.below(2) {
            text.push_str(&self.statement(level + 1, true).0);
        }
        self.vars.truncate(mark);
        format!("{{\n{text}}}")
    }

    /// Generates one statement; returns `true` if it diverges. With `goes_on`, it never diverges.
    pub(super) fn statement(&mut self, level: usize, goes_on: bool) -> (String, bool) {
        self.budget -= 2;
        let simple = level >= DEEPEST || self.budget < 0;
        let kind = match self.choices.below(if simple { 30 } else { 60 }) {
            0..=3 => return (format!("{}\n", self.trace_line()), false),
            4..=10 => return (self.binding(), false),
            11..=15 => return (self.assignment(), false),
            16..=21 => return (self.compound_assignment(), false),
            22 => return (self.tuple_assignment(), false),
            23 => return (self.inferred_later(), false),
            24..=26 => return (self.deferred(), false),
            27..=29 => return (self.conditional_jump(), false),
            30..=37 => "if",
            38..=42 => "match",
            43 => "block",
            44 | 45 => "labelled block",
            46..=51 => "for",
            52 | 53 => "while",
            54 | 55 => "counting while",
            56..=58 => "loop",
            _ => "endless loop with return",
        };
        // Ranges do not consume `fuel`, so their lengths multiply.
        let deep = match kind {
            "for" => self.ranges >= 3,
            "counting while" => self.ranges >= 1,
            _ => false,
        };
        if deep || !Self::may(kind) || (goes_on && kind == "endless loop with return") {
            return (self.binding(), false);
        }
        self.cover(kind);
        match kind {
            "if" => self.if_statement(level, goes_on),
            "match" => self.match_statement(level, goes_on),
            "block" if goes_on => (format!("{}\n", self.body_that_goes_on(level)), false),
            "block" => {
                let (body, ends) = self.body(level);
                (format!("{body}\n"), ends)
            }
            "labelled block" => (self.labelled_block(level), false),
            "for" => (self.for_statement(level), false),
            "while" => (self.while_statement(level), false),
            "counting while" => (self.counting_while(), false),
            "loop" => (self.loop_statement(level), false),
            _ => (self.endless_loop(level), true),
        }
    }

    /// Generates statements, possibly followed by a jump.
    fn branch(&mut self, level: usize, goes_on: bool) -> (String, bool) {
        if goes_on {
            return (self.body_that_goes_on(level), false);
        }
        let mark = self.vars.len();
        let count = 1 + self.choices.below(2);
        let (mut text, mut ends) = self.statements(count, level + 1);
        if !ends
            && self.choices.chance(25)
            && let Some(jump) = self.jump()
        {
            text.push_str(&jump);
            text.push('\n');
            ends = true;
        }
        self.vars.truncate(mark);
        (format!("{{\n{text}}}"), ends)
    }

    fn if_statement(&mut self, level: usize, goes_on: bool) -> (String, bool) {
        let cond = self.dynamic(Scalar::Bool, 2, Pinned::No).text;
        let (then, then_ends) = self.branch(level, goes_on);
        let mut text = format!("if {cond} {then}");
        let mut ends = false;
        if self.choices.chance(50) {
            if self.choices.chance(35) {
                self.cover("else if");
                let (other, other_ends) = self.if_statement(level, goes_on);
                let _ = write!(text, " else {}", other.trim_end());
                ends = then_ends && other_ends;
            } else {
                self.cover("else");
                let (other, other_ends) = self.branch(level, goes_on);
                let _ = write!(text, " else {other}");
                ends = then_ends && other_ends;
            }
        }
        text.push('\n');
        (text, ends)
    }

    fn match_statement(&mut self, level: usize, goes_on: bool) -> (String, bool) {
        let (text, ends) = self.match_with(2, &mut |generator, _| generator.branch(level, goes_on));
        (format!("{text}\n"), ends)
    }

    /// Generates `if c { break; }`.
    fn conditional_jump(&mut self) -> String {
        let cond = self.dynamic(Scalar::Bool, 1, Pinned::No).text;
        match self.jump() {
            Some(jump) => format!("if {cond} {{ {jump} }}\n"),
            None => format!("{}\n", self.trace_line()),
        }
    }

    /// Returns a name for a variable: a new name, or a name that shadows another variable.
    fn name_for(&mut self) -> String {
        let open: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.name.starts_with('v'))
            .map(|var| var.name.clone())
            .collect();
        if !open.is_empty() && self.choices.chance(15) {
            self.cover("shadowing");
            let index = self.choices.below(open.len());
            return open[index].clone();
        }
        self.fresh("v")
    }

    fn binding(&mut self) -> String {
        if self.choices.chance(15) {
            return self.pattern_binding();
        }
        self.cover("let");
        let ty = self.ty();
        let annotated = self.choices.chance(40);
        let pinned = if annotated { Pinned::Yes } else { Pinned::No };
        let value = self.expr(&ty, 3, pinned);
        let name = self.name_for();
        let mutable = self.choices.chance(50);
        if mutable {
            self.cover("let mut");
        }
        let annotation = if annotated {
            self.cover("let with annotation");
            format!(": {}", ty.text())
        } else {
            String::new()
        };
        let text = format!(
            "let {}{name}{annotation} = {};\n",
            if mutable { "mut " } else { "" },
            value.text
        );
        self.vars.push(Var {
            name,
            ty,
            mutable,
            constant: value.constant && !mutable,
        });
        text
    }

    /// Generates `let (a, (mut b, _)) = ..;`.
    fn pattern_binding(&mut self) -> String {
        self.cover("tuple pattern");
        let parts = vec![self.ty(), self.ty()];
        let ty = Ty::Tuple(parts);
        let value = self.expr(&ty, 2, Pinned::No);
        let mut vars = Vec::new();
        let pattern = self.destructure(&ty, value.constant, &mut vars);
        self.vars.extend(vars);
        format!("let {pattern} = {};\n", value.text)
    }

    fn destructure(&mut self, ty: &Ty, constant: bool, vars: &mut Vec<Var>) -> String {
        match ty {
            Ty::Tuple(parts) if self.choices.chance(75) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.destructure(part, constant, vars))
                    .collect();
                format!("({})", parts.join(", "))
            }
            _ if self.choices.chance(20) => {
                self.cover("wild pattern");
                "_".to_owned()
            }
            _ => {
                let name = self.fresh("v");
                let mutable = self.choices.chance(40);
                let text = format!("{}{name}", if mutable { "mut " } else { "" });
                vars.push(Var {
                    name,
                    ty: ty.clone(),
                    mutable,
                    constant: constant && !mutable,
                });
                text
            }
        }
    }

    /// Generates `let x; if c { x = 1; } else { x = 2; }`.
    fn deferred(&mut self) -> String {
        if !Self::may("deferred let") {
            return self.binding();
        }
        self.cover("deferred let");
        let ty = self.ty();
        let name = self.fresh("v");
        let annotated = self.choices.chance(50);
        let annotation = if annotated {
            format!(": {}", ty.text())
        } else {
            String::new()
        };
        let pinned = if annotated { Pinned::Yes } else { Pinned::No };
        let mutable = self.choices.chance(25);
        let mut text = format!(
            "let {}{name}{annotation};\n",
            if mutable { "mut " } else { "" }
        );
        let assign = |generator: &mut Self, pinned: Pinned| {
            let value = generator.expr(&ty, 2, pinned);
            format!("{name} = {};", value.text)
        };
        if self.choices.chance(50) {
            let cond = self.dynamic(Scalar::Bool, 1, Pinned::No).text;
            let then = assign(self, pinned);
            let other = if self.choices.chance(25)
                && let Some(jump) = self.jump()
            {
                jump
            } else {
                assign(self, pinned)
            };
            let _ = writeln!(text, "if {cond} {{ {then} }} else {{ {other} }}");
        } else {
            let (arms, _) = self.match_with(1, &mut |generator, arm| {
                if arm > 0
                    && generator.choices.chance(20)
                    && let Some(jump) = generator.jump()
                {
                    return (format!("{{ {jump} }}"), false);
                }
                (format!("{{ {} }}", assign(generator, pinned)), false)
            });
            text.push_str(&arms);
            text.push('\n');
        }
        self.vars.push(Var {
            name,
            ty,
            mutable,
            constant: false,
        });
        text
    }

    /// Generates a literal whose type is determined by a later use.
    fn inferred_later(&mut self) -> String {
        self.cover("inferred later");
        let scalar = self.integer();
        let value = self.choices.below(100);
        let first = self.choices.below(100);
        let name = self.fresh("v");
        let other = self.argument_of(scalar);
        let op = self.choices.pick(&["=", "+=", "^=", "-="]);
        let text =
            format!("let mut {name} = {first};\nif {value} > {name} {{ {name} {op} {other}; }}\n");
        self.vars.push(Var {
            name,
            ty: Ty::Scalar(scalar),
            mutable: true,
            constant: false,
        });
        text
    }

    fn argument_of(&mut self, scalar: Scalar) -> String {
        let value = self.dynamic(scalar, 1, Pinned::No);
        format!("({} as {})", value.text, scalar.name())
    }

    fn assignment(&mut self) -> String {
        let Some((name, ty)) = self.assignable() else {
            return self.binding();
        };
        self.cover("assignment");
        let value = self.expr(&ty, 3, Pinned::Yes);
        format!("{name} = {};\n", value.text)
    }

    fn compound_assignment(&mut self) -> String {
        let Some((name, Ty::Scalar(scalar))) = self.assignable() else {
            return self.binding();
        };
        self.cover("compound assignment");
        let op = if scalar == Scalar::Bool {
            self.choices.pick(&["&", "|", "^"])
        } else if scalar.is_float() {
            self.choices.pick(&["+", "-", "*", "/", "%"])
        } else {
            self.choices
                .pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
        };
        let (value, _) = self.right_side(scalar, op, 2, Pinned::Yes);
        format!("{name} {op}= {};\n", value.text)
    }

    fn tuple_assignment(&mut self) -> String {
        let (Some((left, left_ty)), Some((right, right_ty))) =
            (self.assignable(), self.assignable())
        else {
            return self.binding();
        };
        self.cover("tuple assignment");
        let pattern = match self.choices.below(4) {
            0 => format!("({left}, _)"),
            1 => format!("(_, {right})"),
            _ => format!("({left}, {right})"),
        };
        // Both targets may be the same variable, in which case the last element wins.
        let value = if left_ty == right_ty && self.choices.chance(60) {
            format!("({right}, {left})")
        } else {
            let ty = Ty::Tuple(vec![left_ty, right_ty]);
            self.expr(&ty, 2, Pinned::No).text
        };
        format!("{pattern} = {value};\n")
    }

    fn labelled(label: Option<&String>) -> String {
        label.map_or_else(String::new, |label| format!("{label}: "))
    }

    fn labelled_block(&mut self, level: usize) -> String {
        let label = self.fresh("'l");
        self.cover("label");
        self.targets.push(Target {
            label: Some(label.clone()),
            kind: TargetKind::Block(Ty::Tuple(Vec::new())),
        });
        let jump = self.conditional_jump();
        let body = self.body_that_goes_on(level);
        self.targets.pop();
        format!("{label}: {{\n{jump}{body}\n}}\n")
    }

    fn for_statement(&mut self, level: usize) -> String {
        let scalar = self.integer();
        let label = self.label();
        let (before, head) = self.range(scalar);
        let (pattern, var) = match self.choices.below(8) {
            0 => ("_".to_owned(), None),
            kind => {
                let name = self.fresh("i");
                let mutable = kind == 7;
                if mutable {
                    self.cover("mut loop variable");
                }
                let pattern = format!("{}{name}", if mutable { "mut " } else { "" });
                let var = Var {
                    name,
                    ty: Ty::Scalar(scalar),
                    mutable,
                    constant: false,
                };
                (pattern, Some(var))
            }
        };
        let mark = self.vars.len();
        let mut body = String::new();
        if let Some(var) = var {
            if self.choices.chance(50) {
                body.push_str(&Self::traced(&var));
            }
            self.vars.push(var);
        }
        self.targets.push(Target {
            label: label.clone(),
            kind: TargetKind::Counted,
        });
        self.ranges += 1;
        let (inner, _) = self.body(level);
        self.ranges -= 1;
        self.targets.pop();
        self.vars.truncate(mark);
        let label = Self::labelled(label.as_ref());
        format!("{before}{label}for {pattern} in {head} {{\n{body}{inner}\n}}\n")
    }

    /// Generates the statements before a `for`, and its range with at most about 8 numbers.
    fn range(&mut self, scalar: Scalar) -> (String, String) {
        let kind = self.choose(&[
            (4, "low..high"),
            (3, "low..=high"),
            (1, "..= to the greatest"),
        ]);
        let kind = if kind == "low..=high" && scalar.bits() == 64 {
            if Self::may("..= of 64 bits") {
                self.cover("..= of 64 bits");
                kind
            } else {
                "low..high"
            }
        } else {
            kind
        };
        let name = self.fresh("r");
        let low = self.dynamic(scalar, 1, Pinned::No).text;
        let near = self.choices.chance(50);
        let before = if near {
            format!("let {name} = ({low} & 7);\n")
        } else {
            format!("let {name} = {low};\n")
        };
        let length = self.choices.below(7);
        let mut range = match kind {
            "..= to the greatest" => format!(
                "({}::MAX - ({name} & 3))..={}::MAX",
                scalar.name(),
                scalar.name()
            ),
            "low..=high" if near && self.choices.chance(50) => {
                format!("{}..={name}", self.choices.below(4))
            }
            "low..=high" => format!("{name}..={name} + {length}"),
            _ if near && self.choices.chance(50) => format!("{}..{name}", self.choices.below(4)),
            _ => format!("{name}..{name} + {length}"),
        };
        // Only an iterator whose length fits a `usize` supports `rev` after `step_by`.
        let exact = match kind {
            "low..high" => scalar.bits() <= 32 || scalar == Scalar::Usize,
            _ => scalar.bits() <= 16,
        };
        let mut stepped = false;
        let mut reversed = false;
        for _ in 0..self.choices.below(3) {
            let adapter = self.choices.below(2);
            if adapter == 0 && Self::may("rev") && (exact || !stepped) {
                self.cover(if stepped { "rev of step_by" } else { "rev" });
                range = format!("({range}).rev()");
                reversed = true;
            } else if adapter == 1 && Self::may("step_by") {
                self.cover(if reversed {
                    "step_by of rev"
                } else {
                    "step_by"
                });
                let step = if self.choices.chance(30) && Self::may("step_by of a variable") {
                    self.cover("step_by of a variable");
                    let step = self.dynamic(Scalar::Usize, 1, Pinned::Yes).text;
                    format!("({step} & 3) + 1")
                } else {
                    (1 + self.choices.below(4)).to_string()
                };
                range = format!("({range}).step_by({step})");
                stepped = true;
            }
        }
        (before, range)
    }

    fn while_statement(&mut self, level: usize) -> String {
        let label = self.label();
        self.targets.push(Target {
            label: None,
            kind: TargetKind::Condition,
        });
        let cond = self.dynamic(Scalar::Bool, 2, Pinned::No).text;
        self.targets.pop();
        self.targets.push(Target {
            label: label.clone(),
            kind: TargetKind::Counted,
        });
        let (body, _) = self.body(level);
        self.targets.pop();
        let label = Self::labelled(label.as_ref());
        format!("{label}while {cond} && fuel > 0 {{\nfuel -= 1;\n{body}\n}}\n")
    }

    /// Generates a `while` whose counter has an unknown step and may wrap.
    ///
    /// The loop terminates without `fuel`, whose test would add a condition: 8-bit counters have
    /// odd steps, so that they reach every number, and wider counters have small steps.
    fn counting_while(&mut self) -> String {
        let scalar = self.integer();
        let narrow = scalar.bits() == 8;
        let (counter, end, step) = (self.fresh("k"), self.fresh("e"), self.fresh("s"));
        let mut number = |mask: u32, more: &str| {
            let number = self.argument_of(scalar);
            if narrow {
                number
            } else {
                format!("({number} & {mask}){more}")
            }
        };
        let (low, high, by) = (number(7, ""), number(63, ""), number(3, " + 1"));
        let by = if narrow { format!("({by} | 1)") } else { by };
        let condition = if narrow {
            self.choices.pick(&["<", ">="])
        } else {
            self.choices.pick(&["<", "<=", ">", ">="])
        };
        let mark = self.vars.len();
        for name in [&counter, &end, &step] {
            self.vars.push(Var {
                name: name.clone(),
                ty: Ty::Scalar(scalar),
                mutable: false,
                constant: false,
            });
        }
        // `continue` must not skip the step.
        self.targets.push(Target {
            label: None,
            kind: TargetKind::Condition,
        });
        let mut body = Self::traced(&self.vars[mark]);
        for _ in 0..=self.choices.below(2) {
            body.push_str(&self.statement(DEEPEST, true).0);
        }
        self.targets.pop();
        self.vars.truncate(mark);
        let sum = self.choices.pick(&["k += s", "k = k + s", "k = s + k"]);
        let sum: String = sum
            .chars()
            .map(|letter| match letter {
                'k' => counter.clone(),
                's' => step.clone(),
                other => other.to_string(),
            })
            .collect();
        let before =
            format!("let mut {counter} = {low};\nlet {end} = {high};\nlet {step} = {by};\n");
        let (head, start) = match condition {
            "<" | "<=" => (
                format!("while {counter} {condition} {end} {{\n"),
                String::new(),
            ),
            _ => (
                "loop {\n".to_owned(),
                format!("if {counter} {condition} {end} {{ break; }}\n"),
            ),
        };
        let after = Self::traced(&Var {
            name: counter,
            ty: Ty::Scalar(scalar),
            mutable: false,
            constant: false,
        });
        format!("{before}{head}{start}{body}{sum};\n}}\n{after}")
    }

    fn loop_statement(&mut self, level: usize) -> String {
        let label = self.label();
        self.targets.push(Target {
            label: label.clone(),
            kind: TargetKind::Loop(Ty::Tuple(Vec::new())),
        });
        self.cover("break");
        let (body, _) = self.body(level);
        self.targets.pop();
        let label = Self::labelled(label.as_ref());
        format!("{label}loop {{\nif fuel == 0 {{ break; }}\nfuel -= 1;\n{body}\n}}\n")
    }

    fn endless_loop(&mut self, level: usize) -> String {
        let label = self.label();
        // When the fuel is used up, the loop must return.
        self.cover("return");
        self.targets.push(Target {
            label: None,
            kind: TargetKind::Condition,
        });
        let stored = self.stored();
        self.targets.pop();
        self.targets.push(Target {
            label: label.clone(),
            kind: TargetKind::Endless,
        });
        let (body, _) = self.body(level);
        self.targets.pop();
        let label = Self::labelled(label.as_ref());
        format!("{label}loop {{\nif fuel == 0 {{ {stored} return; }}\nfuel -= 1;\n{body}\n}}\n")
    }
}
