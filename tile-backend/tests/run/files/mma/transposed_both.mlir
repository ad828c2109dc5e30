// test: run
// conflicts: 0
// arg: bf16[2048] small
// arg: bf16[4096] small
// arg: f32[2048] small
// arg: f32[2048] zeros
// Both operands by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xbf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xbf16>, token
    %5 = permute %3 [1, 0] : tile<64x32xbf16> -> tile<32x64xbf16>
    %6 = make_tensor_view %p1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64, 1]>>
    %8, %9 = load_view_tko weak %7[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64, 1]>>, tile<i32> -> tile<64x64xbf16>, token
    %10 = permute %8 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
    %11 = make_tensor_view %p2, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>
    %13, %14 = load_view_tko weak %12[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>, tile<i32> -> tile<32x64xf32>, token
    %15 = mmaf %5, %10, %13 : tile<32x64xbf16>, tile<64x64xbf16>, tile<32x64xf32>
    %16 = make_tensor_view %p3, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64, 1]>
    %17 = make_partition_view %16 : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>
    %18 = store_view_tko weak %15, %17[%0, %0] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
