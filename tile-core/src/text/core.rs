//! Constants, entries, loops, branches and reductions: pairs of a parser and a
//! printer, because literals, hints and regions are beyond the declarative
//! format.

use super::cursor::parse_magnitude;
use super::lexer::TokenKind;
use super::number;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Attr, DenseElements, HintValue, Loc, Op, OpId, OptimizationHints, TypedScalar, ValueId,
};
use crate::ops::ControlFlowOp;
use crate::types::{Element, FunctionType, Scalar, Type, TypeKind, join};
use std::fmt::Write;
use std::sync::Arc;

/// Lists in a literal nest at most this deep.
const MAX_RANK: usize = 32;

// constant <E: LITERAL> : tile<…E>

pub(super) fn parse_constant(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parser.expect("<")?;
    let scalar = parser.scalar()?;
    parser.expect(":")?;
    let literal_loc = parser.loc();
    let mut bits = Vec::new();
    let shape = parse_literal(parser, scalar, &mut bits, 0)?;
    parser.expect(">")?;
    parser.expect(":")?;
    let loc = parser.loc();
    let ty = parser.parse_type()?;
    let Some(tile) = ty.as_tile() else {
        return parser.fail(Diagnostic::error(
            Code::TypeMismatch,
            loc,
            format!("expected a tile, found `{ty}`"),
        ));
    };
    if tile.element != Element::Scalar(scalar) {
        return parser.fail(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("expected a tile of `{scalar}`, found `{ty}`"),
            )
            .label(literal_loc, format!("the literal is of `{scalar}`")),
        );
    }
    if shape.as_ref().is_some_and(|shape| *shape != tile.shape) {
        let found = join(&shape.unwrap_or_default());
        return parser.fail(
            Diagnostic::error(
                Code::ShapeMismatch,
                literal_loc,
                format!(
                    "expected a literal of shape ({}), found ({found})",
                    join(&tile.shape)
                ),
            )
            .note("nested lists have the shape of the tile; a single number is repeated"),
        );
    }
    draft.set(
        "value",
        Attr::Dense(Arc::new(DenseElements::from_bits(scalar, bits))),
    );
    draft.results[0] = Some(vec![ty]);
    Ok(parser.create(draft))
}

/// The shape of the nested lists; `None` for a single number.
pub(super) fn parse_literal(
    parser: &mut Parser<'_>,
    scalar: Scalar,
    bits: &mut Vec<u64>,
    depth: usize,
) -> Parse<Option<Vec<i64>>> {
    let loc = parser.loc();
    if !parser.at("[") {
        bits.push(parse_number(parser, scalar)?);
        return Ok(None);
    }
    if depth == MAX_RANK {
        return parser.syntax(loc, format!("lists nested deeper than {MAX_RANK}"));
    }
    let items = parser.list("[", "]", |parser| {
        Ok((
            parser.loc(),
            parse_literal(parser, scalar, bits, depth + 1)?,
        ))
    })?;
    let Some((_, first)) = items.first() else {
        return parser.syntax(loc, "expected at least one number, found an empty list");
    };
    if let Some(&(loc, _)) = items.iter().find(|(_, shape)| shape != first) {
        return parser.syntax(loc, "lists at one level of a literal differ in shape");
    }
    let count = i64::try_from(items.len()).expect("fewer items than bytes");
    let inner = first.iter().flatten().copied();
    Ok(Some(std::iter::once(count).chain(inner).collect()))
}

