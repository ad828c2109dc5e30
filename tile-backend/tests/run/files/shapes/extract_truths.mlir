// test: run
// arg: i1[128] random
// arg: i32 = 1
// arg: i1[32] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<i32>, %p2: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [128], strides = [1] : tensor_view<128xi1, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>, tile<i32> -> tile<128xi1>, token
    %5 = extract %3[%p1] : tile<128xi1> -> tile<32xi1>
    %6 = make_tensor_view %p2, shape = [32], strides = [1] : tensor_view<32xi1, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(32), tensor_view<32xi1, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<32xi1>, partition_view<tile=(32), tensor_view<32xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
