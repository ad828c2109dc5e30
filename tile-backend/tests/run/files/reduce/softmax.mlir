// test: run
// tolerance: 1e-5
// arg: f32[2048] random
// arg: f32[2048] zeros
// Two reductions and their broadcasts.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128, 1]>>, tile<i32> -> tile<16x128xf32>, token
    %5 = reduce %3 dim=1 identities=[0xff800000 : f32] : tile<16x128xf32> -> tile<16xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %6 = reshape %5 : tile<16xf32> -> tile<16x1xf32>
    %7 = broadcast %6 : tile<16x1xf32> -> tile<16x128xf32>
    %8 = subf %3, %7 rounding<nearest_even> : tile<16x128xf32>
    %9 = exp %8 : tile<16x128xf32>
    %10 = reduce %9 dim=1 identities=[0.0 : f32] : tile<16x128xf32> -> tile<16xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %11 = reshape %10 : tile<16xf32> -> tile<16x1xf32>
    %12 = broadcast %11 : tile<16x1xf32> -> tile<16x128xf32>
    %13 = divf %9, %12 rounding<nearest_even> : tile<16x128xf32>
    %14 = make_tensor_view %p1, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<16x128xf32>, partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
