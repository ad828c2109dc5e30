// test: verify
// Orderings and scopes; the tile, the indices of each kind of view, and `inbounds`.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %i32_16 = constant <i32: 1> : tile<16xi32>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %f32_s = constant <f32: 1.0> : tile<f32>
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
    %r0, %r1 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r2, %r3 = load_view_tko relaxed device %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r4, %r5 = load_view_tko relaxed tl_blk %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r6, %r7 = load_view_tko relaxed sys %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r8, %r9 = load_view_tko acquire device %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r10, %r11 = load_view_tko relaxed %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: an access that is `relaxed` has no memory scope
    %r12, %r13 = load_view_tko acquire %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: an access that is `acquire` has no memory scope
    %r14, %r15 = load_view_tko weak %pv[%l, %l] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i64> -> tile<16x32xf32>, token
    %r16, %r17 = load_view_tko weak %pv[%n, %l] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> tile<16x32xf32>, token // error[T0301]: expected an index `tile<i32>`, found `tile<i64>`
    %r18, %r19 = load_view_tko weak %pv[%n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 1
    %r20, %r21 = load_view_tko weak %pv[] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 0
    %r22, %r23 = load_view_tko weak %pv[%n, %n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 3
    %r24, %r25 = load_view_tko weak %pv[%i32_16, %i32_16] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<16xi32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
// error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r26, %r27 = load_view_tko weak %pv[%i32_1, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<1xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<1xi32>`
    %r28, %r29 = load_view_tko weak %pv[%f32_s, %f32_s] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<f32> -> tile<16x32xf32>, token // error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
// error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
    %r30, %r31 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x16xf32>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<32x16xf32>`
    %r32, %r33 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf64>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<16x32xf64>`
    %r34, %r35 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32x1xf32>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<16x32x1xf32>`
    %r36, %r37 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<512xf32>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<512xf32>`
    %r38, %r39 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xptr<f32>>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<16x32xptr<f32>>`
    %r40, %r41 = load_view_tko weak %sv[%n, %n] : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r42, %r43 = load_view_tko weak %sv[%n, %l] : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> tile<16x32xf32>, token // error[T0301]: expected an index `tile<i32>`, found `tile<i64>`
    %r44, %r45 = load_view_tko weak %sv[%n] : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 1
    %r46, %r47 = load_view_tko weak %sv[%i32_16, %n] : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r48, %r49 = load_view_tko weak %sv[%n, %n] : strided_view<tile=(16x32), traversal_strides=[8,8], tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<8x8xf32>`
    %r50, %r51 = load_view_tko weak %g0[%i32_16, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %r52, %r53 = load_view_tko weak %g0[%i64_16, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi64>, tile<i32> -> tile<16x32xf32>, token
    %r54, %r55 = load_view_tko weak %g1[%n, %i8_32] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<32xi8> -> tile<16x32xf32>, token
    %r56, %r57 = load_view_tko weak %g0[%n, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<i32>`
    %r58, %r59 = load_view_tko weak %g0[%i32_16, %i32_16] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
    %r60, %r61 = load_view_tko weak %g0[%i32_32, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<32xi32>`
    %r62, %r63 = load_view_tko weak %g0[%i32_8, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<8xi32>`
    %r64, %r65 = load_view_tko weak %g0[%i32_16x1, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16x1xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<16x1xi32>`
    %r66, %r67 = load_view_tko weak %g1[%i32_16, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<16xi32>`
// error[T0301]: expected a rank-1 index of 32 elements, found `tile<i32>`
    %r68, %r69 = load_view_tko weak %g1[%n, %i32_16] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<16xi32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 32 elements, found `tile<16xi32>`
    %r70, %r71 = load_view_tko weak %g0[%i32_16] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 1
    %r72, %r73 = load_view_tko weak %g0[%f32_16, %n] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xf32>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<16xf32>`
    %r74, %r75 = load_view_tko weak %g0[%n, %i32_32] : gather_scatter_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>, tile<i32>, tile<32xi32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-1 index of 16 elements, found `tile<i32>`
// error[T0301]: expected a rank-0 index, found `tile<32xi32>`
    %r76, %r77 = load_view_tko weak %pv[%n, %n] token = %t : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r78, %r79 = load_view_tko weak %pv[%n, %n] token = %n : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected `token` to be a token, found `tile<i32>`
    %r80, %r81 = load_view_tko weak %pv[%n, %n] inbounds = [true, false] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r82, %r83 = load_view_tko weak %pv[%n, %n] inbounds = [false, true] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r84, %r85 = load_view_tko weak %pv[%n, %n] inbounds = [true, true] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %r86, %r87 = load_view_tko weak %pv[%n, %n] inbounds = [true] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: expected `inbounds` to have 2 entries, found 1
    %r88, %r89 = load_view_tko weak %pv[%n, %n] inbounds = [true, true, true] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: expected `inbounds` to have 2 entries, found 3
    %r90, %r91 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, tile<4xi32> // error[T0303]: expected `result_token` to be a token, found `tile<4xi32>`
    %r92, %r93 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token, token // error[T0303]: expected `tile` to be a tile, found `token`
    %r94, %r95 = load_view_tko weak %tv[%n, %n] : tensor_view<64x64xf32, strides=[64,1]>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected `view` to be a partition, strided or gather/scatter view, found `tensor_view<64x64xf32, strides=[64,1]>`
    return
  }
}
