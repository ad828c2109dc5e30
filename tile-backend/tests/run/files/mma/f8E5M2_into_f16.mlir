// test: run
// arg: f8E5M2[128] small
// arg: f8E5M2[128] small
// arg: f16[256] small
// arg: f16[256] zeros
// Eight bits into f16, less deep than an instruction.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E5M2>>, %p1: tile<ptr<f8E5M2>>, %p2: tile<ptr<f16>>, %p3: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f8E5M2>>
    %2 = make_tensor_view %1, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf8E5M2, strides=[8, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x8), tensor_view<16x8xf8E5M2, strides=[8, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x8), tensor_view<16x8xf8E5M2, strides=[8, 1]>>, tile<i32> -> tile<16x8xf8E5M2>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f8E5M2>>
    %7 = make_tensor_view %6, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf8E5M2, strides=[16, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(8x16), tensor_view<8x16xf8E5M2, strides=[16, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(8x16), tensor_view<8x16xf8E5M2, strides=[16, 1]>>, tile<i32> -> tile<8x16xf8E5M2>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f16>>
    %12 = make_tensor_view %11, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf16, strides=[16, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16, 1]>>, tile<i32> -> tile<16x16xf16>, token
    %16 = mmaf %4, %9, %14 : tile<16x8xf8E5M2>, tile<8x16xf8E5M2>, tile<16x16xf16>
    %17 = assume div_by<16>, %p3 : tile<ptr<f16>>
    %18 = make_tensor_view %17, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf16, strides=[16, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<16x16xf16>, partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
