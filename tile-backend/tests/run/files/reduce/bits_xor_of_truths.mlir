// test: run
// arg: i1[2048] random
// arg: i1[16] zeros
// Parity.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i1>>
    %2 = make_tensor_view %1, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xi1, strides=[128, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x128), tensor_view<16x128xi1, strides=[128, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x128), tensor_view<16x128xi1, strides=[128, 1]>>, tile<i32> -> tile<16x128xi1>, token
    %6 = reduce %4 dim=1 identities=[0 : i1] : tile<16x128xi1> -> tile<16xi1> (%e0: tile<i1>, %a0: tile<i1>) {
      %b0 = xori %e0, %a0 : tile<i1>
      yield %b0 : tile<i1>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<i1>>
    %8 = make_tensor_view %7, shape = [16], strides = [1] : tensor_view<16xi1, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(16), tensor_view<16xi1, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<16xi1>, partition_view<tile=(16), tensor_view<16xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
