//! Lowers assertions, `print`, and the operations that order kernels.
//!
//! A tile is printed from shared memory, from which one thread reads its elements in row-major order. One
//! call prints a small tile; a loop prints larger tiles.

use super::{Lowered, Lowering};
use crate::gpu::{self, Dependents, ElementOp, OpKind, Piece, Printed, Ty};
use crate::layout::row_major;
use std::sync::Arc;
use tile_core::interp::{Conversion, Prints};
use tile_core::ir::{Attr, Op, ValueId};
use tile_core::types::Element;
use tile_core::verify::conversions;
use tile_core::{Loc, Reported, Scalar};

/// The number of elements of a tile that one call prints, a power of two. Together with the brackets, they
/// are at most as many arguments as `vprintf` accepts.
const ELEMENTS_PER_CALL: u64 = 16;

/// The text and operands collected for the next `print` operation.
#[derive(Default)]
struct Line {
    pieces: Vec<Piece>,
    operands: Vec<gpu::ValueId>,
}

impl Line {
    fn text(&mut self, text: &[u8]) {
        if let Some(Piece::Text(before)) = self.pieces.last_mut() {
            *before = [before, text].concat().into();
        } else if !text.is_empty() {
            self.pieces.push(Piece::Text(text.into()));
        }
    }

    fn take(&mut self, piece: Piece, operand: gpu::ValueId) {
        self.pieces.push(piece);
        self.operands.push(operand);
    }
}

