// test: run
// arg: i32[8] zeros
// arg: i32 = 5
// arg: i32 = -5
// Bounds that meet, or are the wrong way around: the results are the initial values.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>, %m: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %r = for %i in (%n to %n, step %one) : tile<i32> iter_values(%s = %n) -> (tile<i32>) {
      continue %zero : tile<i32>
    }
    %q = for %i in (%n to %m, step %one) : tile<i32> iter_values(%s = %n) -> (tile<i32>) {
      continue %zero : tile<i32>
    }
    %p = for unsigned %i in (%m to %n, step %one) : tile<i32> iter_values(%s = %n) -> (tile<i32>) {
      continue %zero : tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r2 = reshape %q : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r3 = reshape %p : tile<i32> -> tile<1xi32>
    %s3 = store_view_tko weak %r3, %o[%two] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
