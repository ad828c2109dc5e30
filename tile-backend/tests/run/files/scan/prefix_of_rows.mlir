// test: run
// arg: i8[2048] random
// arg: i8[2048] zeros
// Along the contiguous axis.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xi8, strides=[128, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x128), tensor_view<16x128xi8, strides=[128, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x128), tensor_view<16x128xi8, strides=[128, 1]>>, tile<i32> -> tile<16x128xi8>, token
    %5 = scan %3 dim=1 reverse=false identities=[0 : i8] : tile<16x128xi8> -> tile<16x128xi8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = addi %e0, %a0 : tile<i8>
      yield %b0 : tile<i8>
    }
    %6 = make_tensor_view %p1, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xi8, strides=[128, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(16x128), tensor_view<16x128xi8, strides=[128, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<16x128xi8>, partition_view<tile=(16x128), tensor_view<16x128xi8, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
