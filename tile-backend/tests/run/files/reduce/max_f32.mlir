// test: run
// arg: f32[4096] random
// arg: f32[16] zeros
// The largest number.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xf32, strides=[256, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x256), tensor_view<16x256xf32, strides=[256, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x256), tensor_view<16x256xf32, strides=[256, 1]>>, tile<i32> -> tile<16x256xf32>, token
    %5 = reduce %3 dim=1 identities=[0xff800000 : f32] : tile<16x256xf32> -> tile<16xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = make_tensor_view %p1, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<16xf32>, partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
