//! Control flow (PTX ISA, "Control Flow Instructions").

use super::types::Type;
use super::{Op, Slot};
use crate::parse::decoder::{Decoded, Decoder};

/// A control-flow instruction.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// A branch to an instruction. Until the whole kernel is parsed, the operand is the label's
    /// number.
    Branch(u32),
    /// `brx.idx`: a branch to one of several targets, selected by a register.
    Indexed {
        index: Slot,
        targets: Vec<u32>,
    },
    Exit,
    Trap,
    /// `griddepcontrol.wait`.
    WaitForGrids,
    /// An instruction without an observable effect.
    Nothing,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let op = match d.opcode() {
        "bra" => {
            d.takes("uni");
            d.end(1)?;
            Control::Branch(d.label(0)?.0)
        }
        "brx" => {
            if !d.takes("idx") {
                return d.unexpected();
            }
            d.takes("uni");
            d.end(2)?;
            let crate::parse::syntax::Operand::Name(list) = d.operand(1)? else {
                return d.error("expected the name of a list of labels");
            };
            let Some(names) = d.names.targets(list).map(<[String]>::to_vec) else {
                return d.error(format!("`{list}` is not a list of labels"));
            };
            let targets = names
                .iter()
                .map(|name| Ok(d.label_named(name)?.0))
                .collect::<Decoded<_>>()?;
            Control::Indexed {
                index: d.source(0, Type::U32)?,
                targets,
            }
        }
        "ret" => {
            d.takes("uni");
            d.end(0)?;
            Control::Exit
        }
        "exit" => {
            d.end(0)?;
            Control::Exit
        }
        "trap" => {
            d.end(0)?;
            Control::Trap
        }
        "brkpt" => {
            d.end(0)?;
            Control::Nothing
        }
        "pmevent" => {
            let max = if d.takes("mask") { 0xffff } else { 15 };
            d.end(1)?;
            if d.number(0)? > max {
                return d.error(format!("the number of an event is at most {max}"));
            }
            Control::Nothing
        }
        "nanosleep" => {
            d.ty_where(|ty| ty == Type::U32)?;
            d.end(1)?;
            d.source(0, Type::U32)?;
            Control::Nothing
        }
        _ => {
            d.requires((7, 8), 90)?;
            // Grids execute one after the other, so there is nothing to wait for.
            let waits = d.needs(&[("wait", true), ("launch_dependents", false)])?;
            d.end(0)?;
            if waits {
                Control::WaitForGrids
            } else {
                Control::Nothing
            }
        }
    };
    Ok(Op::Control(op))
}
