// test: run
// arg: i32[4096] random
// arg: i32[128] zeros
// Rank 3.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [8, 32, 16], strides = [512, 16, 1] : tensor_view<8x32x16xi32, strides=[512, 16, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x32x16), tensor_view<8x32x16xi32, strides=[512, 16, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0] : partition_view<tile=(8x32x16), tensor_view<8x32x16xi32, strides=[512, 16, 1]>>, tile<i32> -> tile<8x32x16xi32>, token
    %6 = reduce %4 dim=1 identities=[0 : i32] : tile<8x32x16xi32> -> tile<8x16xi32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = addi %e0, %a0 : tile<i32>
      yield %b0 : tile<i32>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %8 = make_tensor_view %7, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xi32, strides=[16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<8x16xi32>, partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
