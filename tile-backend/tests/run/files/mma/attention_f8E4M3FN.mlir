// test: run
// conflicts: 0
// tolerance: 2e-2
// arg: f8E4M3FN[2048] random01
// arg: f8E4M3FN[2048] random01
// arg: f8E4M3FN[2048] random01
// arg: f32[2048] zeros
// has sm_90a: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3
// has sm_90a: wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3
// Values lie across the depth of the second product.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E4M3FN>>, %p1: tile<ptr<f8E4M3FN>>, %p2: tile<ptr<f8E4M3FN>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f8E4M3FN>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf8E4M3FN, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<64x32xf8E4M3FN>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f8E4M3FN>>
    %7 = make_tensor_view %6, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf8E4M3FN, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<64x32xf8E4M3FN>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f8E4M3FN>>
    %12 = make_tensor_view %11, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf8E4M3FN, strides=[32, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<64x32xf8E4M3FN>, token
    %16 = permute %9 [1, 0] : tile<64x32xf8E4M3FN> -> tile<32x64xf8E4M3FN>
    %17 = constant <f32: 0.0> : tile<64x64xf32>
    %18 = mmaf %4, %16, %17 : tile<64x32xf8E4M3FN>, tile<32x64xf8E4M3FN>, tile<64x64xf32>
    %19 = reduce %18 dim=1 identities=[0xff800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %20 = reshape %19 : tile<64xf32> -> tile<64x1xf32>
    %21 = broadcast %20 : tile<64x1xf32> -> tile<64x64xf32>
    %22 = subf %18, %21 rounding<nearest_even> : tile<64x64xf32>
    %23 = exp %22 : tile<64x64xf32>
    %24 = reduce %23 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f32>
      yield %b0 : tile<f32>
    }
    %25 = reshape %24 : tile<64xf32> -> tile<64x1xf32>
    %26 = broadcast %25 : tile<64x1xf32> -> tile<64x32xf32>
    %27 = ftof %23 rounding<nearest_even> : tile<64x64xf32> -> tile<64x64xf8E4M3FN>
    %28 = constant <f32: 0.0> : tile<64x32xf32>
    %29 = mmaf %27, %14, %28 : tile<64x64xf8E4M3FN>, tile<64x32xf8E4M3FN>, tile<64x32xf32>
    %30 = divf %29, %26 rounding<nearest_even> : tile<64x32xf32>
    %31 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %32 = make_tensor_view %31, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32, 1]>
    %33 = make_partition_view %32 : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>
    %34 = store_view_tko weak %30, %33[%0, %0] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
