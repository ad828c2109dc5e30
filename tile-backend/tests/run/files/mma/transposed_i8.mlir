// test: run
// arg: i8[2048] random
// arg: i8[2048] random
// arg: i32[1024] random
// arg: i32[1024] zeros
// Bytes by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %6 = permute %4 [1, 0] : tile<64x32xi8> -> tile<32x64xi8>
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>
    %10, %11 = load_view_tko weak %9[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>, tile<i32> -> tile<32x64xi8>, token
    %12 = permute %10 [1, 0] : tile<32x64xi8> -> tile<64x32xi8>
    %13 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %14 = make_tensor_view %13, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %16, %17 = load_view_tko weak %15[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> tile<32x32xi32>, token
    %18 = mmai %6, %12, %16 signed signed : tile<32x64xi8>, tile<64x32xi8>, tile<32x32xi32>
    %19 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %20 = make_tensor_view %19, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %21 = make_partition_view %20 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %22 = store_view_tko weak %18, %21[%0, %0] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
