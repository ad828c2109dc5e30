//! Applies a help to the program that it belongs to.
//!
//! Given a program and a [`CompileError`], generates the programs that the help may mean: the code between
//! backquotes goes to the place of the error, or to the place that the words next to the code name.
//!
//! - `` write `NEW` ``: replaces the code at the error, or a node that encloses it
//! - `` write `NEW` for `OLD` ``: replaces `OLD` in the function that contains the error
//! - `` write `NEW` above `OLD` ``: inserted on a line of its own
//! - `` write `NEW` around it `` and any `..` between brackets: `..` stands for the replaced code
//! - `` add `NEW` ``: inserted after the error, or at the end of its brackets
//! - `` remove `OLD` ``
//! - a parameter, the signature of a function or an attribute: replaces its counterpart in the function that
//!   contains the error
//!
//! If a help has several of these, each is applied on its own, and all are applied together.

use super::CompileError;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A byte range and the text that replaces it.
type Edit = (Range<usize>, String);

/// The maximum number of places that are tried: the error, followed by the enclosing nodes from the smallest
/// to the largest.
const SURROUNDINGS: usize = 9;

/// The nodes of a program that enclose a place, each of which may have to be replaced as a whole.
struct Around {
    place: Range<usize>,
    found: BTreeSet<(usize, usize)>,
    /// The innermost function.
    function: Option<Range<usize>>,
    /// The name and range of each parameter of the function.
    params: Vec<(String, Range<usize>)>,
    /// The signature of the function, from `fn` or the qualifiers before `fn` to the end of the
    /// result type.
    head: Option<Range<usize>>,
    attributes: Vec<Range<usize>>,
}

impl Around {
    fn holds(&self, range: &Range<usize>) -> bool {
        range.start <= self.place.start && self.place.end <= range.end
    }

    fn note(&mut self, node: &impl ToTokens) {
        let range = node.span().byte_range();
        if self.holds(&range) {
            self.found.insert((range.end - range.start, range.start));
        }
    }

    fn function(
        &mut self,
        whole: Range<usize>,
        signature: &syn::Signature,
        attrs: &[syn::Attribute],
    ) {
        if !self.holds(&whole) {
            return;
        }
        self.function = Some(whole);
        self.params = signature
            .inputs
            .iter()
            .map(|input| {
                let name = match input {
                    syn::FnArg::Typed(typed) => typed.pat.to_token_stream().to_string(),
                    syn::FnArg::Receiver(_) => "self".to_owned(),
                };
                (name.replace("mut ", ""), input.span().byte_range())
            })
            .collect();
        self.head = Some(signature.span().byte_range());
        let spans = attrs.iter().map(|attr| attr.span().byte_range());
        self.attributes = spans.collect();
    }

