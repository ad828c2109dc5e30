// test: run
// arg: i8[2048] random
// arg: i8[2048] random
// arg: i32[1024] random
// arg: i32[1024] zeros
// Bytes by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %5 = permute %3 [1, 0] : tile<64x32xi8> -> tile<32x64xi8>
    %6 = make_tensor_view %p1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>
    %8, %9 = load_view_tko weak %7[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>, tile<i32> -> tile<32x64xi8>, token
    %10 = permute %8 [1, 0] : tile<32x64xi8> -> tile<64x32xi8>
    %11 = make_tensor_view %p2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %13, %14 = load_view_tko weak %12[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> tile<32x32xi32>, token
    %15 = mmai %5, %10, %13 signed signed : tile<32x64xi8>, tile<64x32xi8>, tile<32x32xi32>
    %16 = make_tensor_view %p3, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %17 = make_partition_view %16 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %18 = store_view_tko weak %15, %17[%0, %0] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
