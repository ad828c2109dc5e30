// test: run
// arg: i8[3072] small
// arg: i8[3072] small
// arg: i32[1024] zeros
// Bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [32, 96], strides = [96, 1] : tensor_view<32x96xi8, strides=[96, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x32), tensor_view<32x96xi8, strides=[96, 1]>>
    %4 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %5 = make_tensor_view %4, shape = [96, 32], strides = [32, 1] : tensor_view<96x32xi8, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x32), tensor_view<96x32xi8, strides=[32, 1]>>
    %7 = constant <i32: 0> : tile<32x32xi32>
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 3> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %7) -> (tile<32x32xi32>) {
      %x, %t0 = load_view_tko weak %3[%lo, %i] : partition_view<tile=(32x32), tensor_view<32x96xi8, strides=[96, 1]>>, tile<i32> -> tile<32x32xi8>, token
      %y, %t1 = load_view_tko weak %6[%i, %lo] : partition_view<tile=(32x32), tensor_view<96x32xi8, strides=[32, 1]>>, tile<i32> -> tile<32x32xi8>, token
      %s = mmai %x, %y, %acc signed signed : tile<32x32xi8>, tile<32x32xi8>, tile<32x32xi32>
      continue %s : tile<32x32xi32>
    }
    %8 = make_tensor_view %p2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %10 = store_view_tko weak %r, %9[%0, %0] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
