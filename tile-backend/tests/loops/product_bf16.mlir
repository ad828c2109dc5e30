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
//   %v8 = 0x2: i64
//   %v10 = word 1: i64
//   %v11 = 0x1: i64
//   %v15 = 0x40: i64
//   %v17 = word 3: i64
//   %v21 = 0x4: i64
//   %v23 = word 5: i64
//   %v27 = 0x0: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v9 = sub(%v0, %v0): i64
//   %v12 = sub(%v6, %v11): i64
//   %v13 = sub(%v7, %v11): i64
//   %v14 = fits(%v9, %v8, %v10, %v12, %v7, %v13, %v11): i1
//   %v16 = sub(%v1, %v1): i64
//   %v18 = sub(%v7, %v11): i64
//   %v19 = sub(%v15, %v11): i64
//   %v20 = fits(%v16, %v8, %v17, %v18, %v15, %v19, %v11): i1
//   %v22 = sub(%v2, %v2): i64
//   %v24 = sub(%v6, %v11): i64
//   %v25 = sub(%v15, %v11): i64
//   %v26 = fits(%v22, %v21, %v23, %v24, %v15, %v25, %v11): i1
//   %v28 = sub(%v0, %v0): i64
//   %v29 = zeroextend(%v3): i64
//   %v30 = mul(%v29, %v6): i64
//   %v31 = sub(%v6, %v30): i64
//   %v32 = min(%v31, %v6): i64
//   %v33 = max(%v32, %v27): i64
//   %v34 = less(%v27, %v33): i1
//   %v35 = mul(%v30, %v7): i64
//   %v36 = add(%v27, %v35): i64
//   %v37 = add(%v30, %v33): i64
//   %v38 = sub(%v37, %v11): i64
//   %v39 = zeroextend(%v3): i64
//   %v40 = mul(%v39, %v7): i64
//   %v41 = sub(%v7, %v40): i64
//   %v42 = min(%v41, %v7): i64
//   %v43 = max(%v42, %v27): i64
//   %v44 = less(%v27, %v43): i1
//   %v45 = and(%v34, %v44): i1
//   %v46 = mul(%v40, %v11): i64
//   %v47 = add(%v36, %v46): i64
//   %v48 = add(%v40, %v43): i64
//   %v49 = sub(%v48, %v11): i64
//   %v50 = fits(%v28, %v8, %v10, %v38, %v7, %v49, %v11): i1
//   %v51 = not(%v50): i1
//   %v52 = and(%v45, %v51): i1
//   fault if %v52
//   %v53 = mul(%v47, %v8): i64
//   %v54 = add(%v0, %v53): i64
//   %v55 = sub(%v1, %v1): i64
//   %v56 = zeroextend(%v3): i64
//   %v57 = mul(%v56, %v7): i64
//   %v58 = sub(%v7, %v57): i64
//   %v59 = min(%v58, %v7): i64
//   %v60 = max(%v59, %v27): i64
//   %v61 = less(%v27, %v60): i1
//   %v62 = mul(%v57, %v15): i64
//   %v63 = add(%v27, %v62): i64
//   %v64 = add(%v57, %v60): i64
//   %v65 = sub(%v64, %v11): i64
//   %v66 = zeroextend(%v4): i64
//   %v67 = mul(%v66, %v15): i64
//   %v68 = sub(%v15, %v67): i64
//   %v69 = min(%v68, %v15): i64
//   %v70 = max(%v69, %v27): i64
//   %v71 = less(%v27, %v70): i1
//   %v72 = and(%v61, %v71): i1
//   %v73 = mul(%v67, %v11): i64
//   %v74 = add(%v63, %v73): i64
//   %v75 = add(%v67, %v70): i64
//   %v76 = sub(%v75, %v11): i64
//   %v77 = fits(%v55, %v8, %v17, %v65, %v15, %v76, %v11): i1
//   %v78 = not(%v77): i1
//   %v79 = and(%v72, %v78): i1
//   fault if %v79
//   %v80 = mul(%v74, %v8): i64
//   %v81 = add(%v1, %v80): i64
//   %v82 = zeroextend(%v3): i64
//   %v83 = mul(%v82, %v6): i64
//   %v84 = sub(%v6, %v83): i64
//   %v85 = min(%v84, %v6): i64
//   %v86 = max(%v85, %v27): i64
//   %v87 = zeroextend(%v4): i64
//   %v88 = mul(%v87, %v15): i64
//   %v89 = sub(%v15, %v88): i64
//   %v90 = min(%v89, %v15): i64
//   %v91 = max(%v90, %v27): i64
//   nest 2^7
//     %0 = load %v54 in parameter 0 at [4:1 5:2 6:4] * 16 below %v33, [0:1 1:2 2:4 3:8] * 1 below %v43, padding 0x0: bf16
//     %1 = widen(%0): f32
//     store %1 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//   nest 2^10
//     %0 = load %v81 in parameter 1 at [6:1 7:2 8:4 9:8] * 64 below %v60, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v70, padding 0x0: bf16
//     %1 = widen(%0): f32
//     store %1 to %b1 at [0:1 1:2 2:4 3:8 4:16 5:512 6:32 7:64 8:128 9:256] * 1
//   %v92 = sub(%v2, %v2): i64
//   %v93 = zeroextend(%v3): i64
//   %v94 = mul(%v93, %v6): i64
//   %v95 = sub(%v6, %v94): i64
//   %v96 = min(%v95, %v6): i64
//   %v97 = max(%v96, %v27): i64
//   %v98 = less(%v27, %v97): i1
//   %v99 = mul(%v94, %v15): i64
//   %v100 = add(%v27, %v99): i64
//   %v101 = add(%v94, %v97): i64
//   %v102 = sub(%v101, %v11): i64
//   %v103 = zeroextend(%v4): i64
//   %v104 = mul(%v103, %v15): i64
//   %v105 = sub(%v15, %v104): i64
//   %v106 = min(%v105, %v15): i64
//   %v107 = max(%v106, %v27): i64
//   %v108 = less(%v27, %v107): i1
//   %v109 = and(%v98, %v108): i1
//   %v110 = mul(%v104, %v11): i64
//   %v111 = add(%v100, %v110): i64
//   %v112 = add(%v104, %v107): i64
//   %v113 = sub(%v112, %v11): i64
//   %v114 = fits(%v92, %v21, %v23, %v102, %v15, %v113, %v11): i1
//   %v115 = not(%v114): i1
//   %v116 = and(%v109, %v115): i1
//   fault if %v116
//   %v117 = mul(%v111, %v21): i64
//   %v118 = add(%v2, %v117): i64
//   %v119 = 0x1: i1
//   %v120 = 0x8: i64
//   %v121 = equal(%v97, %v120): i1
//   %v122 = and(%v119, %v121): i1
//   %v123 = 0x40: i64
//   %v124 = equal(%v107, %v123): i1
//   %v125 = and(%v122, %v124): i1
//   %v126 = not(%v125): i1
//   %v127 = 0x1: i1
//   product %b2 += %b0 * %b1: 1 x 8 x 64 x 16 f32 of f32, panels of 32
//     of which %v86 rows and %v91 columns are demanded
//     from zeros on if %v127
//     to %v118 in parameter 2 at [6:1 7:2 8:4] * 64 below %v97, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v107 if %v125
//   if %v126
//     nest 2^9
//       %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: f32
//       store %0 to %v118 in parameter 2 at [6:1 7:2 8:4] * 64 below %v97, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v107
//   else
//   return
