// test: run
// arg: i8[1024] random
// arg: i8[1024] random
// arg: i32[512] random
// arg: i32[512] zeros
// A batch of bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [2, 16, 32], strides = [512, 32, 1] : tensor_view<2x16x32xi8, strides=[512, 32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(2x16x32), tensor_view<2x16x32xi8, strides=[512, 32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0] : partition_view<tile=(2x16x32), tensor_view<2x16x32xi8, strides=[512, 32, 1]>>, tile<i32> -> tile<2x16x32xi8>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %7 = make_tensor_view %6, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xi8, strides=[512, 16, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(2x32x16), tensor_view<2x32x16xi8, strides=[512, 16, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0, %0] : partition_view<tile=(2x32x16), tensor_view<2x32x16xi8, strides=[512, 16, 1]>>, tile<i32> -> tile<2x32x16xi8>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %12 = make_tensor_view %11, shape = [2, 16, 16], strides = [256, 16, 1] : tensor_view<2x16x16xi32, strides=[256, 16, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0, %0] : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>, tile<i32> -> tile<2x16x16xi32>, token
    %16 = mmai %4, %9, %14 signed signed : tile<2x16x32xi8>, tile<2x32x16xi8>, tile<2x16x16xi32>
    %17 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %18 = make_tensor_view %17, shape = [2, 16, 16], strides = [256, 16, 1] : tensor_view<2x16x16xi32, strides=[256, 16, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0, %0] : tile<2x16x16xi32>, partition_view<tile=(2x16x16), tensor_view<2x16x16xi32, strides=[256, 16, 1]>>, tile<i32> -> token
    return
  }
}
