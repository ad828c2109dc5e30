// test: run
// warps: 4
// arg: i32[256] iota
// arg: i32 = 200
// arg: i32 = 77
// arg: i32 = 255
// The fault names the first element that is 0, whichever thread has it.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %b0: tile<i32>, %b1: tile<i32>, %b2: tile<i32>) {
    %v_t = make_tensor_view %in, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %r0 = reshape %b0 : tile<i32> -> tile<1xi32>
    %t0 = broadcast %r0 : tile<1xi32> -> tile<256xi32>
    %c0 = cmpi not_equal %a, %t0, signed : tile<256xi32> -> tile<256xi1>
    %r1 = reshape %b1 : tile<i32> -> tile<1xi32>
    %t1 = broadcast %r1 : tile<1xi32> -> tile<256xi32>
    %c1 = cmpi not_equal %a, %t1, signed : tile<256xi32> -> tile<256xi1>
    %r2 = reshape %b2 : tile<i32> -> tile<1xi32>
    %t2 = broadcast %r2 : tile<1xi32> -> tile<256xi32>
    %c2 = cmpi not_equal %a, %t2, signed : tile<256xi32> -> tile<256xi1>
    %d0 = andi %c0, %c1 : tile<256xi1>
    %d1 = andi %d0, %c2 : tile<256xi1>
    assert %d1, "none of three: 100 % sure" : tile<256xi1>
    return
  }
}
