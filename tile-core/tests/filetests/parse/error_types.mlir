// test: parse
// Types that are no types.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = iota : tile<?xi32> // error[T0103]: expected a static shape, found `?`
    %b = iota : tile<4i32> // error[T0103]: expected `x`, found `i32`
    %c = iota : tile<99999999999999999999xi32> // error[T0103]: a dimension that does not fit 64 bits
    %d = iota : !tile<4xi32> // error[T0103]: expected a type, found `tile`
    %e = iota : cuda_tile.tile<4xi32> // error[T0103]: expected a type, found `cuda_tile.tile`
    %f = iota : box<4xi32> // error[T0103]: unknown type `box`
    %g = make_partition_view %n : partition_view<tile=(4x), tensor_view<4xf32, strides=[1]>> // error[T0103]: expected a 32-bit extent
    %h = make_partition_view %n : partition_view<tile=(4), tile<4xf32>> // error[T0103]: expected `tensor_view`, found `tile`
    %i = make_partition_view %n : partition_view<tile=(4), padding_value = one, tensor_view<4xf32, strides=[1]>> // error[T0103]: expected `zero` or `neg_zero` or `nan` or `pos_inf` or `neg_inf`, found `one`
  }
}
