// test: run
// warps: 1
// arg: f16[512] random
// arg: f16[512] zeros
// Several to a word.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %6 = permute %4 [1, 0] : tile<16x32xf16> -> tile<32x16xf16>
    %7 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %8 = make_tensor_view %7, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<32x16xf16>, partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
