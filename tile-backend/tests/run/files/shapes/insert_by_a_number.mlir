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
    %1 = make_tensor_view %p0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>, tile<i32> -> tile<64x64xi32>, token
    %5 = make_tensor_view %p1, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8, 1]>>, tile<i32> -> tile<16x8xi32>, token
    %9 = insert %7, %3[%p2, %p3] : tile<16x8xi32>, tile<64x64xi32>
    %10 = make_tensor_view %p4, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
