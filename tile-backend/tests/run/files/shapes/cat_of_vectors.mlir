// test: run
// arg: f32[256] random
// arg: f32[256] random
// arg: f32[512] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %7 = make_tensor_view %6, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %9, %10 = load_view_tko weak %8[%0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %11 = cat %4, %9 dim = 0 : tile<256xf32>, tile<256xf32> -> tile<512xf32>
    %12 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %13 = make_tensor_view %12, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %14 = make_partition_view %13 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %15 = store_view_tko weak %11, %14[%0] : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
