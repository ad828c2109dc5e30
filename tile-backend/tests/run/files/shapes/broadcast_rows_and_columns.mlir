// test: run
// arg: bf16[16] random
// arg: bf16[1024] zeros
// Copies along both axes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %2 = make_tensor_view %1, shape = [16, 1], strides = [1, 1] : tensor_view<16x1xbf16, strides=[1, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x1), tensor_view<16x1xbf16, strides=[1, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x1), tensor_view<16x1xbf16, strides=[1, 1]>>, tile<i32> -> tile<16x1xbf16>, token
    %6 = broadcast %4 : tile<16x1xbf16> -> tile<16x64xbf16>
    %7 = permute %6 [1, 0] : tile<16x64xbf16> -> tile<64x16xbf16>
    %8 = reshape %7 : tile<64x16xbf16> -> tile<16x8x8xbf16>
    %9 = permute %8 [0, 2, 1] : tile<16x8x8xbf16> -> tile<16x8x8xbf16>
    %10 = assume div_by<16>, %p1 : tile<ptr<bf16>>
    %11 = make_tensor_view %10, shape = [16, 8, 8], strides = [64, 8, 1] : tensor_view<16x8x8xbf16, strides=[64, 8, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(16x8x8), tensor_view<16x8x8xbf16, strides=[64, 8, 1]>>
    %13 = store_view_tko weak %9, %12[%0, %0, %0] : tile<16x8x8xbf16>, partition_view<tile=(16x8x8), tensor_view<16x8x8xbf16, strides=[64, 8, 1]>>, tile<i32> -> token
    return
  }
}
