// test: run
// arg: i8[64] random
// arg: f64[8] zeros
// The bits of i8 as f64.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %6 = unpack %4 : tile<64xi8> -> tile<8xf64>
    %7 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %8 = make_tensor_view %7, shape = [8], strides = [1] : tensor_view<8xf64, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(8), tensor_view<8xf64, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<8xf64>, partition_view<tile=(8), tensor_view<8xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