/// The bit pattern of a number of type `scalar`.
fn parse_number(parser: &mut Parser<'_>, scalar: Scalar) -> Parse<u64> {
    let loc = parser.loc();
    if scalar == Scalar::I1 && parser.token.kind == TokenKind::Word {
        return Ok(u64::from(parser.one_of(&[false, true], |value| {
            if value { "true" } else { "false" }
        })?));
    }
    let negative = parser.eat("-");
    let token = parser.token;
    let hexadecimal = token.text.starts_with("0x");
    let bits = match token.kind {
        TokenKind::Int if scalar.is_integer() => parse_magnitude(token.text)
            .map(|value| if negative { -value } else { value })
            .and_then(|value| number::integer_bits(scalar, value)),
        TokenKind::Int if hexadecimal && !negative => parse_magnitude(token.text)
            .and_then(|value| u64::try_from(value).ok())
            .filter(|bits| scalar.bits() == 64 || bits >> scalar.bits() == 0),
        TokenKind::Float if scalar.is_float() => token
            .text
            .parse()
            .ok()
            .map(|value: f64| if negative { -value } else { value })
            .and_then(|value| number::encode(scalar, value)),
        _ if scalar.is_integer() => return parser.unexpected("an integer"),
        _ => return parser.unexpected("a number with a point or a bit pattern"),
    };
    parser.bump();
    let Some(bits) = bits else {
        let sign = if negative { "-" } else { "" };
        return parser.fail(Diagnostic::error(
            Code::OutOfRange,
            loc,
            format!("`{sign}{}` does not fit `{scalar}`", token.text),
        ));
    };
    Ok(bits)
}

pub(super) fn print_constant(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let Some(Attr::Dense(dense)) = op.attr("value") else {
        return None;
    };
    let result = op.result();
    let shape = &printer.module.ty(result).as_tile()?.shape;
    write!(printer.out, " <{}: ", dense.scalar()).ok()?;
    match &**dense {
        DenseElements::Splat { scalar, bits } => {
            printer.out.push_str(&number::print(*scalar, *bits));
        }
        DenseElements::Each { scalar, bits } => {
            let elements: i64 = shape.iter().try_fold(1i64, |n, &dim| n.checked_mul(dim))?;
            if shape.iter().any(|&dim| dim <= 0) || usize::try_from(elements) != Ok(bits.len()) {
                return None;
            }
            if bits.iter().all(|other| *other == bits[0]) {
                printer.out.push_str(&number::print(*scalar, bits[0]));
            } else {
                print_lists(&mut printer.out, *scalar, bits, shape);
            }
        }
    }
    printer.out.push_str("> :");
    printer.space_types(&[result]);
    Some(())
}

pub(super) fn print_lists(out: &mut String, scalar: Scalar, bits: &[u64], shape: &[i64]) {
    let Some((&extent, inner)) = shape.split_first() else {
        out.push_str(&number::print(scalar, bits[0]));
        return;
    };
    let extent = usize::try_from(extent).expect("extents are positive");
    out.push('[');
    for (at, part) in bits.chunks(bits.len() / extent).enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        print_lists(out, scalar, part, inner);
    }
    out.push(']');
}

// entry @name(%a: T, …) optimization_hints=<…> { … }

pub(super) fn parse_entry(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let name = parser.take(TokenKind::Symbol, "the entry's name")?.text;
    let arguments = parser.list("(", ")", Parser::argument)?;
    if let Some(hints) = parse_hints(parser)? {
        draft.set("optimization_hints", hints);
    }
    let signature = FunctionType {
        inputs: arguments.iter().map(|&(_, ty, _)| ty).collect(),
        results: Vec::new(),
    };
    draft.set("sym_name", Attr::Str(name.into()));
    draft.set(
        "function_type",
        Attr::Type(Type::new(TypeKind::Function(signature))),
    );
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(ControlFlowOp::Return))?;
    Ok(op)
}

pub(super) fn print_entry(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let Some(Attr::Str(name)) = op.attr("sym_name") else {
        return None;
    };
    write!(printer.out, " @{name}").ok()?;
    let block = printer.module.region_block(id, 0)?;
    printer.arguments(&printer.module.block(block).args);
    print_hints(printer, op, "optimization_hints=")?;
    printer.block(block, None);
    Some(())
}

