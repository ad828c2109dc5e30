// test: run
// warps: 8
// arg: i32[512] random
// arg: i32[512] zeros
// Across rows.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xi32, strides=[4, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>, tile<i32> -> tile<128x4xi32>, token
    %6 = scan %4 dim=0 reverse=true identities=[0 : i32] : tile<128x4xi32> -> tile<128x4xi32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = addi %e0, %a0 : tile<i32>
      yield %b0 : tile<i32>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %8 = make_tensor_view %7, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xi32, strides=[4, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<128x4xi32>, partition_view<tile=(128x4), tensor_view<128x4xi32, strides=[4, 1]>>, tile<i32> -> token
    return
  }
}
