// test: run
// conflicts: 0
// tolerance: 2e-2
// arg: f16[2048] random01
// arg: f16[2048] random01
// arg: f16[2048] random01
// arg: f32[2048] zeros
// Two products in a chain, softmax between them.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %5 = make_tensor_view %p1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %9 = make_tensor_view %p2, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %13 = permute %7 [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
    %14 = constant <f32: 0.0> : tile<64x64xf32>
    %15 = mmaf %3, %13, %14 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %16 = reduce %15 dim=1 identities=[0xff800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %17 = reshape %16 : tile<64xf32> -> tile<64x1xf32>
    %18 = broadcast %17 : tile<64x1xf32> -> tile<64x64xf32>
    %19 = subf %15, %18 rounding<nearest_even> : tile<64x64xf32>
    %20 = exp %19 : tile<64x64xf32>
    %21 = reduce %20 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %22 = reshape %21 : tile<64xf32> -> tile<64x1xf32>
    %23 = broadcast %22 : tile<64x1xf32> -> tile<64x32xf32>
    %24 = ftof %20 rounding<nearest_even> : tile<64x64xf32> -> tile<64x64xf16>
    %25 = constant <f32: 0.0> : tile<64x32xf32>
    %26 = mmaf %24, %11, %25 : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>
    %27 = divf %26, %23 rounding<nearest_even> : tile<64x32xf32>
    %28 = make_tensor_view %p3, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32, 1]>
    %29 = make_partition_view %28 : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>
    %30 = store_view_tko weak %27, %29[%0, %0] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
