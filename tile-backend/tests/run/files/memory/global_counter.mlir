// test: run
// grid: 4 4 2
// arg: i32[64] zeros
// A variable counts the blocks; each marks the place that it got.
cuda_tile.module @kernels {
  global @counter <i32: [5]> : tile<1xi32>
  entry @kernel(%b: tile<ptr<i32>>) {
    %v1 = get_global @counter : tile<ptr<i32>>
    %v2 = constant <i32: 1> : tile<i32>
    %v3, %v4 = atomic_rmw_tko relaxed device %v1, add, %v2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v5 = offset %b, %v3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v6 = store_ptr_tko weak %v5, %v2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
