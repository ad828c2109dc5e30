//! Checks the registers of inline PTX, once the types of its operands are known.
//!
//! In: the [`OpenPtx`] of each text. Out: errors for operands that PTX has no register for, for
//! registers in the text that do not exist, and for registers that the text does not use.

use super::Checker;
use super::types::convert_help;
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, PtxOperand, Ty};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::verify::{PtxRegisters, ptx_registers};

/// Operands whose types are not known yet.
pub(super) struct OpenPtx {
    /// The inputs, with their locations and source text.
    pub(super) ins: Vec<(ExprId, Loc, String)>,
    /// The element types of outputs, and their locations if they are written.
    pub(super) outs: Vec<(Elem, Option<Loc>)>,
    /// The operands, with their names.
    pub(super) operands: Vec<(String, PtxOperand)>,
    /// The operands that the text names, with the register if it names one.
    pub(super) named: Vec<(usize, Option<usize>)>,
    /// The text as written.
    pub(super) written: String,
    /// The number of elements that one execution of the text processes.
    pub(super) pack: usize,
    /// The location of the text.
    pub(super) loc: Loc,
}

impl Checker<'_> {
    /// Reports operands that PTX has no register for, and wrong registers in the text, once the
    /// types are known.
    pub(super) fn finish_texts(&mut self) {
        for text in std::mem::take(&mut self.texts) {
            let ins: Vec<Option<HostScalar>> = text
                .ins
                .iter()
                .map(|(id, ..)| self.element_of(*id))
                .collect();
            let outs: Vec<Option<HostScalar>> = text
                .outs
                .iter()
                .map(|(elem, _)| match self.resolve_elem(*elem) {
                    Elem::Known(scalar) => Some(scalar),
                    Elem::Var(_) => None,
                })
                .collect();
            let held = |scalar: &Option<HostScalar>| {
                scalar.and_then(|scalar| ptx_registers(scalar.scalar(), text.pack))
            };
            for (scalar, (id, loc, written)) in ins.iter().zip(&text.ins) {
                let Some(scalar) = scalar.filter(|_| held(scalar).is_none()) else {
                    continue;
                };
                let is_tile = matches!(self.exprs[id.index()].ty, Ty::Tile(..));
                let from_bool = scalar == HostScalar::Bool;
                let help = convert_help(written, None, wide(scalar), from_bool, !is_tile);
                self.error(no_register(scalar, is_tile, *loc).help(help));
            }
            let has_tile = |(id, ..): &(ExprId, Loc, String)| {
                matches!(self.exprs[id.index()].ty, Ty::Tile(..))
            };
            let any_tile = text.ins.iter().any(has_tile);
            for (scalar, (_, loc)) in outs.iter().zip(&text.outs) {
                let Some(scalar) = scalar.filter(|_| held(scalar).is_none()) else {
                    continue;
                };
                if let Some(loc) = loc {
                    let help = format!("write `{}`, and convert the result", wide(scalar).name());
                    self.error(no_register(scalar, any_tile, *loc).help(help));
                }
            }
            for (index, (name, operand)) in text.operands.iter().enumerate() {
                let (scalar, place) = match *operand {
                    PtxOperand::In(input) => (ins[input], None),
                    PtxOperand::Out(output) => (outs[output], None),
                    PtxOperand::InOut { input, output } => (ins[input], Some((input, output))),
                    PtxOperand::Const => continue,
                };
                if let Some((input, output)) = place
                    && let (Some(from), Some(to), (_, Some(loc))) =
                        (ins[input], outs[output], text.outs[output])
                    && from.bits() != to.bits()
                {
                    self.two_sizes(name, &text.ins[input].2, (from, to), loc);
                } else if let (Some(scalar), Some(held)) = (scalar, held(&scalar)) {
                    self.named_registers(&text, index, name, (scalar, held));
                }
            }
        }
    }

    /// Reports an `inout` operand whose input and output have registers of different sizes.
    fn two_sizes(
        &mut self,
        name: &str,
        value: &str,
        (from, to): (HostScalar, HostScalar),
        loc: Loc,
    ) {
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!(
                    "`{name}` is one register, and `{}` has {} bits where `{}` has {}",
                    from.name(),
                    from.bits(),
                    to.name(),
                    to.bits()
                ),
            )
            .note("what `inout` begins with and what it ends with are of one size")
            .help(format!(
                "write an operand for each, `in({value})` and `out({})`",
                to.name()
            )),
        );
    }

    /// Reports the first register of operand `index` that the text leaves out, or that does not
    /// exist.
    fn named_registers(
        &mut self,
        text: &OpenPtx,
        index: usize,
        name: &str,
        (scalar, held): (HostScalar, PtxRegisters),
    ) {
        let named = text.named.iter().filter(|(of, _)| *of == index);
        let last = held.count - 1;
        let all_registers =
            format!("write `{{{name}[0]}}` to `{{{name}[{last}]}}`, each where the text wants it");
        let wrong = named.clone().find_map(|(_, register)| match *register {
            None if held.count > 1 => {
                let message = format!(
                    "`{{{name}}}` does not say which of the {} registers of `{name}`",
                    held.count
                );
                Some((message, all_registers.clone()))
            }
            Some(register) if register >= held.count => {
                let (from, to) = (format!("{{{name}[{register}]}}"), format!("{{{name}}}"));
                let (has, help) = match held.count {
                    1 => ("one".to_owned(), write_instead(&text.written, &from, &to)),
                    count => (count.to_string(), all_registers.clone()),
                };
                let message = format!("`{from}` is no register of `{name}`, which has {has}");
                Some((message, help))
            }
            None | Some(_) => None,
        });
        let left_out = || {
            let is_named = |register| {
                let mut named = named.clone();
                named.any(|(_, other)| other.unwrap_or(0) == register)
            };
            let register = (0..held.count).find(|&register| !is_named(register))?;
            Some((
                format!("the text does not name `{{{name}[{register}]}}`"),
                all_registers.clone(),
            ))
        };
        let Some((message, help)) = wrong.or_else(left_out) else {
            return;
        };
        let note = match (text.pack, held.elements) {
            (1, _) => format!("a number of type `{}` has one register", scalar.name()),
            (pack, 1) => format!(
                "{pack} elements of `{}` have a register each",
                scalar.name()
            ),
            (pack, elements) if pack == elements => {
                format!("{pack} elements of `{}` share one register", scalar.name())
            }
            (pack, elements) => format!(
                "{pack} elements of `{}` share registers, {elements} in each",
                scalar.name()
            ),
        };
        self.error(
            Diagnostic::error(Code::BadArguments, text.loc, message)
                .note(note)
                .help(help),
        );
    }
}

/// Returns a type that has a register and holds the values of a number without one.
fn wide(scalar: HostScalar) -> HostScalar {
    match scalar {
        HostScalar::I8 => HostScalar::I32,
        HostScalar::U8 | HostScalar::Bool => HostScalar::U32,
        _ => HostScalar::F32,
    }
}

/// Returns the error for a number that PTX has no register for.
fn no_register(scalar: HostScalar, is_tile: bool, loc: Loc) -> Diagnostic {
    let note = if is_tile && scalar.bits() == 8 {
        "its registers have 16, 32 or 64 bits; `options(pack = 4)` puts four elements of 8 bits into one"
    } else {
        "its registers have 16, 32 or 64 bits"
    };
    let message = format!("PTX has no register for a `{}`", scalar.name());
    Diagnostic::error(Code::TypeMismatch, loc, message).note(note)
}

/// Returns the help for a name in braces: the whole corrected text if it is one literal.
pub(super) fn write_instead(written: &str, from: &str, to: &str) -> String {
    if written.contains('\n') || !written.contains(from) {
        return format!("write `{to}`");
    }
    format!("write `{:?}`", written.replace(from, to))
}
