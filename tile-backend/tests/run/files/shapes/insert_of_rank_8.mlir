// test: run
// arg: i8[512] random
// arg: i8[32] random
// arg: i32 = 1
// arg: i32 = 0
// arg: i32 = 0
// arg: i32 = 1
// arg: i32 = 0
// arg: i32 = 0
// arg: i32 = 1
// arg: i32 = 0
// arg: i8[512] zeros
// A slice is replaced at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<i32>, %p3: tile<i32>, %p4: tile<i32>, %p5: tile<i32>, %p6: tile<i32>, %p7: tile<i32>, %p8: tile<i32>, %p9: tile<i32>, %p10: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [2, 4, 2, 2, 1, 2, 4, 2], strides = [256, 64, 32, 16, 16, 8, 2, 1] : tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(2x4x2x2x1x2x4x2), tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(2x4x2x2x1x2x4x2), tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>>, tile<i32> -> tile<2x4x2x2x1x2x4x2xi8>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %7 = make_tensor_view %6, shape = [1, 2, 2, 1, 1, 2, 2, 2], strides = [32, 16, 8, 8, 8, 4, 2, 1] : tensor_view<1x2x2x1x1x2x2x2xi8, strides=[32, 16, 8, 8, 8, 4, 2, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(1x2x2x1x1x2x2x2), tensor_view<1x2x2x1x1x2x2x2xi8, strides=[32, 16, 8, 8, 8, 4, 2, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0, %0, %0, %0, %0, %0, %0] : partition_view<tile=(1x2x2x1x1x2x2x2), tensor_view<1x2x2x1x1x2x2x2xi8, strides=[32, 16, 8, 8, 8, 4, 2, 1]>>, tile<i32> -> tile<1x2x2x1x1x2x2x2xi8>, token
    %11 = insert %9, %4[%p2, %p3, %p4, %p5, %p6, %p7, %p8, %p9] : tile<1x2x2x1x1x2x2x2xi8>, tile<2x4x2x2x1x2x4x2xi8>
    %12 = assume div_by<16>, %p10 : tile<ptr<i8>>
    %13 = make_tensor_view %12, shape = [2, 4, 2, 2, 1, 2, 4, 2], strides = [256, 64, 32, 16, 16, 8, 2, 1] : tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(2x4x2x2x1x2x4x2), tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>>
    %15 = store_view_tko weak %11, %14[%0, %0, %0, %0, %0, %0, %0, %0] : tile<2x4x2x2x1x2x4x2xi8>, partition_view<tile=(2x4x2x2x1x2x4x2), tensor_view<2x4x2x2x1x2x4x2xi8, strides=[256, 64, 32, 16, 16, 8, 2, 1]>>, tile<i32> -> token
    return
  }
}
