// test: run
// arg: i8[64] random
// arg: i8[64] zeros
// Floats of four bits, and back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %5 = unpack %3 : tile<64xi8> -> tile<128xf4E2M1FN>
    %6 = ftof %5 rounding<nearest_even> : tile<128xf4E2M1FN> -> tile<128xf32>
    %7 = pack %5 : tile<128xf4E2M1FN> -> tile<64xi8>
    %8 = make_tensor_view %p1, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %10 = store_view_tko weak %7, %9[%0] : tile<64xi8>, partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
