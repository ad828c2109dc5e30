// test: verify
// Orderings and scopes; elements that the mode works on, of one type and shape.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_i32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i32>>
    %i32 = constant <i32: 1> : tile<4xi32>
    %p_i16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i16>>
    %i16 = constant <i16: 1> : tile<4xi16>
    %p_i64 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i64>>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_i1 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i1>>
    %i1 = constant <i1: true> : tile<4xi1>
    %p_i8 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i8>>
    %i8 = constant <i8: 1> : tile<4xi8>
    %p_f16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f16>>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %p_bf16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<bf16>>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %p_f64 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f64>>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %p_tf32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<tf32>>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %p_f8E4M3FN = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f8E4M3FN>>
    %f8E4M3FN = constant <f8E4M3FN: 1.0> : tile<4xf8E4M3FN>
    %p_f8E5M2 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f8E5M2>>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %p_f8E8M0FNU = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f8E8M0FNU>>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %p_f4E2M1FN = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f4E2M1FN>>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_i32_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<i32>>
    %i32_s = constant <i32: 1> : tile<i32>
    %i64_8 = constant <i64: 1> : tile<8xi64>
    %p_i32_8 = int_to_ptr %i64_8 : tile<8xi64> -> tile<8xptr<i32>>
    %i1_8 = constant <i1: true> : tile<8xi1>
    %t = make_token : token
    %r0, %r1 = atomic_rmw_tko weak device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0302]: `weak` is not allowed here
    %r2, %r3 = atomic_rmw_tko relaxed device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r4, %r5 = atomic_rmw_tko relaxed tl_blk %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r6, %r7 = atomic_rmw_tko relaxed sys %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r8, %r9 = atomic_rmw_tko acquire device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r10, %r11 = atomic_rmw_tko release device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r12, %r13 = atomic_rmw_tko acq_rel device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r14, %r15 = atomic_rmw_tko relaxed device %p_i16, and, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r16, %r17 = atomic_rmw_tko relaxed device %p_i32, and, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r18, %r19 = atomic_rmw_tko relaxed device %p_i64, and, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r20, %r21 = atomic_rmw_tko relaxed device %p_f32, and, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r22, %r23 = atomic_rmw_tko relaxed device %p_i16, or, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r24, %r25 = atomic_rmw_tko relaxed device %p_i32, or, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r26, %r27 = atomic_rmw_tko relaxed device %p_i64, or, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r28, %r29 = atomic_rmw_tko relaxed device %p_f32, or, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r30, %r31 = atomic_rmw_tko relaxed device %p_i16, xor, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r32, %r33 = atomic_rmw_tko relaxed device %p_i32, xor, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r34, %r35 = atomic_rmw_tko relaxed device %p_i64, xor, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r36, %r37 = atomic_rmw_tko relaxed device %p_f32, xor, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r38, %r39 = atomic_rmw_tko relaxed device %p_i1, add, %i1 : tile<4xptr<i1>>, tile<4xi1> -> tile<4xi1>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi1>`
    %r40, %r41 = atomic_rmw_tko relaxed device %p_i8, add, %i8 : tile<4xptr<i8>>, tile<4xi8> -> tile<4xi8>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi8>`
    %r42, %r43 = atomic_rmw_tko relaxed device %p_i16, add, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r44, %r45 = atomic_rmw_tko relaxed device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r46, %r47 = atomic_rmw_tko relaxed device %p_i64, add, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r48, %r49 = atomic_rmw_tko relaxed device %p_f16, add, %f16 : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf16>`
    %r50, %r51 = atomic_rmw_tko relaxed device %p_bf16, add, %bf16 : tile<4xptr<bf16>>, tile<4xbf16> -> tile<4xbf16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xbf16>`
    %r52, %r53 = atomic_rmw_tko relaxed device %p_f32, add, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r54, %r55 = atomic_rmw_tko relaxed device %p_f64, add, %f64 : tile<4xptr<f64>>, tile<4xf64> -> tile<4xf64>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf64>`
    %r56, %r57 = atomic_rmw_tko relaxed device %p_tf32, add, %tf32 : tile<4xptr<tf32>>, tile<4xtf32> -> tile<4xtf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xtf32>`
    %r58, %r59 = atomic_rmw_tko relaxed device %p_f8E4M3FN, add, %f8E4M3FN : tile<4xptr<f8E4M3FN>>, tile<4xf8E4M3FN> -> tile<4xf8E4M3FN>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf8E4M3FN>`
    %r60, %r61 = atomic_rmw_tko relaxed device %p_f8E5M2, add, %f8E5M2 : tile<4xptr<f8E5M2>>, tile<4xf8E5M2> -> tile<4xf8E5M2>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf8E5M2>`
    %r62, %r63 = atomic_rmw_tko relaxed device %p_f8E8M0FNU, add, %f8E8M0FNU : tile<4xptr<f8E8M0FNU>>, tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf8E8M0FNU>`
    %r64, %r65 = atomic_rmw_tko relaxed device %p_f4E2M1FN, add, %f4E2M1FN : tile<4xptr<f4E2M1FN>>, tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf4E2M1FN>`
    %r66, %r67 = atomic_rmw_tko relaxed device %p_i16, max, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r68, %r69 = atomic_rmw_tko relaxed device %p_i32, max, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r70, %r71 = atomic_rmw_tko relaxed device %p_i64, max, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r72, %r73 = atomic_rmw_tko relaxed device %p_f32, max, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r74, %r75 = atomic_rmw_tko relaxed device %p_i16, min, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r76, %r77 = atomic_rmw_tko relaxed device %p_i32, min, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r78, %r79 = atomic_rmw_tko relaxed device %p_i64, min, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r80, %r81 = atomic_rmw_tko relaxed device %p_f32, min, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r82, %r83 = atomic_rmw_tko relaxed device %p_i16, umax, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r84, %r85 = atomic_rmw_tko relaxed device %p_i32, umax, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r86, %r87 = atomic_rmw_tko relaxed device %p_i64, umax, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r88, %r89 = atomic_rmw_tko relaxed device %p_f32, umax, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r90, %r91 = atomic_rmw_tko relaxed device %p_i16, umin, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xi16>`
    %r92, %r93 = atomic_rmw_tko relaxed device %p_i32, umin, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r94, %r95 = atomic_rmw_tko relaxed device %p_i64, umin, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r96, %r97 = atomic_rmw_tko relaxed device %p_f32, umin, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected a tile of i32 or i64, found `tile<4xf32>`
    %r98, %r99 = atomic_rmw_tko relaxed device %p_i1, addf, %i1 : tile<4xptr<i1>>, tile<4xi1> -> tile<4xi1>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xi1>`
    %r100, %r101 = atomic_rmw_tko relaxed device %p_i8, addf, %i8 : tile<4xptr<i8>>, tile<4xi8> -> tile<4xi8>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xi8>`
    %r102, %r103 = atomic_rmw_tko relaxed device %p_i16, addf, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xi16>`
    %r104, %r105 = atomic_rmw_tko relaxed device %p_i32, addf, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r106, %r107 = atomic_rmw_tko relaxed device %p_i64, addf, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xi64>`
    %r108, %r109 = atomic_rmw_tko relaxed device %p_f16, addf, %f16 : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token
    %r110, %r111 = atomic_rmw_tko relaxed device %p_bf16, addf, %bf16 : tile<4xptr<bf16>>, tile<4xbf16> -> tile<4xbf16>, token
    %r112, %r113 = atomic_rmw_tko relaxed device %p_f32, addf, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    %r114, %r115 = atomic_rmw_tko relaxed device %p_f64, addf, %f64 : tile<4xptr<f64>>, tile<4xf64> -> tile<4xf64>, token
    %r116, %r117 = atomic_rmw_tko relaxed device %p_tf32, addf, %tf32 : tile<4xptr<tf32>>, tile<4xtf32> -> tile<4xtf32>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r118, %r119 = atomic_rmw_tko relaxed device %p_f8E4M3FN, addf, %f8E4M3FN : tile<4xptr<f8E4M3FN>>, tile<4xf8E4M3FN> -> tile<4xf8E4M3FN>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xf8E4M3FN>`
    %r120, %r121 = atomic_rmw_tko relaxed device %p_f8E5M2, addf, %f8E5M2 : tile<4xptr<f8E5M2>>, tile<4xf8E5M2> -> tile<4xf8E5M2>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r122, %r123 = atomic_rmw_tko relaxed device %p_f8E8M0FNU, addf, %f8E8M0FNU : tile<4xptr<f8E8M0FNU>>, tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r124, %r125 = atomic_rmw_tko relaxed device %p_f4E2M1FN, addf, %f4E2M1FN : tile<4xptr<f4E2M1FN>>, tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>, token // error[T0301]: expected a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r126, %r127 = atomic_rmw_tko relaxed device %p_i1, xchg, %i1 : tile<4xptr<i1>>, tile<4xi1> -> tile<4xi1>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi1>`
    %r128, %r129 = atomic_rmw_tko relaxed device %p_i8, xchg, %i8 : tile<4xptr<i8>>, tile<4xi8> -> tile<4xi8>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi8>`
    %r130, %r131 = atomic_rmw_tko relaxed device %p_i16, xchg, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi16>`
    %r132, %r133 = atomic_rmw_tko relaxed device %p_i32, xchg, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r134, %r135 = atomic_rmw_tko relaxed device %p_i64, xchg, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r136, %r137 = atomic_rmw_tko relaxed device %p_f16, xchg, %f16 : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf16>`
    %r138, %r139 = atomic_rmw_tko relaxed device %p_bf16, xchg, %bf16 : tile<4xptr<bf16>>, tile<4xbf16> -> tile<4xbf16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xbf16>`
    %r140, %r141 = atomic_rmw_tko relaxed device %p_f32, xchg, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    %r142, %r143 = atomic_rmw_tko relaxed device %p_f64, xchg, %f64 : tile<4xptr<f64>>, tile<4xf64> -> tile<4xf64>, token
    %r144, %r145 = atomic_rmw_tko relaxed device %p_tf32, xchg, %tf32 : tile<4xptr<tf32>>, tile<4xtf32> -> tile<4xtf32>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xtf32>`
    %r146, %r147 = atomic_rmw_tko relaxed device %p_f8E4M3FN, xchg, %f8E4M3FN : tile<4xptr<f8E4M3FN>>, tile<4xf8E4M3FN> -> tile<4xf8E4M3FN>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E4M3FN>`
    %r148, %r149 = atomic_rmw_tko relaxed device %p_f8E5M2, xchg, %f8E5M2 : tile<4xptr<f8E5M2>>, tile<4xf8E5M2> -> tile<4xf8E5M2>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E5M2>`
    %r150, %r151 = atomic_rmw_tko relaxed device %p_f8E8M0FNU, xchg, %f8E8M0FNU : tile<4xptr<f8E8M0FNU>>, tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r152, %r153 = atomic_rmw_tko relaxed device %p_f4E2M1FN, xchg, %f4E2M1FN : tile<4xptr<f4E2M1FN>>, tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf4E2M1FN>`
    %r154, %r155 = atomic_rmw_tko relaxed device %p_i32_s, add, %i32_s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %r156, %r157 = atomic_rmw_tko relaxed device %p_i32, add, %i32, %i1 : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %r158, %r159 = atomic_rmw_tko relaxed device %p_i32, add, %i32, %i1 token=%t : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %r160, %r161 = atomic_rmw_tko relaxed device %p_i32, add, %i32 token=%t : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r162, %r163 = atomic_rmw_tko relaxed device %p_f32, add, %i32 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected pointers to `i32`, found `tile<4xptr<f32>>`
    %r164, %r165 = atomic_rmw_tko relaxed device %i32, add, %i32 : tile<4xi32>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `pointers` to be a tile of pointers, found `tile<4xi32>`
    %r166, %r167 = atomic_rmw_tko relaxed device %p_i32_8, add, %i32 : tile<8xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `arg` of shape `(8)`, found `(4)`
