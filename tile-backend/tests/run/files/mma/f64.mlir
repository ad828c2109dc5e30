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
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf64, strides=[16, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x16), tensor_view<32x16xf64, strides=[16, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf64, strides=[16, 1]>>, tile<i32> -> tile<32x16xf64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %7 = make_tensor_view %6, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf64, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf64, strides=[32, 1]>>, tile<i32> -> tile<16x32xf64>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f64>>
    %12 = make_tensor_view %11, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>, tile<i32> -> tile<32x32xf64>, token
    %16 = mmaf %4, %9, %14 : tile<32x16xf64>, tile<16x32xf64>, tile<32x32xf64>
    %17 = assume div_by<16>, %p3 : tile<ptr<f64>>
    %18 = make_tensor_view %17, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<32x32xf64>, partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
