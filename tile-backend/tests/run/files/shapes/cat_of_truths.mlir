// test: run
// arg: i1[64] random
// arg: i1[64] random
// arg: i1[128] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>, %p2: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xi1, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>, tile<i32> -> tile<64xi1>, token
    %5 = make_tensor_view %p1, shape = [64], strides = [1] : tensor_view<64xi1, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>, tile<i32> -> tile<64xi1>, token
    %9 = cat %3, %7 dim = 0 : tile<64xi1>, tile<64xi1> -> tile<128xi1>
    %10 = make_tensor_view %p2, shape = [128], strides = [1] : tensor_view<128xi1, strides=[1]>
    %11 = make_partition_view %10 : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>
    %12 = store_view_tko weak %9, %11[%0] : tile<128xi1>, partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
