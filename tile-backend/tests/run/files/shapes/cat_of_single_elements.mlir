// test: run
// arg: i64[1] random
// arg: i64[1] random
// arg: i64[2] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>, %p2: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> tile<1xi64>, token
    %5 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> tile<1xi64>, token
    %9 = cat %3, %7 dim = 0 : tile<1xi64>, tile<1xi64> -> tile<2xi64>
    %10 = make_tensor_view %p2, shape = [2], strides = [1] : tensor_view<2xi64, strides=[1]>
    %11 = make_partition_view %10 : partition_view<tile=(2), tensor_view<2xi64, strides=[1]>>
    %12 = store_view_tko weak %9, %11[%0] : tile<2xi64>, partition_view<tile=(2), tensor_view<2xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
