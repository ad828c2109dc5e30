// level: avx512
// Without dot products, bf16 is widened while it is packed.
cuda_tile.module @m {
  entry @product(%a: tile<ptr<bf16>>, %b: tile<ptr<bf16>>, %c: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %aw = make_tensor_view %a, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xbf16, strides=[16, 1]>
    %av = make_partition_view %aw : partition_view<tile=(8x16), tensor_view<8x16xbf16, strides=[16, 1]>>
    %bw = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xbf16, strides=[64, 1]>
    %bv = make_partition_view %bw : partition_view<tile=(16x64), tensor_view<16x64xbf16, strides=[64, 1]>>
    %cw = make_tensor_view %c, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %cv = make_partition_view %cw : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %l, %t = load_view_tko weak %av[%x, %x] : partition_view<tile=(8x16), tensor_view<8x16xbf16, strides=[16, 1]>>, tile<i32> -> tile<8x16xbf16>, token
    %r, %u = load_view_tko weak %bv[%x, %y] : partition_view<tile=(16x64), tensor_view<16x64xbf16, strides=[64, 1]>>, tile<i32> -> tile<16x64xbf16>, token
    %none = constant <f32: 0.0> : tile<8x64xf32>
    %s = mmaf %l, %r, %none : tile<8x16xbf16>, tile<16x64xbf16>, tile<8x64xf32>
    %w = store_view_tko weak %s, %cv[%x, %y] : tile<8x64xf32>, partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
// ---
// kernel @product
//   buffer %b0: 128 x f32 at 0
//   buffer %b1: 1024 x f32 at 512
//   buffer %b2: 512 x f32 at 4608
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = word 4: i64
//   %v6 = 0x8: i64
//   %v7 = 0x10: i64
//   %v8 = 0x40: i64
//   %v9 = 0x0: i64
//   %v10 = 0x2: i64
//   %v12 = word 1: i64
//   %v16 = 0x1: i64
//   %v41 = word 3: i64
//   %v78 = 0x4: i64
//   %v80 = word 5: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v11 = sub(%v0, %v0): i64
//   %v13 = zeroextend(%v3): i64
//   %v14 = mul(%v13, %v6): i64
//   %v15 = sub(%v6, %v14): i64
//   %v17 = min(%v15, %v6): i64
//   %v18 = max(%v17, %v9): i64
//   %v19 = less(%v9, %v18): i1
//   %v20 = mul(%v14, %v7): i64
//   %v21 = add(%v9, %v20): i64
//   %v22 = add(%v14, %v18): i64
//   %v23 = sub(%v22, %v16): i64
//   %v24 = zeroextend(%v3): i64
//   %v25 = mul(%v24, %v7): i64
//   %v26 = sub(%v7, %v25): i64
//   %v27 = min(%v26, %v7): i64
//   %v28 = max(%v27, %v9): i64
//   %v29 = less(%v9, %v28): i1
//   %v30 = and(%v19, %v29): i1
//   %v31 = mul(%v25, %v16): i64
//   %v32 = add(%v21, %v31): i64
//   %v33 = add(%v25, %v28): i64
//   %v34 = sub(%v33, %v16): i64
//   %v35 = fits(%v11, %v10, %v12, %v23, %v7, %v34, %v16): i1
//   %v36 = not(%v35): i1
//   %v37 = and(%v30, %v36): i1
//   fault if %v37
//   %v38 = mul(%v32, %v10): i64
//   %v39 = add(%v0, %v38): i64
//   %v40 = sub(%v1, %v1): i64
//   %v42 = zeroextend(%v3): i64
//   %v43 = mul(%v42, %v7): i64
//   %v44 = sub(%v7, %v43): i64
//   %v45 = min(%v44, %v7): i64
//   %v46 = max(%v45, %v9): i64
//   %v47 = less(%v9, %v46): i1
//   %v48 = mul(%v43, %v8): i64
//   %v49 = add(%v9, %v48): i64
//   %v50 = add(%v43, %v46): i64
//   %v51 = sub(%v50, %v16): i64
//   %v52 = zeroextend(%v4): i64
//   %v53 = mul(%v52, %v8): i64
//   %v54 = sub(%v8, %v53): i64
//   %v55 = min(%v54, %v8): i64
//   %v56 = max(%v55, %v9): i64
//   %v57 = less(%v9, %v56): i1
//   %v58 = and(%v47, %v57): i1
//   %v59 = mul(%v53, %v16): i64
//   %v60 = add(%v49, %v59): i64
//   %v61 = add(%v53, %v56): i64
//   %v62 = sub(%v61, %v16): i64
//   %v63 = fits(%v40, %v10, %v41, %v51, %v8, %v62, %v16): i1
//   %v64 = not(%v63): i1
//   %v65 = and(%v58, %v64): i1
//   fault if %v65
//   %v66 = mul(%v60, %v10): i64
//   %v67 = add(%v1, %v66): i64
//   %v68 = zeroextend(%v3): i64
//   %v69 = mul(%v68, %v6): i64
//   %v70 = sub(%v6, %v69): i64
//   %v71 = min(%v70, %v6): i64
//   %v72 = max(%v71, %v9): i64
//   %v73 = zeroextend(%v4): i64
//   %v74 = mul(%v73, %v8): i64
//   %v75 = sub(%v8, %v74): i64
//   %v76 = min(%v75, %v8): i64
//   %v77 = max(%v76, %v9): i64
//   nest 2^7
//     %0 = load %v39 in parameter 0 at [4:1 5:2 6:4] * 16 below %v18, [0:1 1:2 2:4 3:8] * 1 below %v28, padding 0x0: bf16
//     %1 = widen(%0): f32
//     store %1 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//   nest 2^10
//     %0 = load %v67 in parameter 1 at [6:1 7:2 8:4 9:8] * 64 below %v46, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v56, padding 0x0: bf16
//     %1 = widen(%0): f32
//     store %1 to %b1 at [0:1 1:2 2:4 3:8 4:16 5:512 6:32 7:64 8:128 9:256] * 1
//   nest 2^9
//     %0 = 0x0: f32
//     store %0 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//   product %b2 += %b0 * %b1: 1 x 8 x 64 x 16 f32 of f32, panels of 32
//     of which %v72 rows and %v77 columns are demanded
//   %v79 = sub(%v2, %v2): i64
//   %v81 = zeroextend(%v3): i64
//   %v82 = mul(%v81, %v6): i64
//   %v83 = sub(%v6, %v82): i64
//   %v84 = min(%v83, %v6): i64
//   %v85 = max(%v84, %v9): i64
//   %v86 = less(%v9, %v85): i1
//   %v87 = mul(%v82, %v8): i64
//   %v88 = add(%v9, %v87): i64
//   %v89 = add(%v82, %v85): i64
//   %v90 = sub(%v89, %v16): i64
//   %v91 = zeroextend(%v4): i64
//   %v92 = mul(%v91, %v8): i64
//   %v93 = sub(%v8, %v92): i64
//   %v94 = min(%v93, %v8): i64
//   %v95 = max(%v94, %v9): i64
//   %v96 = less(%v9, %v95): i1
//   %v97 = and(%v86, %v96): i1
//   %v98 = mul(%v92, %v16): i64
//   %v99 = add(%v88, %v98): i64
//   %v100 = add(%v92, %v95): i64
//   %v101 = sub(%v100, %v16): i64
//   %v102 = fits(%v79, %v78, %v80, %v90, %v8, %v101, %v16): i1
//   %v103 = not(%v102): i1
//   %v104 = and(%v97, %v103): i1
//   fault if %v104
//   %v105 = mul(%v99, %v78): i64
//   %v106 = add(%v2, %v105): i64
//   nest 2^9
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: f32
//     store %0 to %v106 in parameter 2 at [6:1 7:2 8:4] * 64 below %v85, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v95
//   return
