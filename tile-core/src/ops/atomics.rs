//! Op table rows of atomics.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, one, op, optional, variadic};
use super::table::define_ops;

define_ops! {
    /// Atomic access to memory, element by element.
    pub enum AtomicOp {
        /// Compare and swap, in one step per element: stores `val[i]` where memory holds the
        /// bits of `cmp[i]`, and gives what memory held, or `cmp[i]` where `mask[i]` is 0.
        /// Floats are compared by their bits. Elements have 32 or 64 bits.
        AtomicCasTko = op("atomic_cas_tko", 0x07, Version::V13_1)
            .operands(&[one("pointers", Constraint::PtrTile), one("cmp", Constraint::Tile), one("val", Constraint::Tile), optional("mask", Constraint::I1Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b1_1110)), attr("memory_scope", AttrKind::MemoryScope(0b111))])
            .results(&[one("result", Constraint::Tile), one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["pointers", "cmp", "val", "mask", "result"]), Rule::SameType(&["cmp", "val", "result"])])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)? (`token=` $token^)? `:` type($pointers) `,` type($val) (`,` type($mask)^)? `->` type($result) `,` type($result_token)");
        /// Read, modify, write, in one step per element: stores `mode(old, arg[i])` and gives
        /// `old`, what memory held. `and`, `or`, `xor`, `add` and the extrema of signed (`max`,
        /// `min`) and unsigned (`umax`, `umin`) numbers work on `i32` and `i64`, `addf` on
        /// `f16`, `bf16`, `f32` and `f64`, rounding to nearest even, `xchg`, which stores
        /// `arg[i]`, on numbers of 32 or 64 bits. Where `mask[i]` is 0 nothing is stored, and
        /// the result is not specified.
        AtomicRmwTko = op("atomic_rmw_tko", 0x08, Version::V13_1)
            .operands(&[one("pointers", Constraint::PtrTile), one("arg", Constraint::Tile), optional("mask", Constraint::I1Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b1_1110)), attr("memory_scope", AttrKind::MemoryScope(0b111)), attr("mode", AttrKind::RmwMode(0b11_1111_1111))])
            .results(&[one("result", Constraint::Tile), one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["pointers", "arg", "mask", "result"]), Rule::SameType(&["arg", "result"])])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)? (`token=` $token^)? `:` type($pointers) `,` type($arg) (`,` type($mask)^)? `->` type($result) `,` type($result_token)");
        /// Combines a tile into memory at `index` of a view, in one step per element, and returns
        /// nothing: stores `mode(old, value[i])`. `and`, `or`, `xor`, `add` and the
        /// extrema of signed (`max`, `min`) and unsigned (`umax`, `umin`) numbers work on `i32`
        /// and `i64`, `addf` on `f16`, `bf16`, `f32` and `f64`, rounding to nearest even. The
        /// view has no padding value and gathers nothing.
        AtomicRedViewTko = op("atomic_red_view_tko", 0x75, Version::V13_3)
            .operands(&[one("view", Constraint::TileView), variadic("index", Constraint::IntTile), one("value", Constraint::Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_0010)), attr("memory_scope", AttrKind::MemoryScope(0b011)), attr("mode", AttrKind::RmwMode(0b01_1111_1111))])
            .results(&[one("result_token", Constraint::Token)])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope! $view `[` $index `]` `,` $mode `,` $value (`token` `=` $token^)? `:` type($value) `,` type($view) (`,` types($index)^)? `->` type($result_token)");
    }
}
