//! Special registers (PTX ISA, "Special Registers").

use super::names::Content;

/// A special register that is constant for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    ThreadIndex(usize),
    BlockSize(usize),
    BlockIndex(usize),
    GridSize(usize),
    Lane,
    Warp,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    DynamicSharedBytes,
    TotalSharedBytes,
    /// `%cluster_ctaid`: the index of the block in its cluster.
    ClusterBlockIndex(usize),
    /// `%cluster_nctaid`: the number of blocks along an axis of the cluster.
    ClusterSize(usize),
    /// `%clusterid`: the index of the cluster in the grid.
    ClusterIndex(usize),
    /// `%nclusterid`: the number of clusters along an axis of the grid.
    Clusters(usize),
    /// `%cluster_ctarank`: the rank of the block in its cluster.
    ClusterRank,
    /// `%cluster_nctarank`: the number of blocks of the cluster.
    ClusterBlocks,
    /// `%is_explicit_cluster`: 1 if the launch specifies a cluster size.
    IsExplicitCluster,
}

/// Returns the contents of a special register and its width in bits.
pub(super) fn content(name: &str) -> Option<(Content, u8)> {
    let special = |special| Some((Content::Special(special), 32));
    let fixed = |value, bits| Some((Content::Constant(value), bits));
    if let Some((base, axis)) = name.split_once('.') {
        let axis = ["x", "y", "z", "w"].iter().position(|&word| word == axis)?;
        let axis_special: fn(usize) -> Special = match base {
            "%tid" => Special::ThreadIndex,
            "%ntid" => Special::BlockSize,
            "%ctaid" => Special::BlockIndex,
            "%nctaid" => Special::GridSize,
            "%cluster_ctaid" => Special::ClusterBlockIndex,
            "%cluster_nctaid" => Special::ClusterSize,
            "%clusterid" => Special::ClusterIndex,
            "%nclusterid" => Special::Clusters,
            _ => return None,
        };
        // The fourth component is always zero.
        return if axis == 3 {
            fixed(0, 32)
        } else {
            special(axis_special(axis))
        };
    }
    match name {
        "%laneid" => special(Special::Lane),
        "%warpid" => special(Special::Warp),
        "%nwarpid" => special(Special::Warps),
        "%lanemask_eq" => special(Special::LanesEqual),
        "%lanemask_lt" => special(Special::LanesBelow),
        "%lanemask_le" => special(Special::LanesUpTo),
        "%lanemask_gt" => special(Special::LanesAbove),
        "%lanemask_ge" => special(Special::LanesFrom),
        "%dynamic_smem_size" => special(Special::DynamicSharedBytes),
        "%total_smem_size" | "%aggr_smem_size" => special(Special::TotalSharedBytes),
        "%cluster_ctarank" => special(Special::ClusterRank),
        "%cluster_nctarank" => special(Special::ClusterBlocks),
        "%is_explicit_cluster" => special(Special::IsExplicitCluster),
        // There is one multiprocessor, one grid at a time, and no reserved shared memory.
        "%smid" => fixed(0, 32),
        "%nsmid" => fixed(1, 32),
        "%gridid" | "%current_graph_exec" => fixed(0, 64),
        "%reserved_smem_offset_begin" | "%reserved_smem_offset_end" => fixed(0, 32),
        "%reserved_smem_offset_cap" | "%reserved_smem_offset_0" | "%reserved_smem_offset_1" => {
            fixed(0, 32)
        }
        _ => {
            let number = |prefix: &str| name.strip_prefix(prefix)?.parse::<u8>().ok();
            let performance = |counter: Option<u8>| counter.is_some_and(|counter| counter < 8);
            if number("%envreg").is_some_and(|register| register < 32) {
                return fixed(0, 32);
            }
            // Performance events are not counted.
            if let Some(counter) = name.strip_prefix("%pm").and_then(|n| n.strip_suffix("_64")) {
                return performance(counter.parse().ok()).then_some((Content::Constant(0), 64));
            }
            performance(number("%pm")).then_some((Content::Constant(0), 32))
        }
    }
}
