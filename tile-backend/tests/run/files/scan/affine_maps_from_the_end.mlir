// test: run
// warps: 8
// arg: i32[1024] random
// arg: i32[1024] random
// arg: i32[1024] zeros
// arg: i32[1024] zeros
// Order matters.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xi32, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>, tile<i32> -> tile<64x16xi32>, token
    %5 = make_tensor_view %p1, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xi32, strides=[16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>, tile<i32> -> tile<64x16xi32>, token
    %9, %10 = scan %3, %7 dim=0 reverse=true identities=[1 : i32, 0 : i32] : tile<64x16xi32>, tile<64x16xi32> -> tile<64x16xi32>, tile<64x16xi32> (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = muli %e0, %a0 : tile<i32>
      %b1 = muli %e0, %a1 : tile<i32>
      %b2 = addi %b1, %e1 : tile<i32>
      yield %b0, %b2 : tile<i32>, tile<i32>
    }
    %11 = make_tensor_view %p2, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xi32, strides=[16, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>
    %13 = store_view_tko weak %9, %12[%0, %0] : tile<64x16xi32>, partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>, tile<i32> -> token
    %14 = make_tensor_view %p3, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xi32, strides=[16, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>
    %16 = store_view_tko weak %10, %15[%0, %0] : tile<64x16xi32>, partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
