//! Generates random scalar programs in the subset of Rust that kernels and functions share.
//!
//! The generator turns a source of choices into a [`Sample`], the text of a function that both
//! rustc and the front end accept. By construction, the function is well typed, never divides by
//! zero, and has no constant that overflows. It terminates, since each `while` and `loop` consumes
//! `fuel` and ranges are short. It stores its result in `out`. Statements everywhere multiply
//! `trace` and add to it, so that its value encodes the order in which they ran.

pub(super) mod choices;
mod expr;
mod jump;
mod pattern;
mod stmt;
pub(super) mod ty;

use choices::Choices;
use std::collections::BTreeMap;
use std::fmt::Write;
use ty::{Scalar, Ty};

/// Every construct of the generator; a full run must cover all of them.
pub(super) const CONSTRUCTS: &[&str] = &[
    // Expressions.
    "integer literal",
    "literal without suffix",
    "float literal",
    "bool literal",
    "variable",
    "associated constant",
    "as",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "unary -",
    "unary !",
    "comparison",
    "&&",
    "||",
    "integer method",
    "float method",
    "tuple",
    "tuple part",
    "part of a part",
    "guarded division",
    "block as a value",
    "if as a value",
    "else if as a value",
    "match as a value",
    "loop as a value",
    "labelled block as a value",
    "side effect in an expression",
    "assignment in an expression",
    "jump in place of a value",
    // Statements.
    "let",
    "let with annotation",
    "let mut",
    "shadowing",
    "tuple pattern",
    "wild pattern",
    "deferred let",
    "inferred later",
    "assignment",
    "tuple assignment",
    "compound assignment",
    "if",
    "else",
    "else if",
    "match",
    "block",
    "labelled block",
    "for",
    "while",
    "counting while",
    "loop",
    "endless loop with return",
    "mut parameter",
    // Ranges.
    "low..high",
    "low..=high",
    "..= of 64 bits",
    "..= to the greatest",
    "rev",
    "step_by",
    "step_by of a variable",
    "rev of step_by",
    "step_by of rev",
    "mut loop variable",
    // Jumps.
    "break",
    "break with a value",
    "break to a label",
    "break to a label with a value",
    "continue",
    "continue to a label",
    "return",
    "return in a loop",
    "label",
    // Patterns.
    "literal pattern",
    "range pattern",
    "half-open range pattern",
    "open range pattern",
    "or-pattern",
    "constant pattern",
    "binding",
    "binding with @",
    "guard",
    "side effect in a guard",
    "wild arm",
    "tuple match",
    "nested tuple match",
    "bool match",
    "exhaustive ranges",
];

/// Constructs that the generator omits because the front end lacks them.
const LEFT_OUT: &[&str] = &[];

/// A generated program.
pub(super) struct Sample {
    /// The parameters, all numbers, in order.
    pub(super) params: Vec<(String, Scalar)>,
    /// The type of the result.
    pub(super) result: Scalar,
    /// `(a: i32, out: .., trace_out: ..) { .. }`
    pub(super) text: String,
    /// The number of uses of each construct.
    pub(super) uses: BTreeMap<&'static str, usize>,
    /// The choices that produced the program.
    pub(super) choices: Vec<u32>,
}

/// A variable in scope.
#[derive(Clone)]
struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
    /// `true` if the value may be known at compile time.
    constant: bool,
}

/// A target of a jump.
#[derive(Clone)]
struct Target {
    label: Option<String>,
    kind: TargetKind,
}

#[derive(Clone, PartialEq, Eq)]
enum TargetKind {
    /// `for` and `while`.
    Counted,
    /// `loop` with a value of a type.
    Loop(Ty),
    /// `loop` without `break`.
    Endless,
    /// A labelled block.
    Block(Ty),
    /// The condition of a `while`, or the check of `fuel` in a `loop`, where jumps need a label.
    Condition,
}

/// An expression; everything except names and literals is parenthesized.
struct Text {
    text: String,
    constant: bool,
}

impl Text {
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            constant: false,
        }
    }
}

struct Generator {
    choices: Choices,
    params: Vec<(String, Scalar)>,
    result: Scalar,
    vars: Vec<Var>,
    targets: Vec<Target>,
    names: usize,
    /// The number of enclosing `for` loops.
    ranges: usize,
    /// The remaining budget of generated code.
    budget: i32,
    uses: BTreeMap<&'static str, usize>,
}

