// test: run
// arg: f8E4M3FN[50] random
// arg: f8E4M3FN[64] zeros
// A type without infinities: they are its NaN.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>) {
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %v1 = make_tensor_view %a, shape = [50], strides = [1] : tensor_view<50xf8E4M3FN, strides=[1]>
    %v2 = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xf8E4M3FN, strides=[1]>
    %p1 = make_partition_view %v1 : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf8E4M3FN, strides=[1]>>
    %p2 = make_partition_view %v1 : partition_view<tile=(32), padding_value = pos_inf, tensor_view<50xf8E4M3FN, strides=[1]>>
    %q = make_partition_view %v2 : partition_view<tile=(32), tensor_view<64xf8E4M3FN, strides=[1]>>
    %x, %t1 = load_view_tko weak %p1[%one] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %t2 = store_view_tko weak %x, %q[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<64xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %y, %t3 = load_view_tko weak %p2[%two] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<50xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %t4 = store_view_tko weak %y, %q[%one] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<64xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
