// test: run
// has: redux.sync
// warps: 8
// arg: i32[2048] random
// arg: i32[1] zeros
// The largest.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> tile<2048xi32>, token
    %5 = reduce %3 dim=0 identities=[-2147483648 : i32] : tile<2048xi32> -> tile<i32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = maxi %e0, %a0 signed : tile<i32>
      yield %b0 : tile<i32>
    }
    %6 = reshape %5 : tile<i32> -> tile<1xi32>
    %7 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %9 = store_view_tko weak %6, %8[%0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
