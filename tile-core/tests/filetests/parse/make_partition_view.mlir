// test: parse
// Padding and a map of axes.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>
    %q = make_partition_view %tv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %m = make_partition_view %tv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    return
  }
}
