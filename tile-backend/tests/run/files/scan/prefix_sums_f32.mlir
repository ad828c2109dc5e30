// test: run
// tolerance: 1e-4
// arg: f32[1024] random
// arg: f32[1024] zeros
// Rounded in an order of its own.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4, 256], strides = [256, 1] : tensor_view<4x256xf32, strides=[256, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256, 1]>>, tile<i32> -> tile<4x256xf32>, token
    %5 = scan %3 dim=1 reverse=false identities=[0.0 : f32] : tile<4x256xf32> -> tile<4x256xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = make_tensor_view %p1, shape = [4, 256], strides = [256, 1] : tensor_view<4x256xf32, strides=[256, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<4x256xf32>, partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256, 1]>>, tile<i32> -> token
    return
  }
}
