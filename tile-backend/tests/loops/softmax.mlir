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
//   %v8 = 0x0: i64
//   %v9 = 0x4: i64
//   %v11 = word 1: i64
//   %v14 = 0x1: i64
//   %v41 = word 3: i64
//   %v3 = block_id 0: i32
//   %v4 = block_id 1: i32
//   %v5 = block_id 2: i32
//   %v10 = sub(%v0, %v0): i64
//   %v12 = zeroextend(%v3): i64
//   %v13 = sub(%v6, %v12): i64
//   %v15 = min(%v13, %v14): i64
//   %v16 = max(%v15, %v8): i64
//   %v17 = less(%v8, %v16): i1
//   %v18 = mul(%v12, %v7): i64
//   %v19 = add(%v8, %v18): i64
//   %v20 = add(%v12, %v16): i64
//   %v21 = sub(%v20, %v14): i64
//   %v22 = zeroextend(%v2): i64
//   %v23 = mul(%v22, %v7): i64
//   %v24 = sub(%v7, %v23): i64
//   %v25 = min(%v24, %v7): i64
//   %v26 = max(%v25, %v8): i64
//   %v27 = less(%v8, %v26): i1
//   %v28 = and(%v17, %v27): i1
//   %v29 = mul(%v23, %v14): i64
//   %v30 = add(%v19, %v29): i64
//   %v31 = add(%v23, %v26): i64
//   %v32 = sub(%v31, %v14): i64
//   %v33 = fits(%v10, %v9, %v11, %v21, %v7, %v32, %v14): i1
//   %v34 = not(%v33): i1
//   %v35 = and(%v28, %v34): i1
//   fault if %v35
//   %v36 = mul(%v30, %v9): i64
//   %v37 = add(%v0, %v36): i64
//   nest 2^7 along bits [0, 1, 2, 3, 4, 5, 6]
//     %0 = load %v37 in parameter 0 at [] * 128 below %v16, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v26, padding 0x0: f32
//     reduce any %0 by maxf to %b0 at [] * 1
//   %v38 = element %b0: f32
//   nest 2^7 along bits [0, 1, 2, 3, 4, 5, 6]
//     %0 = load %v37 in parameter 0 at [] * 128 below %v16, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v26, padding 0x0: f32
//     %1 = %v38: f32
//     %2 = subf(%0, %1): f32
//     %3 = exp(%2): f32
//     store %3 to %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1
//     reduce partial %3 by addf to %b1 at [] * 1
//   %v39 = element %b1: f32
//   %v40 = sub(%v1, %v1): i64
//   %v42 = zeroextend(%v3): i64
//   %v43 = sub(%v6, %v42): i64
//   %v44 = min(%v43, %v14): i64
//   %v45 = max(%v44, %v8): i64
//   %v46 = less(%v8, %v45): i1
//   %v47 = mul(%v42, %v7): i64
//   %v48 = add(%v8, %v47): i64
//   %v49 = add(%v42, %v45): i64
//   %v50 = sub(%v49, %v14): i64
//   %v51 = zeroextend(%v2): i64
//   %v52 = mul(%v51, %v7): i64
//   %v53 = sub(%v7, %v52): i64
//   %v54 = min(%v53, %v7): i64
//   %v55 = max(%v54, %v8): i64
//   %v56 = less(%v8, %v55): i1
//   %v57 = and(%v46, %v56): i1
//   %v58 = mul(%v52, %v14): i64
//   %v59 = add(%v48, %v58): i64
//   %v60 = add(%v52, %v55): i64
//   %v61 = sub(%v60, %v14): i64
//   %v62 = fits(%v40, %v9, %v41, %v50, %v7, %v61, %v14): i1
//   %v63 = not(%v62): i1
//   %v64 = and(%v57, %v63): i1
//   fault if %v64
//   %v65 = mul(%v59, %v9): i64
//   %v66 = add(%v1, %v65): i64
//   nest 2^7
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1, padding 0x0: f32
//     %1 = %v39: f32
//     %2 = divf(%0, %1): f32
//     store %2 to %v66 in parameter 1 at [] * 128 below %v45, [0:1 1:2 2:4 3:8 4:16 5:32 6:64] * 1 below %v55
//   return
