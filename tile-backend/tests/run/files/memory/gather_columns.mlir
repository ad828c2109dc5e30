// test: run
// arg: f16[2000] random
// arg: f16[256] zeros
// Columns picked by a tile.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>) {
    %v1 = make_tensor_view %a, shape = [20, 100], strides = [100, 1] : tensor_view<20x100xf16, strides=[100,1]>
    %v2 = iota : tile<32xi64>
    %v3 = constant <i64: 7> : tile<32xi64>
    %v4 = muli %v2, %v3 : tile<32xi64>
    %v5 = constant <i64: 120> : tile<32xi64>
    %v6 = remi %v4, %v5 unsigned : tile<32xi64>
    %v7 = constant <i32: 1> : tile<i32>
    %v8 = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf16, strides=[1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(256), tensor_view<256xf16, strides=[1]>>
    %v10 = constant <i32: 0> : tile<i32>
    %v11 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(8x32), padding_value = zero, tensor_view<20x100xf16, strides=[100,1]>, sparse_dim=1>
    %v12, %v13 = load_view_tko weak %v11[%v7, %v6] : gather_scatter_view<tile=(8x32), padding_value = zero, tensor_view<20x100xf16, strides=[100,1]>, sparse_dim=1>, tile<i32>, tile<32xi64> -> tile<8x32xf16>, token
    %v14 = reshape %v12 : tile<8x32xf16> -> tile<256xf16>
    %v15 = store_view_tko weak %v14, %v9[%v10] : tile<256xf16>, partition_view<tile=(256), tensor_view<256xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
