// test: parse
// `make_strided_view`: strides of the traversal, every padding, a map of axes.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %v0 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[1,5], tensor_view<?x64xf32, strides=[64,1]>>
    %v1 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[2,5], padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %v2 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[3,5], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>>
    %v3 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[4,5], padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>>
    %v4 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[5,5], padding_value = pos_inf, tensor_view<?x64xf32, strides=[64,1]>>
    %v5 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[6,5], padding_value = neg_inf, tensor_view<?x64xf32, strides=[64,1]>>
    %v6 = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[1,64], padding_value = neg_inf, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    return
  }
}
