//! Conversions between element types.

use super::def::{AttrKind, Constraint, Rule, Version, attr, default_attr, flag, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise conversions.
    pub enum ConversionOp {
        /// Reinterprets the bits as another type of the same width.
        BitCast = op("bitcast", 0x09, Version::V13_1)
            .operands(&[one("source", Constraint::NumTile)])
            .results(&[one("result", Constraint::NumTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Extends an integer: with zeros if unsigned, with the sign if signed.
        ExtI = op("exti", 0x25, Version::V13_1)
            .operands(&[one("from", Constraint::I4IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("to", Constraint::I4IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness `:` type($from) `->` type($to)");
        /// Converts between float types, rounding as told.
        FToF = op("ftof", 0x2a, Version::V13_1)
            .operands(&[one("from", Constraint::FloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0)])
            .results(&[one("to", Constraint::FloatTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $rounding_mode! `:` type($from) `->` type($to)");
        /// Converts to an integer, truncating. Using the result for a value out of range is
        /// undefined, unless `saturating`.
        FToI = op("ftoi", 0x2b, Version::V13_1)
            .operands(&[one("from", Constraint::FloatTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding_mode", AttrKind::Rounding(0b0100_0000), 6), flag("saturating").since(Version::V13_4)])
            .results(&[one("to", Constraint::IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness $rounding_mode! $saturating `:` type($from) `->` type($to)");
        /// Addresses, read as unsigned, as pointers.
        IntToPtr = op("int_to_ptr", 0x33, Version::V13_1)
            .operands(&[one("source", Constraint::I64Tile)])
            .results(&[one("result", Constraint::PtrTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Converts an integer to a float, rounding to nearest even.
        IToF = op("itof", 0x3b, Version::V13_1)
            .operands(&[one("from", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding_mode", AttrKind::Rounding(0b0000_0001), 0)])
            .results(&[one("to", Constraint::FloatTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness $rounding_mode! `:` type($from) `->` type($to)");
        /// Pointers as addresses.
        PtrToInt = op("ptr_to_int", 0x56, Version::V13_1)
            .operands(&[one("source", Constraint::PtrTile)])
            .results(&[one("result", Constraint::I64Tile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// The same addresses as pointers to another type.
        PtrToPtr = op("ptr_to_ptr", 0x57, Version::V13_1)
            .operands(&[one("source", Constraint::PtrTile)])
            .results(&[one("result", Constraint::PtrTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Drops high bits of an integer.
        TruncI = op("trunci", 0x6b, Version::V13_1)
            .operands(&[one("from", Constraint::I4IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("to", Constraint::I4IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $overflow `:` type($from) `->` type($to)");
    }
}
