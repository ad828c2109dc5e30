// test: run
// arg: f32[2048] small
// arg: i32[2048] iota
// arg: f32[8] zeros
// arg: i32[8] zeros
// The largest and where it is; the first of equals.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 256], strides = [256, 1] : tensor_view<8x256xf32, strides=[256, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x256), tensor_view<8x256xf32, strides=[256, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x256), tensor_view<8x256xf32, strides=[256, 1]>>, tile<i32> -> tile<8x256xf32>, token
    %5 = make_tensor_view %p1, shape = [8, 256], strides = [256, 1] : tensor_view<8x256xi32, strides=[256, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(8x256), tensor_view<8x256xi32, strides=[256, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(8x256), tensor_view<8x256xi32, strides=[256, 1]>>, tile<i32> -> tile<8x256xi32>, token
    %9, %10 = reduce %3, %7 dim=1 identities=[0xff800000 : f32, 2147483647 : i32] : tile<8x256xf32>, tile<8x256xi32> -> tile<8xf32>, tile<8xi32> (%e0: tile<f32>, %a0: tile<f32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = cmpf greater_than ordered %e0, %a0 : tile<f32> -> tile<i1>
      %b1 = select %b0, %e0, %a0 : tile<i1>, tile<f32>
      %b2 = select %b0, %e1, %a1 : tile<i1>, tile<i32>
      yield %b1, %b2 : tile<f32>, tile<i32>
    }
    %11 = make_tensor_view %p2, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %12 = make_partition_view %11 : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %13 = store_view_tko weak %9, %12[%0] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    %14 = make_tensor_view %p3, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %16 = store_view_tko weak %10, %15[%0] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