// error[T0303]: expected `result` of shape `(8)`, found `(4)`
    %r168, %r169 = atomic_rmw_tko relaxed device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi64>, token // error[T0303]: expected `result` of type `tile<4xi32>`, found `tile<4xi64>`
    %r170, %r171 = atomic_rmw_tko relaxed device %p_i32, add, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<8xi32>, token // error[T0303]: expected `result` of shape `(4)`, found `(8)`
// error[T0303]: expected `result` of type `tile<4xi32>`, found `tile<8xi32>`
    %r172, %r173 = atomic_rmw_tko relaxed device %p_i32, add, %i32, %i1_8 : tile<4xptr<i32>>, tile<4xi32>, tile<8xi1> -> tile<4xi32>, token // error[T0301]: expected `mask` of shape `(4)`, found `(8)`
    %r174, %r175 = atomic_rmw_tko relaxed device %p_i32, add, %i32, %i8 : tile<4xptr<i32>>, tile<4xi32>, tile<4xi8> -> tile<4xi32>, token // error[T0301]: expected `mask` to be a tile of i1, found `tile<4xi8>`
    %r176, %r177 = atomic_rmw_tko relaxed device %p_i32, add, %i32 token=%i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `token` to be a token, found `tile<4xi32>`
    %r178, %r179 = atomic_rmw_tko relaxed device %p_i32, xchg, %p_i32 : tile<4xptr<i32>>, tile<4xptr<i32>> -> tile<4xptr<i32>>, token // error[T0301]: expected pointers to `ptr<i32>`, found `tile<4xptr<i32>>`
// error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xptr<i32>>`
    return
  }
}
