// test: run
// arg: i8[1024] random
// arg: i8[1024] random
// arg: i32[512] random
// arg: i32[512] zeros
// A batch of bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2, 16, 32], strides = [512, 32, 1] : tensor_view<2x16x32xi8, strides=[512, 32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(2x16x32), tensor_view<2x16x32xi8, strides=[512, 32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0] : partition_view<tile=(2x16x32), tensor_view<2x16x32xi8, strides=[512, 32, 1]>>, tile<i32> -> tile<2x16x32xi8>, token
    %5 = make_tensor_view %p1, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xi8, strides=[512, 16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(2x32x16), tensor_view<2x32x16xi8, strides=[512, 16, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0, %0] : partition_view<tile=(2x32x16), tensor_view<2x32x16xi8, strides=[512, 16, 1]>>, tile<i32> -> tile<2x32x16xi8>, token
    %9 = make_tensor_view %p2, shape = [2, 16, 16], strides = [256, 16, 1] : tensor_view<2x16x16xi32, strides=[256, 16, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0, %0] : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>, tile<i32> -> tile<2x16x16xi32>, token
    %13 = mmai %3, %7, %11 signed signed : tile<2x16x32xi8>, tile<2x32x16xi8>, tile<2x16x16xi32>
    %14 = make_tensor_view %p3, shape = [2, 16, 16], strides = [256, 16, 1] : tensor_view<2x16x16xi32, strides=[256, 16, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0, %0] : tile<2x16x16xi32>, partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>, tile<i32> -> token
    return
  }
}
