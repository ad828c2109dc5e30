// test: run
// arg: i64[64] zeros
// Counting.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>) {
    %0 = iota : tile<64xi64>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xi64, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(64), tensor_view<64xi64, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<64xi64>, partition_view<tile=(64), tensor_view<64xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
