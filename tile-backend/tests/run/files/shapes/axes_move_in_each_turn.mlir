// test: run
// has: bar.warp.sync
// warps: 2
// arg: i32[512] random
// arg: i32[512] random
// arg: i32[512] zeros
// Lanes of a warp may not overwrite what others of them have yet to read.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xi32, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64, 1]>>, tile<i32> -> tile<8x64xi32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %7 = make_tensor_view %6, shape = [2, 2, 32, 4], strides = [256, 128, 4, 1] : tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0, %0, %0] : partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>>, tile<i32> -> tile<2x2x32x4xi32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 4> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %9) -> (tile<2x2x32x4xi32>) {
      %n = iota : tile<64xi32>
      %m = reshape %n : tile<64xi32> -> tile<1x64xi32>
      %o = broadcast %m : tile<1x64xi32> -> tile<8x64xi32>
      %q = muli %o, %4 : tile<8x64xi32>
      %x = reshape %i : tile<i32> -> tile<1x1xi32>
      %w = broadcast %x : tile<1x1xi32> -> tile<8x64xi32>
      %s = addi %q, %w : tile<8x64xi32>
      %t = reshape %s : tile<8x64xi32> -> tile<2x2x2x2x32xi32>
      %p = permute %t [3, 1, 4, 0, 2] : tile<2x2x2x2x32xi32> -> tile<2x2x32x2x2xi32>
      %v = reshape %p : tile<2x2x32x2x2xi32> -> tile<2x2x32x4xi32>
      %u = xori %v, %acc : tile<2x2x32x4xi32>
      continue %u : tile<2x2x32x4xi32>
    }
    %11 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %12 = make_tensor_view %11, shape = [2, 2, 32, 4], strides = [256, 128, 4, 1] : tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>>
    %14 = store_view_tko weak %r, %13[%0, %0, %0, %0] : tile<2x2x32x4xi32>, partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xi32, strides=[256, 128, 4, 1]>>, tile<i32> -> token
    return
  }
}
