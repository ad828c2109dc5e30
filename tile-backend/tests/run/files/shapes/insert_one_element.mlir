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
    %1 = make_tensor_view %p0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
    %5 = make_tensor_view %p1, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xf16, strides=[1, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(1x1), tensor_view<1x1xf16, strides=[1, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(1x1), tensor_view<1x1xf16, strides=[1, 1]>>, tile<i32> -> tile<1x1xf16>, token
    %9 = insert %7, %3[%p2, %p3] : tile<1x1xf16>, tile<32x32xf16>
    %10 = make_tensor_view %p4, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<32x32xf16>, partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
