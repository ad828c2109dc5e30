// test: run
// arg: i32[8] iota
// arg: i32[8] zeros
// A `loop` that carries nothing ends when memory says so; its tokens are dropped.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v_t = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %start = make_token : token
    %last = loop iter_values(%i = %zero, %k = %start) : tile<i32>, token -> tile<i32> {
      %t, %k2 = load_view_tko weak %v[%i] token = %k : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %x = reshape %t : tile<1xi32> -> tile<i32>
      %found = cmpi equal %x, %five, signed : tile<i32> -> tile<i1>
      if %found {
        break %i : tile<i32>
      }
      %j = addi %i, %one : tile<i32>
      continue %j, %k2 : tile<i32>, token
    }
    %r1 = reshape %last : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
