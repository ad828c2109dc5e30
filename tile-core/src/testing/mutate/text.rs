//! Mutates tokens of text.

use crate::ops::Opcode;
use crate::testing::random::Random;

/// Replacement tokens, besides names of operations and tokens of the text itself.
const TOKENS: &[&str] = &[
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "->",
    "=",
    "?",
    "x",
    "%",
    "@",
    "#",
    "!",
    "^bb0",
    "\"",
    "\"\\",
    "//",
    "\n",
    "\0",
    "é",
    "\u{feff}",
    "0",
    "-1",
    "1",
    "3",
    "0x",
    "0x7F",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e999",
    "-0.0",
    "1.0",
    "0xFFFFFFFFFFFFFFFFFF",
    "%0",
    "%0#1",
    "%0:2",
    "%0:99999999999",
    "@kernel_0",
    "loc",
    "loc(",
    "loc(unknown)",
    "attributes",
    "unit",
    "true",
    "dense",
    "tile",
    "tile<i32>",
    "tile<2xf32>",
    "tile<4294967296x4294967296xf32>",
    "tile<0xi8>",
    "tile<ptr<f32>>",
    "ptr<i4>",
    "token",
    "index",
    "tensor_view<?xf32, strides=[1]>",
    "partition_view<",
    "!cuda_tile.tile<i1>",
    "!t",
    "#a",
    "cuda_tile.",
    "cuda_tile.module @m {",
    "\"cuda_tile.addi\"",
    "<{",
    "}>",
    "rounding<approx>",
    "overflow<no_wrap>",
    "flush_to_zero",
    "signed",
    "unsigned",
    "weak",
    "sys",
    "i1",
    "i4",
    "i8",
    "i32",
    "i64",
    "f32",
    "tf32",
    "f8E8M0FNU",
    "f4E2M1FN",
    "f16",
    "iter_values",
    "else",
    "in",
    "to",
    "step",
    "dim",
    "identities",
    "inbounds",
    "div_by<",
    "bounded<?, ?>",
    "optimization_hints",
];

/// Changes one to three tokens or lines of `text`; deterministic for a seed.
pub fn mutate_text(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = text.to_owned();
    // Make mostly one edit: text with several errors usually takes the same paths as text with one.
    let edits = if random.one_in(3) {
        2 + random.below(2)
    } else {
        1
    };
    for _ in 0..edits {
        text = match random.below(24) {
            0..=1 => lines(&mut random, &text),
            2 => truncated(&mut random, &text),
            3 => nested(&mut random, &text),
            4..=13 => alike(&mut random, &text),
            _ => tokens(&mut random, &text),
        };
    }
    text
}

/// Splits text into approximate tokens: words with their sigils, single other characters, and the
/// whitespace between them.
fn split(text: &str) -> Vec<&str> {
    let is_word =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '%' | '@' | '#');
    let kind = |c: char| match c {
        c if is_word(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        let end = chars.peek().map_or(text.len(), |&(offset, _)| offset);
        let goes_on = chars
            .peek()
            .is_some_and(|&(_, next)| kind(c) != 2 && kind(next) == kind(c));
        if !goes_on {
            tokens.push(&text[start..end]);
            start = end;
        }
    }
    tokens
}

fn tokens(random: &mut Random<'_>, text: &str) -> String {
    let mut tokens = split(text);
    let places: Vec<usize> = (0..tokens.len())
        .filter(|&index| !tokens[index].trim().is_empty())
        .collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let (index, other) = (random.pick(&places), random.pick(&places));
    match random.below(6) {
        0 => {
            tokens.remove(index);
        }
        1 => tokens.insert(index, tokens[index]),
        2 => tokens.swap(index, other),
        3 => tokens[index] = tokens[other],
        4 => {
            let mnemonics: Vec<&str> = Opcode::all().map(|op| op.def().mnemonic).collect();
            tokens[index] = random.pick(&mnemonics);
        }
        _ => tokens[index] = random.pick(TOKENS),
    }
    tokens.concat()
}

/// Replaces a token with another of its kind: a value with a value, a number with a number, a word
/// with a word.
fn alike(random: &mut Random<'_>, text: &str) -> String {
    let kind = |token: &str| match token.as_bytes().first() {
        Some(b'%') => 1,
        Some(b'@' | b'#') => 2,
        Some(byte) if byte.is_ascii_digit() => 3,
        Some(byte) if byte.is_ascii_alphabetic() => 4,
        _ => 0,
    };
    let mut tokens = split(text);
    let places: Vec<usize> = (0..tokens.len())
        .filter(|&index| kind(tokens[index]) != 0)
        .collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let index = random.pick(&places);
    let others: Vec<&str> = places
        .iter()
        .map(|&other| tokens[other])
        .filter(|other| kind(other) == kind(tokens[index]) && *other != tokens[index])
        .collect();
    if !others.is_empty() {
        tokens[index] = random.pick(&others);
    }
    tokens.concat()
}

fn lines(random: &mut Random<'_>, text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let (line, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(4) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(line, lines[other]),
        2 => lines.swap(line, other),
        _ => lines[line] = "\n",
    }
    lines.concat()
}

fn truncated(random: &mut Random<'_>, text: &str) -> String {
    let mut end = random.below(text.len() + 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// Inserts many copies of a token that opens a nested construct or continues a list.
fn nested(random: &mut Random<'_>, text: &str) -> String {
    const PARTS: &[&str] = &[
        "(",
        "[",
        "{",
        "<",
        "[[",
        "tile<",
        "if %0 {\n",
        "loop {\n",
        "loc(callsite(",
        "loc(fused[",
        "{a = ",
        "\"x\"() ({\n",
        "-",
        "%0, ",
        "loc(\"a\"(",
        "ptr<",
        "partition_view<",
    ];
    let tokens = split(text);
    let index = random.below(tokens.len() + 1);
    let times = 1 << random.below(13);
    let part = random.pick(PARTS).repeat(times);
    [tokens[..index].concat(), part, tokens[index..].concat()].concat()
}
