// test: run
// arg: i32[8] zeros
// arg: i64 = -9223372036854775805
// arg: i64 = 9223372036854775807
// arg: i64 = 4611686018427387903
// The last step of a `for` over i64 leaves the type, compared signed.
// The bounds are what they are only when the kernel runs.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %lo: tile<i64>, %hi: tile<i64>, %step: tile<i64>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r, %last = for %i in (%lo to %hi, step %step) : tile<i64> iter_values(%s = %zero, %l = %lo) -> (tile<i32>, tile<i64>) {
      %t = addi %s, %one : tile<i32>
      continue %t, %i : tile<i32>, tile<i64>
    }
    %last32 = trunci %last : tile<i64> -> tile<i32>
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r2 = reshape %last32 : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
