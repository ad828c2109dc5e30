// test: run
// has: shfl.sync
// warps: 1
// arg: f32[128] random
// arg: f32[128] zeros
// Few elements: shuffles.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf32, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x16), tensor_view<8x16xf32, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x16), tensor_view<8x16xf32, strides=[16, 1]>>, tile<i32> -> tile<8x16xf32>, token
    %5 = permute %3 [1, 0] : tile<8x16xf32> -> tile<16x8xf32>
    %6 = make_tensor_view %p1, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8, 1]>>, tile<i32> -> token
    return
  }
}
