// test: run
// conflicts: 0
// arg: f32[4096] random
// arg: f32[4096] zeros
// A transposition through registers and memory.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> tile<64x64xf32>, token
    %5 = permute %3 [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %6 = make_tensor_view %p1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
