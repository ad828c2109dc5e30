// test: run
// arg: i8[256] zeros
// Counting.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>) {
    %0 = iota : tile<256xi8>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<256xi8>, partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
