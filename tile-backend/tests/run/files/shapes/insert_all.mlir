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
    %1 = make_tensor_view %p0, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> tile<16x4xf64>, token
    %5 = make_tensor_view %p1, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> tile<16x4xf64>, token
    %9 = insert %7, %3[%p2, %p3] : tile<16x4xf64>, tile<16x4xf64>
    %10 = make_tensor_view %p4, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf64, strides=[4, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<16x4xf64>, partition_view<tile=(16x4), tensor_view<16x4xf64, strides=[4, 1]>>, tile<i32> -> token
    return
  }
}
