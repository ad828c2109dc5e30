// level: avx2
// The row is loaded again rather than kept; its exponentials are in a buffer while they are summed; the quotient is fused with the
// store.
cuda_tile.module @m {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %r, %r1, %r2 = get_tile_block_id : tile<i32>
    %xw = make_tensor_view %x, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128, 1]>
    %xv = make_partition_view %xw : partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128, 1]>>
    %yw = make_tensor_view %y, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128, 1]>
    %yv = make_partition_view %yw : partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128, 1]>>
    %zero = constant <i32: 0> : tile<i32>
    %v, %t = load_view_tko weak %xv[%r, %zero] : partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128, 1]>>, tile<i32> -> tile<1x128xf32>, token
    %m = reduce %v dim=1 identities=[0xFF800000 : f32] : tile<1x128xf32> -> tile<1xf32> (%a: tile<f32>, %b: tile<f32>) {
      %c = maxf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %m1 = reshape %m : tile<1xf32> -> tile<1x1xf32>
    %m2 = broadcast %m1 : tile<1x1xf32> -> tile<1x128xf32>
    %d = subf %v, %m2 : tile<1x128xf32>
    %e = exp %d : tile<1x128xf32>
    %s = reduce %e dim=1 identities=[0.0 : f32] : tile<1x128xf32> -> tile<1xf32> (%a: tile<f32>, %b: tile<f32>) {
      %c = addf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %s1 = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %s2 = broadcast %s1 : tile<1x1xf32> -> tile<1x128xf32>
    %q = divf %e, %s2 : tile<1x128xf32>
    %u = store_view_tko weak %q, %yv[%r, %zero] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
// ---
// kernel @softmax
//   buffer %b0: 1 x f32 at 0
//   buffer %b1: 1 x f32 at 64
//   buffer %b2: 128 x f32 at 128
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = 0x0: i32
//   %v6 = 0x10: i64
//   %v7 = 0x80: i64
//   %v8 = 0x4: i64
//   %v10 = word 1: i64
//   %v11 = 0x1: i64
//   %v16 = word 3: i64
//   %v20 = 0x0: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v9 = sub(%v0, %v0): i64
//   %v12 = sub(%v6, %v11): i64
//   %v13 = sub(%v7, %v11): i64
//   %v14 = fits(%v9, %v8, %v10, %v12, %v7, %v13, %v11): i1
//   %v15 = sub(%v1, %v1): i64
//   %v17 = sub(%v6, %v11): i64
//   %v18 = sub(%v7, %v11): i64
//   %v19 = fits(%v15, %v8, %v16, %v17, %v7, %v18, %v11): i1
//   %v21 = sub(%v0, %v0): i64
//   %v22 = zeroextend(%v3): i64
//   %v23 = sub(%v6, %v22): i64
//   %v24 = min(%v23, %v11): i64
//   %v25 = max(%v24, %v20): i64
//   %v26 = less(%v20, %v25): i1
//   %v27 = mul(%v22, %v7): i64
//   %v28 = add(%v20, %v27): i64
//   %v29 = add(%v22, %v25): i64
//   %v30 = sub(%v29, %v11): i64
//   %v31 = zeroextend(%v2): i64
//   %v32 = mul(%v31, %v7): i64
//   %v33 = sub(%v7, %v32): i64
//   %v34 = min(%v33, %v7): i64
//   %v35 = max(%v34, %v20): i64
//   %v36 = less(%v20, %v35): i1
//   %v37 = and(%v26, %v36): i1
//   %v38 = mul(%v32, %v11): i64
//   %v39 = add(%v28, %v38): i64
//   %v40 = add(%v32, %v35): i64
//   %v41 = sub(%v40, %v11): i64
//   %v42 = fits(%v21, %v8, %v10, %v30, %v7, %v41, %v11): i1
//   %v43 = not(%v42): i1
//   %v44 = and(%v37, %v43): i1
//   fault if %v44
//   %v45 = mul(%v39, %v8): i64
//   %v46 = add(%v0, %v45): i64
//   nest 2^7 along bits [0, 1, 2, 3, 4, 5, 6]
//     %0 = load %v46 in parameter 0 at [] * 128 below %v25, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v35, padding 0x0: f32
//     reduce any %0 by maxf to %b0 at [] * 1
//   %v47 = element %b0: f32
//   nest 2^7 along bits [0, 1, 2, 3, 4, 5, 6]
//     %0 = load %v46 in parameter 0 at [] * 128 below %v25, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v35, padding 0x0: f32
//     %1 = %v47: f32
//     %2 = subf(%0, %1): f32
//     %3 = exp(%2): f32
//     store %3 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//     reduce partial %3 by addf to %b1 at [] * 1
//   %v48 = element %b1: f32
//   %v49 = sub(%v1, %v1): i64
//   %v50 = zeroextend(%v3): i64
//   %v51 = sub(%v6, %v50): i64
//   %v52 = min(%v51, %v11): i64
//   %v53 = max(%v52, %v20): i64
//   %v54 = less(%v20, %v53): i1
//   %v55 = mul(%v50, %v7): i64
//   %v56 = add(%v20, %v55): i64
//   %v57 = add(%v50, %v53): i64
//   %v58 = sub(%v57, %v11): i64
//   %v59 = zeroextend(%v2): i64
//   %v60 = mul(%v59, %v7): i64
//   %v61 = sub(%v7, %v60): i64
//   %v62 = min(%v61, %v7): i64
//   %v63 = max(%v62, %v20): i64
//   %v64 = less(%v20, %v63): i1
//   %v65 = and(%v54, %v64): i1
//   %v66 = mul(%v60, %v11): i64
//   %v67 = add(%v56, %v66): i64
//   %v68 = add(%v60, %v63): i64
//   %v69 = sub(%v68, %v11): i64
//   %v70 = fits(%v49, %v8, %v16, %v58, %v7, %v69, %v11): i1
//   %v71 = not(%v70): i1
//   %v72 = and(%v65, %v71): i1
//   fault if %v72
//   %v73 = mul(%v67, %v8): i64
//   %v74 = add(%v1, %v73): i64
//   nest 2^7
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1, padding 0x0: f32
//     %1 = %v48: f32
//     %2 = divf(%0, %1): f32
//     store %2 to %v74 in parameter 1 at [] * 128 below %v53, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v63
//   return
