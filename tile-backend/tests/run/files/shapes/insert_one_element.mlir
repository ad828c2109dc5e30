// test: run
// arg: f16[1024] random
// arg: f16[1] random
// arg: i32 = 31
// arg: i32 = 3
// arg: f16[1024] zeros
// A slice is replaced at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<i32>, %p3: tile<i32>, %p4: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf16, strides=[1, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(1x1), tensor_view<1x1xf16, strides=[1, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(1x1), tensor_view<1x1xf16, strides=[1, 1]>>, tile<i32> -> tile<1x1xf16>, token
    %11 = insert %9, %4[%p2, %p3] : tile<1x1xf16>, tile<32x32xf16>
    %12 = assume div_by<16>, %p4 : tile<ptr<f16>>
    %13 = make_tensor_view %12, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %15 = store_view_tko weak %11, %14[%0, %0] : tile<32x32xf16>, partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
