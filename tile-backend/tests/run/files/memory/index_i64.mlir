// test: run
// arg: i16[100] random
// arg: i16[100] zeros
// Indices of `i64`, without sign.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i16>>, %b: tile<ptr<i16>>) {
    %v1 = make_tensor_view %a, shape = [100], strides = [1] : tensor_view<100xi16, strides=[1]>
    %v2 = make_tensor_view %b, shape = [100], strides = [1] : tensor_view<100xi16, strides=[1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>
    %v5 = constant <i64: 0> : tile<i64>
    %v6, %v7 = load_view_tko weak %v3[%v5] : partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>, tile<i64> -> tile<64xi16>, token
    %v8 = store_view_tko weak %v6, %v4[%v5] : tile<64xi16>, partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>, tile<i64> -> token
    %v9 = constant <i64: 1> : tile<i64>
    %v10, %v11 = load_view_tko weak %v3[%v9] : partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>, tile<i64> -> tile<64xi16>, token
    %v12 = store_view_tko weak %v10, %v4[%v9] : tile<64xi16>, partition_view<tile=(64), tensor_view<100xi16, strides=[1]>>, tile<i64> -> token
    return
  }
}
