// test: run
// arg: i64[1] random
// arg: i64[512] zeros
// One element everywhere.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [1, 1, 1], strides = [1, 1, 1] : tensor_view<1x1x1xi64, strides=[1, 1, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(1x1x1), tensor_view<1x1x1xi64, strides=[1, 1, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0] : partition_view<tile=(1x1x1), tensor_view<1x1x1xi64, strides=[1, 1, 1]>>, tile<i32> -> tile<1x1x1xi64>, token
    %6 = broadcast %4 : tile<1x1x1xi64> -> tile<4x8x16xi64>
    %7 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %8 = make_tensor_view %7, shape = [4, 8, 16], strides = [128, 16, 1] : tensor_view<4x8x16xi64, strides=[128, 16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(4x8x16), tensor_view<4x8x16xi64, strides=[128, 16, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0, %0] : tile<4x8x16xi64>, partition_view<tile=(4x8x16), tensor_view<4x8x16xi64, strides=[128, 16, 1]>>, tile<i32> -> token
    return
  }
}
