// test: run
// arg: i64[700] zeros
// arg: i64[64] random
// Columns stored where a tile says.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i64>>, %b: tile<ptr<i64>>) {
    %v1 = make_tensor_view %a, shape = [7, 100], strides = [100, 1] : tensor_view<7x100xi64, strides=[100,1]>
    %v2 = iota : tile<16xi32>
    %v3 = constant <i32: 7> : tile<16xi32>
    %v4 = muli %v2, %v3 : tile<16xi32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xi64, strides=[1]>
    %v7 = make_partition_view %v6 : partition_view<tile=(64), tensor_view<64xi64, strides=[1]>>
    %v8 = constant <i32: 0> : tile<i32>
    %v9, %v10 = load_view_tko weak %v7[%v8] : partition_view<tile=(64), tensor_view<64xi64, strides=[1]>>, tile<i32> -> tile<64xi64>, token
    %v11 = reshape %v9 : tile<64xi64> -> tile<4x16xi64>
    %v12 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(4x16), tensor_view<7x100xi64, strides=[100,1]>, sparse_dim=1>
    %v13 = store_view_tko weak %v11, %v12[%v5, %v4] : tile<4x16xi64>, gather_scatter_view<tile=(4x16), tensor_view<7x100xi64, strides=[100,1]>, sparse_dim=1>, tile<i32>, tile<16xi32> -> token
    return
  }
}
