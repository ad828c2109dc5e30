//! Op table rows of atomics.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, one, op, optional, variadic};
use super::table::define_ops;

define_ops! {
    /// Atomic access to memory, element by element.
    pub enum AtomicOp {
        /// Compare-and-swap, atomic per element: stores `val[i]` where memory holds the bits of
        /// `cmp[i]`, and returns the old value in memory, or `cmp[i]` where `mask[i]` is 0. Floats
        /// are compared by their bits. Elements have 32 or 64 bits.
        AtomicCasTko = op("atomic_cas_tko", 0x07, Version::V13_1)
            .operands(&[one("pointers", Constraint::PtrTile), one("cmp", Constraint::Tile), one("val", Constraint::Tile), optional("mask", Constraint::I1Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b1_1110)), attr("memory_scope", AttrKind::MemoryScope(0b111))])
            .results(&[one("result", Constraint::Tile), one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["pointers", "cmp", "val", "mask", "result"]), Rule::SameType(&["cmp", "val", "result"])])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)? (`token=` $token^)? `:` type($pointers) `,` type($val) (`,` type($mask)^)? `->` type($result) `,` type($result_token)");
        /// Read-modify-write, atomic per element: stores `mode(old, arg[i])`, where `old` is the
        /// old value in memory, and returns `old`. `and`, `or`, `xor`, `add`, `max` and `min`
        /// (signed), and `umax` and `umin` (unsigned) accept `i32` and `i64`. `addf` accepts `f16`,
        /// `bf16`, `f32` and `f64`, and rounds to nearest even. `xchg` stores `arg[i]` and accepts
        /// numbers of 32 or 64 bits. Where `mask[i]` is 0, nothing is stored, and the result is
        /// unspecified.
        AtomicRmwTko = op("atomic_rmw_tko", 0x08, Version::V13_1)
            .operands(&[one("pointers", Constraint::PtrTile), one("arg", Constraint::Tile), optional("mask", Constraint::I1Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b1_1110)), attr("memory_scope", AttrKind::MemoryScope(0b111)), attr("mode", AttrKind::RmwMode(0b11_1111_1111))])
            .results(&[one("result", Constraint::Tile), one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["pointers", "arg", "mask", "result"]), Rule::SameType(&["arg", "result"])])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)? (`token=` $token^)? `:` type($pointers) `,` type($arg) (`,` type($mask)^)? `->` type($result) `,` type($result_token)");
        /// Combines a tile into memory at `index` of a view, atomically per element and without a
        /// result: stores `mode(old, value[i])`, where `old` is the old value in memory. `and`,
        /// `or`, `xor`, `add`, `max` and `min` (signed), and `umax` and `umin` (unsigned) accept
        /// `i32` and `i64`. `addf` accepts `f16`, `bf16`, `f32` and `f64`, and rounds to nearest
        /// even. The view must not have a padding value, and must not be a gather/scatter view.
        AtomicRedViewTko = op("atomic_red_view_tko", 0x75, Version::V13_3)
            .operands(&[one("view", Constraint::TileView), variadic("index", Constraint::IntTile), one("value", Constraint::Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_0010)), attr("memory_scope", AttrKind::MemoryScope(0b011)), attr("mode", AttrKind::RmwMode(0b01_1111_1111))])
            .results(&[one("result_token", Constraint::Token)])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope! $view `[` $index `]` `,` $mode `,` $value (`token` `=` $token^)? `:` type($value) `,` type($view) (`,` types($index)^)? `->` type($result_token)");
    }
}
