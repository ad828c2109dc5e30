// test: parse
// Views whose parts are wrong, missing or in another order.

cuda_tile.module @m {
  entry @k(%t: tensor_view<4x4xf32, strides=[4,1]>) {
    %a = make_strided_view %t : strided_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected `traversal_strides`, found `tensor_view`
    %b = make_strided_view %t : strided_view<tile=(2x2), traversal_strides=[1,4294967296], tensor_view<4x4xf32, strides=[4,1]>> // error[T0212]: `4294967296` is no 32-bit stride
    %c = make_strided_view %t : strided_view<tile=(2x2), traversal_strides=[1,1] tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected `,`, found `tensor_view`
    %d = make_gather_scatter_view %t : gather_scatter_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected `,`, found `>`
    %e = make_gather_scatter_view %t : gather_scatter_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, sparse_dim=-1> // error[T0212]: `-1` is no axis
    %f = make_gather_scatter_view %t : gather_scatter_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, 1]> // error[T0103]: expected `sparse_dim`, found `dim_map`
    %g = make_partition_view %t : partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, x]> // error[T0103]: expected an integer, found `x`
    %h = make_partition_view %t : partition_view<padding_value = zero, tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected `tile`, found `padding_value`
    %i = make_partition_view %t : partition_view<tile=(2x2), tensor_view<4x4xptr<f32>, strides=[4,1]>> // error[T0103]: expected a number type, found `ptr`
    %j = make_partition_view %t : partition_view<tile=(2x-2), tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected a 32-bit extent
    %k = make_partition_view %t : partition_view<tile=(2x4294967296), tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected a 32-bit extent
    %l = make_partition_view %t : partition_view<tile=(2x2), !tensor_view<4x4xf32, strides=[4,1]>> // error[T0103]: expected `cuda_tile.tensor_view`, found `tensor_view`
  }
}
