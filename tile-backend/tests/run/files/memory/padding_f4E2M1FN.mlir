// test: run
// arg: f4E2M1FN[50] random
// arg: f4E2M1FN[64] zeros
// A type without infinities and NaN: 6 of the sign, and 6.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>) {
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %v1 = make_tensor_view %a, shape = [50], strides = [1] : tensor_view<50xf4E2M1FN, strides=[1]>
    %v2 = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
    %p1 = make_partition_view %v1 : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf4E2M1FN, strides=[1]>>
    %p2 = make_partition_view %v1 : partition_view<tile=(32), padding_value = nan, tensor_view<50xf4E2M1FN, strides=[1]>>
    %q = make_partition_view %v2 : partition_view<tile=(32), tensor_view<64xf4E2M1FN, strides=[1]>>
    %x, %t1 = load_view_tko weak %p1[%one] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %t2 = store_view_tko weak %x, %q[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %y, %t3 = load_view_tko weak %p2[%two] : partition_view<tile=(32), padding_value = nan, tensor_view<50xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %t4 = store_view_tko weak %y, %q[%one] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
