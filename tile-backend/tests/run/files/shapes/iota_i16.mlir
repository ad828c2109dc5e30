// test: run
// arg: i16[512] zeros
// Counting.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>) {
    %0 = iota : tile<512xi16>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [512], strides = [1] : tensor_view<512xi16, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(512), tensor_view<512xi16, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<512xi16>, partition_view<tile=(512), tensor_view<512xi16, strides=[1]>>, tile<i32> -> token
    return
  }
}
