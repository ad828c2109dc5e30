// test: run
// arg: f8E4M3FN[50] random
// arg: f8E4M3FN[512] zeros
// What a load of `f8E4M3FN` finds behind the end of a tensor.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = constant <i32: 1> : tile<i32>
    %v3 = make_tensor_view %a, shape = [50], strides = [1] : tensor_view<50xf8E4M3FN, strides=[1]>
    %v4 = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xf8E4M3FN, strides=[1]>
    %v5 = make_partition_view %v4 : partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>
    %v6 = make_partition_view %v3 : partition_view<tile=(32), padding_value = zero, tensor_view<50xf8E4M3FN, strides=[1]>>
    %v7, %v8 = load_view_tko weak %v6[%v1] : partition_view<tile=(32), padding_value = zero, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v9 = constant <i32: 0> : tile<i32>
    %v10 = store_view_tko weak %v7, %v5[%v9] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %v11, %v12 = load_view_tko weak %v6[%v2] : partition_view<tile=(32), padding_value = zero, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v13 = constant <i32: 1> : tile<i32>
    %v14 = store_view_tko weak %v11, %v5[%v13] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %v15 = make_partition_view %v3 : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf8E4M3FN, strides=[1]>>
    %v16, %v17 = load_view_tko weak %v15[%v1] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v18 = constant <i32: 2> : tile<i32>
    %v19 = store_view_tko weak %v16, %v5[%v18] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %v20, %v21 = load_view_tko weak %v15[%v2] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v22 = constant <i32: 3> : tile<i32>
    %v23 = store_view_tko weak %v20, %v5[%v22] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %v24 = make_partition_view %v3 : partition_view<tile=(32), padding_value = nan, tensor_view<50xf8E4M3FN, strides=[1]>>
    %v25, %v26 = load_view_tko weak %v24[%v1] : partition_view<tile=(32), padding_value = nan, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v27 = constant <i32: 4> : tile<i32>
    %v28 = store_view_tko weak %v25, %v5[%v27] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %v29, %v30 = load_view_tko weak %v24[%v2] : partition_view<tile=(32), padding_value = nan, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %v31 = constant <i32: 5> : tile<i32>
    %v32 = store_view_tko weak %v29, %v5[%v31] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<512xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
