// test: run
// arg: f32[1536] small
// arg: f32[1536] small
// arg: f32[1024] zeros
// Element by element.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [32, 48], strides = [48, 1] : tensor_view<32x48xf32, strides=[48, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x16), tensor_view<32x48xf32, strides=[48, 1]>>
    %4 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %5 = make_tensor_view %4, shape = [48, 32], strides = [32, 1] : tensor_view<48x32xf32, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x32), tensor_view<48x32xf32, strides=[32, 1]>>
    %7 = constant <f32: 0.0> : tile<32x32xf32>
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 3> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %7) -> (tile<32x32xf32>) {
      %x, %t0 = load_view_tko weak %3[%lo, %i] : partition_view<tile=(32x16), tensor_view<32x48xf32, strides=[48, 1]>>, tile<i32> -> tile<32x16xf32>, token
      %y, %t1 = load_view_tko weak %6[%i, %lo] : partition_view<tile=(16x32), tensor_view<48x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
      %s = mmaf %x, %y, %acc : tile<32x16xf32>, tile<16x32xf32>, tile<32x32xf32>
      continue %s : tile<32x32xf32>
    }
    %8 = make_tensor_view %p2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %10 = store_view_tko weak %r, %9[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
