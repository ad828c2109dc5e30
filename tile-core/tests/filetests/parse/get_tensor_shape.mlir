// test: parse
// `get_tensor_shape`: one type stands for all results.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %a, %b = get_tensor_shape %tv : tensor_view<?x64xf32, strides=[64,1]> -> tile<i32>
    %c, %d = get_tensor_shape %tv : tensor_view<?x64xf32, strides=[64,1]> -> tile<i64>
    return
  }
}
