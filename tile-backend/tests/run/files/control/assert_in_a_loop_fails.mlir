// test: run
// warps: 4
// arg: i32[8] zeros
// arg: i32 = 9
// An assertion inside loops and branches: in the iteration in which it does not hold.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %six = constant <i32: 6> : tile<i32>
    %counts = iota : tile<64xi32>
    %limit = constant <i32: 69> : tile<64xi32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %late = cmpi greater_than %i, %one, signed : tile<i32> -> tile<i1>
      if %late {
        %r = reshape %i : tile<i32> -> tile<1xi32>
        %t = broadcast %r : tile<1xi32> -> tile<64xi32>
        %sum = addi %counts, %t : tile<64xi32>
        %c = cmpi less_than %sum, %limit, signed : tile<64xi32> -> tile<64xi1>
        assert %c, "in time" : tile<64xi1>
      }
    }
    %r1 = reshape %n : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
