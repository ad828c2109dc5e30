// test: run
// conflicts: 0
// tolerance: 1e-13
// arg: f64[512] random
// arg: f64[512] random
// arg: f64[1024] random
// arg: f64[1024] zeros
// f64, on tensor cores.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %p3: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf64, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x16), tensor_view<32x16xf64, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf64, strides=[16, 1]>>, tile<i32> -> tile<32x16xf64>, token
    %5 = make_tensor_view %p1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> tile<16x32xf64>, token
    %9 = make_tensor_view %p2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>, tile<i32> -> tile<32x32xf64>, token
    %13 = mmaf %3, %7, %11 : tile<32x16xf64>, tile<16x32xf64>, tile<32x32xf64>
    %14 = make_tensor_view %p3, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<32x32xf64>, partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