// optimization_hints = <ARCH = {key = value, …}, …>

/// The hints, unless there are none or their list is empty.
pub(super) fn parse_hints(parser: &mut Parser<'_>) -> Parse<Option<Attr>> {
    if !parser.eat_word("optimization_hints") {
        return Ok(None);
    }
    parser.expect("=")?;
    parse_hint_list(parser).map(|hints| Some(hints).filter(|hints| !is_empty(hints)))
}

/// `<…>`
pub(super) fn parse_hint_list(parser: &mut Parser<'_>) -> Parse<Attr> {
    let mut per_arch = parser.list("<", ">", |parser| {
        let arch = hint_key(parser)?;
        parser.expect("=")?;
        let mut entries = parser.list("{", "}", |parser| {
            let key = hint_key(parser)?;
            parser.expect("=")?;
            Ok((key, hint_value(parser)?))
        })?;
        sort_unique(parser, &mut entries)?;
        let entries = entries.into_iter();
        Ok((
            arch,
            entries.map(|((key, _), value)| (key, value)).collect(),
        ))
    })?;
    sort_unique(parser, &mut per_arch)?;
    let per_arch: Vec<_> = per_arch
        .into_iter()
        .map(|((arch, _), entries)| (arch, entries))
        .collect();
    Ok(Attr::Hints(Arc::new(OptimizationHints { per_arch })))
}

fn is_empty(hints: &Attr) -> bool {
    matches!(hints, Attr::Hints(hints) if hints.per_arch.is_empty())
}

fn hint_key(parser: &mut Parser<'_>) -> Parse<(String, Loc)> {
    let loc = parser.loc();
    if parser.token.kind == TokenKind::Str {
        return Ok((parser.string()?, loc));
    }
    let word = parser.take(TokenKind::Word, "a key")?;
    Ok((word.text.to_owned(), loc))
}

fn hint_value(parser: &mut Parser<'_>) -> Parse<HintValue> {
    if parser.eat_word("true") {
        return Ok(HintValue::Bool(true));
    }
    if parser.eat_word("false") {
        return Ok(HintValue::Bool(false));
    }
    let value = parser.integer()?;
    if parser.eat(":") {
        parser.scalar()?;
    }
    Ok(HintValue::Int(value))
}

fn sort_unique<T>(parser: &mut Parser<'_>, entries: &mut [((String, Loc), T)]) -> Parse<()> {
    entries.sort_by(|((a, _), _), ((b, _), _)| a.cmp(b));
    let twice = entries
        .windows(2)
        .find(|pair| pair[0].0.0 == pair[1].0.0)
        .map(|pair| pair[1].0.clone());
    match twice {
        Some((key, loc)) => parser.syntax(loc, format!("`{key}` is given twice")),
        None => Ok(()),
    }
}

/// ` optimization_hints = <…>`, with the given way to write the equals sign.
pub(super) fn print_hints(printer: &mut Printer<'_>, op: &Op, prefix: &str) -> Option<()> {
    let hints = match op.attr("optimization_hints") {
        None => return Some(()),
        Some(Attr::Hints(hints)) => hints,
        Some(_) => return None,
    };
    if hints.per_arch.is_empty() {
        return Some(());
    }
    write!(printer.out, " {prefix}").ok()?;
    print_hint_list(printer, hints)
}

/// `<…>`
pub(super) fn print_hint_list(printer: &mut Printer<'_>, hints: &OptimizationHints) -> Option<()> {
    printer.out.push('<');
    for (at, (arch, entries)) in hints.per_arch.iter().enumerate() {
        if at > 0 {
            printer.out.push_str(", ");
        }
        print_key(printer, arch);
        printer.out.push_str(" = {");
        for (at, (key, value)) in entries.iter().enumerate() {
            if at > 0 {
                printer.out.push_str(", ");
            }
            print_key(printer, key);
            match value {
                HintValue::Int(number) => write!(printer.out, " = {number}").ok()?,
                HintValue::Bool(switch) => write!(printer.out, " = {switch}").ok()?,
                _ => return None,
            }
        }
        printer.out.push('}');
    }
    printer.out.push('>');
    Some(())
}

