// test: remarks
// kinds: R0901
// arch: cpu
// One update for each element, and one for all.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<i32>>) {
    %i = iota : tile<64xi32>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %a2 = broadcast %a1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %t, %t0 = atomic_rmw_tko relaxed device %a2, add, %i : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token // remark R0901: updated one at a time
    return
  }
  entry @twin(%a: tile<ptr<i32>>) {
    %i = iota : tile<64xi32>
    %r = reduce %i dim=0 identities=[0 : i32] : tile<64xi32> -> tile<i32> (%e: tile<i32>, %f: tile<i32>) {
      %g = addi %e, %f : tile<i32>
      yield %g : tile<i32>
    }
    %t, %t0 = atomic_rmw_tko relaxed device %a, add, %r : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}
