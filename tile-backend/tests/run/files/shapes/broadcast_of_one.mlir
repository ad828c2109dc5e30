// test: run
// arg: i64[1] random
// arg: i64[512] zeros
// One element everywhere.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1, 1, 1], strides = [1, 1, 1] : tensor_view<1x1x1xi64, strides=[1, 1, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(1x1x1), tensor_view<1x1x1xi64, strides=[1, 1, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0] : partition_view<tile=(1x1x1), tensor_view<1x1x1xi64, strides=[1, 1, 1]>>, tile<i32> -> tile<1x1x1xi64>, token
    %5 = broadcast %3 : tile<1x1x1xi64> -> tile<4x8x16xi64>
    %6 = make_tensor_view %p1, shape = [4, 8, 16], strides = [128, 16, 1] : tensor_view<4x8x16xi64, strides=[128, 16, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(4x8x16), tensor_view<4x8x16xi64, strides=[128, 16, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0, %0] : tile<4x8x16xi64>, partition_view<tile=(4x8x16), tensor_view<4x8x16xi64, strides=[128, 16, 1]>>, tile<i32> -> token
    return
  }
}
