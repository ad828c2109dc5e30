// test: run
// arg: f32[64] zeros
// arg: f32[64] zeros
// The identity, which is the other zero, is not combined.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %n = negf %4 : tile<64xf32>
    %6 = scan %n dim=0 reverse=false identities=[0.0 : f32] : tile<64xf32> -> tile<64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %8 = make_tensor_view %7, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
