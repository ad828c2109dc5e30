// test: run
// arg: f16[4096] random
// arg: f16[4096] zeros
// A cycle of axes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 16, 32], strides = [512, 32, 1] : tensor_view<8x16x32xf16, strides=[512, 32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x16x32), tensor_view<8x16x32xf16, strides=[512, 32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0] : partition_view<tile=(8x16x32), tensor_view<8x16x32xf16, strides=[512, 32, 1]>>, tile<i32> -> tile<8x16x32xf16>, token
    %5 = permute %3 [2, 0, 1] : tile<8x16x32xf16> -> tile<32x8x16xf16>
    %6 = make_tensor_view %p1, shape = [32, 8, 16], strides = [128, 16, 1] : tensor_view<32x8x16xf16, strides=[128, 16, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x8x16), tensor_view<32x8x16xf16, strides=[128, 16, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0, %0] : tile<32x8x16xf16>, partition_view<tile=(32x8x16), tensor_view<32x8x16xf16, strides=[128, 16, 1]>>, tile<i32> -> token
    return
  }
}