    /// Records the text between the commas of each pair of brackets around the place.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut segment: Option<Range<usize>> = None;
        let mut segments = Vec::new();
        for token in tokens {
            let range = token.span().byte_range();
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ',' || punct.as_char() == ';' => {
                    segments.extend(segment.take());
                    continue;
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            // The place may begin with this token and extend beyond it.
            if range.start == self.place.start {
                self.found.insert((range.end - range.start, range.start));
            }
            segment = Some(segment.map_or(range.clone(), |first| first.start..range.end));
        }
        segments.extend(segment);
        for range in segments {
            if self.holds(&range) {
                self.found.insert((range.end - range.start, range.start));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Around {
    fn visit_expr(&mut self, node: &'ast syn::Expr) {
        self.note(node);
        syn::visit::visit_expr(self, node);
    }

    fn visit_type(&mut self, node: &'ast syn::Type) {
        self.note(node);
        syn::visit::visit_type(self, node);
    }

    fn visit_generic_param(&mut self, node: &'ast syn::GenericParam) {
        self.note(node);
        syn::visit::visit_generic_param(self, node);
    }

    fn visit_pat(&mut self, node: &'ast syn::Pat) {
        self.note(node);
        syn::visit::visit_pat(self, node);
    }

    fn visit_stmt(&mut self, node: &'ast syn::Stmt) {
        self.note(node);
        syn::visit::visit_stmt(self, node);
    }

    fn visit_fn_arg(&mut self, node: &'ast syn::FnArg) {
        self.note(node);
        syn::visit::visit_fn_arg(self, node);
    }

    fn visit_attribute(&mut self, node: &'ast syn::Attribute) {
        self.note(node);
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.function(node.span().byte_range(), &node.sig, &node.attrs);
        syn::visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.function(node.span().byte_range(), &node.sig, &node.attrs);
        syn::visit::visit_impl_item_fn(self, node);
    }
}

fn around(text: &str, place: &Range<usize>) -> Around {
    let mut around = Around {
        place: place.clone(),
        found: BTreeSet::new(),
        function: None,
        params: Vec::new(),
        head: None,
        attributes: Vec::new(),
    };
    if let Ok(file) = syn::parse_file(text) {
        around.visit_file(&file);
        around.tokens(file.to_token_stream());
    }
    around
}

/// The code between a pair of backquotes in a help.
#[derive(Clone, Debug)]
struct Piece {
    /// The word before it, other than `the`.
    before: String,
    code: String,
    /// The word after it.
    after: String,
}

/// Returns the code between each pair of backquotes, with the words next to it.
fn written(help: &str) -> Vec<Piece> {
    let parts: Vec<&str> = help.split('`').collect();
    let code = (1..parts.len()).step_by(2);
    code.map(|index| Piece {
        before: parts[index - 1]
            .split_whitespace()
            .rfind(|word| *word != "the")
            .unwrap_or_default()
            .to_owned(),
        code: parts[index].to_owned(),
        after: parts
            .get(index + 1)
            .and_then(|text| text.split_whitespace().next())
            .unwrap_or_default()
            .to_owned(),
    })
    .collect()
}

/// Returns the occurrences of `code` in a text, as whole words.
fn occurrences(text: &str, code: &str) -> Vec<Range<usize>> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(code)
        .map(|(start, _)| start..start + code.len())
        .filter(|range| {
            let before = text[..range.start].chars().next_back();
            let after = text[range.end..].chars().next();
            let cuts = |side: Option<char>, edge: Option<char>| {
                side.is_some_and(is_word) && edge.is_some_and(is_word)
            };
            !cuts(before, code.chars().next()) && !cuts(after, code.chars().next_back())
        })
        .collect()
}

/// Returns the ranges between the outermost pairs of one kind of bracket, in order.
fn between(text: &str, open: char) -> Vec<Range<usize>> {
    let close = match open {
        '(' => ')',
        '[' => ']',
        '<' => '>',
        _ => '}',
    };
    let (mut depth, mut start, mut ranges) = (0, 0, Vec::new());
    for (offset, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
            if depth == 1 {
                start = offset + 1;
            }
        } else if letter == close && depth > 0 {
            depth -= 1;
            if depth == 0 {
                ranges.push(start..offset);
            }
        }
    }
    ranges
}

/// Returns each `..` that is a placeholder, not a range operator, with the innermost open bracket around it.
fn holes(code: &str) -> Vec<(Range<usize>, Option<char>)> {
    let mut open = Vec::new();
    let mut holes = Vec::new();
    for (offset, letter) in code.char_indices() {
        match letter {
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' => {
                open.pop();
            }
            '.' if code[offset..].starts_with("..") => {
                let before = code[..offset].trim_end().chars().next_back();
                let after = code[offset + 2..].trim_start().chars().next();
                let begins = before.is_none_or(|before| "([{,;}<=".contains(before));
                let ends = after.is_none_or(|after| ")]},;".contains(after));
                if begins && ends {
                    holes.push((offset..offset + 2, open.last().copied()));
                }
            }
            _ => {}
        }
    }
    holes
}

/// Returns the texts that may replace `old`: `code`, with each `..` filled in from `old`.
fn filled(code: &str, old: &str) -> Vec<String> {
    let holes = holes(code);
    if holes.is_empty() {
        return vec![code.to_owned()];
    }
    let bare = old.trim_end_matches(';');
    let mut list = Vec::new();
    // A placeholder may stand for all of the old code, with or without its `;`, or for the text in its first
    // or last pair of the same brackets.
    for choice in 0..4 {
        let mut text = code.to_owned();
        for (range, open) in holes.iter().rev() {
            let inner = open.map_or_else(Vec::new, |open| between(old, open));
            let with = match choice {
                0 => Some(old),
                1 => Some(bare),
                2 => inner.first().map(|inner| &old[inner.clone()]),
                _ => inner.last().map(|inner| &old[inner.clone()]),
            };
            // An attribute may have had no brackets.
            let with = with.unwrap_or_default().trim().trim_end_matches(',');
            let mut range = range.clone();
            if with.is_empty() {
                let before = text[..range.start].trim_end();
                if let Some(before) = before.strip_suffix(',') {
                    range.start = before.len();
                } else if text[range.end..].starts_with(", ") {
                    range.end += 2;
                }
            }
            text.replace_range(range, with);
        }
        if !list.contains(&text) {
            list.push(text);
        }
    }
    list
}

fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let apart = edits.windows(2).all(|two| two[0].0.end <= two[1].0.start);
    if !apart {
        return None;
    }
    let mut new = text.to_owned();
    for (range, with) in edits.into_iter().rev() {
        new.replace_range(range.clone(), with);
    }
    Some(new)
}

