//! `print_tko`.
//!
//! The format is that of C's `printf`, one conversion per argument. A rank-0 tile prints its
//! element. Other tiles print all their elements, each with the conversion, in brackets: `[[1, 2],
//! [3, 4]]`.
//!
//! - Integers have the width of their type, unless the length of the conversion states less; a
//!   truth value is 0 or 1.
//! - Floats are converted to `double`, exactly.
//! - `%s` prints the characters at a pointer, up to a zero.
//! - A conversion that does not match its argument is undefined in C, and a fault here.

use super::buffers::Pointer;
use super::compile::Compiler;
use super::exact;
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::memory;
use super::number::{Int, with_int};
use super::position::position;
use super::printf::{Conversion, Value};
use super::tile::Lane;
use super::trace::Action;
use crate::ir::{Attr, Op};
use crate::types::{Element, Scalar};
use crate::verify::conversions;

/// A part of a format.
enum Piece {
    Text(Vec<u8>),
    Argument(Argument),
}

/// A conversion and its argument.
struct Argument {
    text: String,
    conversion: Option<Conversion>,
    slot: Slot,
    element: Element,
    shape: Vec<usize>,
}

/// Compiles `print_tko`.
pub(super) fn print(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let Some(Attr::Str(format)) = op.attr("str").cloned() else {
        panic!("verified code has a format here");
    };
    if let Some(&token) = op.results.first() {
        cx.define(token);
    }
    let ranges = conversions(format.as_bytes()).expect("verified code ends its conversions");
    let mut pieces = Vec::new();
    let mut next_operand = 0;
    for (range, &value) in ranges.into_iter().zip(op.operands_of("args")) {
        pieces.push(plain(&format[next_operand..range.start]));
        next_operand = range.end;
        let text = format[range].to_owned();
        pieces.push(Piece::Argument(Argument {
            conversion: Conversion::parse(&text),
            text,
            slot: cx.tile(value),
            element: cx
                .module
                .ty(value)
                .as_tile()
                .expect("a tile is printed")
                .element,
            shape: cx.shape(value),
        }));
    }
    pieces.push(plain(&format[next_operand..]));
    cx.prints = true;
    Box::new(move |machine| {
        let mut text = Vec::new();
        for piece in &pieces {
            match piece {
                Piece::Text(plain) => text.extend_from_slice(plain),
                Piece::Argument(argument) => argument.print(machine, &mut text)?,
            }
        }
        if let Some(trace) = machine.options.trace {
            let text = text.clone();
            trace.record(machine.block, Action::Print { text });
        }
        machine.printed.append(&mut text);
        Ok(Flow::Next)
    })
}

/// Returns the text between conversions.
fn plain(text: &str) -> Piece {
    Piece::Text(text.replace("%%", "%").into_bytes())
}

impl Argument {
    fn print(&self, machine: &Machine<'_>, out: &mut Vec<u8>) -> Result<(), Stop> {
        let count: usize = self.shape.iter().product();
        for linear in 0..count {
            let next_operand = position(&self.shape, linear);
            // A bracket opens for each axis that begins with this element, and one closes for each
            // axis that ends with it.
            let begins = next_operand
                .iter()
                .rev()
                .take_while(|&&next_operand| next_operand == 0)
                .count();
            if linear > 0 {
                out.extend_from_slice(b", ");
            }
            out.resize(out.len() + begins, b'[');
            self.element(machine, linear, out)
                .map_err(|stop| stop.in_element(&self.shape, linear))?;
            let axes = next_operand.iter().zip(&self.shape).rev();
            let ends = axes
                .take_while(|&(&next_operand, &extent)| next_operand + 1 == extent)
                .count();
            out.resize(out.len() + ends, b']');
        }
        Ok(())
    }

    fn element(&self, machine: &Machine<'_>, index: usize, out: &mut Vec<u8>) -> Result<(), Stop> {
        let Some(conversion) = &self.conversion else {
            return Stop::here(format!("`{}` is no conversion of `printf`", self.text));
        };
        let value = match self.element {
            Element::Ptr(_) => {
                let pointer = machine.tile::<Pointer>(self.slot)[index];
                if conversion.takes_text() {
                    Value::Text(memory::text(machine, pointer, conversion.text_limit())?)
                } else {
                    Value::Address(machine.buffers.address(pointer))
                }
            }
            Element::Scalar(scalar) => {
                let bits = machine.frame.tiles[self.slot.0].bits_at(index);
                number(scalar, bits)
            }
        };
        let printed = conversion.print(&value, out);
        printed.ok_or_else(|| {
            let element = self.element;
            Stop::Here(format!(
                "`{}` cannot print an element of type `{element}`",
                self.text
            ))
        })
    }
}

/// Returns a number, from its bits in a tile.
fn number(scalar: Scalar, bits: u64) -> Value {
    if scalar.is_float() {
        return Value::Float(exact::decode(scalar, bits));
    }
    if scalar == Scalar::I1 {
        return Value::Integer(bits.cast_signed(), bits);
    }
    let signed = with_int!(scalar, I => I::signed(<I as Int>::L::from_bits(bits)), else 0);
    Value::Integer(signed, bits)
}
