// test: run
// arg: f64[384] small
// arg: f64[384] small
// arg: f64[256] zeros
// Doubles.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f64>>, %p1: tile<ptr<f64>>, %p2: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f64>>
    %2 = make_tensor_view %1, shape = [16, 24], strides = [24, 1] : tensor_view<16x24xf64, strides=[24, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x8), tensor_view<16x24xf64, strides=[24, 1]>>
    %4 = assume div_by<16>, %p1 : tile<ptr<f64>>
    %5 = make_tensor_view %4, shape = [24, 16], strides = [16, 1] : tensor_view<24x16xf64, strides=[16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(8x16), tensor_view<24x16xf64, strides=[16, 1]>>
    %7 = constant <f64: 0.0> : tile<16x16xf64>
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 3> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %7) -> (tile<16x16xf64>) {
      %x, %t0 = load_view_tko weak %3[%lo, %i] : partition_view<tile=(16x8), tensor_view<16x24xf64, strides=[24, 1]>>, tile<i32> -> tile<16x8xf64>, token
      %y, %t1 = load_view_tko weak %6[%i, %lo] : partition_view<tile=(8x16), tensor_view<24x16xf64, strides=[16, 1]>>, tile<i32> -> tile<8x16xf64>, token
      %s = mmaf %x, %y, %acc : tile<16x8xf64>, tile<8x16xf64>, tile<16x16xf64>
      continue %s : tile<16x16xf64>
    }
    %8 = make_tensor_view %p2, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf64, strides=[16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(16x16), tensor_view<16x16xf64, strides=[16, 1]>>
    %10 = store_view_tko weak %r, %9[%0, %0] : tile<16x16xf64>, partition_view<tile=(16x16), tensor_view<16x16xf64, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
