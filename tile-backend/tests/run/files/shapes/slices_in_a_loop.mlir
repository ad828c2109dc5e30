// test: run
// arg: f32[512] random
// arg: f32[512] zeros
// Each turn replaces a slice by its double and reads it back.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> tile<8x64xf32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 8> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %3) -> (tile<8x64xf32>) {
      %row = extract %acc[%i, %lo] : tile<8x64xf32> -> tile<1x64xf32>
      %twice = addf %row, %row rounding<nearest_even> : tile<1x64xf32>
      %next = insert %twice, %acc[%i, %lo] : tile<1x64xf32>, tile<8x64xf32>
      continue %next : tile<8x64xf32>
    }
    %5 = make_tensor_view %p1, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %7 = store_view_tko weak %r, %6[%0, %0] : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
