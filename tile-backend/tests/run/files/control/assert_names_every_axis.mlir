// test: run
// warps: 4
// arg: i32[512] iota
// arg: i32 = 301
// arg: i32 = 478
// The index has a number per axis, also in a permuted layout.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %b0: tile<i32>, %b1: tile<i32>) {
    %v_t = make_tensor_view %in, shape = [16, 4, 8], strides = [32, 8, 1] : tensor_view<16x4x8xi32, strides=[32,8,1]>
    %v = make_partition_view %v_t : partition_view<tile=(16x4x8), tensor_view<16x4x8xi32, strides=[32,8,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %a, %k = load_view_tko weak %v[%zero, %zero, %zero] : partition_view<tile=(16x4x8), tensor_view<16x4x8xi32, strides=[32,8,1]>>, tile<i32> -> tile<16x4x8xi32>, token
    %p = permute %a [2, 0, 1] : tile<16x4x8xi32> -> tile<8x16x4xi32>
    %r0 = reshape %b0 : tile<i32> -> tile<1x1x1xi32>
    %t0 = broadcast %r0 : tile<1x1x1xi32> -> tile<8x16x4xi32>
    %r1 = reshape %b1 : tile<i32> -> tile<1x1x1xi32>
    %t1 = broadcast %r1 : tile<1x1x1xi32> -> tile<8x16x4xi32>
    %c0 = cmpi not_equal %p, %t0, signed : tile<8x16x4xi32> -> tile<8x16x4xi1>
    %c1 = cmpi not_equal %p, %t1, signed : tile<8x16x4xi32> -> tile<8x16x4xi1>
    %c = andi %c0, %c1 : tile<8x16x4xi1>
    assert %c, "in three dimensions" : tile<8x16x4xi1>
    return
  }
}
