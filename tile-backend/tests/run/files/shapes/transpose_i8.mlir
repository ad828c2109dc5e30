// test: run
// conflicts: 0
// warps: 8
// arg: i8[2048] random
// arg: i8[2048] zeros
// Bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %5 = permute %3 [1, 0] : tile<64x32xi8> -> tile<32x64xi8>
    %6 = make_tensor_view %p1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<32x64xi8>, partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
