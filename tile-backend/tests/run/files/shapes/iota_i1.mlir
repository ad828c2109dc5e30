// test: run
// arg: i1[2] zeros
// Counting.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>) {
    %0 = iota : tile<2xi1>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [2], strides = [1] : tensor_view<2xi1, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(2), tensor_view<2xi1, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<2xi1>, partition_view<tile=(2), tensor_view<2xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
