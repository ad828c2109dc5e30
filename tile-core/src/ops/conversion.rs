//! Op table rows of conversions between element types.

use super::def::{AttrKind, Constraint, Rule, Version, attr, default_attr, flag, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise conversions.
    pub enum ConversionOp {
        /// Reinterprets the bits as another type of the same width: `bits(result[i]) =
        /// bits(source[i])`. The width is that of the value: 19 bits for `tf32`, 4 for `f4E2M1FN`.
        BitCast = op("bitcast", 0x09, Version::V13_1)
            .operands(&[one("source", Constraint::NumTile)])
            .results(&[one("result", Constraint::NumTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Extends an integer to a wider one: with zeros if unsigned, with the sign if signed.
        ExtI = op("exti", 0x25, Version::V13_1)
            .operands(&[one("from", Constraint::I4IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("to", Constraint::I4IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness `:` type($from) `->` type($to)");
        /// Converts to another float type, rounding as `rounding_mode` says. The default is to
        /// nearest even. For a result of 4 or 8 bits it is the only mode, except that `f8E8M0FNU`
        /// needs `zero` or `positive_inf`. Wider results also admit `zero`. An exact conversion
        /// also admits `nearest_away` and all directions, unless it is from `f8E8M0FNU` to a type
        /// other than `f64`. A conversion from `f64` to `f32` also admits all directions, and one
        /// from `f32` to `tf32` also `nearest_away`.
        FToF = op("ftof", 0x2a, Version::V13_1)
            .operands(&[one("from", Constraint::FloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b1000_1111), 0)])
            .results(&[one("to", Constraint::FloatTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $rounding_mode! `:` type($from) `->` type($to)");
        /// Converts to an integer, rounding toward zero. For a NaN, an infinity or a value out of
        /// range, using the result is undefined behaviour; with `saturating` a value out of range
        /// becomes the nearest integer in range.
        FToI = op("ftoi", 0x2b, Version::V13_1)
            .operands(&[one("from", Constraint::FloatTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding_mode", AttrKind::Rounding(0b0100_0000), 6), flag("saturating").since(Version::V13_4)])
            .results(&[one("to", Constraint::IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness $rounding_mode! $saturating `:` type($from) `->` type($to)");
        /// Converts addresses, read as unsigned, to pointers.
        IntToPtr = op("int_to_ptr", 0x33, Version::V13_1)
            .operands(&[one("source", Constraint::I64Tile)])
            .results(&[one("result", Constraint::PtrTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Converts an integer, read as `signedness` says, to a float, rounding to nearest even. A
        /// value that is too large becomes an infinity if the type has one, else a NaN. There is no
        /// conversion to `f8E8M0FNU`.
        IToF = op("itof", 0x3b, Version::V13_1)
            .operands(&[one("from", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding_mode", AttrKind::Rounding(0b0000_0001), 0)])
            .results(&[one("to", Constraint::FloatTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $signedness $rounding_mode! `:` type($from) `->` type($to)");
        /// Converts pointers to addresses, to be read as unsigned.
        PtrToInt = op("ptr_to_int", 0x56, Version::V13_1)
            .operands(&[one("source", Constraint::PtrTile)])
            .results(&[one("result", Constraint::I64Tile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Changes the pointee type of pointers, possibly to the same type; the addresses do not
        /// change.
        PtrToPtr = op("ptr_to_ptr", 0x57, Version::V13_1)
            .operands(&[one("source", Constraint::PtrTile)])
            .results(&[one("result", Constraint::PtrTile)])
            .rules(&[Rule::SameShape(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Drops high bits of an integer: `result[i] = from[i] mod 2^width`. `no_signed_wrap`
        /// promises that the dropped bits equal the sign of the result, `no_unsigned_wrap` that
        /// they are 0; a broken promise is undefined behaviour.
        TruncI = op("trunci", 0x6b, Version::V13_1)
            .operands(&[one("from", Constraint::I4IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("to", Constraint::I4IntTile)])
            .rules(&[Rule::SameShape(&["from", "to"])])
            .asm("$from $overflow `:` type($from) `->` type($to)");
    }
}
