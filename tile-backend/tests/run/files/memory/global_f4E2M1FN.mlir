// test: run
// arg: f4E2M1FN[64] zeros
// Variables of `f4E2M1FN`, two elements in a byte.
cuda_tile.module @kernels {
  global private constant @table <f4E2M1FN: [-1.0, -6.0, 6.0, 1.0, 1.5, 1.5, 1.0, 2.0, -6.0, -1.0, -6.0, 2.0, -1.0, 4.0, -1.0, 6.0, 1.5, -6.0, 2.0, 2.0, 1.0, 1.5, 4.0, -6.0, 1.0, 4.0, 2.0, 4.0, 3.0, 2.0, 0.5, 6.0, 6.0, 6.0, -6.0, 2.0, 6.0, 3.0, 4.0, 0.5, -1.0, 3.0, 4.0, 1.5, -6.0, -6.0, 2.0, 1.0, 3.0, 2.0, 6.0, 6.0, -1.0, 6.0, 3.0, 0.5, 1.5, 0.5, 6.0, -1.0, -1.0, 0.5, 1.0, 6.0]> : tile<64xf4E2M1FN>
  global @cells alignment = 128 <f4E2M1FN: [-1.0, -6.0, 6.0, 1.0, 1.5, 1.5, 1.0, 2.0, -6.0, -1.0, -6.0, 2.0, -1.0, 4.0, -1.0, 6.0, 1.5, -6.0, 2.0, 2.0, 1.0, 1.5, 4.0, -6.0, 1.0, 4.0, 2.0, 4.0, 3.0, 2.0, 0.5, 6.0, 6.0, 6.0, -6.0, 2.0, 6.0, 3.0, 4.0, 0.5, -1.0, 3.0, 4.0, 1.5, -6.0, -6.0, 2.0, 1.0, 3.0, 2.0, 6.0, 6.0, -1.0, 6.0, 3.0, 0.5, 1.5, 0.5, 6.0, -1.0, -1.0, 0.5, 1.0, 6.0]> : tile<64xf4E2M1FN>
  entry @kernel(%b: tile<ptr<f4E2M1FN>>) {
    %v1 = get_global @table : tile<ptr<f4E2M1FN>>
    %v2 = get_global @cells : tile<ptr<f4E2M1FN>>
    %v3 = make_tensor_view %v1, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
    %v4 = make_tensor_view %v2, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
    %v5 = make_tensor_view %b, shape = [128], strides = [1] : tensor_view<128xf4E2M1FN, strides=[1]>
    %v6 = make_partition_view %v3 : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>
    %v7 = make_partition_view %v4 : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>
    %v8 = make_partition_view %v5 : partition_view<tile=(64), tensor_view<128xf4E2M1FN, strides=[1]>>
    %v9 = constant <i32: 0> : tile<i32>
    %v10 = constant <i32: 1> : tile<i32>
    %v11, %v12 = load_view_tko weak %v7[%v9] : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<64xf4E2M1FN>, token
    %v13 = store_view_tko weak %v11, %v8[%v9] : tile<64xf4E2M1FN>, partition_view<tile=(64), tensor_view<128xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %v14, %v15 = load_view_tko weak %v6[%v9] : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<64xf4E2M1FN>, token
    %v16 = store_view_tko weak %v14, %v8[%v10] : tile<64xf4E2M1FN>, partition_view<tile=(64), tensor_view<128xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
