// test: run
// arg: bf16[16] random
// arg: bf16[1024] zeros
// Copies along both axes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 1], strides = [1, 1] : tensor_view<16x1xbf16, strides=[1, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x1), tensor_view<16x1xbf16, strides=[1, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x1), tensor_view<16x1xbf16, strides=[1, 1]>>, tile<i32> -> tile<16x1xbf16>, token
    %5 = broadcast %3 : tile<16x1xbf16> -> tile<16x64xbf16>
    %6 = permute %5 [1, 0] : tile<16x64xbf16> -> tile<64x16xbf16>
    %7 = reshape %6 : tile<64x16xbf16> -> tile<16x8x8xbf16>
    %8 = permute %7 [0, 2, 1] : tile<16x8x8xbf16> -> tile<16x8x8xbf16>
    %9 = make_tensor_view %p1, shape = [16, 8, 8], strides = [64, 8, 1] : tensor_view<16x8x8xbf16, strides=[64, 8, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(16x8x8), tensor_view<16x8x8xbf16, strides=[64, 8, 1]>>
    %11 = store_view_tko weak %8, %10[%0, %0, %0] : tile<16x8x8xbf16>, partition_view<tile=(16x8x8), tensor_view<16x8x8xbf16, strides=[64, 8, 1]>>, tile<i32> -> token
    return
  }
}
