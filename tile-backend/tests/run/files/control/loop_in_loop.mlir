// test: run
// arg: i32[8] zeros
// arg: i32 = 5
// Each `break` leaves its own loop, each `continue` goes on with its own.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = loop iter_values(%i = %zero, %sum = %zero) : tile<i32>, tile<i32> -> tile<i32> {
      %end = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      if %end {
        break %sum : tile<i32>
      }
      %next = addi %i, %one : tile<i32>
      %inner = loop iter_values(%j = %zero, %s = %sum) : tile<i32>, tile<i32> -> tile<i32> {
        %stop = cmpi greater_than %j, %i, signed : tile<i32> -> tile<i1>
        if %stop {
          break %s : tile<i32>
        }
        %k = addi %j, %one : tile<i32>
        %bit = andi %j, %one : tile<i32>
        %odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
        if %odd {
          continue %k, %s : tile<i32>, tile<i32>
        }
        %t = addi %s, %j : tile<i32>
        continue %k, %t : tile<i32>, tile<i32>
      }
      continue %next, %inner : tile<i32>, tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
