// test: remarks
// kinds: R0301
// Updates that all go to one place, and to a place each.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<i32>>) {
    %i = iota : tile<256xi32>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %a2 = broadcast %a1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %one = constant <i32: 1> : tile<256xi32>
    %o, %t0 = atomic_rmw_tko relaxed device %a2, add, %one : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token // remark R0301: 256 updates of one place
    return
  }
  entry @twin(%a: tile<ptr<i32>>) {
    %i = iota : tile<256xi32>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %a2 = broadcast %a1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %a3 = offset %a2, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %one = constant <i32: 1> : tile<256xi32>
    %o, %t0 = atomic_rmw_tko relaxed device %a3, add, %one : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    return
  }
}
