// test: run
// arg: i64[1] random
// arg: i8[8] zeros
// The bits of i64 as i8.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [1], strides = [1] : tensor_view<1xi64, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>, tile<i32> -> tile<1xi64>, token
    %6 = pack %4 : tile<1xi64> -> tile<8xi8>
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<8xi8>, partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
