// test: parse
// `make_gather_scatter_view`: every padding, both axes.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %v0 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %v1 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=1>
    %v2 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %v3 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=1>
    %v4 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = pos_inf, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %v5 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=1>
    return
  }
}
