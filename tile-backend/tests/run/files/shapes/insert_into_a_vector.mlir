// test: run
// arg: f32[512] random
// arg: f32[128] random
// arg: f32[512] zeros
// A slice is replaced at a known place.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %7 = make_tensor_view %6, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %9, %10 = load_view_tko weak %8[%0] : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %11 = constant <i32: 2> : tile<i32>
    %12 = insert %9, %4[%11] : tile<128xf32>, tile<512xf32>
    %13 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %14 = make_tensor_view %13, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %16 = store_view_tko weak %12, %15[%0] : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
