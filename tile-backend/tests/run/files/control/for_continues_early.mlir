// test: run
// arg: i32[8] zeros
// arg: i32 = 20
// `continue` from a branch of a branch in a `for`; the other arms yield.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %m = remi %i, %three unsigned : tile<i32>
      %is = cmpi equal %m, %zero, signed : tile<i32> -> tile<i1>
      %x = if %is -> (tile<i32>) {
        %late = cmpi greater_than %i, %seven, signed : tile<i32> -> tile<i1>
        if %late {
          %t = subi %s, %i : tile<i32>
          continue %t : tile<i32>
        }
        yield %i : tile<i32>
      } else {
        yield %one : tile<i32>
      }
      %t = addi %s, %x : tile<i32>
      continue %t : tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
