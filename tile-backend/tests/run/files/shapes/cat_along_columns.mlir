// test: run
// warps: 8
// arg: i8[512] random
// arg: i8[512] random
// arg: i8[1024] zeros
// Two tiles side by side along axis 1.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %5 = make_tensor_view %p1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %9 = cat %3, %7 dim = 1 : tile<16x32xi8>, tile<16x32xi8> -> tile<16x64xi8>
    %10 = make_tensor_view %p2, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xi8, strides=[64, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<16x64xi8>, partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
