// test: run
// arg: i32[2048] zeros
// Counting.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>) {
    %0 = iota : tile<2048xi32>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<2048xi32>, partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
