// test: run
// conflicts: 0
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[4096] small
// arg: f32[4096] zeros
// The right operand by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %5 = make_tensor_view %p1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %9 = permute %7 [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
    %10 = make_tensor_view %p2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %12, %13 = load_view_tko weak %11[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> tile<64x64xf32>, token
    %14 = mmaf %3, %9, %12 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %15 = make_tensor_view %p3, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %16 = make_partition_view %15 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %17 = store_view_tko weak %14, %16[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
