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
//   %v8 = 0x40: i64
//   %v9 = 0x0: i64
//   %v10 = 0x1: i64
//   %v12 = word 1: i64
//   %v40 = word 3: i64
//   %v77 = 0x4: i64
//   %v79 = word 5: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v11 = sub(%v0, %v0): i64
//   %v13 = zeroextend(%v3): i64
//   %v14 = mul(%v13, %v6): i64
//   %v15 = sub(%v6, %v14): i64
//   %v16 = min(%v15, %v6): i64
//   %v17 = max(%v16, %v9): i64
//   %v18 = less(%v9, %v17): i1
//   %v19 = mul(%v14, %v7): i64
//   %v20 = add(%v9, %v19): i64
//   %v21 = add(%v14, %v17): i64
//   %v22 = sub(%v21, %v10): i64
//   %v23 = zeroextend(%v3): i64
//   %v24 = mul(%v23, %v7): i64
//   %v25 = sub(%v7, %v24): i64
//   %v26 = min(%v25, %v7): i64
//   %v27 = max(%v26, %v9): i64
//   %v28 = less(%v9, %v27): i1
//   %v29 = and(%v18, %v28): i1
//   %v30 = mul(%v24, %v10): i64
//   %v31 = add(%v20, %v30): i64
//   %v32 = add(%v24, %v27): i64
//   %v33 = sub(%v32, %v10): i64
//   %v34 = fits(%v11, %v10, %v12, %v22, %v7, %v33, %v10): i1
//   %v35 = not(%v34): i1
//   %v36 = and(%v29, %v35): i1
//   fault if %v36
//   %v37 = mul(%v31, %v10): i64
//   %v38 = add(%v0, %v37): i64
//   %v39 = sub(%v1, %v1): i64
//   %v41 = zeroextend(%v3): i64
//   %v42 = mul(%v41, %v7): i64
//   %v43 = sub(%v7, %v42): i64
//   %v44 = min(%v43, %v7): i64
//   %v45 = max(%v44, %v9): i64
//   %v46 = less(%v9, %v45): i1
//   %v47 = mul(%v42, %v8): i64
//   %v48 = add(%v9, %v47): i64
//   %v49 = add(%v42, %v45): i64
//   %v50 = sub(%v49, %v10): i64
//   %v51 = zeroextend(%v4): i64
//   %v52 = mul(%v51, %v8): i64
//   %v53 = sub(%v8, %v52): i64
//   %v54 = min(%v53, %v8): i64
//   %v55 = max(%v54, %v9): i64
//   %v56 = less(%v9, %v55): i1
//   %v57 = and(%v46, %v56): i1
//   %v58 = mul(%v52, %v10): i64
//   %v59 = add(%v48, %v58): i64
//   %v60 = add(%v52, %v55): i64
//   %v61 = sub(%v60, %v10): i64
//   %v62 = fits(%v39, %v10, %v40, %v50, %v8, %v61, %v10): i1
//   %v63 = not(%v62): i1
//   %v64 = and(%v57, %v63): i1
//   fault if %v64
//   %v65 = mul(%v59, %v10): i64
//   %v66 = add(%v1, %v65): i64
//   %v67 = zeroextend(%v3): i64
//   %v68 = mul(%v67, %v6): i64
//   %v69 = sub(%v6, %v68): i64
//   %v70 = min(%v69, %v6): i64
//   %v71 = max(%v70, %v9): i64
//   %v72 = zeroextend(%v4): i64
//   %v73 = mul(%v72, %v8): i64
//   %v74 = sub(%v8, %v73): i64
//   %v75 = min(%v74, %v8): i64
//   %v76 = max(%v75, %v9): i64
//   nest 2^13
//     %0 = load %v66 in parameter 1 at [6:1 7:2 8:4 9:8 10:16 11:32 12:64] * 64 below %v45, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v55, padding 0x0: i8
//     store %0 to %b1 at [0:4 1:8 2:16 3:32 4:64 5:4096 6:1 7:2 8:128 9:256 10:512 11:1024 12:2048] * 1
//   nest 2^11
//     %0 = 0x0: i32
//     store %0 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256 9:512 10:1024] * 1
//   product %b2 += %b0 * %b1: 1 x 32 x 64 x 128 i32 of i8, panels of 32
//     in tile registers
//     signs: Both
//     of which %v71 rows and %v76 columns are demanded
//     groups of 32 rows
//     nest 2^12
//       %0 = load %v38 in parameter 0 at [7:1 8:2 9:4 10:8 11:16] * 128 below %v17, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v27, padding 0x0: i8
//       store %0 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256 9:512 10:1024 11:2048] * 1
//   %v78 = sub(%v2, %v2): i64
//   %v80 = zeroextend(%v3): i64
//   %v81 = mul(%v80, %v6): i64
//   %v82 = sub(%v6, %v81): i64
//   %v83 = min(%v82, %v6): i64
//   %v84 = max(%v83, %v9): i64
//   %v85 = less(%v9, %v84): i1
//   %v86 = mul(%v81, %v8): i64
//   %v87 = add(%v9, %v86): i64
//   %v88 = add(%v81, %v84): i64
//   %v89 = sub(%v88, %v10): i64
//   %v90 = zeroextend(%v4): i64
//   %v91 = mul(%v90, %v8): i64
//   %v92 = sub(%v8, %v91): i64
//   %v93 = min(%v92, %v8): i64
//   %v94 = max(%v93, %v9): i64
//   %v95 = less(%v9, %v94): i1
//   %v96 = and(%v85, %v95): i1
//   %v97 = mul(%v91, %v10): i64
//   %v98 = add(%v87, %v97): i64
//   %v99 = add(%v91, %v94): i64
//   %v100 = sub(%v99, %v10): i64
//   %v101 = fits(%v78, %v77, %v79, %v89, %v8, %v100, %v10): i1
//   %v102 = not(%v101): i1
//   %v103 = and(%v96, %v102): i1
//   fault if %v103
//   %v104 = mul(%v98, %v77): i64
//   %v105 = add(%v2, %v104): i64
//   nest 2^11
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256 9:512 10:1024] * 1, padding 0x0: i32
//     store %0 to %v105 in parameter 2 at [6:1 7:2 8:4 9:8 10:16] * 64 below %v84, [0:1 1:2 2:4 3:8 4:16 5:32] * 1 below %v94
//   return
