// test: run
// arg: i32[1] random
// arg: i32[8] zeros
// Rank 0 and back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %5 = reshape %3 : tile<1xi32> -> tile<i32>
    %6 = reshape %5 : tile<i32> -> tile<1x1x1xi32>
    %7 = broadcast %6 : tile<1x1x1xi32> -> tile<2x2x2xi32>
    %8 = make_tensor_view %p1, shape = [2, 2, 2], strides = [4, 2, 1] : tensor_view<2x2x2xi32, strides=[4, 2, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(2x2x2), tensor_view<2x2x2xi32, strides=[4, 2, 1]>>
    %10 = store_view_tko weak %7, %9[%0, %0, %0] : tile<2x2x2xi32>, partition_view<tile=(2x2x2), tensor_view<2x2x2xi32, strides=[4, 2, 1]>>, tile<i32> -> token
    return
  }
}
