// test: run
// arg: i32[2048] random
// arg: i32[2048] zeros
// Over registers, lanes and warps.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> tile<2048xi32>, token
    %5 = scan %3 dim=0 reverse=true identities=[0 : i32] : tile<2048xi32> -> tile<2048xi32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = addi %e0, %a0 : tile<i32>
      yield %b0 : tile<i32>
    }
    %6 = make_tensor_view %p1, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<2048xi32>, partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
