// test: run
// arg: i32[8] zeros
// arg: i16 = 1
// arg: i16 = 65535
// arg: i16 = 32763
// The last step of a `for` over i16 leaves the type, compared unsigned.
// The bounds are what they are only when the kernel runs.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %lo: tile<i16>, %hi: tile<i16>, %step: tile<i16>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r, %last = for unsigned %i in (%lo to %hi, step %step) : tile<i16> iter_values(%s = %zero, %l = %lo) -> (tile<i32>, tile<i16>) {
      %t = addi %s, %one : tile<i32>
      continue %t, %i : tile<i32>, tile<i16>
    }
    %last32 = exti %last signed : tile<i16> -> tile<i32>
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r2 = reshape %last32 : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
