// test: verify
// The view of the operand.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %r0 = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %r1 = make_partition_view %tv : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>> // error[T0303]: expected `result` to be a partition view, found `strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>`
    %r2 = make_partition_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1> // error[T0303]: expected `result` to be a partition view, found `gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>`
    %r3 = make_partition_view %tv : tensor_view<64x64xf32, strides=[64,1]> // error[T0303]: expected `result` to be a partition view, found `tensor_view<64x64xf32, strides=[64,1]>`
    %r4 = make_partition_view %tv : tile<16x32xf32> // error[T0303]: expected `result` to be a partition view, found `tile<16x32xf32>`
    %r5 = make_partition_view %n : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> // error[T0301]: expected `tensor_view` to be a tensor view, found `tile<i32>`
    %r6 = make_partition_view %pv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> // error[T0301]: expected `tensor_view` to be a tensor view, found `partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>`
    %r7 = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[?,1]>> // error[T0301]: expected `tensor_view<64x64xf32, strides=[?,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    %r8 = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xi32, strides=[64,1]>> // error[T0301]: expected `tensor_view<64x64xi32, strides=[64,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    %r9 = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<32x64xf32, strides=[64,1]>> // error[T0301]: expected `tensor_view<32x64xf32, strides=[64,1]>`, found `tensor_view<64x64xf32, strides=[64,1]>`
    return
  }
}
