// test: run
// arg: i16[128] random
// arg: i16[128] random
// arg: i16[256] zeros
// Two tiles side by side along axis 4.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i16>>, %p2: tile<ptr<i16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2, 1, 2, 2, 1, 2, 4, 2], strides = [64, 64, 32, 16, 16, 8, 2, 1] : tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(2x1x2x2x1x2x4x2), tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x1x2x2x1x2x4x2), tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>>, tile<i32> -> tile<2x1x2x2x1x2x4x2xi16>, token
    %5 = make_tensor_view %p1, shape = [2, 1, 2, 2, 1, 2, 4, 2], strides = [64, 64, 32, 16, 16, 8, 2, 1] : tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(2x1x2x2x1x2x4x2), tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x1x2x2x1x2x4x2), tensor_view<2x1x2x2x1x2x4x2xi16, strides=[64, 64, 32, 16, 16, 8, 2, 1]>>, tile<i32> -> tile<2x1x2x2x1x2x4x2xi16>, token
    %9 = cat %3, %7 dim = 4 : tile<2x1x2x2x1x2x4x2xi16>, tile<2x1x2x2x1x2x4x2xi16> -> tile<2x1x2x2x2x2x4x2xi16>
    %10 = make_tensor_view %p2, shape = [2, 1, 2, 2, 2, 2, 4, 2], strides = [128, 128, 64, 32, 16, 8, 2, 1] : tensor_view<2x1x2x2x2x2x4x2xi16, strides=[128, 128, 64, 32, 16, 8, 2, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(2x1x2x2x2x2x4x2), tensor_view<2x1x2x2x2x2x4x2xi16, strides=[128, 128, 64, 32, 16, 8, 2, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0, %0, %0, %0, %0, %0, %0] : tile<2x1x2x2x2x2x4x2xi16>, partition_view<tile=(2x1x2x2x2x2x4x2), tensor_view<2x1x2x2x2x2x4x2xi16, strides=[128, 128, 64, 32, 16, 8, 2, 1]>>, tile<i32> -> token
    return
  }
}
