// test: run
// grid: 4 1 1
// arg: i32[8] zeros
// `return` in nested branches: what comes after is not run.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>) {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %nine = constant <i32: 9> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %small = cmpi less_than %x, %two, signed : tile<i32> -> tile<i1>
    if %small {
      %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
      if %first {
        return
      }
      %r1 = reshape %nine : tile<i32> -> tile<1xi32>
      %s1 = store_view_tko weak %r1, %o[%x] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
      return
    }
    %r2 = reshape %two : tile<i32> -> tile<1xi32>
    %s2 = store_view_tko weak %r2, %o[%x] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
