// test: run
// arg: i32[8] zeros
// arg: i32 = 1
// arg: i32 = 4294967295
// arg: i32 = 2147483643
// The last step of a `for` over i32 leaves the type, compared unsigned.
// The bounds are what they are only when the kernel runs.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %step: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r, %last = for unsigned %i in (%lo to %hi, step %step) : tile<i32> iter_values(%s = %zero, %l = %lo) -> (tile<i32>, tile<i32>) {
      %t = addi %s, %one : tile<i32>
      continue %t, %i : tile<i32>, tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r2 = reshape %last : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
