// test: run
// tolerance: 1e-13
// arg: f64[1024] random
// arg: f64[1] zeros
// Rounded in an order of its own.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1024], strides = [1] : tensor_view<1024xf64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(1024), tensor_view<1024xf64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(1024), tensor_view<1024xf64, strides=[1]>>, tile<i32> -> tile<1024xf64>, token
    %5 = reduce %3 dim=0 identities=[0.0 : f64] : tile<1024xf64> -> tile<f64> (%e0: tile<f64>, %a0: tile<f64>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f64>
      yield %b0 : tile<f64>
    }
    %6 = reshape %5 : tile<f64> -> tile<1xf64>
    %7 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xf64, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xf64, strides=[1]>>
    %9 = store_view_tko weak %6, %8[%0] : tile<1xf64>, partition_view<tile=(1), tensor_view<1xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