/// Returns the alternative sets of edits of a piece that determines its own place; `None` for any other.
fn placed(
    text: &str,
    piece: &Piece,
    next: Option<&Piece>,
    context: &Around,
) -> Option<Vec<Vec<Edit>>> {
    let code = piece.code.as_str();
    let function = context.function.clone().unwrap_or(0..text.len());
    if piece.after == "for" {
        let old = next?.code.as_str();
        let ranges = occurrences(&text[function.clone()], old);
        let ranges: Vec<Range<usize>> = ranges
            .into_iter()
            .map(|range| function.start + range.start..function.start + range.end)
            .collect();
        let distance = |range: &Range<usize>| range.start.abs_diff(context.place.start);
        let nearest = ranges.iter().min_by_key(|range| distance(range))?.clone();
        let edit = |range: Range<usize>| (range, code.to_owned());
        return Some(vec![
            vec![edit(nearest)],
            ranges.into_iter().map(edit).collect(),
        ]);
    }
    if piece.after == "above" {
        let matches = text.match_indices(next?.code.as_str());
        let edits = matches.map(|(offset, _)| {
            let line = text[..offset].rfind('\n').map_or(0, |end| end + 1);
            vec![(line..line, format!("{code}\n"))]
        });
        return Some(edits.collect());
    }
    let whole = |range: &Range<usize>| {
        let old = &text[range.clone()];
        let texts = filled(code, old).into_iter();
        texts.map(|new| vec![(range.clone(), new)]).collect()
    };
    if code.starts_with("#[tile_kernel(") {
        let is_ours = |range: &&Range<usize>| text[(*range).clone()].contains("tile_kernel");
        return context.attributes.iter().find(is_ours).map(whole);
    }
    if code.starts_with("fn ") || code.starts_with("unsafe fn ") {
        return context.head.as_ref().map(whole);
    }
    // `name: type`, as a parameter.
    let (name, ty) = code.split_once(": ")?;
    let param = context.params.iter().find(|(known, _)| known == name);
    let (_, range) = param?;
    syn::parse_str::<syn::Type>(ty).ok()?;
    Some(vec![vec![(range.clone(), code.to_owned())]])
}

/// Returns the ranges whose removal may be meant: `range`, alone or with an adjacent comma or space.
fn removals(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut list = vec![range.clone()];
    let rest = &text[range.end..];
    let spaces = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(',') {
        let end = range.end + spaces + 1;
        let more = text[end..].len() - text[end..].trim_start().len();
        list.push(range.start..end + more);
    }
    let before = text[..range.start].trim_end();
    if let Some(before) = before.strip_suffix(',') {
        list.push(before.len()..range.end);
    }
    if rest.starts_with(' ') {
        list.push(range.start..range.end + 1);
    }
    list
}

/// Returns the edits, each an alternative, of a piece that goes to the place of the error.
fn local(text: &str, piece: &Piece, place: &Range<usize>, context: &Around) -> Vec<Edit> {
    let code = piece.code.as_str();
    let mut list: Vec<Edit> = Vec::new();
    let surroundings = context
        .found
        .iter()
        .map(|&(length, start)| start..start + length);
    let whole: Vec<Range<usize>> = std::iter::once(place.clone())
        .chain(surroundings)
        .take(SURROUNDINGS)
        .collect();
    if piece.before == "remove" {
        for range in &whole {
            let matches = occurrences(&text[range.clone()], code).into_iter();
            for one in matches.map(|one| range.start + one.start..range.start + one.end) {
                let removed = removals(text, &one).into_iter();
                list.extend(removed.map(|range| (range, String::new())));
            }
        }
        return list;
    }
    for range in &whole {
        let old = &text[range.clone()];
        for new in filled(code, old) {
            if old.ends_with(';') && !new.ends_with(';') {
                list.push((range.start..range.end - 1, new.clone()));
            }
            list.push((range.clone(), new));
        }
    }
    // The code may be a method call after the value, or a replacement for the value.
    if let Some(rest) = code.strip_prefix('.') {
        for range in &whole {
            list.push((range.end..range.end, code.to_owned()));
            for new in filled(rest, &text[place.start..range.end.max(place.start)]) {
                list.push((place.start..range.end, new));
            }
        }
    }
    for range in &whole {
        if range.start < place.start && range.end > place.start {
            for new in filled(code, &text[place.start..range.end]) {
                list.push((place.start..range.end, new));
            }
        }
        if piece.before != "add" {
            continue;
        }
        list.push((range.end..range.end, format!(", {code}")));
        list.push((range.end..range.end, format!(" {code}")));
        // The code may belong at the end of the brackets.
        let old = &text[range.clone()];
        if let Some(inner) = old.strip_suffix([')', ']', '}']) {
            let inner = inner.trim_end();
            let end = range.start + inner.len();
            let comma = if inner.ends_with([',', ';', '{', '(', '[', '}']) {
                " "
            } else {
                ", "
            };
            list.push((end..end, format!("{comma}{code}")));
        }
    }
    list
}

