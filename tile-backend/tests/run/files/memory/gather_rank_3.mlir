// test: run
// arg: f64[1080] random
// arg: f64[256] zeros
// The middle axis of three.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %b: tile<ptr<f64>>) {
    %v1 = make_tensor_view %a, shape = [6, 20, 9], strides = [180, 9, 1] : tensor_view<6x20x9xf64, strides=[180,9,1]>
    %v2 = iota : tile<16xi16>
    %v3 = constant <i16: 7> : tile<16xi16>
    %v4 = muli %v2, %v3 : tile<16xi16>
    %v5 = constant <i16: 25> : tile<16xi16>
    %v6 = remi %v4, %v5 unsigned : tile<16xi16>
    %v7 = constant <i32: 1> : tile<i32>
    %v8 = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf64, strides=[1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(256), tensor_view<256xf64, strides=[1]>>
    %v10 = constant <i32: 0> : tile<i32>
    %v11 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(4x16x4), padding_value = nan, tensor_view<6x20x9xf64, strides=[180,9,1]>, sparse_dim=1>
    %v12, %v13 = load_view_tko weak %v11[%v7, %v6, %v7] : gather_scatter_view<tile=(4x16x4), padding_value = nan, tensor_view<6x20x9xf64, strides=[180,9,1]>, sparse_dim=1>, tile<i32>, tile<16xi16>, tile<i32> -> tile<4x16x4xf64>, token
    %v14 = reshape %v12 : tile<4x16x4xf64> -> tile<256xf64>
    %v15 = store_view_tko weak %v14, %v9[%v10] : tile<256xf64>, partition_view<tile=(256), tensor_view<256xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
