// test: run
// arg: i64[512] random
// arg: i64[512] zeros
// An axis in the middle of eight.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [2, 2, 4, 1, 4, 2, 2, 2], strides = [256, 128, 32, 32, 8, 4, 2, 1] : tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>, tile<i32> -> tile<2x2x4x1x4x2x2x2xi64>, token
    %6 = scan %4 dim=4 reverse=true identities=[0 : i64] : tile<2x2x4x1x4x2x2x2xi64> -> tile<2x2x4x1x4x2x2x2xi64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %8 = make_tensor_view %7, shape = [2, 2, 4, 1, 4, 2, 2, 2], strides = [256, 128, 32, 32, 8, 4, 2, 1] : tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0, %0, %0, %0, %0, %0, %0] : tile<2x2x4x1x4x2x2x2xi64>, partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>, tile<i32> -> token
    return
  }
}
