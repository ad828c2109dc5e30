// test: run
// arg: i1[512] random
// arg: i8[64] zeros
// The bits of i1 as i8.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [512], strides = [1] : tensor_view<512xi1, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(512), tensor_view<512xi1, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(512), tensor_view<512xi1, strides=[1]>>, tile<i32> -> tile<512xi1>, token
    %5 = pack %3 : tile<512xi1> -> tile<64xi8>
    %6 = make_tensor_view %p1, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<64xi8>, partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