/// Generates a program.
pub(super) fn sample(choices: Choices) -> Sample {
    let mut generator = Generator {
        choices,
        params: Vec::new(),
        result: Scalar::I32,
        vars: Vec::new(),
        targets: Vec::new(),
        names: 0,
        ranges: 0,
        budget: 0,
        uses: BTreeMap::new(),
    };
    let text = generator.program();
    let Generator {
        choices,
        params,
        result,
        uses,
        ..
    } = generator;
    Sample {
        params,
        result,
        text,
        uses,
        choices: choices.into_drawn(),
    }
}

impl Generator {
    fn program(&mut self) -> String {
        // Tensors cannot have `usize` elements.
        let results: Vec<Scalar> = Scalar::ALL
            .into_iter()
            .filter(|&scalar| scalar != Scalar::Usize)
            .collect();
        self.result = self.choices.pick(&results);
        self.budget = 40 + i32::try_from(self.choices.below(80)).expect("small");
        let mut head = String::new();
        for index in 0..=self.choices.below(3) {
            let name = ["a", "b", "c", "d"][index].to_owned();
            let scalar = self.choices.pick(&Scalar::ALL);
            let mutable = self.choices.chance(20);
            if mutable {
                self.cover("mut parameter");
            }
            let _ = write!(
                head,
                "{}{name}: {}, ",
                if mutable { "mut " } else { "" },
                scalar.name()
            );
            self.params.push((name.clone(), scalar));
            self.vars.push(Var {
                name,
                ty: Ty::Scalar(scalar),
                mutable,
                constant: false,
            });
        }
        let mut body = String::from("let mut trace: u64 = 1;\nlet mut fuel: u32 = 30;\n");
        let count = 2 + self.choices.below(6);
        let mark = self.vars.len();
        let (text, ends) = self.statements(count, 0);
        body.push_str(&text);
        if !ends {
            let vars = self.vars.clone();
            for (index, var) in vars.iter().enumerate() {
                if vars[index + 1..].iter().all(|later| later.name != var.name) {
                    body.push_str(&Self::traced(var));
                }
            }
            body.push_str(&self.stored());
        }
        self.vars.truncate(mark);
        format!(
            "({head}out: &mut Tensor<{}, 1>, trace_out: &mut Tensor<u64, 1>) {{\n{body}}}\n",
            self.result.name()
        )
    }

    /// Generates stores of the result and the trace.
    fn stored(&mut self) -> String {
        let ty = Ty::Scalar(self.result);
        let result = self.expr(&ty, 2, Pinned::No);
        format!(
            "let result = {};\nout.store([0], full([1], result));\ntrace_out.store([0], full([1], trace));\n",
            result.text
        )
    }

    /// Generates a statement that adds a variable to the trace.
    fn traced(var: &Var) -> String {
        match &var.ty {
            Ty::Scalar(scalar) => {
                let way = if scalar.is_float() {
                    " as i64 as u64"
                } else {
                    " as u64"
                };
                format!("trace = trace * 31 + ({}{way});\n", var.name)
            }
            Ty::Tuple(parts) => {
                let mut text = String::new();
                for (index, part) in parts.iter().enumerate() {
                    let part = Var {
                        name: format!("{}.{index}", var.name),
                        ty: part.clone(),
                        ..*var
                    };
                    text.push_str(&Self::traced(&part));
                }
                text
            }
        }
    }

    fn may(name: &str) -> bool {
        !LEFT_OUT.contains(&name)
    }

    fn cover(&mut self, name: &'static str) {
        assert!(
            CONSTRUCTS.contains(&name),
            "`{name}` is in the list of constructs"
        );
        *self.uses.entry(name).or_default() += 1;
    }

    /// Chooses from a weighted list and records the coverage. The first option is the simplest.
    fn choose(&mut self, options: &[(usize, &'static str)]) -> &'static str {
        let open: Vec<(usize, &'static str)> = options
            .iter()
            .copied()
            .filter(|(_, name)| Self::may(name))
            .collect();
        let mut ticket = self
            .choices
            .below(open.iter().map(|(weight, _)| weight).sum());
        for (weight, name) in open {
            if ticket < weight {
                self.cover(name);
                return name;
            }
            ticket -= weight;
        }
        unreachable!("the weights add up")
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Chooses the type of a variable.
    fn ty(&mut self) -> Ty {
        if self.choices.chance(15) {
            let count = 2 + self.choices.below(2);
            return Ty::Tuple((0..count).map(|_| self.ty()).collect());
        }
        Ty::Scalar(self.choices.pick(&Scalar::ALL))
    }

    /// Chooses an integer type.
    fn integer(&mut self) -> Scalar {
        self.choices.pick(&Scalar::INTEGERS)
    }
}

/// `Yes` if the context of an expression determines its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pinned {
    No,
    Yes,
}
