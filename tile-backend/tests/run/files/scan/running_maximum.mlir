// test: run
// arg: f32[512] random
// arg: f32[512] zeros
// The largest so far.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> tile<8x64xf32>, token
    %5 = scan %3 dim=1 reverse=false identities=[0xff800000 : f32] : tile<8x64xf32> -> tile<8x64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = make_tensor_view %p1, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
