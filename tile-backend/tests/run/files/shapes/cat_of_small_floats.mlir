// test: run
// arg: f8E4M3FN[64] random
// arg: f8E4M3FN[64] random
// arg: f8E4M3FN[128] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E4M3FN>>, %p1: tile<ptr<f8E4M3FN>>, %p2: tile<ptr<f8E4M3FN>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf8E4M3FN, strides=[8, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x8), tensor_view<8x8xf8E4M3FN, strides=[8, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x8), tensor_view<8x8xf8E4M3FN, strides=[8, 1]>>, tile<i32> -> tile<8x8xf8E4M3FN>, token
    %5 = make_tensor_view %p1, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf8E4M3FN, strides=[8, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(8x8), tensor_view<8x8xf8E4M3FN, strides=[8, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(8x8), tensor_view<8x8xf8E4M3FN, strides=[8, 1]>>, tile<i32> -> tile<8x8xf8E4M3FN>, token
    %9 = cat %3, %7 dim = 0 : tile<8x8xf8E4M3FN>, tile<8x8xf8E4M3FN> -> tile<16x8xf8E4M3FN>
    %10 = make_tensor_view %p2, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf8E4M3FN, strides=[8, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(16x8), tensor_view<16x8xf8E4M3FN, strides=[8, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<16x8xf8E4M3FN>, partition_view<tile=(16x8), tensor_view<16x8xf8E4M3FN, strides=[8, 1]>>, tile<i32> -> token
    return
  }
}
