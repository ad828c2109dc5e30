// test: run
// arg: f64[50] random
// arg: f64[512] zeros
// What a load of `f64` finds behind the end of a tensor.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %b: tile<ptr<f64>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = constant <i32: 1> : tile<i32>
    %v3 = make_tensor_view %a, shape = [50], strides = [1] : tensor_view<50xf64, strides=[1]>
    %v4 = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xf64, strides=[1]>
    %v5 = make_partition_view %v4 : partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>
    %v6 = make_partition_view %v3 : partition_view<tile=(32), padding_value = zero, tensor_view<50xf64, strides=[1]>>
    %v7, %v8 = load_view_tko weak %v6[%v1] : partition_view<tile=(32), padding_value = zero, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v9 = constant <i32: 0> : tile<i32>
    %v10 = store_view_tko weak %v7, %v5[%v9] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v11, %v12 = load_view_tko weak %v6[%v2] : partition_view<tile=(32), padding_value = zero, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v13 = constant <i32: 1> : tile<i32>
    %v14 = store_view_tko weak %v11, %v5[%v13] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v15 = make_partition_view %v3 : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf64, strides=[1]>>
    %v16, %v17 = load_view_tko weak %v15[%v1] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v18 = constant <i32: 2> : tile<i32>
    %v19 = store_view_tko weak %v16, %v5[%v18] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v20, %v21 = load_view_tko weak %v15[%v2] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v22 = constant <i32: 3> : tile<i32>
    %v23 = store_view_tko weak %v20, %v5[%v22] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v24 = make_partition_view %v3 : partition_view<tile=(32), padding_value = nan, tensor_view<50xf64, strides=[1]>>
    %v25, %v26 = load_view_tko weak %v24[%v1] : partition_view<tile=(32), padding_value = nan, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v27 = constant <i32: 4> : tile<i32>
    %v28 = store_view_tko weak %v25, %v5[%v27] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v29, %v30 = load_view_tko weak %v24[%v2] : partition_view<tile=(32), padding_value = nan, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v31 = constant <i32: 5> : tile<i32>
    %v32 = store_view_tko weak %v29, %v5[%v31] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v33 = make_partition_view %v3 : partition_view<tile=(32), padding_value = pos_inf, tensor_view<50xf64, strides=[1]>>
    %v34, %v35 = load_view_tko weak %v33[%v1] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v36 = constant <i32: 6> : tile<i32>
    %v37 = store_view_tko weak %v34, %v5[%v36] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v38, %v39 = load_view_tko weak %v33[%v2] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v40 = constant <i32: 7> : tile<i32>
    %v41 = store_view_tko weak %v38, %v5[%v40] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v42 = make_partition_view %v3 : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf64, strides=[1]>>
    %v43, %v44 = load_view_tko weak %v42[%v1] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v45 = constant <i32: 8> : tile<i32>
    %v46 = store_view_tko weak %v43, %v5[%v45] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    %v47, %v48 = load_view_tko weak %v42[%v2] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf64, strides=[1]>>, tile<i32> -> tile<32xf64>, token
    %v49 = constant <i32: 9> : tile<i32>
    %v50 = store_view_tko weak %v47, %v5[%v49] : tile<32xf64>, partition_view<tile=(32), tensor_view<512xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
