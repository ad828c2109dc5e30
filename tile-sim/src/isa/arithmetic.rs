//! Opcodes that integers and floats share; the type suffix selects the family.

use super::Op;
use super::types::Type;
use crate::parse::decoder::{Decoded, Decoder};

pub(crate) fn decode(decoder: &mut Decoder<'_>) -> Decoded<Op> {
    let text = decoder.text();
    if text.split('.').filter_map(Type::parse).any(Type::is_float) {
        super::float::decode(decoder)
    } else {
        super::integer::decode(decoder)
    }
}
