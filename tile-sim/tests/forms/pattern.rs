//! Patterns of instruction forms, and the instructions that they stand for.
//!
//! `mul.<lo|hi>.<T:u16|s16|u32> T, T, T` stands for six instructions. `<a|b>` are alternatives, one
//! of which may be empty; `<T:a|b>` names the choice, so that operands can refer to it. An operand
//! that is a type stands for a register of the type:
//!
//! | operand | stands for |
//! |---|---|
//! | `b32`, `T` | a register as wide as the type |
//! | `T*2` | a register twice as wide |
//! | `p`, `!p` | a predicate |
//! | `b32\|p` | both |
//! | `{b32^4}` | a vector of four |
//! | `[g]`, `[s]`, `[m]`, `[t]` | an address: of global memory, of shared memory, of an mbarrier, of a tensor map |
//! | `[t, {b32^2}]` | coordinates after the address of a tensor map |
//! | anything else | itself |

use std::collections::BTreeMap;
use std::path::Path;

/// A file of forms.
pub(crate) struct Family {
    pub(crate) title: String,
    pub(crate) forms: Vec<Form>,
}

/// A line of a data file.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The pattern as it is written.
    pub(crate) pattern: String,
    pub(crate) instructions: Vec<Instruction>,
}

/// An instruction whose registers have no numbers yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Instruction {
    /// The opcode and the modifiers.
    pub(crate) modifiers: Vec<String>,
    pub(crate) operands: Vec<String>,
}

/// Returns the register class of a type.
fn class(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "p" | "pred" => "%p",
        "b8" | "u8" | "s8" | "b16" | "u16" | "s16" | "f16" | "bf16" | "e4m3x2" | "e5m2x2" => "%h",
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" | "u16x2" | "s16x2" | "tf32" => "%r",
        "b64" | "u64" | "s64" | "f64" | "f32x2" => "%d",
        "b128" => "%q",
        _ => return None,
    })
}

impl Form {
    pub(crate) fn read(line: &str) -> Self {
        let pattern = line.trim();
        assert!(
            !pattern.contains(';'),
            "`{pattern}` is followed by something: what tests run is measured"
        );
        let instructions = expand(pattern)
            .iter()
            .map(|text| Instruction::read(text))
            .collect();
        Self {
            pattern: pattern.to_owned(),
            instructions,
        }
    }
}

/// Expands all alternatives.
fn expand(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![(pattern.trim().to_owned(), BTreeMap::<String, String>::new())];
    while let Some((text, names)) = open.pop() {
        let Some(start) = text.find('<') else {
            done.push(named(&text, &names));
            continue;
        };
        let end = start + text[start..].find('>').expect("`<` has its `>`");
        let inside = &text[start + 1..end];
        let (name, choices) = match inside.split_once(':') {
            Some((name, choices)) if name.len() == 1 && name != "|" => (Some(name), choices),
            _ => (None, inside),
        };
        for choice in choices.split('|').rev() {
            let mut names = names.clone();
            if let Some(name) = name {
                names.insert(name.to_owned(), choice.to_owned());
            }
            let next = format!("{}{choice}{}", &text[..start], &text[end + 1..]);
            open.push((next, names));
        }
    }
    done
}

/// Replaces names in the operands by the chosen alternative.
fn named(text: &str, names: &BTreeMap<String, String>) -> String {
    let (head, operands) = text.split_once(' ').unwrap_or((text, ""));
    let mut out = String::new();
    let mut word = String::new();
    for next in operands.chars().chain([' ']) {
        if next.is_alphanumeric() || next == '_' || next == '%' {
            word.push(next);
            continue;
        }
        out.push_str(names.get(&word).unwrap_or(&word));
        word.clear();
        out.push(next);
    }
    format!("{head} {}", out.trim())
}

/// Returns all families, in the order of their files.
pub(crate) fn families() -> Vec<Family> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms/data");
    let entries = std::fs::read_dir(folder).expect("the folder of the forms");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a file of forms");
            let mut lines = text.lines().filter(|line| !line.is_empty());
            let title = lines.next().and_then(|line| line.strip_prefix("# "));
            Family {
                title: title.expect("a title").to_owned(),
                forms: lines.map(Form::read).collect(),
            }
        })
        .collect()
}

impl Instruction {
    pub(crate) fn read(text: &str) -> Self {
        let (head, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut parts = Vec::new();
        let (mut depth, mut part) = (0, String::new());
        for next in operands.chars() {
            match next {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(part.trim().to_owned());
                    part.clear();
                    continue;
                }
                _ => {}
            }
            part.push(next);
        }
        if !part.trim().is_empty() {
            parts.push(part.trim().to_owned());
        }
        Self {
            modifiers: head.split('.').map(str::to_owned).collect(),
            operands: parts,
        }
    }

    /// Returns the opcode with its modifiers.
    pub(crate) fn name(&self) -> String {
        self.modifiers.join(".")
    }

    /// Returns the instruction with numbered registers.
    pub(crate) fn text(&self) -> String {
        let mut counts = BTreeMap::new();
        let operands: Vec<String> = self
            .operands
            .iter()
            .map(|operand| register(operand, &mut counts))
            .collect();
        let line = format!("{} {}", self.name(), operands.join(", "));
        format!("{};", line.trim_end())
    }
}

type Counts = BTreeMap<&'static str, u32>;

/// Returns an operand with registers that the instruction does not use yet.
fn register(operand: &str, counts: &mut Counts) -> String {
    let mut fresh = |class: &'static str| {
        let count = counts.entry(class).or_insert(0);
        *count += 1;
        format!("{class}{count}")
    };
    match operand {
        "[g]" => return "[%d60]".into(),
        "[s]" => return "[%r60]".into(),
        "[m]" => return "[%r61]".into(),
        "[t]" => return "[%d62]".into(),
        _ => {}
    }
    if let Some(class) = class(operand) {
        return fresh(class);
    }
    if let Some(ty) = operand.strip_suffix("*2") {
        let wide = match class(ty) {
            Some("%h") => "%r",
            Some("%r") => "%d",
            _ => panic!("nothing is twice as wide as `{ty}`"),
        };
        return fresh(wide);
    }
    if let Some(inside) = operand.strip_prefix('!') {
        return format!("!{}", register(inside, counts));
    }
    if let Some((first, second)) = operand.split_once('|')
        && !operand.starts_with('{')
    {
        let first = register(first, counts);
        return format!("{first}|{}", register(second, counts));
    }
    if let Some(rest) = operand.strip_prefix('{')
        && let Some((inside, tail)) = rest.split_once('}')
    {
        let mut elements = Vec::new();
        for element in inside.split(',') {
            let (ty, count) = element
                .trim()
                .split_once('^')
                .unwrap_or((element.trim(), "1"));
            let count: u32 = count.parse().expect("a number after `^`");
            elements.extend((0..count).map(|_| register(ty, counts)));
        }
        return format!("{{{}}}{tail}", elements.join(", "));
    }
    if let Some(coordinates) = operand
        .strip_prefix("[t, ")
        .and_then(|rest| rest.strip_suffix(']'))
    {
        return format!("[%d62, {}]", register(coordinates, counts));
    }
    operand.to_owned()
}
