// test: run
// warps: 8
// arg: i8[2048] random
// arg: i8[32] zeros
// Across rows, over warps.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %5 = reduce %3 dim=0 identities=[0 : i8] : tile<64x32xi8> -> tile<32xi8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = addi %e0, %a0 : tile<i8>
      yield %b0 : tile<i8>
    }
    %6 = make_tensor_view %p1, shape = [32], strides = [1] : tensor_view<32xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<32xi8>, partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
