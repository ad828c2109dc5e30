// test: run
// conflicts: 0
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[4096] small
// arg: f32[4096] zeros
// The left operand by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>, tile<i32> -> tile<32x64xf16>, token
    %5 = permute %3 [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
    %6 = make_tensor_view %p1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>
    %8, %9 = load_view_tko weak %7[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>, tile<i32> -> tile<32x64xf16>, token
    %10 = make_tensor_view %p2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %12, %13 = load_view_tko weak %11[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> tile<64x64xf32>, token
    %14 = mmaf %5, %8, %12 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %15 = make_tensor_view %p3, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %16 = make_partition_view %15 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %17 = store_view_tko weak %14, %16[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
