// test: run
// arg: f32[512] random
// arg: f32[512] zeros
// Each turn replaces a slice by its double and reads it back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> tile<8x64xf32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 8> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %4) -> (tile<8x64xf32>) {
      %row = extract %acc[%i, %lo] : tile<8x64xf32> -> tile<1x64xf32>
      %twice = addf %row, %row rounding<nearest_even> : tile<1x64xf32>
      %next = insert %twice, %acc[%i, %lo] : tile<1x64xf32>, tile<8x64xf32>
      continue %next : tile<8x64xf32>
    }
    %6 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %7 = make_tensor_view %6, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %9 = store_view_tko weak %r, %8[%0, %0] : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
