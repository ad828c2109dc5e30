// test: run
// tolerance: 1e-3
// arg: f8E4M3FN[512] random
// arg: f8E4M3FN[512] random
// arg: f32[256] random
// arg: f32[256] zeros
// Eight bits of any size into f32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E4M3FN>>, %p1: tile<ptr<f8E4M3FN>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf8E4M3FN, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x32), tensor_view<16x32xf8E4M3FN, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<16x32xf8E4M3FN>, token
    %5 = make_tensor_view %p1, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf8E4M3FN, strides=[16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x16), tensor_view<32x16xf8E4M3FN, strides=[16, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf8E4M3FN, strides=[16, 1]>>, tile<i32> -> tile<32x16xf8E4M3FN>, token
    %9 = make_tensor_view %p2, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> tile<16x16xf32>, token
    %13 = mmaf %3, %7, %11 : tile<16x32xf8E4M3FN>, tile<32x16xf8E4M3FN>, tile<16x16xf32>
    %14 = make_tensor_view %p3, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
