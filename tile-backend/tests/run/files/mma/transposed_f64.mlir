// test: run
// arg: f64[128] small
// arg: f64[256] small
// arg: f64[512] small
// arg: f64[512] zeros
// f64 by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf64, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x16), tensor_view<8x16xf64, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x16), tensor_view<8x16xf64, strides=[16, 1]>>, tile<i32> -> tile<8x16xf64>, token
    %5 = permute %3 [1, 0] : tile<8x16xf64> -> tile<16x8xf64>
    %6 = make_tensor_view %p1, shape = [32, 8], strides = [8, 1] : tensor_view<32x8xf64, strides=[8, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x8), tensor_view<32x8xf64, strides=[8, 1]>>
    %8, %9 = load_view_tko weak %7[%0, %0] : partition_view<tile=(32x8), tensor_view<32x8xf64, strides=[8, 1]>>, tile<i32> -> tile<32x8xf64>, token
    %10 = permute %8 [1, 0] : tile<32x8xf64> -> tile<8x32xf64>
    %11 = make_tensor_view %p2, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %13, %14 = load_view_tko weak %12[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> tile<16x32xf64>, token
    %15 = mmaf %5, %10, %13 : tile<16x8xf64>, tile<8x32xf64>, tile<16x32xf64>
    %16 = make_tensor_view %p3, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %17 = make_partition_view %16 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %18 = store_view_tko weak %15, %17[%0, %0] : tile<16x32xf64>, partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
