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
//   %v12 = 0x1: i64
//   %v22 = 0x0: i64
//   %v23 = 0x4: i64
//   %v25 = word 1: i64
//   %v27 = 0x10: i64
//   %v43 = word 3: i64
//   %v5 = block_id 0: i32
//   %v6 = block_id 1: i32
//   %v7 = block_id 2: i32
//   %v9 = signextend(%v4): i64
//   %v10 = signextend(%v2): i64
//   %v11 = signextend(%v3): i64
//   %v13 = less(%v11, %v12): i1
//   fault if %v13
//   nest 2^4
//     %0 = 0x0: f32
//     store %0 to %b0 at [0:1 1:2 2:4 3:8] * 1
//   for %v14 from %v9 to %v10 step %v11
//     %v15 = truncate.i32(%v14): i32
//     %v16 = signextend(%v4): i64
//     %v17 = signextend(%v2): i64
//     %v18 = signextend(%v3): i64
//     %v19 = less(%v18, %v12): i1
//     fault if %v19
//     nest 2^4
//       %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//       store %0 to %b1 at [0:1 1:2 2:4 3:8] * 1
//     for %v20 from %v16 to %v17 step %v18
//       %v21 = truncate.i32(%v20): i32
//       %v24 = sub(%v0, %v0): i64
//       %v26 = zeroextend(%v21): i64
//       %v28 = mul(%v26, %v27): i64
//       %v29 = sub(%v8, %v28): i64
//       %v30 = min(%v29, %v27): i64
//       %v31 = max(%v30, %v22): i64
//       %v32 = less(%v22, %v31): i1
//       %v33 = mul(%v28, %v12): i64
//       %v34 = add(%v22, %v33): i64
//       %v35 = add(%v28, %v31): i64
//       %v36 = sub(%v35, %v12): i64
//       %v37 = fits(%v24, %v23, %v25, %v36, %v12): i1
//       %v38 = not(%v37): i1
//       %v39 = and(%v32, %v38): i1
//       fault if %v39
//       %v40 = mul(%v34, %v23): i64
//       %v41 = add(%v0, %v40): i64
//       nest 2^4
//         %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//         %1 = load %v41 in parameter 0 at [0:1 1:2 2:4 3:8] * 1 below %v31, padding 0x0: f32
//         %2 = addf(%0, %1): f32
//         store %2 to %b0 at [0:1 1:2 2:4 3:8] * 1
//         %4 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//         %5 = mulf(%4, %1): f32
//         store %5 to %b1 at [0:1 1:2 2:4 3:8] * 1
//       continue
//     %v42 = sub(%v1, %v1): i64
//     %v44 = zeroextend(%v15): i64
//     %v45 = mul(%v44, %v27): i64
//     %v46 = sub(%v8, %v45): i64
//     %v47 = min(%v46, %v27): i64
//     %v48 = max(%v47, %v22): i64
//     %v49 = less(%v22, %v48): i1
//     %v50 = mul(%v45, %v12): i64
//     %v51 = add(%v22, %v50): i64
//     %v52 = add(%v45, %v48): i64
//     %v53 = sub(%v52, %v12): i64
//     %v54 = fits(%v42, %v23, %v43, %v53, %v12): i1
//     %v55 = not(%v54): i1
//     %v56 = and(%v49, %v55): i1
//     fault if %v56
//     %v57 = mul(%v51, %v23): i64
//     %v58 = add(%v1, %v57): i64
//     nest 2^4
//       %0 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//       store %0 to %v58 in parameter 1 at [0:1 1:2 2:4 3:8] * 1 below %v48
//     continue
//   %v59 = sub(%v1, %v1): i64
//   %v60 = zeroextend(%v5): i64
//   %v61 = mul(%v60, %v27): i64
//   %v62 = sub(%v8, %v61): i64
//   %v63 = min(%v62, %v27): i64
//   %v64 = max(%v63, %v22): i64
//   %v65 = less(%v22, %v64): i1
//   %v66 = mul(%v61, %v12): i64
//   %v67 = add(%v22, %v66): i64
//   %v68 = add(%v61, %v64): i64
//   %v69 = sub(%v68, %v12): i64
//   %v70 = fits(%v59, %v23, %v43, %v69, %v12): i1
//   %v71 = not(%v70): i1
//   %v72 = and(%v65, %v71): i1
//   fault if %v72
//   %v73 = mul(%v67, %v23): i64
//   %v74 = add(%v1, %v73): i64
//   nest 2^4
//     %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: f32
//     store %0 to %v74 in parameter 1 at [0:1 1:2 2:4 3:8] * 1 below %v64
//   return
