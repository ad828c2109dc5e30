//! The attributes of a row in MLIR's generic form, by kind of slot: `0 : i32`,
//! `#cuda_tile.overflow<none>`, `dense<[1, 2]> : T`, …

use super::assume::{parse_predicate, print_predicate};
use super::attribute::parse_bool;
use super::constant::{parse_typed_number, print_typed_number};
use super::cursor::Mark;
use super::dictionary::Given;
use super::generic::Prefixed;
use super::hints::{parse_hints, print_hints};
use super::lexer::TokenKind;
use super::literal::{Literal, print_elements};
use super::number;
use super::parser::{Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, IntegerOverflow,
    Loc, MemoryOrdering, MemoryScope, Op, RoundingMode, Signedness, SymbolVisibility,
};
use crate::ops::{AttrDef, AttrKind};
use crate::types::{Element, Scalar, Type};
use std::fmt::Write;
use std::sync::Arc;

impl<'s> Parser<'s> {
    /// Parses the text after the name of the attribute `slot` in a dictionary.
    pub(super) fn slot_value(&mut self, slot: &AttrDef, given: &mut Given) -> Parse<Attr> {
        if slot.kind == AttrKind::Unit {
            if self.eat("=") {
                self.keyword("unit")?;
            }
            return Ok(Attr::Unit);
        }
        self.expect("=")?;
        self.through_alias(|parser| parser.slot_attr(slot, given))
    }

    fn slot_attr(&mut self, slot: &AttrDef, given: &mut Given) -> Parse<Attr> {
        Ok(match slot.kind {
            AttrKind::Unit => Attr::Unit,
            AttrKind::U32 => Attr::Int(self.typed_integer(Scalar::I32)?),
            AttrKind::U64 => Attr::Int(self.typed_integer(Scalar::I64)?),
            AttrKind::Bool => Attr::Bool(parse_bool(self)?),
            AttrKind::Str => Attr::Str(self.string()?.into()),
            AttrKind::Symbol => Attr::Symbol(self.symbol("a symbol")?),
            AttrKind::Type if self.at("(") => Attr::Type(self.function_type()?),
            AttrKind::Type => Attr::Type(self.parse_type()?),
            AttrKind::Dense => {
                let (elements, ty, loc) = self.dense_elements()?;
                given.dense_type = Some((ty, loc));
                Attr::Dense(Arc::new(elements))
            }
            AttrKind::I32Array => Attr::I32Array(self.i32_array()?.into()),
            AttrKind::BoolArray => Attr::BoolArray(self.array(Scalar::I1, parse_bool)?.into()),
            AttrKind::Scalars => Attr::Scalars(self.list("[", "]", parse_typed_number)?.into()),
            AttrKind::Assume => Attr::Assume(Box::new(parse_predicate(self)?)),
            AttrKind::Hints => {
                self.expect("#")?;
                self.keyword("cuda_tile.optimization_hints")?;
                let none = || Attr::Hints(Arc::default());
                parse_hints(self)?.unwrap_or_else(none)
            }
            AttrKind::Signedness => Attr::Signedness(self.wrapped(
                "cuda_tile.signedness",
                Signedness::ALL,
                Signedness::name,
            )?),
            AttrKind::Overflow => Attr::Overflow(self.wrapped(
                "cuda_tile.overflow",
                IntegerOverflow::ALL,
                IntegerOverflow::name,
            )?),
            AttrKind::Rounding(_) => Attr::Rounding(self.wrapped(
                "cuda_tile.rounding",
                RoundingMode::ALL,
                RoundingMode::name,
            )?),
            AttrKind::Predicate => Attr::Predicate(self.wrapped(
                "cuda_tile.comparison_predicate",
                ComparisonPredicate::ALL,
                ComparisonPredicate::name,
            )?),
            AttrKind::Ordering => Attr::Ordering(self.wrapped(
                "cuda_tile.comparison_ordering",
                ComparisonOrdering::ALL,
                ComparisonOrdering::name,
            )?),
            AttrKind::Visibility => Attr::Visibility(self.wrapped(
                "cuda_tile.symbol_visibility",
                SymbolVisibility::ALL,
                SymbolVisibility::name,
            )?),
            AttrKind::MemoryOrdering(_) => Attr::MemoryOrdering(
                self.enum_number("memory ordering", MemoryOrdering::from_number)?,
            ),
            AttrKind::MemoryScope(_) => {
                Attr::MemoryScope(self.enum_number("memory scope", MemoryScope::from_number)?)
            }
            AttrKind::RmwMode(_) => {
                Attr::RmwMode(self.enum_number("mode", AtomicRmwMode::from_number)?)
            }
        })
    }

