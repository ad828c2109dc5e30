// test: run
// arg: f32[3960] zeros
// arg: f32[256] random
// Rows stored where a tile says; some are outside.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [120, 33], strides = [33, 1] : tensor_view<120x33xf32, strides=[33,1]>
    %v2 = iota : tile<16xi32>
    %v3 = constant <i32: 7> : tile<16xi32>
    %v4 = muli %v2, %v3 : tile<16xi32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %v7 = make_partition_view %v6 : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %v8 = constant <i32: 0> : tile<i32>
    %v9, %v10 = load_view_tko weak %v7[%v8] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %v11 = reshape %v9 : tile<256xf32> -> tile<16x16xf32>
    %v12 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(16x16), tensor_view<120x33xf32, strides=[33,1]>, sparse_dim=0>
    %v13 = store_view_tko weak %v11, %v12[%v4, %v5] : tile<16x16xf32>, gather_scatter_view<tile=(16x16), tensor_view<120x33xf32, strides=[33,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> token
    return
  }
}
