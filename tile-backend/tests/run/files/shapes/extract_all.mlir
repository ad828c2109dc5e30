// test: run
// arg: bf16[256] random
// arg: i32 = 0
// arg: i32 = 0
// arg: bf16[256] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<i32>, %p2: tile<i32>, %p3: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xbf16, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>, tile<i32> -> tile<16x16xbf16>, token
    %5 = extract %3[%p1, %p2] : tile<16x16xbf16> -> tile<16x16xbf16>
    %6 = make_tensor_view %p3, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xbf16, strides=[16, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<16x16xbf16>, partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
