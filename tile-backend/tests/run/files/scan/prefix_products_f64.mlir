// test: run
// arg: f64[128] ones
// arg: f64[128] zeros
// Products of ones.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [128], strides = [1] : tensor_view<128xf64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>, tile<i32> -> tile<128xf64>, token
    %5 = scan %3 dim=0 reverse=false identities=[1.0 : f64] : tile<128xf64> -> tile<128xf64> (%e0: tile<f64>, %a0: tile<f64>) {
      %b0 = mulf %e0, %a0 rounding<nearest_even> : tile<f64>
      yield %b0 : tile<f64>
    }
    %6 = make_tensor_view %p1, shape = [128], strides = [1] : tensor_view<128xf64, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<128xf64>, partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
