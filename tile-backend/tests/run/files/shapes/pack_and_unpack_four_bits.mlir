// test: run
// arg: i8[128] random
// arg: i32[256] zeros
// arg: i8[128] zeros
// Numbers of four bits, and back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> tile<128xi8>, token
    %5 = unpack %3 : tile<128xi8> -> tile<256xi4>
    %6 = exti %5 signed : tile<256xi4> -> tile<256xi32>
    %7 = pack %5 : tile<256xi4> -> tile<128xi8>
    %8 = make_tensor_view %p1, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<256xi32>, partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    %11 = make_tensor_view %p2, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %12 = make_partition_view %11 : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %13 = store_view_tko weak %7, %12[%0] : tile<128xi8>, partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
