// test: run
// arg: i32[512] random
// arg: i32[32] zeros
// Modulo 2^32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi32, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>, tile<i32> -> tile<16x32xi32>, token
    %5 = reduce %3 dim=0 identities=[1 : i32] : tile<16x32xi32> -> tile<32xi32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = muli %e0, %a0 : tile<i32>
      yield %b0 : tile<i32>
    }
    %6 = make_tensor_view %p1, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
