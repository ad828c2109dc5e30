// test: run
// warps: 8
// arg: i32[512] random
// arg: i32[512] random
// arg: i32[4] zeros
// arg: i32[4] zeros
// A body in which order matters, across rows.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xi32, strides=[4, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>, tile<i32> -> tile<128x4xi32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %7 = make_tensor_view %6, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xi32, strides=[4, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>, tile<i32> -> tile<128x4xi32>, token
    %11, %12 = reduce %4, %9 dim=0 identities=[1 : i32, 0 : i32] : tile<128x4xi32>, tile<128x4xi32> -> tile<4xi32>, tile<4xi32> (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = muli %e0, %a0 : tile<i32>
      %b1 = muli %e0, %a1 : tile<i32>
      %b2 = addi %b1, %e1 : tile<i32>
      yield %b0, %b2 : tile<i32>, tile<i32>
    }
    %13 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %14 = make_tensor_view %13, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %16 = store_view_tko weak %11, %15[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %17 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %18 = make_tensor_view %17, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %19 = make_partition_view %18 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %20 = store_view_tko weak %12, %19[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