/// A word as it is, anything else as a string.
fn print_key(printer: &mut Printer<'_>, key: &str) {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if key.bytes().all(legal) && key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        printer.out.push_str(key);
    } else {
        printer.string(key);
    }
}

// for [unsigned] %i in (%lb to %ub, step %st) : T [iter_values(%a = %x, …) -> (T, …)] { … }

pub(super) fn parse_for(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    if parser.eat_word("unsigned") {
        draft.set("unsignedCmp", Attr::Unit);
    }
    let loc = parser.loc();
    let induction = parser.take(TokenKind::Value, "the loop variable")?.text;
    parser.keyword("in")?;
    parser.expect("(")?;
    let lower = parser.value()?;
    parser.keyword("to")?;
    let upper = parser.value()?;
    parser.expect(",")?;
    parser.keyword("step")?;
    let step = parser.value()?;
    parser.expect(")")?;
    parser.expect(":")?;
    let ty = parser.type_of(lower)?;
    let mut carried = Vec::new();
    let mut types = Vec::new();
    if parser.eat_word("iter_values") {
        carried = parser.list("(", ")", |parser| {
            let loc = parser.loc();
            let name = parser.take(TokenKind::Value, "a carried value")?.text;
            parser.expect("=")?;
            Ok((name, parser.value()?, loc))
        })?;
        parser.expect("->")?;
        let loc = parser.loc();
        types = parser.list("(", ")", Parser::parse_type)?;
        if types.len() != carried.len() {
            let message = format!("expected {} types, found {}", carried.len(), types.len());
            return parser.syntax(loc, message);
        }
    }
    let mut arguments = vec![(induction, ty, loc)];
    for (&(name, _, loc), &ty) in carried.iter().zip(&types) {
        arguments.push((name, ty, loc));
    }
    draft.operands[0] = vec![lower];
    draft.operands[1] = vec![upper];
    draft.operands[2] = vec![step];
    draft.operands[3] = carried.into_iter().map(|(_, value, _)| value).collect();
    draft.results[0] = Some(types);
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(ControlFlowOp::Continue))?;
    Ok(op)
}

