// test: run
// arg: f64[128] small
// arg: f64[256] small
// arg: f64[512] small
// arg: f64[512] zeros
// f64 by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf64, strides=[16, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x16), tensor_view<8x16xf64, strides=[16, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x16), tensor_view<8x16xf64, strides=[16, 1]>>, tile<i32> -> tile<8x16xf64>, token
    %6 = permute %4 [1, 0] : tile<8x16xf64> -> tile<16x8xf64>
    %7 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %8 = make_tensor_view %7, shape = [32, 8], strides = [8, 1] : tensor_view<32x8xf64, strides=[8, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x8), tensor_view<32x8xf64, strides=[8, 1]>>
    %10, %11 = load_view_tko weak %9[%0, %0] : partition_view<tile=(32x8), tensor_view<32x8xf64, strides=[8, 1]>>, tile<i32> -> tile<32x8xf64>, token
    %12 = permute %10 [1, 0] : tile<32x8xf64> -> tile<8x32xf64>
    %13 = assume div_by<16>, %p2 : tile<ptr<f64>>
    %14 = make_tensor_view %13, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %16, %17 = load_view_tko weak %15[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> tile<16x32xf64>, token
    %18 = mmaf %6, %12, %16 : tile<16x8xf64>, tile<8x32xf64>, tile<16x32xf64>
    %19 = assume div_by<16>, %p3 : tile<ptr<f64>>
    %20 = make_tensor_view %19, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %21 = make_partition_view %20 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %22 = store_view_tko weak %18, %21[%0, %0] : tile<16x32xf64>, partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
