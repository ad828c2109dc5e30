//! The text form of memory operations by address.

use super::memory::{AddressedTile, Arena, Variable};
use super::{Root, Roots};
use std::fmt::Write;

/// Returns the text of a set of objects, such as `to=param0,anywhere`.
pub(super) fn roots(roots: &Roots) -> String {
    let names: Vec<String> = roots
        .iter()
        .map(|root| match root {
            Root::Param(number) => format!("param{number}"),
            Root::Variable(number) => format!("variable{number}"),
            Root::Local(number) => format!("local{number}"),
            Root::Anywhere => "anywhere".to_owned(),
        })
        .collect();
    format!("to={}", names.join(","))
}

pub(super) fn variable(variable: &Variable) -> String {
    let Variable {
        name,
        data,
        elements,
        align_bytes,
        is_constant,
        is_public,
    } = variable;
    let visibility = if *is_public { "public" } else { "private" };
    let constant = if *is_constant { " constant" } else { "" };
    let scalar = data.scalar();
    format!("variable @{name} : {elements}x{scalar} {visibility}{constant} align={align_bytes}")
}

pub(super) fn arena(number: usize, arena: &Arena) -> String {
    let Arena {
        bytes,
        align_bytes,
        slots,
        number: buffer,
    } = arena;
    let buffer = buffer.index();
    format!("arena {number} : {slots} slots of {bytes} bytes align={align_bytes} number=${buffer}")
}

pub(super) fn access(tile: &AddressedTile) -> String {
    let AddressedTile {
        element,
        ordering,
        scope,
        roots,
        space,
        vector,
        is_masked,
        is_padded,
        is_constant,
        is_packed,
        by_owners,
    } = tile;
    let mut text = format!("{} {element} {}", ordering.name(), self::roots(roots));
    if tile.is_strong() {
        let _ = write!(text, " scope={}", scope.name());
    }
    let _ = write!(text, " {space:?}");
    if let Some(vector) = vector {
        let _ = write!(text, " vector={}@{}", vector.elements, vector.axis.0);
    }
    for (flag, name) in [
        (is_masked, "masked"),
        (is_padded, "padded"),
        (is_constant, "constant"),
        (is_packed, "packed"),
        (by_owners, "by_owners"),
    ] {
        if *flag {
            let _ = write!(text, " {name}");
        }
    }
    text.replace("Global", "global")
        .replace("Generic", "generic")
}
