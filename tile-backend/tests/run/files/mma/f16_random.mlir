// test: run
// tolerance: 1e-4
// arg: f16[1024] random
// arg: f16[1024] random
// arg: f32[1024] random
// arg: f32[1024] zeros
// f16 into f32, rounded.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %12 = make_tensor_view %11, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> tile<32x32xf32>, token
    %16 = mmaf %4, %9, %14 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    %17 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %18 = make_tensor_view %17, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
