// test: run
// grid: 8 1 1
// arg: i32[8] zeros
// Every block of the grid takes another way through loops and branches.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %r = loop iter_values(%i = %x, %s = %zero) : tile<i32>, tile<i32> -> tile<i32> {
      %end = cmpi greater_than %i, %three, signed : tile<i32> -> tile<i1>
      if %end {
        break %s : tile<i32>
      }
      %t = for %j in (%zero to %i, step %one) : tile<i32> iter_values(%u = %s) -> (tile<i32>) {
        %w = addi %u, %j : tile<i32>
        continue %w : tile<i32>
      }
      %next = addi %i, %one : tile<i32>
      %bit = andi %i, %one : tile<i32>
      %even = cmpi equal %bit, %zero, signed : tile<i32> -> tile<i1>
      if %even {
        %v = addi %t, %two : tile<i32>
        continue %next, %v : tile<i32>, tile<i32>
      } else {
        continue %next, %t : tile<i32>, tile<i32>
      }
      continue %next, %t : tile<i32>, tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%x] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
