// test: run
// arg: i32[8] zeros
// arg: i32 = 7
// A `loop` whose carried value and result have different types.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %half = constant <f32: 0.5> : tile<f32>
    %i, %f = loop iter_values(%a = %zero, %x = %half) : tile<i32>, tile<f32> -> tile<i32>, tile<i1> {
      %done = cmpi greater_than_or_equal %a, %n, signed : tile<i32> -> tile<i1>
      if %done {
        %big = cmpf greater_than ordered %x, %half : tile<f32> -> tile<i1>
        break %a, %big : tile<i32>, tile<i1>
      }
      %b = addi %a, %one : tile<i32>
      %y = addf %x, %x rounding<nearest_even> : tile<f32>
      continue %b, %y : tile<i32>, tile<f32>
    }
    %fi = exti %f unsigned : tile<i1> -> tile<i32>
    %r1 = reshape %i : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %r2 = reshape %fi : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%one] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