    /// Parses `N : T`; the type is optional.
    fn typed_integer(&mut self, scalar: Scalar) -> Parse<i64> {
        let value = self.integer()?;
        if self.eat(":") {
            self.keyword(scalar.name())?;
        }
        Ok(value)
    }

    /// Parses `N : i32`, the number of an enum value.
    fn enum_number<T>(&mut self, what: &str, from_number: fn(u64) -> Option<T>) -> Parse<T> {
        let loc = self.loc();
        let number = self.typed_integer(Scalar::I32)?;
        let value = u64::try_from(number).ok().and_then(from_number);
        match value {
            Some(value) => Ok(value),
            None => self.fail(Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("`{number}` is the number of no {what}"),
            )),
        }
    }

    /// Parses `#NAME<VALUE>`.
    fn wrapped<T: Copy>(
        &mut self,
        name: &str,
        values: &[T],
        spelling: fn(T) -> &'static str,
    ) -> Parse<T> {
        if !self.at("#") {
            return self.unexpected(&format!("`#{name}<…>`"));
        }
        self.bump();
        self.keyword(name)?;
        self.expect("<")?;
        let value = self.one_of(values, spelling)?;
        self.expect(">")?;
        Ok(value)
    }

    /// Parses `array<i32: …>`.
    pub(super) fn i32_array(&mut self) -> Parse<Vec<i32>> {
        self.array(Scalar::I32, |parser| parser.small("32-bit number"))
    }

    fn array<T>(
        &mut self,
        element: Scalar,
        item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.keyword("array")?;
        self.expect("<")?;
        self.keyword(element.name())?;
        let items = if self.eat(":") {
            self.comma_list(item)?
        } else {
            Vec::new()
        };
        self.expect(">")?;
        Ok(items)
    }

    /// Parses `dense<LITERAL> : T`. The type comes last, so the literal is read twice.
    fn dense_elements(&mut self) -> Parse<(DenseElements, Type, Loc)> {
        self.keyword("dense")?;
        self.expect("<")?;
        let literal = self.mark();
        self.skip_literal()?;
        self.expect(":")?;
        let loc = self.loc();
        let ty = self.parse_type()?;
        let end = self.mark();
        let tile = match ty.as_tile() {
            Some(tile) => match tile.element {
                Element::Scalar(scalar) => Some((scalar, tile.shape.as_slice())),
                Element::Ptr(_) => None,
            },
            None => None,
        };
        let Some((scalar, shape)) = tile else {
            return self.fail(Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("expected a tile of numbers, found `{ty}`"),
            ));
        };
        let elements = self.literal_again(literal, scalar, shape)?;
        self.go_to(end);
        Ok((elements, ty, loc))
    }

    /// Skips past the `>` of a literal.
    fn skip_literal(&mut self) -> Parse<()> {
        while !self.eat(">") {
            if self.token.kind == TokenKind::End {
                return self.unexpected("`>`");
            }
            self.bump();
        }
        Ok(())
    }

    fn literal_again(
        &mut self,
        literal: Mark<'s>,
        scalar: Scalar,
        shape: &[i64],
    ) -> Parse<DenseElements> {
        self.go_to(literal);
        let loc = self.loc();
        let literal = Literal::parse(self, scalar)?;
        self.expect(">")?;
        let elements = literal.fill(scalar, shape);
        elements.or_else(|misfit| self.fail(misfit.at(loc)))
    }
}

