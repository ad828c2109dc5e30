// test: run
// warps: 8
// arg: i8[2048] random
// arg: i8[32] zeros
// Across rows, over warps.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %6 = reduce %4 dim=0 identities=[0 : i8] : tile<64x32xi8> -> tile<32xi8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = addi %e0, %a0 : tile<i8>
      yield %b0 : tile<i8>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [32], strides = [1] : tensor_view<32xi8, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<32xi8>, partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
