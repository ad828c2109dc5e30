// test: run
// arg: i64[8] random
// arg: i64[1] zeros
// Fewer than lanes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [8], strides = [1] : tensor_view<8xi64, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>, tile<i32> -> tile<8xi64>, token
    %6 = reduce %4 dim=0 identities=[0 : i64] : tile<8xi64> -> tile<i64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %7 = reshape %6 : tile<i64> -> tile<1xi64>
    %8 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %9 = make_tensor_view %8, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %11 = store_view_tko weak %7, %10[%0] : tile<1xi64>, partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
