// test: run
// has: bar.warp.sync
// conflicts: 0
// warps: 1
// arg: f32[1024] random
// arg: f32[1024] zeros
// One warp: shared memory of its own, or shuffles.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> tile<32x32xf32>, token
    %5 = permute %3 [1, 0] : tile<32x32xf32> -> tile<32x32xf32>
    %6 = make_tensor_view %p1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
