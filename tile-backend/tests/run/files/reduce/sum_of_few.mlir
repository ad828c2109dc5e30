// test: run
// arg: i64[8] random
// arg: i64[1] zeros
// Fewer than lanes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8], strides = [1] : tensor_view<8xi64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>, tile<i32> -> tile<8xi64>, token
    %5 = reduce %3 dim=0 identities=[0 : i64] : tile<8xi64> -> tile<i64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %6 = reshape %5 : tile<i64> -> tile<1xi64>
    %7 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %9 = store_view_tko weak %6, %8[%0] : tile<1xi64>, partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
