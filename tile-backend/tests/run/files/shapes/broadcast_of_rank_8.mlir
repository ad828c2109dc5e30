// test: run
// arg: i16[16] random
// arg: i16[256] zeros
// Every other axis.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2, 1, 2, 1, 2, 1, 2, 1], strides = [8, 8, 4, 4, 2, 2, 1, 1] : tensor_view<2x1x2x1x2x1x2x1xi16, strides=[8, 8, 4, 4, 2, 2, 1, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(2x1x2x1x2x1x2x1), tensor_view<2x1x2x1x2x1x2x1xi16, strides=[8, 8, 4, 4, 2, 2, 1, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x1x2x1x2x1x2x1), tensor_view<2x1x2x1x2x1x2x1xi16, strides=[8, 8, 4, 4, 2, 2, 1, 1]>>, tile<i32> -> tile<2x1x2x1x2x1x2x1xi16>, token
    %5 = broadcast %3 : tile<2x1x2x1x2x1x2x1xi16> -> tile<2x2x2x2x2x2x2x2xi16>
    %6 = make_tensor_view %p1, shape = [2, 2, 2, 2, 2, 2, 2, 2], strides = [128, 64, 32, 16, 8, 4, 2, 1] : tensor_view<2x2x2x2x2x2x2x2xi16, strides=[128, 64, 32, 16, 8, 4, 2, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2xi16, strides=[128, 64, 32, 16, 8, 4, 2, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0, %0, %0, %0, %0, %0, %0] : tile<2x2x2x2x2x2x2x2xi16>, partition_view<tile=(2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2xi16, strides=[128, 64, 32, 16, 8, 4, 2, 1]>>, tile<i32> -> token
    return
  }
}
