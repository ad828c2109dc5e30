// test: run
// arg: f32[4] zeros
// arg: f32[4] zeros
// The identity, which is the other zero, is not combined.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4, 1], strides = [1, 1] : tensor_view<4x1xf32, strides=[1, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(4x1), tensor_view<4x1xf32, strides=[1, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(4x1), tensor_view<4x1xf32, strides=[1, 1]>>, tile<i32> -> tile<4x1xf32>, token
    %n = negf %3 : tile<4x1xf32>
    %5 = reduce %n dim=1 identities=[0.0 : f32] : tile<4x1xf32> -> tile<4xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = make_tensor_view %p1, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
