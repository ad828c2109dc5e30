// test: run
// conflicts: 0
// arg: f64[1024] random
// arg: f64[1024] zeros
// Two words each.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf64, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x64), tensor_view<16x64xf64, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x64), tensor_view<16x64xf64, strides=[64, 1]>>, tile<i32> -> tile<16x64xf64>, token
    %5 = permute %3 [1, 0] : tile<16x64xf64> -> tile<64x16xf64>
    %6 = make_tensor_view %p1, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf64, strides=[16, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(64x16), tensor_view<64x16xf64, strides=[16, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<64x16xf64>, partition_view<tile=(64x16), tensor_view<64x16xf64, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
