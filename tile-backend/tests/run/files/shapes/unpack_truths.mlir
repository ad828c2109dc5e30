// test: run
// arg: i8[16] random
// arg: i1[128] zeros
// The bits of i8 as i1.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16], strides = [1] : tensor_view<16xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>, tile<i32> -> tile<16xi8>, token
    %5 = unpack %3 : tile<16xi8> -> tile<128xi1>
    %6 = make_tensor_view %p1, shape = [128], strides = [1] : tensor_view<128xi1, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<128xi1>, partition_view<tile=(128), tensor_view<128xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
