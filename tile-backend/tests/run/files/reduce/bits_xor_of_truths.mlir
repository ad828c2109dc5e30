// test: run
// arg: i1[2048] random
// arg: i1[16] zeros
// Parity.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xi1, strides=[128, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x128), tensor_view<16x128xi1, strides=[128, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x128), tensor_view<16x128xi1, strides=[128, 1]>>, tile<i32> -> tile<16x128xi1>, token
    %5 = reduce %3 dim=1 identities=[0 : i1] : tile<16x128xi1> -> tile<16xi1> (%e0: tile<i1>, %a0: tile<i1>) {
      %b0 = xori %e0, %a0 : tile<i1>
      yield %b0 : tile<i1>
    }
    %6 = make_tensor_view %p1, shape = [16], strides = [1] : tensor_view<16xi1, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(16), tensor_view<16xi1, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<16xi1>, partition_view<tile=(16), tensor_view<16xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
