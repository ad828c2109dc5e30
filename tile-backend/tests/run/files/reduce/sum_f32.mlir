// test: run
// tolerance: 1e-5
// arg: f32[4096] random
// arg: f32[8] zeros
// Rounded in an order of its own.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 512], strides = [512, 1] : tensor_view<8x512xf32, strides=[512, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x512), tensor_view<8x512xf32, strides=[512, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x512), tensor_view<8x512xf32, strides=[512, 1]>>, tile<i32> -> tile<8x512xf32>, token
    %5 = reduce %3 dim=1 identities=[0.0 : f32] : tile<8x512xf32> -> tile<8xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
