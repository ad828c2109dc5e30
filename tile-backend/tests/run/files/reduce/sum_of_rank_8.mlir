// test: run
// arg: i64[512] random
// arg: i64[128] zeros
// An axis in the middle of eight.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2, 2, 4, 1, 4, 2, 2, 2], strides = [256, 128, 32, 32, 8, 4, 2, 1] : tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x2x4x1x4x2x2x2), tensor_view<2x2x4x1x4x2x2x2xi64, strides=[256, 128, 32, 32, 8, 4, 2, 1]>>, tile<i32> -> tile<2x2x4x1x4x2x2x2xi64>, token
    %5 = reduce %3 dim=4 identities=[0 : i64] : tile<2x2x4x1x4x2x2x2xi64> -> tile<2x2x4x1x2x2x2xi64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %6 = make_tensor_view %p1, shape = [2, 2, 4, 1, 2, 2, 2], strides = [64, 32, 8, 8, 4, 2, 1] : tensor_view<2x2x4x1x2x2x2xi64, strides=[64, 32, 8, 8, 4, 2, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(2x2x4x1x2x2x2), tensor_view<2x2x4x1x2x2x2xi64, strides=[64, 32, 8, 8, 4, 2, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0, %0, %0, %0, %0, %0] : tile<2x2x4x1x2x2x2xi64>, partition_view<tile=(2x2x4x1x2x2x2), tensor_view<2x2x4x1x2x2x2xi64, strides=[64, 32, 8, 8, 4, 2, 1]>>, tile<i32> -> token
    return
  }
}
