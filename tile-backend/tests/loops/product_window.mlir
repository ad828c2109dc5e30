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
//   %v11 = 0x4: i64
//   %v13 = word 3: i64
//   %v14 = 0x1: i64
//   %v19 = word 5: i64
//   %v23 = 0x0: i64
//   %v25 = word 1: i64
//   %v26 = 0x200000000: i64
//   %v6 = block_id 0: i32
//   %v7 = block_id 1: i32
//   %v8 = block_id 2: i32
//   %v12 = sub(%v1, %v1): i64
//   %v15 = sub(%v9, %v14): i64
//   %v16 = sub(%v10, %v14): i64
//   %v17 = fits(%v12, %v11, %v13, %v15, %v10, %v16, %v14): i1
//   %v18 = sub(%v2, %v2): i64
//   %v20 = sub(%v9, %v14): i64
//   %v21 = sub(%v10, %v14): i64
//   %v22 = fits(%v18, %v11, %v19, %v20, %v10, %v21, %v14): i1
//   %v24 = sub(%v0, %v0): i64
//   %v27 = add(%v24, %v26): i64
//   %v28 = min(%v25, %v27): i64
//   %v29 = signextend(%v4): i64
//   %v30 = less(%v29, %v23): i1
//   %v31 = not(%v30): i1
//   %v32 = sub(%v29, %v23): i64
//   %v33 = min(%v32, %v9): i64
//   %v34 = max(%v33, %v23): i64
//   %v35 = less(%v23, %v34): i1
//   %v36 = mul(%v23, %v14): i64
//   %v37 = add(%v23, %v36): i64
//   %v38 = add(%v23, %v34): i64
//   %v39 = sub(%v38, %v14): i64
//   %v40 = signextend(%v5): i64
//   %v41 = signextend(%v3): i64
//   %v42 = less(%v41, %v23): i1
//   %v43 = not(%v42): i1
//   %v44 = and(%v31, %v43): i1
//   %v45 = sub(%v23, %v40): i64
//   %v46 = min(%v45, %v9): i64
//   %v47 = max(%v46, %v23): i64
//   %v48 = sub(%v41, %v40): i64
//   %v49 = min(%v48, %v9): i64
//   %v50 = max(%v49, %v23): i64
//   %v51 = less(%v47, %v50): i1
//   %v52 = and(%v35, %v51): i1
//   %v53 = signextend(%v4): i64
//   %v54 = mul(%v40, %v53): i64
//   %v55 = add(%v37, %v54): i64
//   %v56 = add(%v40, %v50): i64
//   %v57 = sub(%v56, %v14): i64
//   %v58 = fits(%v24, %v11, %v28, %v39, %v14, %v57, %v53): i1
//   %v59 = not(%v58): i1
//   %v60 = and(%v52, %v59): i1
//   %v61 = not(%v60): i1
//   %v62 = and(%v44, %v61): i1
//   %v63 = mul(%v55, %v11): i64
//   %v64 = add(%v0, %v63): i64
//   %v65 = zeroextend(%v62): i64
//   %v66 = sub(%v1, %v1): i64
//   %v67 = zeroextend(%v6): i64
//   %v68 = mul(%v67, %v9): i64
//   %v69 = sub(%v9, %v68): i64
//   %v70 = min(%v69, %v9): i64
//   %v71 = max(%v70, %v23): i64
//   %v72 = less(%v23, %v71): i1
//   %v73 = mul(%v68, %v10): i64
//   %v74 = add(%v23, %v73): i64
//   %v75 = add(%v68, %v71): i64
//   %v76 = sub(%v75, %v14): i64
//   %v77 = zeroextend(%v7): i64
//   %v78 = mul(%v77, %v10): i64
//   %v79 = sub(%v10, %v78): i64
//   %v80 = min(%v79, %v10): i64
//   %v81 = max(%v80, %v23): i64
//   %v82 = less(%v23, %v81): i1
//   %v83 = and(%v72, %v82): i1
//   %v84 = mul(%v78, %v14): i64
//   %v85 = add(%v74, %v84): i64
//   %v86 = add(%v78, %v81): i64
//   %v87 = sub(%v86, %v14): i64
//   %v88 = fits(%v66, %v11, %v13, %v76, %v10, %v87, %v14): i1
//   %v89 = not(%v88): i1
//   %v90 = and(%v83, %v89): i1
//   fault if %v90
//   %v91 = mul(%v85, %v11): i64
//   %v92 = add(%v1, %v91): i64
//   %v93 = zeroextend(%v6): i64
//   %v94 = mul(%v93, %v9): i64
//   %v95 = sub(%v9, %v94): i64
//   %v96 = min(%v95, %v9): i64
//   %v97 = max(%v96, %v23): i64
//   %v98 = zeroextend(%v7): i64
//   %v99 = mul(%v98, %v10): i64
//   %v100 = sub(%v10, %v99): i64
//   %v101 = min(%v100, %v10): i64
//   %v102 = max(%v101, %v23): i64
//   nest 2^9
//     %0 = load %v92 in parameter 1 at [5:1 6:2 7:4 8:8] * 32 below %v71, [0:1 1:2 2:4 3:8 4:16] * 1 below %v81, padding 0x0: f32
//     store %0 to %b1 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//     %2 = 0x0: f32
//     store %2 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//   product %b2 += %b0 * %b1: 1 x 16 x 32 x 16 f32 of f32, panels of 32
//     of which %v9 rows and %v102 columns are demanded
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
//       %16 = gather %14 in parameter 0, mask %9, padding %15, if %v65 %v64 in parameter 0 at [0:1 1:2 2:4 3:8] * 1 below %v34, [4:1 5:2 6:4 7:8] * %v53 from %v47 below %v50: f32
//       store %16 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//   %v103 = sub(%v2, %v2): i64
//   %v104 = zeroextend(%v6): i64
//   %v105 = mul(%v104, %v9): i64
//   %v106 = sub(%v9, %v105): i64
//   %v107 = min(%v106, %v9): i64
//   %v108 = max(%v107, %v23): i64
//   %v109 = less(%v23, %v108): i1
//   %v110 = mul(%v105, %v10): i64
//   %v111 = add(%v23, %v110): i64
//   %v112 = add(%v105, %v108): i64
//   %v113 = sub(%v112, %v14): i64
//   %v114 = zeroextend(%v7): i64
//   %v115 = mul(%v114, %v10): i64
//   %v116 = sub(%v10, %v115): i64
//   %v117 = min(%v116, %v10): i64
//   %v118 = max(%v117, %v23): i64
//   %v119 = less(%v23, %v118): i1
//   %v120 = and(%v109, %v119): i1
//   %v121 = mul(%v115, %v14): i64
//   %v122 = add(%v111, %v121): i64
//   %v123 = add(%v115, %v118): i64
//   %v124 = sub(%v123, %v14): i64
//   %v125 = fits(%v103, %v11, %v19, %v113, %v10, %v124, %v14): i1
//   %v126 = not(%v125): i1
//   %v127 = and(%v120, %v126): i1
//   fault if %v127
//   %v128 = mul(%v122, %v11): i64
//   %v129 = add(%v2, %v128): i64
//   nest 2^9
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: f32
//     store %0 to %v129 in parameter 2 at [5:1 6:2 7:4 8:8] * 32 below %v108, [0:1 1:2 2:4 3:8 4:16] * 1 below %v118
//   return
