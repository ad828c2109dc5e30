// test: run
// arg: f32[512] random
// arg: i32 = 3
// arg: f32[128] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<i32>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %5 = extract %3[%p1] : tile<512xf32> -> tile<128xf32>
    %6 = make_tensor_view %p2, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<128xf32>, partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
