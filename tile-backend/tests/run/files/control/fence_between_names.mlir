// test: run
// warps: 4
// arg: i32[256] iota
// One memory by two names: what is stored by one is loaded by the other, by other threads.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>) {
    %a = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16,1]>
    %b = make_tensor_view %in, shape = [16, 16], strides = [1, 16] : tensor_view<16x16xi32, strides=[1,16]>
    %p = make_partition_view %a : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>
    %q = make_partition_view %b : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[1,16]>>
    %zero = constant <i32: 0> : tile<i32>
    %t, %k = load_view_tko weak %p[%zero, %zero] : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>, tile<i32> -> tile<16x16xi32>, token
    %f = memory_fence_alias_tko %k
    %s = store_view_tko weak %t, %q[%zero, %zero] token = %f : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[1,16]>>, tile<i32> -> token
    %g = memory_fence_alias_tko %s
    %u, %l = load_view_tko weak %p[%zero, %zero] token = %g : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>, tile<i32> -> tile<16x16xi32>, token
    %v = addi %u, %t : tile<16x16xi32>
    %m = store_view_tko weak %v, %p[%zero, %zero] token = %l : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
