// test: parse
// One type stands for all results.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>
    %a, %b = get_index_space_shape %pv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>> -> tile<i32>
    return
  }
}
