//! Constants, shapes, reductions, entries.

use super::def::{
    AttrKind, Constraint, Effects, Rule, Version, attr, one, op, optional_attr, variadic,
};
use super::table::define_ops;

define_ops! {
    /// Constants, shapes, reductions and entries.
    pub enum CoreOp {
        /// Repeats the data along axes of extent one; never changes the rank.
        Broadcast = op("broadcast", 0x0b, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"]), Rule::SameRank(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// A constant: every element is given by `value`.
        Constant = op("constant", 0x10, Version::V13_1)
            .attrs(&[attr("value", AttrKind::Dense)])
            .results(&[one("result", Constraint::NumTile)])
            .asm("custom");
        /// A kernel: runs once per tile block of a three-dimensional grid.
        Entry = op("entry", 0x16, Version::V13_1)
            .attrs(&[attr("sym_name", AttrKind::Str), attr("function_type", AttrKind::Type), optional_attr("optimization_hints", AttrKind::Hints)])
            .regions(1)
            .effects(Effects::Write)
            .asm("custom");
        /// The extents of the grid; unused axes are one.
        GetNumTileBlocks = op("get_num_tile_blocks", 0x2e, Version::V13_1)
            .results(&[one("gridSize_x", Constraint::ScalarI32), one("gridSize_y", Constraint::ScalarI32), one("gridSize_z", Constraint::ScalarI32)])
            .rules(&[Rule::SameType(&["gridSize_x", "gridSize_y", "gridSize_z"])])
            .asm("`:` type($gridSize_x)");
        /// The position of this tile block in the grid; unused axes are zero.
        GetTileBlockId = op("get_tile_block_id", 0x30, Version::V13_1)
            .results(&[one("blockId_x", Constraint::ScalarI32), one("blockId_y", Constraint::ScalarI32), one("blockId_z", Constraint::ScalarI32)])
            .rules(&[Rule::SameType(&["blockId_x", "blockId_y", "blockId_z"])])
            .asm("`:` type($blockId_x)");
        /// Counts: `result[i] = i`, read as unsigned.
        Iota = op("iota", 0x3a, Version::V13_1)
            .results(&[one("result", Constraint::IntTile)])
            .asm("`:` type($result)");
        /// Permutes axes: axis `i` of the result is axis `permutation[i]` of the source.
        Permute = op("permute", 0x53, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .attrs(&[attr("permutation", AttrKind::I32Array)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"])])
            .asm("$source $permutation `:` type($source) `->` type($result)");
        /// Combines the elements along axis `dim` with the body, which takes per operand an element
        /// and an accumulator; the order is not specified.
        Reduce = op("reduce", 0x58, Version::V13_1)
            .operands(&[variadic("operands", Constraint::Tile)])
            .attrs(&[attr("dim", AttrKind::U32), attr("identities", AttrKind::Scalars)])
            .results(&[variadic("results", Constraint::Tile)])
            .regions(1)
            .rules(&[Rule::SameShape(&["operands"])])
            .effects(Effects::Regions)
            .asm("custom");
        /// Gives the same elements, in row-major order, another shape.
        Reshape = op("reshape", 0x5b, Version::V13_1)
            .operands(&[one("source", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameElement(&["source", "result"])])
            .asm("$source `:` type($source) `->` type($result)");
        /// Chooses: `result[i] = cond[i] ? val_if_true[i] : val_if_false[i]`.
        Select = op("select", 0x5f, Version::V13_1)
            .operands(&[one("cond", Constraint::I1Tile), one("val_if_true", Constraint::Tile), one("val_if_false", Constraint::Tile)])
            .results(&[one("result", Constraint::Tile)])
            .rules(&[Rule::SameType(&["val_if_true", "val_if_false", "result"]), Rule::SameShape(&["cond", "result"])])
            .asm("$cond `,` $val_if_true `,` $val_if_false `:` type($cond) `,` type($result)");
    }
}
