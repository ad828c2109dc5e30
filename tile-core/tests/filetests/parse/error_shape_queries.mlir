// test: parse
// Queries of what is no view, or without a type.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %v: tensor_view<4x4xf32, strides=[4,1]>) {
    %a = get_tensor_shape %n : tile<i32> -> tile<i32> // error[T0202]: expected a view, found `tile<i32>`
    %b, %c = get_tensor_shape %v : tensor_view<4x4xf32, strides=[4,1]>
    %d = get_tensor_shape %v : tensor_view<4x4xf32, strides=[4,1]> -> tile<i32> // error[T0103]: expected `->`, found `%d`
// error[T0103]: expected 2 result names, found 1
    %e, %f = get_index_space_shape %v : partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>> -> tile<i32> // error[T0202]: expected `tensor_view<4x4xf32, strides=[4,1]>`, found `partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>>`
  }
}
