//! Op table rows of accesses through pointers and of tokens.

use super::def::{
    AttrKind, Constraint, Effects, Rule, Version, attr, flag, one, op, optional, optional_attr,
    variadic,
};
use super::table::define_ops;

define_ops! {
    /// Accesses through pointers, and the tokens that order memory operations.
    pub enum MemoryOp {
        /// Memory for `num_elem` elements that lives as long as the enclosing block runs; private
        /// to the tile block unless `global`. `alignment` is a power of two, in bytes, and at least
        /// the size of an element. Traps if there is not enough memory.
        Alloca = op("alloca", 0x71, Version::V13_3)
            .attrs(&[attr("num_elem", AttrKind::U64), attr("alignment", AttrKind::U64), flag("global")])
            .results(&[one("result", Constraint::ScalarPtr)])
            .effects(Effects::Write)
            .asm("`num_elem` `=` $num_elem `,` `alignment` `=` $alignment $global `:` type($result)");
        /// Lets the kernels that depend on this one start, after the operations that `token` orders.
        GdcLaunchDependentsTko = op("gdc_launch_dependents_tko", 0x77, Version::V13_4)
            .operands(&[optional("token", Constraint::Token)])
            .results(&[one("result_token", Constraint::Token)])
            .effects(Effects::Write)
            .asm("(`token` `=` $token^)? `->` type($result_token)");
        /// Waits until the kernels that this one depends on are done; operations after the result see
        /// what they wrote.
        GdcWaitTko = op("gdc_wait_tko", 0x78, Version::V13_4)
            .operands(&[optional("token", Constraint::Token)])
            .results(&[one("result_token", Constraint::Token)])
            .effects(Effects::Write)
            .asm("(`token` `=` $token^)? `->` type($result_token)");
        /// A token ordered after all of its operands; there are at least two.
        JoinTokens = op("join_tokens", 0x3c, Version::V13_1)
            .operands(&[variadic("tokens", Constraint::Token)])
            .results(&[one("result", Constraint::Token)])
            .asm("$tokens `:` type($result)");
        /// Loads from every pointer of a tile: `result[i] = mask[i] ? *source[i] :
        /// paddingValue[i]`. Without `mask` all elements are loaded; without `paddingValue` an
        /// element that is masked off is undefined. An `i1` is loaded from a byte: 0 if the byte is
        /// 0, else 1. Only tokens order this access with others. `weak` promises that nothing else
        /// accesses the memory concurrently; any other ordering needs a scope that contains all
        /// threads that do.
        LoadPtrTko = op("load_ptr_tko", 0x3d, Version::V13_1)
            .operands(&[one("source", Constraint::PtrTile), optional("mask", Constraint::I1Tile), optional("paddingValue", Constraint::NumTile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_0111)), optional_attr("memory_scope", AttrKind::MemoryScope(0b111)), optional_attr("optimization_hints", AttrKind::Hints)])
            .results(&[one("result", Constraint::Tile), one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["source", "mask", "result"]), Rule::SameType(&["result", "paddingValue"])])
            .segmented()
            .effects(Effects::Read)
            .asm("$memory_ordering_semantics $memory_scope $source (`,` $mask^ (`,` $paddingValue^)?)? (`token=` $token^)? (`optimization_hints` `=` $optimization_hints^)? `:` type($source) (`,` type($mask)^)? (`,` type($paddingValue)^)? `->` type($result) `,` type($result_token)");
        /// A token that is ordered after no operation.
        MakeToken = op("make_token", 0x44, Version::V13_1)
            .results(&[one("result", Constraint::Token)])
            .asm("`:` type($result)");
        /// A token that orders accesses to the same memory through aliases.
        MemoryFenceAliasTko = op("memory_fence_alias_tko", 0x7a, Version::V13_4)
            .operands(&[one("token", Constraint::Token)])
            .results(&[one("result_token", Constraint::Token)])
            .rules(&[Rule::SameType(&["token", "result_token"])])
            .effects(Effects::Write)
            .asm("$token");
        /// Stores to every pointer of a tile: `*destination[i] = value[i]` where `mask[i]` is not
        /// 0, everywhere without `mask`. An `i1` is stored as a byte 0 or 1. Only tokens order this
        /// access with others. `weak` promises that nothing else accesses the memory concurrently;
        /// any other ordering needs a scope that contains all threads that do.
        StorePtrTko = op("store_ptr_tko", 0x65, Version::V13_1)
            .operands(&[one("destination", Constraint::PtrTile), one("value", Constraint::Tile), optional("mask", Constraint::I1Tile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_1011)), optional_attr("memory_scope", AttrKind::MemoryScope(0b111)), optional_attr("optimization_hints", AttrKind::Hints)])
            .results(&[one("result_token", Constraint::Token)])
            .rules(&[Rule::SameShape(&["destination", "value", "mask"])])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope $destination `,` $value (`,` $mask^)? (`token=` $token^)? (`optimization_hints` `=` $optimization_hints^)? `:` type($destination) `,` type($value) (`,` type($mask)^)? `->` type($result_token)");
    }
}
