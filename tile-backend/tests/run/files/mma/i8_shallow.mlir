// test: run
// arg: i8[128] random
// arg: i8[256] random
// arg: i32[512] random
// arg: i32[512] zeros
// Bytes, less deep than an instruction.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi8, strides=[8, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x8), tensor_view<16x8xi8, strides=[8, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x8), tensor_view<16x8xi8, strides=[8, 1]>>, tile<i32> -> tile<16x8xi8>, token
    %5 = make_tensor_view %p1, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xi8, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(8x32), tensor_view<8x32xi8, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xi8, strides=[32, 1]>>, tile<i32> -> tile<8x32xi8>, token
    %9 = make_tensor_view %p2, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi32, strides=[32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>, tile<i32> -> tile<16x32xi32>, token
    %13 = mmai %3, %7, %11 unsigned signed : tile<16x8xi8>, tile<8x32xi8>, tile<16x32xi32>
    %14 = make_tensor_view %p3, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi32, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<16x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
