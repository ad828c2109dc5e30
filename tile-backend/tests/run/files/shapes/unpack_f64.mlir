// test: run
// arg: i8[64] random
// arg: f64[8] zeros
// The bits of i8 as f64.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %5 = unpack %3 : tile<64xi8> -> tile<8xf64>
    %6 = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xf64, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(8), tensor_view<8xf64, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<8xf64>, partition_view<tile=(8), tensor_view<8xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
