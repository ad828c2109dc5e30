// test: run
// conflicts: 0
// warps: 8
// arg: i8[2048] random
// arg: i8[2048] zeros
// Bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %6 = permute %4 [1, 0] : tile<64x32xi8> -> tile<32x64xi8>
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<32x64xi8>, partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
