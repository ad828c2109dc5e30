// test: verify
// A rank-0 integer per axis of the tensor.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>
    %g0 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>
    %g1 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>
    %r0, %r1 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i1>
    %r2, %r3 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i8>
    %r4, %r5 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i16>
    %r6, %r7 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i32>
    %r8, %r9 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i64>
    %r10, %r11 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<f32> // error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<f32>`
    %r12, %r13 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<2xi32> // error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<2xi32>`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<2xi32>`
    %r14, %r15 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> tile<i4> // error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<i4>`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<i4>`
    %r16, %r17 = get_tensor_shape %tv : tensor_view<64x64xf32, strides=[64,1]> -> token // error[T0303]: expected `result` to be a rank-0 tile of integers, found `token`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `token`
    %r18, %r19 = get_tensor_shape %pv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> -> tile<i32> // error[T0301]: expected `src` to be a tensor view, found `partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>`
    return
  }
}
