// test: run
// has: shfl.sync
// warps: 1
// arg: f64[64] random
// arg: f64[64] zeros
// Two words each.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf64, strides=[8, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>, tile<i32> -> tile<8x8xf64>, token
    %5 = permute %3 [1, 0] : tile<8x8xf64> -> tile<8x8xf64>
    %6 = make_tensor_view %p1, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf64, strides=[8, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<8x8xf64>, partition_view<tile=(8x8), tensor_view<8x8xf64, strides=[8, 1]>>, tile<i32> -> token
    return
  }
}
