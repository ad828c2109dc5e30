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
    %1 = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xbf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xbf16>, token
    %6 = permute %4 [1, 0] : tile<64x32xbf16> -> tile<32x64xbf16>
    %7 = assume div_by<16>, %p1 : tile<ptr<bf16>>
    %8 = make_tensor_view %7, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64, 1]>>
    %10, %11 = load_view_tko weak %9[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64, 1]>>, tile<i32> -> tile<64x64xbf16>, token
    %12 = permute %10 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
    %13 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %14 = make_tensor_view %13, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>
    %16, %17 = load_view_tko weak %15[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>, tile<i32> -> tile<32x64xf32>, token
    %18 = mmaf %6, %12, %16 : tile<32x64xbf16>, tile<64x64xbf16>, tile<32x64xf32>
    %19 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %20 = make_tensor_view %19, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64, 1]>
    %21 = make_partition_view %20 : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>
    %22 = store_view_tko weak %18, %21[%0, %0] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
