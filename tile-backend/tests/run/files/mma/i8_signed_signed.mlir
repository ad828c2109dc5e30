// test: run
// conflicts: 0
// arg: i8[2048] random
// arg: i8[2048] random
// arg: i32[1024] random
// arg: i32[1024] zeros
// Bytes, exactly.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64, 1]>>, tile<i32> -> tile<32x64xi8>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %7 = make_tensor_view %6, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %12 = make_tensor_view %11, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> tile<32x32xi32>, token
    %16 = mmai %4, %9, %14 signed signed : tile<32x64xi8>, tile<64x32xi8>, tile<32x32xi32>
    %17 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %18 = make_tensor_view %17, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
