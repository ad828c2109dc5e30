// test: run
// arg: f64[32] small
// arg: f64[32] small
// arg: f64[64] small
// arg: f64[64] zeros
// f64, one instruction.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 4], strides = [4, 1] : tensor_view<8x4xf64, strides=[4, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x4), tensor_view<8x4xf64, strides=[4, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x4), tensor_view<8x4xf64, strides=[4, 1]>>, tile<i32> -> tile<8x4xf64>, token
    %5 = make_tensor_view %p1, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xf64, strides=[8, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(4x8), tensor_view<4x8xf64, strides=[8, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(4x8), tensor_view<4x8xf64, strides=[8, 1]>>, tile<i32> -> tile<4x8xf64>, token
    %9 = make_tensor_view %p2, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf64, strides=[8, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>, tile<i32> -> tile<8x8xf64>, token
    %13 = mmaf %3, %7, %11 : tile<8x4xf64>, tile<4x8xf64>, tile<8x8xf64>
    %14 = make_tensor_view %p3, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf64, strides=[8, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<8x8xf64>, partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>, tile<i32> -> token
    return
  }
}
