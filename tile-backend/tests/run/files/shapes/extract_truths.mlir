// test: run
// arg: i1[128] random
// arg: i32 = 1
// arg: i1[32] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<i32>, %p2: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i1>>
    %2 = make_tensor_view %1, shape = [128], strides = [1] : tensor_view<128xi1, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>, tile<i32> -> tile<128xi1>, token
    %6 = extract %4[%p1] : tile<128xi1> -> tile<32xi1>
    %7 = assume div_by<16>, %p2 : tile<ptr<i1>>
    %8 = make_tensor_view %7, shape = [32], strides = [1] : tensor_view<32xi1, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(32), tensor_view<32xi1, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<32xi1>, partition_view<tile=(32), tensor_view<32xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
