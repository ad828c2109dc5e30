// test: run
// arg: f32[512] random
// arg: f32[128] random
// arg: f32[512] zeros
// A slice is replaced at a known place.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %5 = make_tensor_view %p1, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %9 = constant <i32: 2> : tile<i32>
    %10 = insert %7, %3[%9] : tile<128xf32>, tile<512xf32>
    %11 = make_tensor_view %p2, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %12 = make_partition_view %11 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %13 = store_view_tko weak %10, %12[%0] : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
