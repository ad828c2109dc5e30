//! Op table rows of views.

use super::def::{
    AttrKind, Constraint, Effects, Version, all_false, attr, one, op, optional, optional_attr,
    variadic,
};
use super::table::define_ops;

define_ops! {
    /// Views: tensors in global memory, addressed by tiles.
    pub enum ViewOp {
        /// The number of tiles along each axis of a view, including those that are partly outside:
        /// the extents divided by the tile's extents, or by the traversal strides of a strided
        /// view, rounded up. In a gather/scatter view, indices count elements, so the results are
        /// the extents themselves.
        GetIndexSpaceShape = op("get_index_space_shape", 0x2d, Version::V13_1)
            .operands(&[one("src", Constraint::TileView)])
            .results(&[variadic("result", Constraint::ScalarInt)])
            .effects(Effects::NoMemoryEffect)
            .custom("$src `:` type($src) `->` type($result)");
        /// The extents of a tensor view, to be read as unsigned; an extent that the result type
        /// cannot hold is undefined behaviour.
        GetTensorShape = op("get_tensor_shape", 0x2f, Version::V13_1)
            .operands(&[one("src", Constraint::TensorView)])
            .results(&[variadic("result", Constraint::ScalarInt)])
            .effects(Effects::NoMemoryEffect)
            .custom("$src `:` type($src) `->` type($result)");
        /// Loads the tile at `index` of a view. Elements outside the tensor have the view's padding
        /// value; without one, they are unspecified. Indices are unsigned. A tile that begins
        /// outside the index space is undefined behaviour; this compiler treats it as a tile
        /// entirely outside the tensor. `inbounds` promises, for each index, that the whole tile is
        /// inside. Only tokens order this access with others. `weak` promises that nothing else
        /// accesses the memory concurrently; any other ordering needs a scope that contains all
        /// threads that do.
        LoadViewTko = op("load_view_tko", 0x3e, Version::V13_1)
            .operands(&[one("view", Constraint::TileView), variadic("index", Constraint::IntTile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_0111)), optional_attr("memory_scope", AttrKind::MemoryScope(0b111)), optional_attr("optimization_hints", AttrKind::Hints), all_false("inbounds").since(Version::V13_4)])
            .results(&[one("tile", Constraint::Tile), one("result_token", Constraint::Token)])
            .segmented()
            .effects(Effects::Read)
            .asm("$memory_ordering_semantics $memory_scope! $view `[` $index `]` (`token` `=` $token^)? (`optimization_hints` `=` $optimization_hints^)? (`inbounds` `=` $inbounds^)? `:` type($view) (`,` types($index)^)? `->` type($tile) `,` type($result_token)");
        /// Addresses a tensor view by tiles whose indices along one axis are the elements of a tile
        /// of rank 1. All indices count elements; an index in that tile that is outside the tensor
        /// selects nothing.
        MakeGatherScatterView = op("make_gather_scatter_view", 0x73, Version::V13_3)
            .operands(&[one("tensor_view", Constraint::TensorView)])
            .results(&[one("result", Constraint::GatherScatterView)])
            .asm("$tensor_view `:` type($result)");
        /// Cuts a tensor view into tiles side by side; the index of a tile counts tiles.
        MakePartitionView = op("make_partition_view", 0x42, Version::V13_1)
            .operands(&[one("tensor_view", Constraint::TensorView)])
            .results(&[one("result", Constraint::PartitionView)])
            .asm("$tensor_view `:` type($result)");
        /// Addresses a tensor view by tiles that start at multiples of traversal strides, so
        /// that they may overlap or leave gaps.
        MakeStridedView = op("make_strided_view", 0x74, Version::V13_3)
            .operands(&[one("tensor_view", Constraint::TensorView)])
            .results(&[one("result", Constraint::StridedView)])
            .asm("$tensor_view `:` type($result)");
        /// A tensor in global memory: base pointer, and shape and strides in elements. Extents and
        /// strides that the type does not give are unsigned operands; in text, each is written at
        /// its position among those that the type gives.
        MakeTensorView = op("make_tensor_view", 0x43, Version::V13_1)
            .operands(&[one("base", Constraint::ScalarPtr), variadic("dynamicShape", Constraint::ScalarInt), variadic("dynamicStrides", Constraint::ScalarInt)])
            .results(&[one("result", Constraint::TensorView)])
            .segmented()
            .effects(Effects::NoMemoryEffect)
            .custom("$base `,` `shape` `=` `[` $dynamicShape `]` `,` `strides` `=` `[` $dynamicStrides `]` `:` (type($dynamicShape) `->`)? type($result)");
        /// Stores a tile at `index` of a view; elements outside the tensor are skipped. Indices are
        /// unsigned. A tile that begins outside the index space is undefined behaviour; this
        /// compiler treats it as a tile entirely outside the tensor. `inbounds` promises, for each
        /// index, that the whole tile is inside. Only tokens order this access with others. `weak`
        /// promises that nothing else accesses the memory concurrently; any other ordering needs a
        /// scope that contains all threads that do.
        StoreViewTko = op("store_view_tko", 0x66, Version::V13_1)
            .operands(&[one("tile", Constraint::Tile), one("view", Constraint::TileView), variadic("index", Constraint::IntTile), optional("token", Constraint::Token)])
            .attrs(&[attr("memory_ordering_semantics", AttrKind::MemoryOrdering(0b0_1011)), optional_attr("memory_scope", AttrKind::MemoryScope(0b111)), optional_attr("optimization_hints", AttrKind::Hints), all_false("inbounds").since(Version::V13_4)])
            .results(&[one("result_token", Constraint::Token)])
            .segmented()
            .effects(Effects::Write)
            .asm("$memory_ordering_semantics $memory_scope! $tile `,` $view `[` $index `]` (`token` `=` $token^)? (`optimization_hints` `=` $optimization_hints^)? (`inbounds` `=` $inbounds^)? `:` type($tile) `,` type($view) (`,` types($index)^)? `->` type($result_token)");
    }
}