impl Printer<'_> {
    /// Prints the attribute `name` of `op`, after its `=`.
    pub(super) fn slot_value(&mut self, op: &Op, name: &str, attr: &Attr) {
        let wrapped = |printer: &mut Self, kind: &str, value: &str| {
            write!(printer.out, "#cuda_tile.{kind}<{value}>").expect("strings do not fail");
        };
        let number = |printer: &mut Self, number: i64, scalar: Scalar| {
            write!(printer.out, "{number} : {scalar}").expect("strings do not fail");
        };
        let is_short = op
            .def()
            .attrs
            .iter()
            .any(|slot| slot.name == name && slot.kind == AttrKind::U32);
        match attr {
            Attr::Unit => self.out.push_str("unit"),
            Attr::Bool(value) => write!(self.out, "{value}").expect("strings do not fail"),
            Attr::Int(value) if is_short => number(self, *value, Scalar::I32),
            Attr::Int(value) => number(self, *value, Scalar::I64),
            Attr::I32Array(values) => self.array("i32", values),
            Attr::BoolArray(values) => self.array("i1", values),
            Attr::Str(text) => self.string(text),
            Attr::Symbol(name) => self.symbol(name),
            Attr::Type(ty) => write!(self.out, "{}", Prefixed(*ty)).expect("strings do not fail"),
            Attr::Dense(elements) => self.dense_elements(op, elements),
            Attr::Scalars(values) => {
                self.out.push('[');
                for (index, &value) in values.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    print_typed_number(self, value);
                }
                self.out.push(']');
            }
            Attr::Signedness(value) => wrapped(self, "signedness", value.name()),
            Attr::Overflow(value) => wrapped(self, "overflow", value.name()),
            Attr::Rounding(value) => wrapped(self, "rounding", value.name()),
            Attr::Predicate(value) => wrapped(self, "comparison_predicate", value.name()),
            Attr::Ordering(value) => wrapped(self, "comparison_ordering", value.name()),
            Attr::Visibility(value) => wrapped(self, "symbol_visibility", value.name()),
            Attr::MemoryOrdering(value) => {
                number(self, value.number().cast_signed(), Scalar::I32);
            }
            Attr::MemoryScope(value) => number(self, value.number().cast_signed(), Scalar::I32),
            Attr::RmwMode(value) => number(self, value.number().cast_signed(), Scalar::I32),
            Attr::Assume(predicate) => {
                self.out.push_str("#cuda_tile.");
                print_predicate(self, predicate);
            }
            Attr::Hints(hints) => {
                self.out.push_str("#cuda_tile.optimization_hints");
                print_hints(self, hints);
            }
        }
    }

    /// Prints `dense<LITERAL> : T`.
    fn dense_elements(&mut self, op: &Op, elements: &DenseElements) {
        let ty = match (op.results.first(), op.attrs.get(1)) {
            (Some(&result), _) => self.module.get_value(result).map(|value| value.ty),
            (None, Some(&Some(Attr::Type(ty)))) => Some(ty),
            _ => None,
        };
        let shape = ty.and_then(Type::as_tile).map(|tile| tile.shape.as_slice());
        let scalar = elements.scalar();
        self.out.push_str("dense<");
        match elements {
            DenseElements::Splat { bits, .. } => number::print(&mut self.out, scalar, *bits),
            DenseElements::Each { bits, .. } => {
                let flat = [i64::try_from(bits.len()).unwrap_or(i64::MAX)];
                let fits = |shape: &&[i64]| {
                    let count = shape.iter().try_fold(1i64, |n, &dim| n.checked_mul(dim));
                    shape.iter().all(|&dim| dim > 0) && count == Some(flat[0])
                };
                let shape = shape.filter(fits).unwrap_or(&flat);
                if !bits.is_empty() {
                    print_elements(&mut self.out, scalar, bits, shape);
                }
            }
        }
        self.out.push('>');
        if let Some(ty) = ty {
            write!(self.out, " : {}", Prefixed(ty)).expect("strings do not fail");
        }
    }
}
