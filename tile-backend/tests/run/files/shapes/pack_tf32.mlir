// test: run
// arg: tf32[256] random
// arg: i8[1024] zeros
// The bits of tf32 as i8.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<tf32>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [256], strides = [1] : tensor_view<256xtf32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(256), tensor_view<256xtf32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(256), tensor_view<256xtf32, strides=[1]>>, tile<i32> -> tile<256xtf32>, token
    %5 = pack %3 : tile<256xtf32> -> tile<1024xi8>
    %6 = make_tensor_view %p1, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
