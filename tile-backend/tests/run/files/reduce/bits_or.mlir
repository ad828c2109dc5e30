// test: run
// arg: i64[1024] random
// arg: i64[16] zeros
// Any bit.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xi64, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x64), tensor_view<16x64xi64, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x64), tensor_view<16x64xi64, strides=[64, 1]>>, tile<i32> -> tile<16x64xi64>, token
    %5 = reduce %3 dim=1 identities=[0 : i64] : tile<16x64xi64> -> tile<16xi64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = ori %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %6 = make_tensor_view %p1, shape = [16], strides = [1] : tensor_view<16xi64, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(16), tensor_view<16xi64, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<16xi64>, partition_view<tile=(16), tensor_view<16xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
