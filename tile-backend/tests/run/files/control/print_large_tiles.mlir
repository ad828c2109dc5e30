// test: run
// warps: 4
// arg: f32[256] random
// Tiles larger than one call of `vprintf` takes: a loop, with brackets where axes begin and end.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<f32>>) {
    %a = make_tensor_view %in, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
    %p = make_partition_view %a : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %t, %k = load_view_tko weak %p[%zero, %zero] : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> tile<8x32xf32>, token
    %p0 = print_tko "t = %.4f\0A", %t : tile<8x32xf32> -> token
    %u = permute %t [1, 0] : tile<8x32xf32> -> tile<32x8xf32>
    %p1 = print_tko "u = %e end\0A", %u token=%p0 : tile<32x8xf32> -> token
    %v = reshape %t : tile<8x32xf32> -> tile<2x2x2x2x2x2x4xf32>
    %p2 = print_tko "v = %g\0A", %v token=%p1 : tile<2x2x2x2x2x2x4xf32> -> token
    %i = iota : tile<1024xi16>
    %p3 = print_tko "i = %d\0A", %i token=%p2 : tile<1024xi16> -> token
    return
  }
}
