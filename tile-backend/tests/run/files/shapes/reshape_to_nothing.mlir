// test: run
// arg: i32[1] random
// arg: i32[8] zeros
// Rank 0 and back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %6 = reshape %4 : tile<1xi32> -> tile<i32>
    %7 = reshape %6 : tile<i32> -> tile<1x1x1xi32>
    %8 = broadcast %7 : tile<1x1x1xi32> -> tile<2x2x2xi32>
    %9 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %10 = make_tensor_view %9, shape = [2, 2, 2], strides = [4, 2, 1] : tensor_view<2x2x2xi32, strides=[4, 2, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(2x2x2), tensor_view<2x2x2xi32, strides=[4, 2, 1]>>
    %12 = store_view_tko weak %8, %11[%0, %0, %0] : tile<2x2x2xi32>, partition_view<tile=(2x2x2), tensor_view<2x2x2xi32, strides=[4, 2, 1]>>, tile<i32> -> token
    return
  }
}
