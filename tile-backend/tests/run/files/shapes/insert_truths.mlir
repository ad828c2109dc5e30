// test: run
// arg: i1[64] random
// arg: i1[8] random
// arg: i32 = 6
// arg: i1[64] zeros
// A slice is replaced at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>, %p2: tile<i32>, %p3: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xi1, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>, tile<i32> -> tile<64xi1>, token
    %5 = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xi1, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>, tile<i32> -> tile<8xi1>, token
    %9 = insert %7, %3[%p2] : tile<8xi1>, tile<64xi1>
    %10 = make_tensor_view %p3, shape = [64], strides = [1] : tensor_view<64xi1, strides=[1]>
    %11 = make_partition_view %10 : partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>
    %12 = store_view_tko weak %9, %11[%0] : tile<64xi1>, partition_view<tile=(64), tensor_view<64xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
