// test: run
// arg: i64[1] random
// arg: i64[1] random
// arg: i64[2] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>, %p2: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> tile<1xi64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %7 = make_tensor_view %6, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %9, %10 = load_view_tko weak %8[%0] : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> tile<1xi64>, token
    %11 = cat %4, %9 dim = 0 : tile<1xi64>, tile<1xi64> -> tile<2xi64>
    %12 = assume div_by<16>, %p2 : tile<ptr<i64>>
    %13 = make_tensor_view %12, shape = [2], strides = [1] : tensor_view<2xi64, strides=[1]>
    %14 = make_partition_view %13 : partition_view<tile=(2), tensor_view<2xi64, strides=[1]>>
    %15 = store_view_tko weak %11, %14[%0] : tile<2xi64>, partition_view<tile=(2), tensor_view<2xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
