// level: avx2
// Nested loops carry a tile in one buffer. A second value that starts from the same tile has a buffer of its own.
cuda_tile.module @m {
  entry @carried(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %aw = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %av = make_partition_view %aw : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %cw = make_tensor_view %c, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %cv = make_partition_view %cw : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %none = constant <f32: 0.0> : tile<16xf32>
    %sum = for %i in (%zero to %four, step %one) : tile<i32> iter_values(%outer = %none) -> (tile<16xf32>) {
      %inner, %double = for %j in (%zero to %four, step %one) : tile<i32> iter_values(%s = %outer, %d = %outer) -> (tile<16xf32>, tile<16xf32>) {
        %l, %t = load_view_tko weak %av[%j] : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
        %n = addf %s, %l rounding<nearest_even> : tile<16xf32>
        %m = mulf %d, %l rounding<nearest_even> : tile<16xf32>
        continue %n, %m : tile<16xf32>, tile<16xf32>
      }
      %w = store_view_tko weak %double, %cv[%i] : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
      continue %inner : tile<16xf32>
    }
    %w = store_view_tko weak %sum, %cv[%x] : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
// ---
// kernel @carried
//   buffer %b0: 16 x f32 at 0
//   buffer %b1: 16 x f32 at 64
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = 0x4: i32
//   %v3 = 0x1: i32
//   %v4 = 0x0: i32
//   %v8 = 0x40: i64
//   %v9 = 0x4: i64
//   %v11 = word 1: i64
//   %v12 = 0x1: i64
//   %v16 = word 3: i64
//   %v31 = 0x0: i64
//   %v34 = 0x10: i64
//   %v5 = block_id 0: i32
//   %v6 = block_id 1: i32
//   %v7 = block_id 2: i32
//   %v10 = sub(%v0, %v0): i64
//   %v13 = sub(%v8, %v12): i64
//   %v14 = fits(%v10, %v9, %v11, %v13, %v12): i1
//   %v15 = sub(%v1, %v1): i64
//   %v17 = sub(%v8, %v12): i64
//   %v18 = fits(%v15, %v9, %v16, %v17, %v12): i1
//   %v19 = signextend(%v4): i64
//   %v20 = signextend(%v2): i64
//   %v21 = signextend(%v3): i64
//   %v22 = less(%v21, %v12): i1
//   fault if %v22
//   nest 2^4
//     %0 = 0x0: f32
//     store %0 to %b0 at [0:1 1:2 2:4 3:8] * 1
//   for %v23 from %v19 to %v20 step %v21
//     %v24 = truncate.i32(%v23): i32
//     %v25 = signextend(%v4): i64
//     %v26 = signextend(%v2): i64
//     %v27 = signextend(%v3): i64
//     %v28 = less(%v27, %v12): i1
//     fault if %v28
//     nest 2^4
//       %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//       store %0 to %b1 at [0:1 1:2 2:4 3:8] * 1
//     for %v29 from %v25 to %v26 step %v27
//       %v30 = truncate.i32(%v29): i32
//       %v32 = sub(%v0, %v0): i64
//       %v33 = zeroextend(%v30): i64
//       %v35 = mul(%v33, %v34): i64
//       %v36 = sub(%v8, %v35): i64
//       %v37 = min(%v36, %v34): i64
//       %v38 = max(%v37, %v31): i64
//       %v39 = less(%v31, %v38): i1
//       %v40 = mul(%v35, %v12): i64
//       %v41 = add(%v31, %v40): i64
//       %v42 = add(%v35, %v38): i64
//       %v43 = sub(%v42, %v12): i64
//       %v44 = fits(%v32, %v9, %v11, %v43, %v12): i1
//       %v45 = not(%v44): i1
//       %v46 = and(%v39, %v45): i1
//       fault if %v46 unless %v14
//       %v47 = mul(%v41, %v9): i64
//       %v48 = add(%v0, %v47): i64
//       nest 2^4
//         %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//         %1 = load %v48 in parameter 0 at [0:1 1:2 2:4 3:8] * 1 below %v38, padding 0x0: f32
//         %2 = addf(%0, %1): f32
//         store %2 to %b0 at [0:1 1:2 2:4 3:8] * 1
//         %4 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//         %5 = mulf(%4, %1): f32
//         store %5 to %b1 at [0:1 1:2 2:4 3:8] * 1
//       continue
//     %v49 = sub(%v1, %v1): i64
//     %v50 = zeroextend(%v24): i64
//     %v51 = mul(%v50, %v34): i64
//     %v52 = sub(%v8, %v51): i64
//     %v53 = min(%v52, %v34): i64
//     %v54 = max(%v53, %v31): i64
//     %v55 = less(%v31, %v54): i1
//     %v56 = mul(%v51, %v12): i64
//     %v57 = add(%v31, %v56): i64
//     %v58 = add(%v51, %v54): i64
//     %v59 = sub(%v58, %v12): i64
//     %v60 = fits(%v49, %v9, %v16, %v59, %v12): i1
//     %v61 = not(%v60): i1
//     %v62 = and(%v55, %v61): i1
//     fault if %v62 unless %v18
//     %v63 = mul(%v57, %v9): i64
//     %v64 = add(%v1, %v63): i64
//     nest 2^4
//       %0 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//       store %0 to %v64 in parameter 1 at [0:1 1:2 2:4 3:8] * 1 below %v54
//     continue
//   %v65 = sub(%v1, %v1): i64
//   %v66 = zeroextend(%v5): i64
//   %v67 = mul(%v66, %v34): i64
//   %v68 = sub(%v8, %v67): i64
//   %v69 = min(%v68, %v34): i64
//   %v70 = max(%v69, %v31): i64
//   %v71 = less(%v31, %v70): i1
//   %v72 = mul(%v67, %v12): i64
//   %v73 = add(%v31, %v72): i64
//   %v74 = add(%v67, %v70): i64
//   %v75 = sub(%v74, %v12): i64
//   %v76 = fits(%v65, %v9, %v16, %v75, %v12): i1
//   %v77 = not(%v76): i1
//   %v78 = and(%v71, %v77): i1
//   fault if %v78
//   %v79 = mul(%v73, %v9): i64
//   %v80 = add(%v1, %v79): i64
//   nest 2^4
//     %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//     store %0 to %v80 in parameter 1 at [0:1 1:2 2:4 3:8] * 1 below %v70
//   return
