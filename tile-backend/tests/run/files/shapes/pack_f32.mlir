// test: run
// arg: f32[64] random
// arg: i8[256] zeros
// The bits of f32 as i8.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %6 = pack %4 : tile<64xf32> -> tile<256xi8>
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<256xi8>, partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
