// test: remarks
// kinds: R0502
// Many columns, of which a thread has eight elements each with four warps, and half of that with eight; and few.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>) { // remark R0502: blocks have 8 warps: with 4,
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %s0, %t = load_view_tko weak %vb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %i0 = constant <i32: 0> : tile<i32>
    %v0, %t0 = load_view_tko weak %va[%i0] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c0 = reshape %v0 : tile<64xf32> -> tile<64x1xf32>
    %w0 = broadcast %c0 : tile<64x1xf32> -> tile<64x64xf32>
    %s1 = addf %s0, %w0 rounding<nearest_even> : tile<64x64xf32>
    %i1 = constant <i32: 1> : tile<i32>
    %v1, %t1 = load_view_tko weak %va[%i1] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c1 = reshape %v1 : tile<64xf32> -> tile<64x1xf32>
    %w1 = broadcast %c1 : tile<64x1xf32> -> tile<64x64xf32>
    %s2 = addf %s1, %w1 rounding<nearest_even> : tile<64x64xf32>
    %i2 = constant <i32: 2> : tile<i32>
    %v2, %t2 = load_view_tko weak %va[%i2] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c2 = reshape %v2 : tile<64xf32> -> tile<64x1xf32>
    %w2 = broadcast %c2 : tile<64x1xf32> -> tile<64x64xf32>
    %s3 = addf %s2, %w2 rounding<nearest_even> : tile<64x64xf32>
    %i3 = constant <i32: 3> : tile<i32>
    %v3, %t3 = load_view_tko weak %va[%i3] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c3 = reshape %v3 : tile<64xf32> -> tile<64x1xf32>
    %w3 = broadcast %c3 : tile<64x1xf32> -> tile<64x64xf32>
    %s4 = addf %s3, %w3 rounding<nearest_even> : tile<64x64xf32>
    %i4 = constant <i32: 4> : tile<i32>
    %v4, %t4 = load_view_tko weak %va[%i4] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c4 = reshape %v4 : tile<64xf32> -> tile<64x1xf32>
    %w4 = broadcast %c4 : tile<64x1xf32> -> tile<64x64xf32>
    %s5 = addf %s4, %w4 rounding<nearest_even> : tile<64x64xf32>
    %i5 = constant <i32: 5> : tile<i32>
    %v5, %t5 = load_view_tko weak %va[%i5] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c5 = reshape %v5 : tile<64xf32> -> tile<64x1xf32>
    %w5 = broadcast %c5 : tile<64x1xf32> -> tile<64x64xf32>
    %s6 = addf %s5, %w5 rounding<nearest_even> : tile<64x64xf32>
    %i6 = constant <i32: 6> : tile<i32>
    %v6, %t6 = load_view_tko weak %va[%i6] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c6 = reshape %v6 : tile<64xf32> -> tile<64x1xf32>
    %w6 = broadcast %c6 : tile<64x1xf32> -> tile<64x64xf32>
    %s7 = addf %s6, %w6 rounding<nearest_even> : tile<64x64xf32>
    %i7 = constant <i32: 7> : tile<i32>
    %v7, %t7 = load_view_tko weak %va[%i7] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c7 = reshape %v7 : tile<64xf32> -> tile<64x1xf32>
    %w7 = broadcast %c7 : tile<64x1xf32> -> tile<64x64xf32>
    %s8 = addf %s7, %w7 rounding<nearest_even> : tile<64x64xf32>
    %i8 = constant <i32: 8> : tile<i32>
    %v8, %t8 = load_view_tko weak %va[%i8] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c8 = reshape %v8 : tile<64xf32> -> tile<64x1xf32>
    %w8 = broadcast %c8 : tile<64x1xf32> -> tile<64x64xf32>
    %s9 = addf %s8, %w8 rounding<nearest_even> : tile<64x64xf32>
    %i9 = constant <i32: 9> : tile<i32>
    %v9, %t9 = load_view_tko weak %va[%i9] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c9 = reshape %v9 : tile<64xf32> -> tile<64x1xf32>
    %w9 = broadcast %c9 : tile<64x1xf32> -> tile<64x64xf32>
    %s10 = addf %s9, %w9 rounding<nearest_even> : tile<64x64xf32>
    %i10 = constant <i32: 10> : tile<i32>
    %v10, %t10 = load_view_tko weak %va[%i10] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c10 = reshape %v10 : tile<64xf32> -> tile<64x1xf32>
    %w10 = broadcast %c10 : tile<64x1xf32> -> tile<64x64xf32>
    %s11 = addf %s10, %w10 rounding<nearest_even> : tile<64x64xf32>
    %i11 = constant <i32: 11> : tile<i32>
    %v11, %t11 = load_view_tko weak %va[%i11] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c11 = reshape %v11 : tile<64xf32> -> tile<64x1xf32>
    %w11 = broadcast %c11 : tile<64x1xf32> -> tile<64x64xf32>
    %s12 = addf %s11, %w11 rounding<nearest_even> : tile<64x64xf32>
    %i12 = constant <i32: 12> : tile<i32>
    %v12, %t12 = load_view_tko weak %va[%i12] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c12 = reshape %v12 : tile<64xf32> -> tile<64x1xf32>
    %w12 = broadcast %c12 : tile<64x1xf32> -> tile<64x64xf32>
    %s13 = addf %s12, %w12 rounding<nearest_even> : tile<64x64xf32>
    %i13 = constant <i32: 13> : tile<i32>
    %v13, %t13 = load_view_tko weak %va[%i13] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c13 = reshape %v13 : tile<64xf32> -> tile<64x1xf32>
    %w13 = broadcast %c13 : tile<64x1xf32> -> tile<64x64xf32>
    %s14 = addf %s13, %w13 rounding<nearest_even> : tile<64x64xf32>
    %i14 = constant <i32: 14> : tile<i32>
    %v14, %t14 = load_view_tko weak %va[%i14] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c14 = reshape %v14 : tile<64xf32> -> tile<64x1xf32>
    %w14 = broadcast %c14 : tile<64x1xf32> -> tile<64x64xf32>
    %s15 = addf %s14, %w14 rounding<nearest_even> : tile<64x64xf32>
    %i15 = constant <i32: 15> : tile<i32>
    %v15, %t15 = load_view_tko weak %va[%i15] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c15 = reshape %v15 : tile<64xf32> -> tile<64x1xf32>
    %w15 = broadcast %c15 : tile<64x1xf32> -> tile<64x64xf32>
    %s16 = addf %s15, %w15 rounding<nearest_even> : tile<64x64xf32>
    %i16 = constant <i32: 16> : tile<i32>
    %v16, %t16 = load_view_tko weak %va[%i16] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c16 = reshape %v16 : tile<64xf32> -> tile<64x1xf32>
    %w16 = broadcast %c16 : tile<64x1xf32> -> tile<64x64xf32>
    %s17 = addf %s16, %w16 rounding<nearest_even> : tile<64x64xf32>
    %i17 = constant <i32: 17> : tile<i32>
    %v17, %t17 = load_view_tko weak %va[%i17] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c17 = reshape %v17 : tile<64xf32> -> tile<64x1xf32>
    %w17 = broadcast %c17 : tile<64x1xf32> -> tile<64x64xf32>
    %s18 = addf %s17, %w17 rounding<nearest_even> : tile<64x64xf32>
    %i18 = constant <i32: 18> : tile<i32>
    %v18, %t18 = load_view_tko weak %va[%i18] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c18 = reshape %v18 : tile<64xf32> -> tile<64x1xf32>
    %w18 = broadcast %c18 : tile<64x1xf32> -> tile<64x64xf32>
    %s19 = addf %s18, %w18 rounding<nearest_even> : tile<64x64xf32>
    %i19 = constant <i32: 19> : tile<i32>
    %v19, %t19 = load_view_tko weak %va[%i19] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c19 = reshape %v19 : tile<64xf32> -> tile<64x1xf32>
    %w19 = broadcast %c19 : tile<64x1xf32> -> tile<64x64xf32>
    %s20 = addf %s19, %w19 rounding<nearest_even> : tile<64x64xf32>
    %i20 = constant <i32: 20> : tile<i32>
    %v20, %t20 = load_view_tko weak %va[%i20] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c20 = reshape %v20 : tile<64xf32> -> tile<64x1xf32>
    %w20 = broadcast %c20 : tile<64x1xf32> -> tile<64x64xf32>
    %s21 = addf %s20, %w20 rounding<nearest_even> : tile<64x64xf32>
    %i21 = constant <i32: 21> : tile<i32>
    %v21, %t21 = load_view_tko weak %va[%i21] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c21 = reshape %v21 : tile<64xf32> -> tile<64x1xf32>
    %w21 = broadcast %c21 : tile<64x1xf32> -> tile<64x64xf32>
    %s22 = addf %s21, %w21 rounding<nearest_even> : tile<64x64xf32>
    %i22 = constant <i32: 22> : tile<i32>
    %v22, %t22 = load_view_tko weak %va[%i22] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c22 = reshape %v22 : tile<64xf32> -> tile<64x1xf32>
    %w22 = broadcast %c22 : tile<64x1xf32> -> tile<64x64xf32>
    %s23 = addf %s22, %w22 rounding<nearest_even> : tile<64x64xf32>
    %i23 = constant <i32: 23> : tile<i32>
    %v23, %t23 = load_view_tko weak %va[%i23] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c23 = reshape %v23 : tile<64xf32> -> tile<64x1xf32>
    %w23 = broadcast %c23 : tile<64x1xf32> -> tile<64x64xf32>
    %s24 = addf %s23, %w23 rounding<nearest_even> : tile<64x64xf32>
    %i24 = constant <i32: 24> : tile<i32>
    %v24, %t24 = load_view_tko weak %va[%i24] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c24 = reshape %v24 : tile<64xf32> -> tile<64x1xf32>
    %w24 = broadcast %c24 : tile<64x1xf32> -> tile<64x64xf32>
    %s25 = addf %s24, %w24 rounding<nearest_even> : tile<64x64xf32>
    %i25 = constant <i32: 25> : tile<i32>
    %v25, %t25 = load_view_tko weak %va[%i25] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c25 = reshape %v25 : tile<64xf32> -> tile<64x1xf32>
    %w25 = broadcast %c25 : tile<64x1xf32> -> tile<64x64xf32>
    %s26 = addf %s25, %w25 rounding<nearest_even> : tile<64x64xf32>
    %i26 = constant <i32: 26> : tile<i32>
    %v26, %t26 = load_view_tko weak %va[%i26] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c26 = reshape %v26 : tile<64xf32> -> tile<64x1xf32>
    %w26 = broadcast %c26 : tile<64x1xf32> -> tile<64x64xf32>
    %s27 = addf %s26, %w26 rounding<nearest_even> : tile<64x64xf32>
    %i27 = constant <i32: 27> : tile<i32>
    %v27, %t27 = load_view_tko weak %va[%i27] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c27 = reshape %v27 : tile<64xf32> -> tile<64x1xf32>
    %w27 = broadcast %c27 : tile<64x1xf32> -> tile<64x64xf32>
    %s28 = addf %s27, %w27 rounding<nearest_even> : tile<64x64xf32>
    %i28 = constant <i32: 28> : tile<i32>
    %v28, %t28 = load_view_tko weak %va[%i28] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c28 = reshape %v28 : tile<64xf32> -> tile<64x1xf32>
    %w28 = broadcast %c28 : tile<64x1xf32> -> tile<64x64xf32>
    %s29 = addf %s28, %w28 rounding<nearest_even> : tile<64x64xf32>
    %i29 = constant <i32: 29> : tile<i32>
    %v29, %t29 = load_view_tko weak %va[%i29] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c29 = reshape %v29 : tile<64xf32> -> tile<64x1xf32>
    %w29 = broadcast %c29 : tile<64x1xf32> -> tile<64x64xf32>
    %s30 = addf %s29, %w29 rounding<nearest_even> : tile<64x64xf32>
    %i30 = constant <i32: 30> : tile<i32>
    %v30, %t30 = load_view_tko weak %va[%i30] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c30 = reshape %v30 : tile<64xf32> -> tile<64x1xf32>
    %w30 = broadcast %c30 : tile<64x1xf32> -> tile<64x64xf32>
    %s31 = addf %s30, %w30 rounding<nearest_even> : tile<64x64xf32>
    %i31 = constant <i32: 31> : tile<i32>
    %v31, %t31 = load_view_tko weak %va[%i31] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c31 = reshape %v31 : tile<64xf32> -> tile<64x1xf32>
    %w31 = broadcast %c31 : tile<64x1xf32> -> tile<64x64xf32>
    %s32 = addf %s31, %w31 rounding<nearest_even> : tile<64x64xf32>
    %i32 = constant <i32: 32> : tile<i32>
    %v32, %t32 = load_view_tko weak %va[%i32] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c32 = reshape %v32 : tile<64xf32> -> tile<64x1xf32>
    %w32 = broadcast %c32 : tile<64x1xf32> -> tile<64x64xf32>
    %s33 = addf %s32, %w32 rounding<nearest_even> : tile<64x64xf32>
    %i33 = constant <i32: 33> : tile<i32>
    %v33, %t33 = load_view_tko weak %va[%i33] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c33 = reshape %v33 : tile<64xf32> -> tile<64x1xf32>
    %w33 = broadcast %c33 : tile<64x1xf32> -> tile<64x64xf32>
    %s34 = addf %s33, %w33 rounding<nearest_even> : tile<64x64xf32>
    %i34 = constant <i32: 34> : tile<i32>
    %v34, %t34 = load_view_tko weak %va[%i34] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c34 = reshape %v34 : tile<64xf32> -> tile<64x1xf32>
    %w34 = broadcast %c34 : tile<64x1xf32> -> tile<64x64xf32>
    %s35 = addf %s34, %w34 rounding<nearest_even> : tile<64x64xf32>
    %i35 = constant <i32: 35> : tile<i32>
    %v35, %t35 = load_view_tko weak %va[%i35] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c35 = reshape %v35 : tile<64xf32> -> tile<64x1xf32>
    %w35 = broadcast %c35 : tile<64x1xf32> -> tile<64x64xf32>
    %s36 = addf %s35, %w35 rounding<nearest_even> : tile<64x64xf32>
    %i36 = constant <i32: 36> : tile<i32>
    %v36, %t36 = load_view_tko weak %va[%i36] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c36 = reshape %v36 : tile<64xf32> -> tile<64x1xf32>
    %w36 = broadcast %c36 : tile<64x1xf32> -> tile<64x64xf32>
    %s37 = addf %s36, %w36 rounding<nearest_even> : tile<64x64xf32>
    %i37 = constant <i32: 37> : tile<i32>
    %v37, %t37 = load_view_tko weak %va[%i37] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c37 = reshape %v37 : tile<64xf32> -> tile<64x1xf32>
    %w37 = broadcast %c37 : tile<64x1xf32> -> tile<64x64xf32>
    %s38 = addf %s37, %w37 rounding<nearest_even> : tile<64x64xf32>
    %i38 = constant <i32: 38> : tile<i32>
    %v38, %t38 = load_view_tko weak %va[%i38] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c38 = reshape %v38 : tile<64xf32> -> tile<64x1xf32>
    %w38 = broadcast %c38 : tile<64x1xf32> -> tile<64x64xf32>
    %s39 = addf %s38, %w38 rounding<nearest_even> : tile<64x64xf32>
    %i39 = constant <i32: 39> : tile<i32>
    %v39, %t39 = load_view_tko weak %va[%i39] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c39 = reshape %v39 : tile<64xf32> -> tile<64x1xf32>
    %w39 = broadcast %c39 : tile<64x1xf32> -> tile<64x64xf32>
    %s40 = addf %s39, %w39 rounding<nearest_even> : tile<64x64xf32>
    %i40 = constant <i32: 40> : tile<i32>
    %v40, %t40 = load_view_tko weak %va[%i40] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c40 = reshape %v40 : tile<64xf32> -> tile<64x1xf32>
    %w40 = broadcast %c40 : tile<64x1xf32> -> tile<64x64xf32>
    %s41 = addf %s40, %w40 rounding<nearest_even> : tile<64x64xf32>
    %i41 = constant <i32: 41> : tile<i32>
    %v41, %t41 = load_view_tko weak %va[%i41] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c41 = reshape %v41 : tile<64xf32> -> tile<64x1xf32>
    %w41 = broadcast %c41 : tile<64x1xf32> -> tile<64x64xf32>
    %s42 = addf %s41, %w41 rounding<nearest_even> : tile<64x64xf32>
    %i42 = constant <i32: 42> : tile<i32>
    %v42, %t42 = load_view_tko weak %va[%i42] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c42 = reshape %v42 : tile<64xf32> -> tile<64x1xf32>
    %w42 = broadcast %c42 : tile<64x1xf32> -> tile<64x64xf32>
    %s43 = addf %s42, %w42 rounding<nearest_even> : tile<64x64xf32>
    %i43 = constant <i32: 43> : tile<i32>
    %v43, %t43 = load_view_tko weak %va[%i43] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c43 = reshape %v43 : tile<64xf32> -> tile<64x1xf32>
    %w43 = broadcast %c43 : tile<64x1xf32> -> tile<64x64xf32>
    %s44 = addf %s43, %w43 rounding<nearest_even> : tile<64x64xf32>
    %i44 = constant <i32: 44> : tile<i32>
    %v44, %t44 = load_view_tko weak %va[%i44] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c44 = reshape %v44 : tile<64xf32> -> tile<64x1xf32>
    %w44 = broadcast %c44 : tile<64x1xf32> -> tile<64x64xf32>
    %s45 = addf %s44, %w44 rounding<nearest_even> : tile<64x64xf32>
    %i45 = constant <i32: 45> : tile<i32>
    %v45, %t45 = load_view_tko weak %va[%i45] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c45 = reshape %v45 : tile<64xf32> -> tile<64x1xf32>
    %w45 = broadcast %c45 : tile<64x1xf32> -> tile<64x64xf32>
    %s46 = addf %s45, %w45 rounding<nearest_even> : tile<64x64xf32>
    %i46 = constant <i32: 46> : tile<i32>
    %v46, %t46 = load_view_tko weak %va[%i46] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c46 = reshape %v46 : tile<64xf32> -> tile<64x1xf32>
    %w46 = broadcast %c46 : tile<64x1xf32> -> tile<64x64xf32>
    %s47 = addf %s46, %w46 rounding<nearest_even> : tile<64x64xf32>
    %i47 = constant <i32: 47> : tile<i32>
    %v47, %t47 = load_view_tko weak %va[%i47] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c47 = reshape %v47 : tile<64xf32> -> tile<64x1xf32>
    %w47 = broadcast %c47 : tile<64x1xf32> -> tile<64x64xf32>
    %s48 = addf %s47, %w47 rounding<nearest_even> : tile<64x64xf32>
    %r0 = mulf %s48, %w0 rounding<nearest_even> : tile<64x64xf32>
    %r1 = mulf %r0, %w1 rounding<nearest_even> : tile<64x64xf32>
    %r2 = mulf %r1, %w2 rounding<nearest_even> : tile<64x64xf32>
    %r3 = mulf %r2, %w3 rounding<nearest_even> : tile<64x64xf32>
    %r4 = mulf %r3, %w4 rounding<nearest_even> : tile<64x64xf32>
    %r5 = mulf %r4, %w5 rounding<nearest_even> : tile<64x64xf32>
    %r6 = mulf %r5, %w6 rounding<nearest_even> : tile<64x64xf32>
    %r7 = mulf %r6, %w7 rounding<nearest_even> : tile<64x64xf32>
    %r8 = mulf %r7, %w8 rounding<nearest_even> : tile<64x64xf32>
    %r9 = mulf %r8, %w9 rounding<nearest_even> : tile<64x64xf32>
    %r10 = mulf %r9, %w10 rounding<nearest_even> : tile<64x64xf32>
    %r11 = mulf %r10, %w11 rounding<nearest_even> : tile<64x64xf32>
    %r12 = mulf %r11, %w12 rounding<nearest_even> : tile<64x64xf32>
    %r13 = mulf %r12, %w13 rounding<nearest_even> : tile<64x64xf32>
    %r14 = mulf %r13, %w14 rounding<nearest_even> : tile<64x64xf32>
    %r15 = mulf %r14, %w15 rounding<nearest_even> : tile<64x64xf32>
    %r16 = mulf %r15, %w16 rounding<nearest_even> : tile<64x64xf32>
    %r17 = mulf %r16, %w17 rounding<nearest_even> : tile<64x64xf32>
    %r18 = mulf %r17, %w18 rounding<nearest_even> : tile<64x64xf32>
    %r19 = mulf %r18, %w19 rounding<nearest_even> : tile<64x64xf32>
    %r20 = mulf %r19, %w20 rounding<nearest_even> : tile<64x64xf32>
    %r21 = mulf %r20, %w21 rounding<nearest_even> : tile<64x64xf32>
    %r22 = mulf %r21, %w22 rounding<nearest_even> : tile<64x64xf32>
    %r23 = mulf %r22, %w23 rounding<nearest_even> : tile<64x64xf32>
    %r24 = mulf %r23, %w24 rounding<nearest_even> : tile<64x64xf32>
    %r25 = mulf %r24, %w25 rounding<nearest_even> : tile<64x64xf32>
    %r26 = mulf %r25, %w26 rounding<nearest_even> : tile<64x64xf32>
    %r27 = mulf %r26, %w27 rounding<nearest_even> : tile<64x64xf32>
    %r28 = mulf %r27, %w28 rounding<nearest_even> : tile<64x64xf32>
    %r29 = mulf %r28, %w29 rounding<nearest_even> : tile<64x64xf32>
    %r30 = mulf %r29, %w30 rounding<nearest_even> : tile<64x64xf32>
    %r31 = mulf %r30, %w31 rounding<nearest_even> : tile<64x64xf32>
    %r32 = mulf %r31, %w32 rounding<nearest_even> : tile<64x64xf32>
    %r33 = mulf %r32, %w33 rounding<nearest_even> : tile<64x64xf32>
    %r34 = mulf %r33, %w34 rounding<nearest_even> : tile<64x64xf32>
    %r35 = mulf %r34, %w35 rounding<nearest_even> : tile<64x64xf32>
    %r36 = mulf %r35, %w36 rounding<nearest_even> : tile<64x64xf32>
    %r37 = mulf %r36, %w37 rounding<nearest_even> : tile<64x64xf32>
    %r38 = mulf %r37, %w38 rounding<nearest_even> : tile<64x64xf32>
    %r39 = mulf %r38, %w39 rounding<nearest_even> : tile<64x64xf32>
    %r40 = mulf %r39, %w40 rounding<nearest_even> : tile<64x64xf32>
    %r41 = mulf %r40, %w41 rounding<nearest_even> : tile<64x64xf32>
    %r42 = mulf %r41, %w42 rounding<nearest_even> : tile<64x64xf32>
    %r43 = mulf %r42, %w43 rounding<nearest_even> : tile<64x64xf32>
    %r44 = mulf %r43, %w44 rounding<nearest_even> : tile<64x64xf32>
    %r45 = mulf %r44, %w45 rounding<nearest_even> : tile<64x64xf32>
    %r46 = mulf %r45, %w46 rounding<nearest_even> : tile<64x64xf32>
    %r47 = mulf %r46, %w47 rounding<nearest_even> : tile<64x64xf32>
    %u = store_view_tko weak %r47, %vb[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %s0, %t = load_view_tko weak %vb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %i0 = constant <i32: 0> : tile<i32>
    %v0, %t0 = load_view_tko weak %va[%i0] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c0 = reshape %v0 : tile<64xf32> -> tile<64x1xf32>
    %w0 = broadcast %c0 : tile<64x1xf32> -> tile<64x64xf32>
    %s1 = addf %s0, %w0 rounding<nearest_even> : tile<64x64xf32>
    %i1 = constant <i32: 1> : tile<i32>
    %v1, %t1 = load_view_tko weak %va[%i1] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c1 = reshape %v1 : tile<64xf32> -> tile<64x1xf32>
    %w1 = broadcast %c1 : tile<64x1xf32> -> tile<64x64xf32>
    %s2 = addf %s1, %w1 rounding<nearest_even> : tile<64x64xf32>
    %i2 = constant <i32: 2> : tile<i32>
    %v2, %t2 = load_view_tko weak %va[%i2] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c2 = reshape %v2 : tile<64xf32> -> tile<64x1xf32>
    %w2 = broadcast %c2 : tile<64x1xf32> -> tile<64x64xf32>
    %s3 = addf %s2, %w2 rounding<nearest_even> : tile<64x64xf32>
    %i3 = constant <i32: 3> : tile<i32>
    %v3, %t3 = load_view_tko weak %va[%i3] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %c3 = reshape %v3 : tile<64xf32> -> tile<64x1xf32>
    %w3 = broadcast %c3 : tile<64x1xf32> -> tile<64x64xf32>
    %s4 = addf %s3, %w3 rounding<nearest_even> : tile<64x64xf32>
    %r0 = mulf %s4, %w0 rounding<nearest_even> : tile<64x64xf32>
    %r1 = mulf %r0, %w1 rounding<nearest_even> : tile<64x64xf32>
    %r2 = mulf %r1, %w2 rounding<nearest_even> : tile<64x64xf32>
    %r3 = mulf %r2, %w3 rounding<nearest_even> : tile<64x64xf32>
    %u = store_view_tko weak %r3, %vb[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
