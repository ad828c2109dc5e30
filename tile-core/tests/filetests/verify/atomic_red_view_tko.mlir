// test: verify
// Scopes and modes; views that can be reduced into, the tile, rank-0 indices of any types.

cuda_tile.module @m {
  entry @k(%vi16: partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, %vi32: partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, %vi64: partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, %vf16: partition_view<tile=(2x4), tensor_view<64x64xf16, strides=[64,1]>>, %vbf16: partition_view<tile=(2x4), tensor_view<64x64xbf16, strides=[64,1]>>, %vf32: partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, %vf64: partition_view<tile=(2x4), tensor_view<64x64xf64, strides=[64,1]>>, %vtf32: partition_view<tile=(2x4), tensor_view<64x64xtf32, strides=[64,1]>>, %vs: strided_view<tile=(2x4), traversal_strides=[1,1], tensor_view<64x64xi32, strides=[64,1]>>, %vg: gather_scatter_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, %vp: partition_view<tile=(2x4), padding_value = zero, tensor_view<64x64xi32, strides=[64,1]>>, %vsp: strided_view<tile=(2x4), traversal_strides=[1,1], padding_value = zero, tensor_view<64x64xi32, strides=[64,1]>>, %n: tile<i32>, %l: tile<i64>) {
    %i32_2x4 = constant <i32: 1> : tile<2x4xi32>
    %i16_2x4 = constant <i16: 1> : tile<2x4xi16>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f16_2x4 = constant <f16: 1.0> : tile<2x4xf16>
    %bf16_2x4 = constant <bf16: 1.0> : tile<2x4xbf16>
    %f64_2x4 = constant <f64: 1.0> : tile<2x4xf64>
    %tf32_2x4 = constant <tf32: 1.0> : tile<2x4xtf32>
    %i32_2 = constant <i32: 1> : tile<2xi32>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i32_4x2 = constant <i32: 1> : tile<4x2xi32>
    %i32_2x4x1 = constant <i32: 1> : tile<2x4x1xi32>
    %t = make_token : token
    %r0 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r1 = atomic_red_view_tko relaxed tl_blk %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r2 = atomic_red_view_tko relaxed sys %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `sys` is not allowed here
    %r3 = atomic_red_view_tko acquire device %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `acquire` is not allowed here
    %r4 = atomic_red_view_tko release device %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `release` is not allowed here
    %r5 = atomic_red_view_tko acq_rel device %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `acq_rel` is not allowed here
    %r6 = atomic_red_view_tko relaxed device %vi16[%n, %n], and, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r7 = atomic_red_view_tko relaxed device %vi32[%n, %n], and, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r8 = atomic_red_view_tko relaxed device %vi64[%n, %n], and, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r9 = atomic_red_view_tko relaxed device %vf32[%n, %n], and, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r10 = atomic_red_view_tko relaxed device %vi16[%n, %n], or, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r11 = atomic_red_view_tko relaxed device %vi32[%n, %n], or, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r12 = atomic_red_view_tko relaxed device %vi64[%n, %n], or, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r13 = atomic_red_view_tko relaxed device %vf32[%n, %n], or, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r14 = atomic_red_view_tko relaxed device %vi16[%n, %n], xor, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r15 = atomic_red_view_tko relaxed device %vi32[%n, %n], xor, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r16 = atomic_red_view_tko relaxed device %vi64[%n, %n], xor, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r17 = atomic_red_view_tko relaxed device %vf32[%n, %n], xor, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r18 = atomic_red_view_tko relaxed device %vi16[%n, %n], add, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r19 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r20 = atomic_red_view_tko relaxed device %vi64[%n, %n], add, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r21 = atomic_red_view_tko relaxed device %vf16[%n, %n], add, %f16_2x4 : tile<2x4xf16>, partition_view<tile=(2x4), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf16>`
    %r22 = atomic_red_view_tko relaxed device %vbf16[%n, %n], add, %bf16_2x4 : tile<2x4xbf16>, partition_view<tile=(2x4), tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xbf16>`
    %r23 = atomic_red_view_tko relaxed device %vf32[%n, %n], add, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r24 = atomic_red_view_tko relaxed device %vf64[%n, %n], add, %f64_2x4 : tile<2x4xf64>, partition_view<tile=(2x4), tensor_view<64x64xf64, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf64>`
    %r25 = atomic_red_view_tko relaxed device %vtf32[%n, %n], add, %tf32_2x4 : tile<2x4xtf32>, partition_view<tile=(2x4), tensor_view<64x64xtf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xtf32>`
    %r26 = atomic_red_view_tko relaxed device %vi16[%n, %n], max, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r27 = atomic_red_view_tko relaxed device %vi32[%n, %n], max, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r28 = atomic_red_view_tko relaxed device %vi64[%n, %n], max, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r29 = atomic_red_view_tko relaxed device %vf32[%n, %n], max, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r30 = atomic_red_view_tko relaxed device %vi16[%n, %n], min, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r31 = atomic_red_view_tko relaxed device %vi32[%n, %n], min, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r32 = atomic_red_view_tko relaxed device %vi64[%n, %n], min, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r33 = atomic_red_view_tko relaxed device %vf32[%n, %n], min, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r34 = atomic_red_view_tko relaxed device %vi16[%n, %n], umax, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r35 = atomic_red_view_tko relaxed device %vi32[%n, %n], umax, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r36 = atomic_red_view_tko relaxed device %vi64[%n, %n], umax, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r37 = atomic_red_view_tko relaxed device %vf32[%n, %n], umax, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r38 = atomic_red_view_tko relaxed device %vi16[%n, %n], umin, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xi16>`
    %r39 = atomic_red_view_tko relaxed device %vi32[%n, %n], umin, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r40 = atomic_red_view_tko relaxed device %vi64[%n, %n], umin, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token
    %r41 = atomic_red_view_tko relaxed device %vf32[%n, %n], umin, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of i32 or i64, found `tile<2x4xf32>`
    %r42 = atomic_red_view_tko relaxed device %vi16[%n, %n], addf, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<2x4xi16>`
    %r43 = atomic_red_view_tko relaxed device %vi32[%n, %n], addf, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<2x4xi32>`
    %r44 = atomic_red_view_tko relaxed device %vi64[%n, %n], addf, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<2x4xi64>`
    %r45 = atomic_red_view_tko relaxed device %vf16[%n, %n], addf, %f16_2x4 : tile<2x4xf16>, partition_view<tile=(2x4), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token
    %r46 = atomic_red_view_tko relaxed device %vbf16[%n, %n], addf, %bf16_2x4 : tile<2x4xbf16>, partition_view<tile=(2x4), tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> token
    %r47 = atomic_red_view_tko relaxed device %vf32[%n, %n], addf, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %r48 = atomic_red_view_tko relaxed device %vf64[%n, %n], addf, %f64_2x4 : tile<2x4xf64>, partition_view<tile=(2x4), tensor_view<64x64xf64, strides=[64,1]>>, tile<i32> -> token
    %r49 = atomic_red_view_tko relaxed device %vtf32[%n, %n], addf, %tf32_2x4 : tile<2x4xtf32>, partition_view<tile=(2x4), tensor_view<64x64xtf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<2x4xtf32>`
    %r50 = atomic_red_view_tko relaxed device %vi16[%n, %n], xchg, %i16_2x4 : tile<2x4xi16>, partition_view<tile=(2x4), tensor_view<64x64xi16, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `xchg` is not allowed here
    %r51 = atomic_red_view_tko relaxed device %vi32[%n, %n], xchg, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `xchg` is not allowed here
    %r52 = atomic_red_view_tko relaxed device %vi64[%n, %n], xchg, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi64, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `xchg` is not allowed here
    %r53 = atomic_red_view_tko relaxed device %vf32[%n, %n], xchg, %f32_2x4 : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `xchg` is not allowed here
    %r54 = atomic_red_view_tko relaxed device %vi32[%n, %l], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32>, tile<i64> -> token
    %r55 = atomic_red_view_tko relaxed device %vs[%n, %n], add, %i32_2x4 : tile<2x4xi32>, strided_view<tile=(2x4), traversal_strides=[1,1], tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r56 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_2x4 token = %t : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %r57 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_2x4 token = %n : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected `token` to be a token, found `tile<i32>`
    %r58 = atomic_red_view_tko relaxed device %vg[%i32_2, %n], add, %i32_2x4 : tile<2x4xi32>, gather_scatter_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> token // error[T0301]: expected a partition or strided view, found a gather/scatter view
    %r59 = atomic_red_view_tko relaxed device %vp[%n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), padding_value = zero, tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a view without padding, found one with `padding_value`
    %r60 = atomic_red_view_tko relaxed device %vsp[%n, %n], add, %i32_2x4 : tile<2x4xi32>, strided_view<tile=(2x4), traversal_strides=[1,1], padding_value = zero, tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a view without padding, found one with `padding_value`
    %r61 = atomic_red_view_tko relaxed device %vi32[%n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected 2 indices, found 1
    %r62 = atomic_red_view_tko relaxed device %vi32[%n, %n, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected 2 indices, found 3
    %r63 = atomic_red_view_tko relaxed device %vi32[%i32_2, %n], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<2xi32>, tile<i32> -> token // error[T0301]: expected a rank-0 index, found `tile<2xi32>`
    %r64 = atomic_red_view_tko relaxed device %vi32[%n, %i32_1], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32>, tile<1xi32> -> token // error[T0301]: expected a rank-0 index, found `tile<1xi32>`
    %r65 = atomic_red_view_tko relaxed device %vi32[%f32_s, %f32_s], add, %i32_2x4 : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<f32> -> token // error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
// error[T0301]: expected `index` to be a tile of i1, i8, i16, i32 or i64, found `tile<f32>`
    %r66 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_4x2 : tile<4x2xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<2x4xi32>`, found `tile<4x2xi32>`
    %r67 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i64_2x4 : tile<2x4xi64>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<2x4xi32>`, found `tile<2x4xi64>`
    %r68 = atomic_red_view_tko relaxed device %vi32[%n, %n], add, %i32_2x4x1 : tile<2x4x1xi32>, partition_view<tile=(2x4), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<2x4xi32>`, found `tile<2x4x1xi32>`
    return
  }
}
