//! Op table rows of constants, shapes, reductions and entries.

use super::def::{
    AttrKind, Constraint, Effects, Rule, Version, attr, default_attr, flag, one, op, optional_attr,
    variadic,
};
use super::table::define_ops;

define_ops! {
    /// Constants, shapes, reductions and entries.
    pub enum CoreOp {
        /// Repeats the data along axes of extent one: `result[i] = source[j]`, where `j` is `i`
        /// with 0 on every axis of extent one of `source`. The rank and all other extents are
        /// unchanged.
        Broadcast = op("broadcast", 0x0b, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"]), Rule::SameRank(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Concatenates along axis `dim`: `lhs` first, then `rhs`. The extent of the result along
        /// `dim` is the sum of those of the operands, which are equal, since all extents are powers
        /// of two. All other extents agree.
        Cat = op("cat", 0x0c, Version::V13_1)
            .operands(&[one("lhs", Constraint::Tile), one("rhs", Constraint::Tile)])
            .attrs(&[attr("dim", AttrKind::U64)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["lhs", "rhs", "result"]), Rule::SameRank(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs `dim` `=` $dim `:` type($lhs) `,` type($rhs) `->` type($result)");
        /// A constant: `result[i] = value[i]`, or `value` everywhere if it is a single number. An
        /// integer may be in the signed or the unsigned range of its type; a float is written in
        /// decimal, or as its bits in hexadecimal.
        Constant = op("constant", 0x10, Version::V13_1)
            .attrs(&[attr("value", AttrKind::Dense)])
            .results(&[one("result", Constraint::NumTile)])
            .custom("`<` element `:` $value `>` `:` type($result)");
        /// A kernel: the body runs once per tile block of a three-dimensional grid, whose extents
        /// are at most 2^24 - 1. Parameters are tiles of rank 0; nothing is returned. The body uses
        /// no values from outside.
        Entry = op("entry", 0x16, Version::V13_1)
            .attrs(&[attr("sym_name", AttrKind::Str), attr("function_type", AttrKind::Type), optional_attr("optimization_hints", AttrKind::Hints)])
            .regions(1)
            .effects(Effects::Write)
            .custom("$sym_name $function_type (`optimization_hints` `=` $optimization_hints)? region");
        /// The slice of `source` at `indices`, which count slices of the result's shape: `result[i]
        /// = source[indices * shape(result) + i]`. Every extent of `source` is a multiple of the
        /// result's. Indices are unsigned; an index that is out of range is undefined behaviour.
        Extract = op("extract", 0x26, Version::V13_1)
            .operands(&[one("source", Constraint::Tile), variadic("indices", Constraint::ScalarI32)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"]), Rule::SameRank(&["source", "result"])])
            .asm("$source `[` $indices `]` `:` type($source) `->` type($result)");
        /// A pointer to the first element of the global variable `name`, which the module defines
        /// with the pointee type as its element type.
        GetGlobal = op("get_global", 0x2c, Version::V13_1)
            .attrs(&[attr("name", AttrKind::Symbol)])
            .results(&[one("result", Constraint::ScalarPtr)])
            .asm("$name `:` type($result)");
        /// The extents of the grid; unused axes are 1.
        GetNumTileBlocks = op("get_num_tile_blocks", 0x2e, Version::V13_1)
            .results(&[one("gridSize_x", Constraint::ScalarI32), one("gridSize_y", Constraint::ScalarI32), one("gridSize_z", Constraint::ScalarI32)])
            .rules(&[Rule::SameType(&["gridSize_x", "gridSize_y", "gridSize_z"])])
            .asm("`:` type($gridSize_x)");
        /// The position of this tile block in the grid, at least 0 and below the extent; unused
        /// axes are 0.
        GetTileBlockId = op("get_tile_block_id", 0x30, Version::V13_1)
            .results(&[one("blockId_x", Constraint::ScalarI32), one("blockId_y", Constraint::ScalarI32), one("blockId_z", Constraint::ScalarI32)])
            .rules(&[Rule::SameType(&["blockId_x", "blockId_y", "blockId_z"])])
            .asm("`:` type($blockId_x)");
        /// A variable in global memory: the elements of `value`, of rank 1, are stored when the
        /// module is loaded. The variable is mutable unless it is `constant`, and visible to the
        /// host unless it is `private`. An `alignment` of 0 leaves the choice to the compiler.
        Global = op("global", 0x31, Version::V13_1)
            .attrs(&[attr("sym_name", AttrKind::Str), attr("value_type", AttrKind::Type), attr("value", AttrKind::Dense), default_attr("alignment", AttrKind::U64, 0), flag("constant").since(Version::V13_3), default_attr("symbol_visibility", AttrKind::Visibility, 0).since(Version::V13_3)])
            .effects(Effects::Write)
            .custom("$symbol_visibility $constant $sym_name (`alignment` `=` $alignment)? `<` element `:` $value `>` `:` $value_type");
        /// `destination` with one slice replaced: `source` replaces the slice at `indices`, which
        /// count slices of the shape of `source`. Indices are unsigned; an index that is out of
        /// range is undefined behaviour.
        Insert = op("insert", 0x76, Version::V13_4)
            .operands(&[one("source", Constraint::Tile), one("destination", Constraint::Tile), variadic("indices", Constraint::ScalarI32)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["destination", "source"]), Rule::SameRank(&["destination", "source"]), Rule::SameType(&["destination", "result"])])
            .asm("$source `,` $destination `[` $indices `]` `:` type($source) `,` type($destination)");
        /// Counts: `result[i] = i`, read as unsigned, so the extent is at most 2^width.
        Iota = op("iota", 0x3a, Version::V13_1)
            .results(&[one("result", Constraint::IntTile)])
            .asm("`:` type($result)");
        /// A compilation unit: entries and global variables, with names that are unique.
        Module = op("module", 0x4b, Version::V13_1)
            .attrs(&[attr("sym_name", AttrKind::Str), optional_attr("producer", AttrKind::Str).since(Version::V13_3)])
            .regions(1)
            .effects(Effects::Write)
            .custom("$sym_name (`attributes` `{` `producer` `=` $producer `}`)? region");
        /// Pointer arithmetic: `result[i] = ptr[i] + offset[i] * size`, where `size` is the
        /// number of bytes that an element takes in memory, the offset is signed and the
        /// pointer unsigned. A product or sum that overflows is undefined.
        Offset = op("offset", 0x51, Version::V13_1)
            .operands(&[one("ptr", Constraint::PtrTile), one("offset", Constraint::IntTile)])
            .results(&[one("result", Constraint::PtrTile)])
            .rules(&[Rule::SameType(&["ptr", "result"]), Rule::SameShape(&["ptr", "offset", "result"])])
            .asm("$ptr `,` $offset `:` type($ptr) `,` type($offset) `->` type($result)");
        /// The bits of a rank-1 tile as bytes, low bits first: two 4-bit elements make a byte,
        /// the first in its low half. Both tiles hold the same number of bits (a `tf32` counts
        /// as 32); the widths of their elements differ.
        Pack = op("pack", 0x6f, Version::V13_3)
            .operands(&[one("source", Constraint::I4NumTile)])
            .results(&[one("result", Constraint::I8Tile)])
            .asm("$source `:` type($source) `->` type($result)");
        /// Permutes axes: axis `i` of the result is axis `permutation[i]` of the source, so
        /// `result[i] = source[j]` where `j[permutation[k]] = i[k]`. The rank is at least 2,
        /// and every axis is named once.
        Permute = op("permute", 0x53, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .attrs(&[attr("permutation", AttrKind::I32Array)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"])])
            .asm("$source $permutation `:` type($source) `->` type($result)");
        /// Combines the elements along axis `dim` with the body, which takes an element and an
        /// accumulator for each operand, both of rank 0, and yields the new accumulators.
        /// `identities` has one value for each operand: combined with it, any other value is
        /// unchanged. The body is pure and assumed to be associative. The order in which elements
        /// are combined is unspecified, but is the same in every run on a device.
        Reduce = op("reduce", 0x58, Version::V13_1)
            .operands(&[variadic("operands", Constraint::Tile)])
            .attrs(&[attr("dim", AttrKind::U32), attr("identities", AttrKind::Scalars)])
            .results(&[variadic("results", Constraint::Tile)])
            .regions(1)
            .rules(&[Rule::SameShape(&["operands"])])
            .effects(Effects::Regions)
            .custom("$operands `dim` `=` $dim `identities` `=` $identities `:` type($operands) `->` type($results) `(` arguments `)` region");
        /// Changes the shape of a tile; its elements keep their row-major order. The number of
        /// elements does not change; a tile of rank 0 has one.
        Reshape = op("reshape", 0x5b, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Inclusive prefix along axis `dim`: `result[i]` combines the elements up to and with `i`,
        /// from high to low if `reverse`. For each operand, the body takes an element and the
        /// combination of those before it, as for `reduce`. The body is pure and assumed to be
        /// associative.
        Scan = op("scan", 0x5e, Version::V13_1)
            .operands(&[variadic("operands", Constraint::Tile)])
            .attrs(&[attr("dim", AttrKind::U32), attr("reverse", AttrKind::Bool), attr("identities", AttrKind::Scalars)])
            .results(&[variadic("results", Constraint::Tile)])
            .regions(1)
            .rules(&[Rule::SameShape(&["operands", "results"])])
            .effects(Effects::Regions)
            .custom("$operands `dim` `=` $dim `reverse` `=` $reverse `identities` `=` $identities `:` type($operands) `->` type($results) `(` arguments `)` region");
        /// Chooses: `result[i] = cond[i] ? val_if_true[i] : val_if_false[i]`, for numbers and
        /// pointers. `f4E2M1FN` is not accepted.
        Select = op("select", 0x5f, Version::V13_1)
            .operands(&[one("cond", Constraint::I1Tile), one("val_if_true", Constraint::Tile), one("val_if_false", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameType(&["val_if_true", "val_if_false", "result"]), Rule::SameShape(&["cond", "result"])])
            .asm("$cond `,` $val_if_true `,` $val_if_false `:` type($cond) `,` type($result)");
        /// The bytes of a rank-1 tile as numbers, low bits first: the inverse of `pack`, with
        /// the same conditions.
        Unpack = op("unpack", 0x70, Version::V13_3)
            .operands(&[one("source", Constraint::I8Tile)])
            .results(&[one("result", Constraint::I4NumTile)])
            .asm("$source `:` type($source) `->` type($result)");
    }
}
