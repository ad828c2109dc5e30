// test: run
// arg: f64[64] random
// arg: f64[64] random
// arg: i32 = 0
// arg: i32 = 0
// arg: f64[64] zeros
// A slice is replaced at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<i32>, %p3: tile<i32>, %p4: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> tile<16x4xf64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %7 = make_tensor_view %6, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> tile<16x4xf64>, token
    %11 = insert %9, %4[%p2, %p3] : tile<16x4xf64>, tile<16x4xf64>
    %12 = assume div_by<16>, %p4 : tile<ptr<f64>>
    %13 = make_tensor_view %12, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %15 = store_view_tko weak %11, %14[%0, %0] : tile<16x4xf64>, partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> token
    return
  }
}
