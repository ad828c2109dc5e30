// test: run
// arg: f64[1] small
// arg: f64[1] small
// arg: f64[1] small
// arg: f64[1] zeros
// One number times one number.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf64, strides=[1, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>, tile<i32> -> tile<1x1xf64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %7 = make_tensor_view %6, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf64, strides=[1, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>, tile<i32> -> tile<1x1xf64>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f64>>
    %12 = make_tensor_view %11, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf64, strides=[1, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>, tile<i32> -> tile<1x1xf64>, token
    %16 = mmaf %4, %9, %14 : tile<1x1xf64>, tile<1x1xf64>, tile<1x1xf64>
    %17 = assume div_by<16>, %p3 : tile<ptr<f64>>
    %18 = make_tensor_view %17, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf64, strides=[1, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<1x1xf64>, partition_view<tile=(1x1), tensor_view<1x1xf64, strides=[1, 1]>>, tile<i32> -> token
    return
  }
}
