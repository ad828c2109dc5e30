// level: avx512
// The left operand is a box of a tensor, which is loaded through pointers. It is copied only where it is partly outside.
cuda_tile.module @m {
  entry @product(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %rows: tile<i32>, %stride: tile<i32>, %first: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %bw = make_tensor_view %b, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %bv = make_partition_view %bw : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %cw = make_tensor_view %c, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %cv = make_partition_view %cw : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %rows.r = reshape %rows : tile<i32> -> tile<1x1xi32>
    %rows.s = broadcast %rows.r : tile<1x1xi32> -> tile<16x16xi32>
    %stride.r = reshape %stride : tile<i32> -> tile<1x1xi32>
    %stride.s = broadcast %stride.r : tile<1x1xi32> -> tile<16x16xi32>
    %first.r = reshape %first : tile<i32> -> tile<1x1xi32>
    %first.s = broadcast %first.r : tile<1x1xi32> -> tile<16x16xi32>
    %i = iota : tile<16xi32>
    %i.r = reshape %i : tile<16xi32> -> tile<16x1xi32>
    %i.s = broadcast %i.r : tile<16x1xi32> -> tile<16x16xi32>
    %j.r = reshape %i : tile<16xi32> -> tile<1x16xi32>
    %j.s = broadcast %j.r : tile<1x16xi32> -> tile<16x16xi32>
    %row = addi %first.s, %i.s : tile<16x16xi32>
    %in = cmpi less_than %row, %rows.s, unsigned : tile<16x16xi32> -> tile<16x16xi1>
    %within = cmpi less_than %j.s, %stride.s, unsigned : tile<16x16xi32> -> tile<16x16xi1>
    %mask = andi %in, %within : tile<16x16xi1>
    %t = muli %row, %stride.s : tile<16x16xi32>
    %o = addi %t, %j.s : tile<16x16xi32>
    %zero = constant <i32: 0> : tile<16x16xi32>
    %d = select %mask, %o, %zero : tile<16x16xi1>, tile<16x16xi32>
    %a.r = reshape %a : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %a.s = broadcast %a.r : tile<1x1xptr<f32>> -> tile<16x16xptr<f32>>
    %p = offset %a.s, %d : tile<16x16xptr<f32>>, tile<16x16xi32> -> tile<16x16xptr<f32>>
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %l, %lt = load_ptr_tko weak %p, %mask, %none : tile<16x16xptr<f32>>, tile<16x16xi1>, tile<16x16xf32> -> tile<16x16xf32>, token
    %r, %rt = load_view_tko weak %bv[%x, %y] : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
    %acc = constant <f32: 0.0> : tile<16x32xf32>
    %s = mmaf %l, %r, %acc : tile<16x16xf32>, tile<16x32xf32>, tile<16x32xf32>
    %w = store_view_tko weak %s, %cv[%x, %y] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
// ---
// kernel @product
//   buffer %b0: 128 x f32 at 0
//   buffer %b1: 512 x f32 at 512
//   buffer %b2: 512 x f32 at 2560
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = word 4: i64
//   %v3 = word 6: i32
//   %v4 = word 7: i32
//   %v5 = word 8: i32
//   %v9 = 0x10: i64
//   %v10 = 0x20: i64
//   %v11 = 0x0: i64
//   %v12 = 0x1: i64
//   %v13 = 0x4: i64
//   %v15 = word 1: i64
//   %v16 = 0x200000000: i64
//   %v57 = word 3: i64
//   %v95 = word 5: i64
//   %v6 = block_id 0: i32
//   %v7 = block_id 1: i32
//   %v8 = block_id 2: i32
//   %v14 = sub(%v0, %v0): i64
//   %v17 = add(%v14, %v16): i64
//   %v18 = min(%v15, %v17): i64
//   %v19 = signextend(%v4): i64
//   %v20 = less(%v19, %v11): i1
//   %v21 = not(%v20): i1
//   %v22 = sub(%v19, %v11): i64
//   %v23 = min(%v22, %v9): i64
//   %v24 = max(%v23, %v11): i64
//   %v25 = less(%v11, %v24): i1
//   %v26 = mul(%v11, %v12): i64
//   %v27 = add(%v11, %v26): i64
//   %v28 = add(%v11, %v24): i64
//   %v29 = sub(%v28, %v12): i64
//   %v30 = signextend(%v5): i64
//   %v31 = signextend(%v3): i64
//   %v32 = less(%v31, %v11): i1
//   %v33 = not(%v32): i1
//   %v34 = and(%v21, %v33): i1
//   %v35 = sub(%v11, %v30): i64
//   %v36 = min(%v35, %v9): i64
//   %v37 = max(%v36, %v11): i64
//   %v38 = sub(%v31, %v30): i64
//   %v39 = min(%v38, %v9): i64
//   %v40 = max(%v39, %v11): i64
//   %v41 = less(%v37, %v40): i1
//   %v42 = and(%v25, %v41): i1
//   %v43 = signextend(%v4): i64
//   %v44 = mul(%v30, %v43): i64
//   %v45 = add(%v27, %v44): i64
//   %v46 = add(%v30, %v40): i64
//   %v47 = sub(%v46, %v12): i64
//   %v48 = fits(%v14, %v13, %v18, %v29, %v12, %v47, %v43): i1
//   %v49 = not(%v48): i1
//   %v50 = and(%v42, %v49): i1
//   %v51 = not(%v50): i1
//   %v52 = and(%v34, %v51): i1
//   %v53 = mul(%v45, %v13): i64
//   %v54 = add(%v0, %v53): i64
//   %v55 = zeroextend(%v52): i64
//   %v56 = sub(%v1, %v1): i64
//   %v58 = zeroextend(%v6): i64
//   %v59 = mul(%v58, %v9): i64
//   %v60 = sub(%v9, %v59): i64
//   %v61 = min(%v60, %v9): i64
//   %v62 = max(%v61, %v11): i64
//   %v63 = less(%v11, %v62): i1
//   %v64 = mul(%v59, %v10): i64
//   %v65 = add(%v11, %v64): i64
//   %v66 = add(%v59, %v62): i64
//   %v67 = sub(%v66, %v12): i64
//   %v68 = zeroextend(%v7): i64
//   %v69 = mul(%v68, %v10): i64
//   %v70 = sub(%v10, %v69): i64
//   %v71 = min(%v70, %v10): i64
//   %v72 = max(%v71, %v11): i64
//   %v73 = less(%v11, %v72): i1
//   %v74 = and(%v63, %v73): i1
//   %v75 = mul(%v69, %v12): i64
//   %v76 = add(%v65, %v75): i64
//   %v77 = add(%v69, %v72): i64
//   %v78 = sub(%v77, %v12): i64
//   %v79 = fits(%v56, %v13, %v57, %v67, %v10, %v78, %v12): i1
//   %v80 = not(%v79): i1
//   %v81 = and(%v74, %v80): i1
//   fault if %v81
//   %v82 = mul(%v76, %v13): i64
//   %v83 = add(%v1, %v82): i64
//   %v84 = zeroextend(%v6): i64
//   %v85 = mul(%v84, %v9): i64
//   %v86 = sub(%v9, %v85): i64
//   %v87 = min(%v86, %v9): i64
//   %v88 = max(%v87, %v11): i64
//   %v89 = zeroextend(%v7): i64
//   %v90 = mul(%v89, %v10): i64
//   %v91 = sub(%v10, %v90): i64
//   %v92 = min(%v91, %v10): i64
//   %v93 = max(%v92, %v11): i64
//   nest 2^9
//     %0 = load %v83 in parameter 1 at [5:1 6:2 7:4 8:8] * 32 below %v62, [0:1 1:2 2:4 3:8 4:16] * 1 below %v72, padding 0x0: f32
//     store %0 to %b1 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//     %2 = 0x0: f32
//     store %2 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//   product %b2 += %b0 * %b1: 1 x 16 x 32 x 16 f32 of f32, panels of 32
//     of which %v9 rows and %v93 columns are demanded
//     groups of 8 rows
//     nest 2^8
//       %0 = %v0: i64
//       %1 = %v5: i32
//       %2 = position [4:1 5:2 6:4 7:8]: i32
//       %3 = addi(%1, %2): i32
//       %4 = %v3: i32
//       %5 = cmpi(%3, %4): i1
//       %6 = position [0:1 1:2 2:4 3:8]: i32
//       %7 = %v4: i32
//       %8 = cmpi(%6, %7): i1
//       %9 = andi(%5, %8): i1
//       %10 = muli(%3, %7): i32
//       %11 = addi(%10, %6): i32
//       %12 = 0x0: i32
//       %13 = select(%9, %11, %12): i32
//       %14 = offset(%0, %13): i64
//       %15 = 0x0: f32
//       %16 = gather %14 in parameter 0, mask %9, padding %15, if %v55 %v54 in parameter 0 at [0:1 1:2 2:4 3:8] * 1 below %v24, [4:1 5:2 6:4 7:8] * %v43 from %v37 below %v40: f32
//       store %16 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//   %v94 = sub(%v2, %v2): i64
//   %v96 = zeroextend(%v6): i64
//   %v97 = mul(%v96, %v9): i64
//   %v98 = sub(%v9, %v97): i64
//   %v99 = min(%v98, %v9): i64
//   %v100 = max(%v99, %v11): i64
//   %v101 = less(%v11, %v100): i1
//   %v102 = mul(%v97, %v10): i64
//   %v103 = add(%v11, %v102): i64
//   %v104 = add(%v97, %v100): i64
//   %v105 = sub(%v104, %v12): i64
//   %v106 = zeroextend(%v7): i64
//   %v107 = mul(%v106, %v10): i64
//   %v108 = sub(%v10, %v107): i64
//   %v109 = min(%v108, %v10): i64
//   %v110 = max(%v109, %v11): i64
//   %v111 = less(%v11, %v110): i1
//   %v112 = and(%v101, %v111): i1
//   %v113 = mul(%v107, %v12): i64
//   %v114 = add(%v103, %v113): i64
//   %v115 = add(%v107, %v110): i64
//   %v116 = sub(%v115, %v12): i64
//   %v117 = fits(%v94, %v13, %v95, %v105, %v10, %v116, %v12): i1
//   %v118 = not(%v117): i1
//   %v119 = and(%v112, %v118): i1
//   fault if %v119
//   %v120 = mul(%v114, %v13): i64
//   %v121 = add(%v2, %v120): i64
//   nest 2^9
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: f32
//     store %0 to %v121 in parameter 2 at [5:1 6:2 7:4 8:8] * 32 below %v100, [0:1 1:2 2:4 3:8 4:16] * 1 below %v110
//   return
