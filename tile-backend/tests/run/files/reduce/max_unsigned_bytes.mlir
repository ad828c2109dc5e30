// test: run
// has: redux.sync
// arg: i8[1024] random
// arg: i8[8] zeros
// The largest, without signs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 128], strides = [128, 1] : tensor_view<8x128xi8, strides=[128, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x128), tensor_view<8x128xi8, strides=[128, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x128), tensor_view<8x128xi8, strides=[128, 1]>>, tile<i32> -> tile<8x128xi8>, token
    %5 = reduce %3 dim=1 identities=[0 : i8] : tile<8x128xi8> -> tile<8xi8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = maxi %e0, %a0 unsigned : tile<i8>
      yield %b0 : tile<i8>
    }
    %6 = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<8xi8>, partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
