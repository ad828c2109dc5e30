// test: verify
// The view of the operand.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %r0 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>
    %r1 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[?,1]>, sparse_dim=1> // error[T0301]: expected `tensor_view<64x64xf32, strides=[?,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    %r2 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=1> // error[T0301]: expected `tensor_view<64x64xi32, strides=[64,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    %r3 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<32x64xf32, strides=[64,1]>, sparse_dim=1> // error[T0301]: expected `tensor_view<32x64xf32, strides=[64,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    return
  }
}