/// Returns the edits that `remove it` may mean.
fn left_out(text: &str, place: &Range<usize>, context: &Around) -> Vec<Edit> {
    let nodes = context
        .found
        .iter()
        .map(|&(length, start)| start..start + length);
    let whole = std::iter::once(place.clone()).chain(nodes.take(4));
    let mut list = Vec::new();
    for range in whole {
        // An operand is removed together with its operator.
        if let Ok(syn::Expr::Binary(binary)) = syn::parse_str::<syn::Expr>(&text[range.clone()]) {
            for side in [&binary.left, &binary.right] {
                let side = side.span().byte_range();
                let kept = &text[range.start + side.start..range.start + side.end];
                list.push((range.clone(), kept.to_owned()));
            }
        }
        let removed = removals(text, &range).into_iter();
        list.extend(removed.map(|range| (range, String::new())));
    }
    list
}

/// Returns the programs that a help may mean.
pub(super) fn applied(text: &str, error: &CompileError) -> Vec<String> {
    // The advice after this phrase (`unsafe`) only silences the report.
    let help = error.help.split("what you know to be right").next();
    let pieces = written(help.unwrap_or_default());
    let mut list: Vec<String> = Vec::new();
    let mut push = |edits: &[Edit]| {
        if let Some(new) = edited(text, edits)
            && new != text
            && !list.contains(&new)
        {
            list.push(new);
        }
    };
    for place in &error.places {
        let context = around(text, place);
        // These are the edits of the pieces that determine their own place; each piece is also tried at the
        // error.
        let mut sets: Vec<Vec<Vec<Edit>>> = Vec::new();
        let mut rest: Vec<&Piece> = Vec::new();
        let mut skip = false;
        for (number, piece) in pieces.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            if let Some(edits) = placed(text, piece, pieces.get(number + 1), &context) {
                skip = matches!(piece.after.as_str(), "for" | "above");
                sets.push(edits);
            }
            rest.push(piece);
        }
        for edits in sets.iter().flatten() {
            push(edits);
        }
        let locals: Vec<Vec<Edit>> = rest
            .iter()
            .map(|piece| local(text, piece, place, &context))
            .collect();
        for edit in locals.iter().flatten() {
            push(std::slice::from_ref(edit));
        }
        // All pieces are applied together: each combination of places, with at most one text at the
        // error.
        let mut joint: Vec<Vec<Edit>> = vec![Vec::new()];
        for choices in &sets {
            joint = joint
                .iter()
                .flat_map(|before| {
                    choices.iter().map(move |choice| {
                        let mut combined = before.clone();
                        combined.extend(choice.iter().cloned());
                        combined
                    })
                })
                .take(16)
                .collect();
        }
        if sets.len() > 1 {
            for edits in &joint {
                push(edits);
            }
        }
        if !sets.is_empty() {
            for edits in &joint {
                for edit in locals.iter().flatten() {
                    let mut combined = edits.clone();
                    combined.push(edit.clone());
                    push(&combined);
                }
            }
        }
        if error.help.starts_with("remove ") || error.help.starts_with("leave it out") {
            for edit in left_out(text, place, &context) {
                push(std::slice::from_ref(&edit));
            }
        }
        if error.help.contains("without `;`")
            && let Some(semicolon) = text[place.start..].find(';')
        {
            push(&[(
                place.start + semicolon..place.start + semicolon + 1,
                String::new(),
            )]);
        }
    }
    list
}
