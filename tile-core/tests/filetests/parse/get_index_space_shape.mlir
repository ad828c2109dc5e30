// test: parse
// `get_index_space_shape`: of every kind of view; one type stands for all results.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %i = iota : tile<16xi32>
    %a, %b = get_index_space_shape %pv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>> -> tile<i32>
    %c, %d = get_index_space_shape %sv : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]> -> tile<i64>
    %e, %f = get_index_space_shape %gv : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0> -> tile<i16>
    return
  }
}
