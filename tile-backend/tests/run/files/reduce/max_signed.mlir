// test: run
// has: redux.sync
// warps: 8
// arg: i32[2048] random
// arg: i32[1] zeros
// The largest.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> tile<2048xi32>, token
    %6 = reduce %4 dim=0 identities=[-2147483648 : i32] : tile<2048xi32> -> tile<i32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = maxi %e0, %a0 signed : tile<i32>
      yield %b0 : tile<i32>
    }
    %7 = reshape %6 : tile<i32> -> tile<1xi32>
    %8 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %9 = make_tensor_view %8, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %11 = store_view_tko weak %7, %10[%0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
