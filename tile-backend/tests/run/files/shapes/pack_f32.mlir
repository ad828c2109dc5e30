// test: run
// arg: f32[64] random
// arg: i8[256] zeros
// The bits of f32 as i8.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %5 = pack %3 : tile<64xf32> -> tile<256xi8>
    %6 = make_tensor_view %p1, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<256xi8>, partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
