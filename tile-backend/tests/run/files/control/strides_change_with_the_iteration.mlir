// test: run
// warps: 4
// arg: i32[256] zeros
// arg: i32 = 2
// A view whose strides are other ones in every iteration: what one thread stores another
// reads in the next.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %c16 = constant <i32: 16> : tile<i32>
    %counts = iota : tile<256xi32>
    %start = reshape %counts : tile<256xi32> -> tile<16x16xi32>
    %none = make_token : token
    %r, %l, %q, %k = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %c16, %t = %one, %x = %start, %e = %none) -> (tile<i32>, tile<i32>, tile<16x16xi32>, token) {
      %b = make_tensor_view %out, shape = [16, 16], strides = [%s, %t] : tile<i32> -> tensor_view<16x16xi32, strides=[?,?]>
      %w = make_partition_view %b : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[?,?]>>
      %y, %h = load_view_tko weak %w[%zero, %zero] token = %e : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[?,?]>>, tile<i32> -> tile<16x16xi32>, token
      %z = addi %x, %y : tile<16x16xi32>
      %m = store_view_tko weak %z, %w[%zero, %zero] token = %h : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[?,?]>>, tile<i32> -> token
      continue %t, %s, %z, %m : tile<i32>, tile<i32>, tile<16x16xi32>, token
    }
    return
  }
}
