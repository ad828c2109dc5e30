// test: run
// warps: 8
// arg: i32[4096] random
// arg: i32[128] random
// arg: i32 = 2
// arg: i32 = 5
// arg: i32[4096] zeros
// A slice is replaced at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<i32>, %p3: tile<i32>, %p4: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>, tile<i32> -> tile<64x64xi32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %7 = make_tensor_view %6, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8, 1]>>, tile<i32> -> tile<16x8xi32>, token
    %11 = insert %9, %4[%p2, %p3] : tile<16x8xi32>, tile<64x64xi32>
    %12 = assume div_by<16>, %p4 : tile<ptr<i32>>
    %13 = make_tensor_view %12, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>
    %15 = store_view_tko weak %11, %14[%0, %0] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
