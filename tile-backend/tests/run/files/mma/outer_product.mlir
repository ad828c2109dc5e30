// test: run
// tolerance: 1e-6
// arg: f32[64] random
// arg: f32[32] random
// arg: f32[2048] zeros
// arg: f32[2048] zeros
// Depth one.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 1], strides = [1, 1] : tensor_view<64x1xf32, strides=[1, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x1), tensor_view<64x1xf32, strides=[1, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x1), tensor_view<64x1xf32, strides=[1, 1]>>, tile<i32> -> tile<64x1xf32>, token
    %5 = make_tensor_view %p1, shape = [1, 32], strides = [32, 1] : tensor_view<1x32xf32, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(1x32), tensor_view<1x32xf32, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(1x32), tensor_view<1x32xf32, strides=[32, 1]>>, tile<i32> -> tile<1x32xf32>, token
    %9 = make_tensor_view %p2, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>, tile<i32> -> tile<64x32xf32>, token
    %13 = mmaf %3, %7, %11 : tile<64x1xf32>, tile<1x32xf32>, tile<64x32xf32>
    %14 = make_tensor_view %p3, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
