// test: run
// warps: 4
// arg: i32[512] iota
// arg: i32[8] zeros
// Assertions that hold do nothing, of a number and of tiles in one and in several warps.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v_t = make_tensor_view %in, shape = [512], strides = [1] : tensor_view<512xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(512), tensor_view<512xi32, strides=[1]>>, tile<i32> -> tile<512xi32>, token
    %limit = constant <i32: 512> : tile<512xi32>
    %below = cmpi less_than %a, %limit, signed : tile<512xi32> -> tile<512xi1>
    assert %below, "all are below" : tile<512xi1>
    %few = iota : tile<8xi32>
    %nine = constant <i32: 9> : tile<8xi32>
    %fine = cmpi less_than %few, %nine, signed : tile<8xi32> -> tile<8xi1>
    assert %fine, "few" : tile<8xi1>
    %less = cmpi less_than %zero, %one, signed : tile<i32> -> tile<i1>
    assert %less, "numbers" : tile<i1>
    %r1 = reshape %one : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
