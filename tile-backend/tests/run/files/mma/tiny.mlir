// test: run
// arg: f16[64] small
// arg: f16[64] small
// arg: f32[16] small
// arg: f32[16] zeros
// Fewer rows and columns than an instruction.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4, 16], strides = [16, 1] : tensor_view<4x16xf16, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(4x16), tensor_view<4x16xf16, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(4x16), tensor_view<4x16xf16, strides=[16, 1]>>, tile<i32> -> tile<4x16xf16>, token
    %5 = make_tensor_view %p1, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf16, strides=[4, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x4), tensor_view<16x4xf16, strides=[4, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf16, strides=[4, 1]>>, tile<i32> -> tile<16x4xf16>, token
    %9 = make_tensor_view %p2, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>, tile<i32> -> tile<4x4xf32>, token
    %13 = mmaf %3, %7, %11 : tile<4x16xf16>, tile<16x4xf16>, tile<4x4xf32>
    %14 = make_tensor_view %p3, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>, tile<i32> -> token
    return
  }
}