impl Lowering<'_> {
    pub(super) fn assert(&mut self, op: &Op) {
        let Some(Attr::Str(message)) = op.attr("message") else {
            unreachable!("verified: an assertion has a message");
        };
        let condition = self.value(op.operand("condition"));
        let kind = OpKind::Assert(Arc::from(&**message));
        self.emit_op(kind, &[condition], &[], &[], op.loc);
    }

    pub(super) fn dependents(&mut self, kind: Dependents, op: &Op) {
        self.emit_op(OpKind::Dependents(kind), &[], &[], &[], op.loc);
    }

    /// Lowers a fence between aliases. Different threads may perform the accesses before and after it, so a
    /// barrier is needed, with a fence on each side.
    pub(super) fn alias_fence(&mut self, op: &Op) {
        for kind in [OpKind::AliasFence, OpKind::Barrier, OpKind::AliasFence] {
            self.emit_op(kind, &[], &[], &[], op.loc);
        }
    }

    pub(super) fn print(&mut self, op: &Op) -> Lowered {
        let Some(Attr::Str(format)) = op.attr("str") else {
            unreachable!("verified: printing has a format");
        };
        let ranges = conversions(format.as_bytes()).expect("verified: conversions end");
        let mut line = Line::default();
        let mut offset = 0;
        for (range, &arg) in ranges.into_iter().zip(op.operands_of("args")) {
            line.text(format[offset..range.start].replace("%%", "%").as_bytes());
            offset = range.end;
            let printed = self.printed(op, &format[range], arg)?;
            self.argument(op, &mut line, &printed, arg);
        }
        line.text(format[offset..].replace("%%", "%").as_bytes());
        self.end_line(&mut line, op.loc);
        Ok(())
    }

    /// Returns how `conversion` prints `arg`.
    fn printed(&mut self, op: &Op, conversion: &str, arg: ValueId) -> Result<Printed, Reported> {
        let element = self.module.ty(arg).as_tile().map(|tile| tile.element);
        let element = element.expect("verified: tiles are printed");
        let parsed = Conversion::parse(conversion);
        let fits = |prints: Prints| match (element, prints) {
            (Element::Scalar(scalar), Prints::Float) => scalar.is_float(),
            (Element::Scalar(_), Prints::Text) => false,
            (Element::Scalar(scalar), _) => scalar.is_integer(),
            (Element::Ptr(_), Prints::Float | Prints::Character) => false,
            (Element::Ptr(_), _) => true,
        };
        let Some(parsed) = parsed.filter(|parsed| fits(parsed.prints())) else {
            return Err(self.unsupported(
                op,
                format!("`{conversion}` cannot print an element of type `{element}`"),
                "write `%d`, `%u` or `%x` for integers, `%f`, `%e` or `%g` for floats, `%p` for pointers",
            ));
        };
        let (&letter, flags) = conversion
            .as_bytes()
            .split_last()
            .expect("a conversion has a letter");
        let flags = String::from_utf8_lossy(flags);
        let length = ['h', 'l', 'j', 'z', 't', 'L'];
        Ok(Printed {
            flags: flags.trim_end_matches(length).into(),
            bits: parsed.bits(),
            letter,
            prints: parsed.prints(),
        })
    }

    fn argument(&mut self, op: &Op, line: &mut Line, printed: &Printed, arg: ValueId) {
        let value = self.value(arg);
        let Some(layout) = self.kernel.ty(value).layout() else {
            let value = self.printable(value, op.loc);
            line.take(Piece::Value(printed.clone()), value);
            return;
        };
        let element = self.kernel.ty(value).scalar().expect("a tile has elements");
        let shape = self.kernel.layout(layout).shape().clone();
        let count = shape.num_elements();
        // The elements go through memory, so that one thread gets all of them in order.
        let memory = row_major(&shape, &shape.row_major_order());
        let buffer = self.buffer(element, memory);
        self.emit_store(self.scopes.len() - 1, buffer, value, op.loc);
        let axes = shape.sizes();
        let sizes: Vec<u64> = axes
            .iter()
            .rev()
            .scan(1, |size, axis| {
                *size *= axis;
                Some(*size)
            })
            .collect();
        let at_once = count.min(ELEMENTS_PER_CALL);
        if at_once == count {
            let zero = self.uniform_constant(Scalar::I32, 0, op.loc);
            line.text(&brackets(b'[', 0, &sizes));
            self.elements(line, printed, (buffer, zero), at_once, &sizes, op.loc);
            line.text(&brackets(b']', count, &sizes));
            return;
        }
        // A loop prints larger tiles, since the number of arguments of a call is limited.
        self.end_line(line, op.loc);
        let bounds =
            [0, count, at_once].map(|number| self.uniform_constant(Scalar::I32, number, op.loc));
        let body = self.kernel.add_block();
        let position = self
            .kernel
            .add_block_arg(body, Ty::Uniform(Scalar::I32), op.loc);
        self.enter(body, super::ScopeKind::Loop);
        let mut row = Line::default();
        row.take(Piece::Opening(sizes.clone()), position);
        self.elements(
            &mut row,
            printed,
            (buffer, position),
            at_once,
            &sizes,
            op.loc,
        );
        let after = u32::try_from(at_once).expect("a few");
        row.take(Piece::Closing { sizes, after }, position);
        self.end_line(&mut row, op.loc);
        self.emit_op(OpKind::Continue, &[], &[], &[], op.loc);
        self.leave();
        let kind = OpKind::For { unsigned: false };
        self.emit_op(kind, &bounds, &[], &[body], op.loc);
    }

    /// Adds `count` elements of a buffer, starting at a multiple of `count`, with the text between them.
    fn elements(
        &mut self,
        line: &mut Line,
        printed: &Printed,
        (buffer, start): (gpu::BufferId, gpu::ValueId),
        count: u64,
        sizes: &[u64],
        loc: Loc,
    ) {
        let ty = Ty::Uniform(self.kernel.buffer(buffer).element);
        for position in 0..count {
            if position > 0 {
                line.text(&brackets(b']', position, sizes));
                line.text(b", ");
                line.text(&brackets(b'[', position, sizes));
            }
            let offset = u32::try_from(position).expect("a few");
            let kind = OpKind::LoadElement { buffer, offset };
            let value = self.emit(kind, &[start], ty, loc);
            let value = self.printable(value, loc);
            line.take(Piece::Value(printed.clone()), value);
        }
    }

    /// Converts a number for `vprintf`: floats become f64, which represents all of them.
    fn printable(&mut self, value: gpu::ValueId, loc: Loc) -> gpu::ValueId {
        match self.kernel.ty(value) {
            Ty::Uniform(scalar) if scalar.is_float() && scalar != Scalar::F64 => {
                let kind = OpKind::Compute(ElementOp::float_to_float(loc));
                self.emit(kind, &[value], Ty::Uniform(Scalar::F64), loc)
            }
            _ => value,
        }
    }

    fn end_line(&mut self, line: &mut Line, loc: Loc) {
        let Line { pieces, operands } = std::mem::take(line);
        if !pieces.is_empty() {
            let kind = OpKind::Print(pieces.into());
            self.emit_op(kind, &operands, &[], &[], loc);
        }
    }
}

/// Returns the brackets at a position between elements: one for each axis that starts or ends there.
fn brackets(bracket: u8, position: u64, sizes: &[u64]) -> Vec<u8> {
    let here = sizes.iter().filter(|&&size| position.is_multiple_of(size));
    vec![bracket; here.count()]
}
