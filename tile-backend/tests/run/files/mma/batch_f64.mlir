// test: run
// arg: f64[256] small
// arg: f64[256] small
// arg: f64[256] small
// arg: f64[256] zeros
// A batch of f64.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [4, 8, 8], strides = [64, 8, 1] : tensor_view<4x8x8xf64, strides=[64, 8, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0] : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>, tile<i32> -> tile<4x8x8xf64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %7 = make_tensor_view %6, shape = [4, 8, 8], strides = [64, 8, 1] : tensor_view<4x8x8xf64, strides=[64, 8, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0, %0] : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>, tile<i32> -> tile<4x8x8xf64>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f64>>
    %12 = make_tensor_view %11, shape = [4, 8, 8], strides = [64, 8, 1] : tensor_view<4x8x8xf64, strides=[64, 8, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0, %0] : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>, tile<i32> -> tile<4x8x8xf64>, token
    %16 = mmaf %4, %9, %14 : tile<4x8x8xf64>, tile<4x8x8xf64>, tile<4x8x8xf64>
    %17 = assume div_by<16>, %p3 : tile<ptr<f64>>
    %18 = make_tensor_view %17, shape = [4, 8, 8], strides = [64, 8, 1] : tensor_view<4x8x8xf64, strides=[64, 8, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0, %0] : tile<4x8x8xf64>, partition_view<tile=(4x8x8), tensor_view<4x8x8xf64, strides=[64, 8, 1]>>, tile<i32> -> token
    return
  }
}
