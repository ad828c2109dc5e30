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
    %1 = make_tensor_view %p0, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xi32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64, 1]>>, tile<i32> -> tile<8x64xi32>, token
    %5 = make_tensor_view %p1, shape = [2, 2, 32, 2, 2], strides = [256, 128, 4, 2, 1] : tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0, %0, %0, %0] : partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>>, tile<i32> -> tile<2x2x32x2x2xi32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 4> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %7) -> (tile<2x2x32x2x2xi32>) {
      %n = iota : tile<64xi32>
      %m = reshape %n : tile<64xi32> -> tile<1x64xi32>
      %o = broadcast %m : tile<1x64xi32> -> tile<8x64xi32>
      %q = muli %o, %3 : tile<8x64xi32>
      %x = reshape %i : tile<i32> -> tile<1x1xi32>
      %w = broadcast %x : tile<1x1xi32> -> tile<8x64xi32>
      %s = addi %q, %w : tile<8x64xi32>
      %t = reshape %s : tile<8x64xi32> -> tile<2x2x2x2x32xi32>
      %p = permute %t [3, 1, 4, 0, 2] : tile<2x2x2x2x32xi32> -> tile<2x2x32x2x2xi32>
      %u = xori %p, %acc : tile<2x2x32x2x2xi32>
      continue %u : tile<2x2x32x2x2xi32>
    }
    %9 = make_tensor_view %p2, shape = [2, 2, 32, 2, 2], strides = [256, 128, 4, 2, 1] : tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>>
    %11 = store_view_tko weak %r, %10[%0, %0, %0, %0, %0] : tile<2x2x32x2x2xi32>, partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xi32, strides=[256, 128, 4, 2, 1]>>, tile<i32> -> token
    return
  }
}
