// test: run
// warps: 4
// arg: f32[256] random
// arg: f32[256] zeros
// arg: i32 = 3
// Rows are stored and read back as columns in the same iteration, and written again in the
// next: global memory needs barriers on the way back, too.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>) {
    %a = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %b = make_tensor_view %out, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %c = make_tensor_view %out, shape = [16, 16], strides = [1, 16] : tensor_view<16x16xf32, strides=[1,16]>
    %p = make_partition_view %a : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %q = make_partition_view %b : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %w = make_partition_view %c : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[1,16]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %t, %k = load_view_tko weak %p[%zero, %zero] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> tile<16x16xf32>, token
    %r, %l = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %t, %e = %start) -> (tile<16x16xf32>, token) {
      %m = store_view_tko weak %s, %q[%zero, %zero] token = %e : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
      %u, %h = load_view_tko weak %w[%zero, %zero] token = %m : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[1,16]>>, tile<i32> -> tile<16x16xf32>, token
      %v = addf %u, %t rounding<nearest_even> : tile<16x16xf32>
      continue %v, %h : tile<16x16xf32>, token
    }
    %m = store_view_tko weak %r, %q[%zero, %zero] token = %l : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