pub(super) fn print_for(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.region_block(id, 0)?;
    let (&induction, carried) = printer.module.block(block).args.split_first()?;
    let inits = op.operands_of("initValues");
    if carried.len() != inits.len() || carried.len() != op.results.len() {
        return None;
    }
    if op.has_flag("unsignedCmp") {
        printer.space("unsigned");
    }
    printer.space_values(&[induction]);
    printer.out.push_str(" in (");
    printer.value(op.operand("lowerBound"));
    printer.out.push_str(" to ");
    printer.value(op.operand("upperBound"));
    printer.out.push_str(", step ");
    printer.value(op.operand("step"));
    printer.out.push_str(") :");
    printer.space_types(&[op.operand("lowerBound")]);
    if !carried.is_empty() {
        printer.out.push_str(" iter_values(");
        for (at, (&argument, &init)) in carried.iter().zip(inits).enumerate() {
            if at > 0 {
                printer.out.push_str(", ");
            }
            printer.value(argument);
            printer.out.push_str(" = ");
            printer.value(init);
        }
        printer.out.push_str(") -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
    printer.block(block, Some(ControlFlowOp::Continue));
    Some(())
}

// if %c [-> (T, …)] { … } [else { … }]

pub(super) fn parse_if(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    draft.operands[0] = vec![parser.value()?];
    draft.results[0] = Some(if parser.eat("->") {
        parser.list("(", ")", Parser::parse_type)?
    } else {
        Vec::new()
    });
    let op = parser.create(draft);
    parser.region(op, &[], Some(ControlFlowOp::Yield))?;
    if parser.eat_word("else") {
        parser.region(op, &[], Some(ControlFlowOp::Yield))?;
    } else {
        parser.module.add_region(op);
    }
    Ok(op)
}

pub(super) fn print_if(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    printer.space_values(op.operands_of("condition"));
    if !op.results.is_empty() {
        printer.out.push_str(" -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
    let blocks = |region: usize| printer.module.region(op.regions[region]).blocks.as_slice();
    let ([then], otherwise @ ([] | [_])) = (blocks(0), blocks(1)) else {
        return None;
    };
    printer.block(*then, Some(ControlFlowOp::Yield));
    if let [otherwise] = otherwise {
        printer.out.push_str(" else");
        printer.block(*otherwise, Some(ControlFlowOp::Yield));
    }
    Some(())
}

// reduce %a, … dim=N identities=[v : E, …] : T, … -> T, … (%x: T, %acc: T, …) { … }

pub(super) fn parse_reduce(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let operands: Vec<ValueId> = parser.comma_list(Parser::value)?;
    parser.keyword("dim")?;
    parser.expect("=")?;
    let dim = parser.small::<u32>("axis")?;
    parser.keyword("identities")?;
    parser.expect("=")?;
    let identities = parser.list("[", "]", parse_typed_number)?;
    parser.expect(":")?;
    parser.types_of(&operands)?;
    parser.expect("->")?;
    let results = parser.comma_list(Parser::parse_type)?;
    let arguments = parser.list("(", ")", Parser::argument)?;
    draft.operands[0] = operands;
    draft.set("dim", Attr::Int(i64::from(dim)));
    draft.set("identities", Attr::Scalars(identities));
    draft.results[0] = Some(results);
    let op = parser.create(draft);
    parser.region(op, &arguments, None)?;
    Ok(op)
}

/// `1.0 : f32`, `true`; the bits come before their type, so the number is read
/// a second time once the type is known.
pub(super) fn parse_typed_number(parser: &mut Parser<'_>) -> Parse<TypedScalar> {
    if parser.at_word("true") || parser.at_word("false") {
        let bits = parse_number(parser, Scalar::I1)?;
        if parser.eat(":") {
            parser.keyword("i1")?;
        }
        return Ok(TypedScalar {
            scalar: Scalar::I1,
            bits,
        });
    }
    let start = parser.token.start;
    parser.eat("-");
    if !matches!(parser.token.kind, TokenKind::Int | TokenKind::Float) {
        return parser.unexpected("a number");
    }
    parser.bump();
    parser.expect(":")?;
    let scalar = parser.scalar()?;
    let end = parser.token.start;
    parser.lexer.rewind(start);
    parser.bump();
    let bits = parse_number(parser, scalar)?;
    parser.lexer.rewind(end);
    parser.bump();
    Ok(TypedScalar { scalar, bits })
}

pub(super) fn print_reduce(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let (Some(Attr::Int(dim)), Some(Attr::Scalars(identities))) =
        (op.attr("dim"), op.attr("identities"))
    else {
        return None;
    };
    let block = printer.module.region_block(id, 0)?;
    let operands = op.operands_of("operands");
    printer.space_values(operands);
    let identities: Vec<String> = identities
        .iter()
        .map(|&TypedScalar { scalar, bits }| match scalar {
            Scalar::I1 => number::print(scalar, bits),
            _ => format!("{} : {scalar}", number::print(scalar, bits)),
        })
        .collect();
    write!(
        printer.out,
        " dim={dim} identities=[{}] :",
        identities.join(", ")
    )
    .ok()?;
    printer.space_types(operands);
    printer.out.push_str(" ->");
    printer.space_types(&op.results);
    printer.out.push(' ');
    printer.arguments(&printer.module.block(block).args);
    printer.block(block, None);
    Some(())
}
