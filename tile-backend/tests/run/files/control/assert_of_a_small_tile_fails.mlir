// test: run
// warps: 4
// arg: i32[8] iota
// arg: i32 = 5
// The fault names the first element that is 0, whichever thread has it.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %b0: tile<i32>) {
    %v_t = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %r0 = reshape %b0 : tile<i32> -> tile<1xi32>
    %t0 = broadcast %r0 : tile<1xi32> -> tile<8xi32>
    %c0 = cmpi not_equal %a, %t0, signed : tile<8xi32> -> tile<8xi1>
    assert %c0, "no element is b0" : tile<8xi1>
    return
  }
}
