// test: run
// conflicts: 0
// arg: f16[8192] small
// arg: f16[8192] small
// arg: f32[4096] zeros
// The accumulator stays in place.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x128xf16, strides=[128, 1]>>
    %4 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %5 = make_tensor_view %4, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x64), tensor_view<128x64xf16, strides=[64, 1]>>
    %7 = constant <f32: 0.0> : tile<64x64xf32>
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 4> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %7) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %3[%lo, %i] : partition_view<tile=(64x32), tensor_view<64x128xf16, strides=[128, 1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t1 = load_view_tko weak %6[%i, %lo] : partition_view<tile=(32x64), tensor_view<128x64xf16, strides=[64, 1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %x, %y, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %8 = make_tensor_view %p2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %10 = store_view_tko weak %r, %9[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
