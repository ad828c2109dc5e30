// level: amx
// Both operands are signed, and stay as they are.
cuda_tile.module @m {
  entry @product(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %aw = make_tensor_view %a, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xi8, strides=[128, 1]>
    %av = make_partition_view %aw : partition_view<tile=(32x128), tensor_view<32x128xi8, strides=[128, 1]>>
    %bw = make_tensor_view %b, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xi8, strides=[64, 1]>
    %bv = make_partition_view %bw : partition_view<tile=(128x64), tensor_view<128x64xi8, strides=[64, 1]>>
    %cw = make_tensor_view %c, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi32, strides=[64, 1]>
    %cv = make_partition_view %cw : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>
    %l, %t = load_view_tko weak %av[%x, %x] : partition_view<tile=(32x128), tensor_view<32x128xi8, strides=[128, 1]>>, tile<i32> -> tile<32x128xi8>, token
    %r, %u = load_view_tko weak %bv[%x, %y] : partition_view<tile=(128x64), tensor_view<128x64xi8, strides=[64, 1]>>, tile<i32> -> tile<128x64xi8>, token
    %none = constant <i32: 0> : tile<32x64xi32>
    %s = mmai %l, %r, %none signed signed : tile<32x128xi8>, tile<128x64xi8>, tile<32x64xi32>
    %w = store_view_tko weak %s, %cv[%x, %y] : tile<32x64xi32>, partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
// ---
// kernel @product
//   buffer %b0: 4096 x i8 at 0
//   buffer %b1: 8192 x i8 at 4096
//   buffer %b2: 2048 x i32 at 12288
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = word 4: i64
//   %v6 = 0x20: i64
//   %v7 = 0x80: i64
//   %v8 = 0x1: i64
//   %v10 = word 1: i64
//   %v14 = 0x40: i64
//   %v16 = word 3: i64
//   %v20 = 0x4: i64
//   %v22 = word 5: i64
//   %v26 = 0x0: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v9 = sub(%v0, %v0): i64
//   %v11 = sub(%v6, %v8): i64
//   %v12 = sub(%v7, %v8): i64
//   %v13 = fits(%v9, %v8, %v10, %v11, %v7, %v12, %v8): i1
//   %v15 = sub(%v1, %v1): i64
//   %v17 = sub(%v7, %v8): i64
//   %v18 = sub(%v14, %v8): i64
//   %v19 = fits(%v15, %v8, %v16, %v17, %v14, %v18, %v8): i1
//   %v21 = sub(%v2, %v2): i64
//   %v23 = sub(%v6, %v8): i64
//   %v24 = sub(%v14, %v8): i64
//   %v25 = fits(%v21, %v20, %v22, %v23, %v14, %v24, %v8): i1
//   %v27 = sub(%v0, %v0): i64
//   %v28 = zeroextend(%v3): i64
//   %v29 = mul(%v28, %v6): i64
//   %v30 = sub(%v6, %v29): i64
//   %v31 = min(%v30, %v6): i64
//   %v32 = max(%v31, %v26): i64
//   %v33 = less(%v26, %v32): i1
//   %v34 = mul(%v29, %v7): i64
//   %v35 = add(%v26, %v34): i64
//   %v36 = add(%v29, %v32): i64
//   %v37 = sub(%v36, %v8): i64
//   %v38 = zeroextend(%v3): i64
//   %v39 = mul(%v38, %v7): i64
//   %v40 = sub(%v7, %v39): i64
//   %v41 = min(%v40, %v7): i64
//   %v42 = max(%v41, %v26): i64
//   %v43 = less(%v26, %v42): i1
//   %v44 = and(%v33, %v43): i1
//   %v45 = mul(%v39, %v8): i64
//   %v46 = add(%v35, %v45): i64
//   %v47 = add(%v39, %v42): i64
//   %v48 = sub(%v47, %v8): i64
//   %v49 = fits(%v27, %v8, %v10, %v37, %v7, %v48, %v8): i1
//   %v50 = not(%v49): i1
//   %v51 = and(%v44, %v50): i1
//   fault if %v51
//   %v52 = mul(%v46, %v8): i64
//   %v53 = add(%v0, %v52): i64
//   %v54 = sub(%v1, %v1): i64
//   %v55 = zeroextend(%v3): i64
//   %v56 = mul(%v55, %v7): i64
//   %v57 = sub(%v7, %v56): i64
//   %v58 = min(%v57, %v7): i64
//   %v59 = max(%v58, %v26): i64
//   %v60 = less(%v26, %v59): i1
//   %v61 = mul(%v56, %v14): i64
//   %v62 = add(%v26, %v61): i64
//   %v63 = add(%v56, %v59): i64
//   %v64 = sub(%v63, %v8): i64
//   %v65 = zeroextend(%v4): i64
//   %v66 = mul(%v65, %v14): i64
//   %v67 = sub(%v14, %v66): i64
//   %v68 = min(%v67, %v14): i64
//   %v69 = max(%v68, %v26): i64
//   %v70 = less(%v26, %v69): i1
//   %v71 = and(%v60, %v70): i1
//   %v72 = mul(%v66, %v8): i64
//   %v73 = add(%v62, %v72): i64
//   %v74 = add(%v66, %v69): i64
//   %v75 = sub(%v74, %v8): i64
//   %v76 = fits(%v54, %v8, %v16, %v64, %v14, %v75, %v8): i1
//   %v77 = not(%v76): i1
//   %v78 = and(%v71, %v77): i1
//   fault if %v78
//   %v79 = mul(%v73, %v8): i64
//   %v80 = add(%v1, %v79): i64
//   %v81 = zeroextend(%v3): i64
//   %v82 = mul(%v81, %v6): i64
//   %v83 = sub(%v6, %v82): i64
//   %v84 = min(%v83, %v6): i64
//   %v85 = max(%v84, %v26): i64
//   %v86 = zeroextend(%v4): i64
//   %v87 = mul(%v86, %v14): i64
//   %v88 = sub(%v14, %v87): i64
//   %v89 = min(%v88, %v14): i64
//   %v90 = max(%v89, %v26): i64
//   nest 2^13
//     %0 = load %v80 in parameter 1 at [6:1 7:2 8:4 9:8 10:16 11:32 12:64] * 64 below %v59, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v69, padding 0x0: i8
//     store %0 to %b1 at [0:4 1:8 2:16 3:32 4:64 5:4096 6:1 7:2 8:128 9:256 10:512 11:1024 12:2048] * 1
//   %v91 = sub(%v2, %v2): i64
//   %v92 = zeroextend(%v3): i64
//   %v93 = mul(%v92, %v6): i64
//   %v94 = sub(%v6, %v93): i64
//   %v95 = min(%v94, %v6): i64
//   %v96 = max(%v95, %v26): i64
//   %v97 = less(%v26, %v96): i1
//   %v98 = mul(%v93, %v14): i64
//   %v99 = add(%v26, %v98): i64
//   %v100 = add(%v93, %v96): i64
//   %v101 = sub(%v100, %v8): i64
//   %v102 = zeroextend(%v4): i64
//   %v103 = mul(%v102, %v14): i64
//   %v104 = sub(%v14, %v103): i64
//   %v105 = min(%v104, %v14): i64
//   %v106 = max(%v105, %v26): i64
//   %v107 = less(%v26, %v106): i1
//   %v108 = and(%v97, %v107): i1
//   %v109 = mul(%v103, %v8): i64
//   %v110 = add(%v99, %v109): i64
//   %v111 = add(%v103, %v106): i64
//   %v112 = sub(%v111, %v8): i64
//   %v113 = fits(%v91, %v20, %v22, %v101, %v14, %v112, %v8): i1
//   %v114 = not(%v113): i1
//   %v115 = and(%v108, %v114): i1
//   fault if %v115
//   %v116 = mul(%v110, %v20): i64
//   %v117 = add(%v2, %v116): i64
//   %v118 = 0x1: i1
//   %v119 = 0x20: i64
//   %v120 = equal(%v96, %v119): i1
//   %v121 = and(%v118, %v120): i1
//   %v122 = 0x40: i64
//   %v123 = equal(%v106, %v122): i1
//   %v124 = and(%v121, %v123): i1
//   %v125 = not(%v124): i1
//   %v126 = 0x1: i1
//   product %b2 += %b0 * %b1: 1 x 32 x 64 x 128 i32 of i8, panels of 32
//     in tile registers
//     signs: Both
//     of which %v85 rows and %v90 columns are demanded
//     from zeros on if %v126
//     to %v117 in parameter 2 at [6:1 7:2 8:4 9:8 10:16] * 64 below %v96, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v106 if %v124
//     groups of 32 rows
//     nest 2^12
//       %0 = load %v53 in parameter 0 at [7:1 8:2 9:4 10:8 11:16] * 128 below %v32, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v42, padding 0x0: i8
//       store %0 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256 9:512 10:1024 11:2048] * 1
//   if %v125
//     nest 2^11
//       %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256 9:512 10:1024] * 1, padding 0x0: i32
//       store %0 to %v117 in parameter 2 at [6:1 7:2 8:4 9:8 10:16] * 64 below %v96, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v106
//   else
//   return
