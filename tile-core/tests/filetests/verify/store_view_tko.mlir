// test: verify
// Orderings and scopes; the tile, the indices of each kind of view, and `inbounds`.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %f32_16x32 = constant <f32: 1.0> : tile<16x32xf32>
    %i32_16 = constant <i32: 1> : tile<16xi32>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f32_32x16 = constant <f32: 1.0> : tile<32x16xf32>
    %f64_16x32 = constant <f64: 1.0> : tile<16x32xf64>
    %f32_16x32x1 = constant <f32: 1.0> : tile<16x32x1xf32>
    %f32_512 = constant <f32: 1.0> : tile<512xf32>
    %i64_16x32 = constant <i64: 1> : tile<16x32xi64>
    %p_f32_16x32 = int_to_ptr %i64_16x32 : tile<16x32xi64> -> tile<16x32xptr<f32>>
    %f32_8x8 = constant <f32: 1.0> : tile<8x8xf32>
    %i64_16 = constant <i64: 1> : tile<16xi64>
    %i8_32 = constant <i8: 1> : tile<32xi8>
    %i32_32 = constant <i32: 1> : tile<32xi32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %i32_16x1 = constant <i32: 1> : tile<16x1xi32>
    %f32_16 = constant <f32: 1.0> : tile<16xf32>
    %t = make_token : token
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>
    %g0 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>
    %g1 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>
    %r0 = store_view_tko weak %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r1 = store_view_tko relaxed device %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r2 = store_view_tko relaxed tl_blk %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r3 = store_view_tko relaxed sys %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r4 = store_view_tko release device %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r5 = store_view_tko relaxed %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: an access that is `relaxed` has no memory scope
    %r6 = store_view_tko release %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: an access that is `release` has no memory scope
    %r7 = store_view_tko weak %f32_16x32, %pv[%l, %l] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i64> -> token
    %r8 = store_view_tko weak %f32_16x32, %pv[%n, %l] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> token // error[T0301]: expected an index `tile<i32>`, found `tile<i64>`
    %r9 = store_view_tko weak %f32_16x32, %pv[%n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected 2 indices, found 1
    %r10 = store_view_tko weak %f32_16x32, %pv[] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> -> token // error[T0301]: expected 2 indices, found 0
    %r11 = store_view_tko weak %f32_16x32, %pv[%n, %n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected 2 indices, found 3
    %r12 = store_view_tko weak %f32_16x32, %pv[%i32_16, %i32_16] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<16xi32> -> token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
// error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r13 = store_view_tko weak %f32_16x32, %pv[%i32_1, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<1xi32>, tile<i32> -> token // error[T0301]: expected a rank-0 index, found `tile<1xi32>`
    %r14 = store_view_tko weak %f32_16x32, %pv[%f32_s, %f32_s] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<f32> -> token // error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
// error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
    %r15 = store_view_tko weak %f32_32x16, %pv[%n, %n] : tile<32x16xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<32x16xf32>`
    %r16 = store_view_tko weak %f64_16x32, %pv[%n, %n] : tile<16x32xf64>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<16x32xf64>`
    %r17 = store_view_tko weak %f32_16x32x1, %pv[%n, %n] : tile<16x32x1xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<16x32x1xf32>`
    %r18 = store_view_tko weak %f32_512, %pv[%n, %n] : tile<512xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<512xf32>`
    %r19 = store_view_tko weak %p_f32_16x32, %pv[%n, %n] : tile<16x32xptr<f32>>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<16x32xptr<f32>>`
    %r20 = store_view_tko weak %f32_16x32, %sv[%n, %n] : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r21 = store_view_tko weak %f32_16x32, %sv[%n, %l] : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> token // error[T0301]: expected an index `tile<i32>`, found `tile<i64>`
    %r22 = store_view_tko weak %f32_16x32, %sv[%n] : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected 2 indices, found 1
    %r23 = store_view_tko weak %f32_16x32, %sv[%i32_16, %n] : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<16xi32>, tile<i32> -> token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r24 = store_view_tko weak %f32_8x8, %sv[%n, %n] : tile<8x8xf32>, strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<8x8xf32>`
    %r25 = store_view_tko weak %f32_16x32, %g0[%i32_16, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> token
    %r26 = store_view_tko weak %f32_16x32, %g0[%i64_16, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi64>, tile<i32> -> token
    %r27 = store_view_tko weak %f32_16x32, %g1[%n, %i8_32] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<32xi8> -> token
    %r28 = store_view_tko weak %f32_16x32, %g0[%n, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32> -> token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<i32>`
    %r29 = store_view_tko weak %f32_16x32, %g0[%i32_16, %i32_16] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32> -> token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r30 = store_view_tko weak %f32_16x32, %g0[%i32_32, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<32xi32>`
    %r31 = store_view_tko weak %f32_16x32, %g0[%i32_8, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<8xi32>`
    %r32 = store_view_tko weak %f32_16x32, %g0[%i32_16x1, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16x1xi32>, tile<i32> -> token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<16x1xi32>`
    %r33 = store_view_tko weak %f32_16x32, %g1[%i32_16, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<16xi32>, tile<i32> -> token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
// error[T0301]: expected a rank-1 index of 32 elements, found `tile<i32>`
    %r34 = store_view_tko weak %f32_16x32, %g1[%n, %i32_16] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<16xi32> -> token // error[T0301]: expected a rank-1 index of 32 elements, found `tile<16xi32>`
    %r35 = store_view_tko weak %f32_16x32, %g0[%i32_16] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32> -> token // error[T0301]: expected 2 indices, found 1
    %r36 = store_view_tko weak %f32_16x32, %g0[%f32_16, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xf32>, tile<i32> -> token // error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<16xf32>`
    %r37 = store_view_tko weak %f32_16x32, %g0[%n, %i32_32] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32>, tile<32xi32> -> token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<i32>`
// error[T0301]: expected a rank-0 index, found `tile<32xi32>`
    %r38 = store_view_tko weak %f32_16x32, %pv[%n, %n] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r39 = store_view_tko weak %f32_16x32, %pv[%n, %n] token = %n : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected `token` to be a token, found `tile<i32>`
    %r40 = store_view_tko weak %f32_16x32, %pv[%n, %n] inbounds = [true, false] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r41 = store_view_tko weak %f32_16x32, %pv[%n, %n] inbounds = [false, true] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r42 = store_view_tko weak %f32_16x32, %pv[%n, %n] inbounds = [true, true] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r43 = store_view_tko weak %f32_16x32, %pv[%n, %n] inbounds = [true] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: expected `inbounds` to have 2 entries, found 1
    %r44 = store_view_tko weak %f32_16x32, %pv[%n, %n] inbounds = [true, true, true] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: expected `inbounds` to have 2 entries, found 3
    %r45 = store_view_tko weak %f32_16x32, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<4xi32> // error[T0303]: expected `result_token` to be a token, found `tile<4xi32>`
    %r46 = store_view_tko weak %t, %pv[%n, %n] : token, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected `tile` to be a tile, found `token`
    %r47 = store_view_tko weak %f32_16x32, %tv[%n, %n] : tile<16x32xf32>, tensor_view<64x64xf32, strides=[64,1]>, tile<i32> -> token // error[T0301]: expected `view` to be a partition, strided or gather/scatter view, found `tensor_view<64x64xf32, strides=[64,1]>`
    return
  }
}
