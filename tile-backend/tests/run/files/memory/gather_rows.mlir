// test: run
// arg: f32[2560] random
// arg: f32[512] zeros
// Rows picked by a tile; some are outside.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [40, 64], strides = [64, 1] : tensor_view<40x64xf32, strides=[64,1]>
    %v2 = iota : tile<16xi32>
    %v3 = constant <i32: 7> : tile<16xi32>
    %v4 = muli %v2, %v3 : tile<16xi32>
    %v5 = constant <i32: 50> : tile<16xi32>
    %v6 = remi %v4, %v5 unsigned : tile<16xi32>
    %v7 = constant <i32: 1> : tile<i32>
    %v8 = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %v10 = constant <i32: 0> : tile<i32>
    %v11 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<40x64xf32, strides=[64,1]>, sparse_dim=0>
    %v12, %v13 = load_view_tko weak %v11[%v6, %v7] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<40x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %v14 = reshape %v12 : tile<16x32xf32> -> tile<512xf32>
    %v15 = store_view_tko weak %v14, %v9[%v10] : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
