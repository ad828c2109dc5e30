// test: run
// grid: 4 1 1
// arg: i32[4] zeros
// The branch that a comparison of the counter guards jumps on by itself; the other gives nothing.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>) {
    %o_t = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %r = for %i in (%zero to %seven, step %one) : tile<i32> iter_values(%s = %one) -> (tile<i32>) {
      %is = cmpi less_than_or_equal %i, %x, signed : tile<i32> -> tile<i1>
      if %is {
        %t = addi %s, %s : tile<i32>
        %u = addi %t, %i : tile<i32>
        continue %u : tile<i32>
      } else {
        yield
      }
      continue %s : tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%x] : tile<1xi32>, partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
