// test: verify
// Orderings and scopes; words of 32 and 64 bits, of one type and shape.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_i32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i32>>
    %i32 = constant <i32: 1> : tile<4xi32>
    %p_i1 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i1>>
    %i1 = constant <i1: true> : tile<4xi1>
    %p_i8 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i8>>
    %i8 = constant <i8: 1> : tile<4xi8>
    %p_i16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i16>>
    %i16 = constant <i16: 1> : tile<4xi16>
    %p_i64 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i64>>
    %p_f16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f16>>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %p_bf16 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<bf16>>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %f32 = constant <f32: 1.0> : tile<4xf32>
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
    %r0, %r1 = atomic_cas_tko weak device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0302]: `weak` is not allowed here
    %r2, %r3 = atomic_cas_tko relaxed device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r4, %r5 = atomic_cas_tko relaxed tl_blk %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r6, %r7 = atomic_cas_tko relaxed sys %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r8, %r9 = atomic_cas_tko acquire device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r10, %r11 = atomic_cas_tko release device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r12, %r13 = atomic_cas_tko acq_rel device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r14, %r15 = atomic_cas_tko relaxed device %p_i1, %i1, %i1 : tile<4xptr<i1>>, tile<4xi1> -> tile<4xi1>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi1>`
    %r16, %r17 = atomic_cas_tko relaxed device %p_i8, %i8, %i8 : tile<4xptr<i8>>, tile<4xi8> -> tile<4xi8>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi8>`
    %r18, %r19 = atomic_cas_tko relaxed device %p_i16, %i16, %i16 : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xi16>`
    %r20, %r21 = atomic_cas_tko relaxed device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r22, %r23 = atomic_cas_tko relaxed device %p_i64, %i64, %i64 : tile<4xptr<i64>>, tile<4xi64> -> tile<4xi64>, token
    %r24, %r25 = atomic_cas_tko relaxed device %p_f16, %f16, %f16 : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf16>`
    %r26, %r27 = atomic_cas_tko relaxed device %p_bf16, %bf16, %bf16 : tile<4xptr<bf16>>, tile<4xbf16> -> tile<4xbf16>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xbf16>`
    %r28, %r29 = atomic_cas_tko relaxed device %p_f32, %f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    %r30, %r31 = atomic_cas_tko relaxed device %p_f64, %f64, %f64 : tile<4xptr<f64>>, tile<4xf64> -> tile<4xf64>, token
    %r32, %r33 = atomic_cas_tko relaxed device %p_tf32, %tf32, %tf32 : tile<4xptr<tf32>>, tile<4xtf32> -> tile<4xtf32>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xtf32>`
    %r34, %r35 = atomic_cas_tko relaxed device %p_f8E4M3FN, %f8E4M3FN, %f8E4M3FN : tile<4xptr<f8E4M3FN>>, tile<4xf8E4M3FN> -> tile<4xf8E4M3FN>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E4M3FN>`
    %r36, %r37 = atomic_cas_tko relaxed device %p_f8E5M2, %f8E5M2, %f8E5M2 : tile<4xptr<f8E5M2>>, tile<4xf8E5M2> -> tile<4xf8E5M2>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E5M2>`
    %r38, %r39 = atomic_cas_tko relaxed device %p_f8E8M0FNU, %f8E8M0FNU, %f8E8M0FNU : tile<4xptr<f8E8M0FNU>>, tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r40, %r41 = atomic_cas_tko relaxed device %p_f4E2M1FN, %f4E2M1FN, %f4E2M1FN : tile<4xptr<f4E2M1FN>>, tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>, token // error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xf4E2M1FN>`
    %r42, %r43 = atomic_cas_tko relaxed device %p_i32_s, %i32_s, %i32_s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %r44, %r45 = atomic_cas_tko relaxed device %p_i32, %i32, %i32, %i1 : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %r46, %r47 = atomic_cas_tko relaxed device %p_i32, %i32, %i32, %i1 token=%t : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %r48, %r49 = atomic_cas_tko relaxed device %p_i32, %i32, %i32 token=%t : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r50, %r51 = atomic_cas_tko relaxed device %p_f32, %i32, %i32 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected pointers to `i32`, found `tile<4xptr<f32>>`
    %r52, %r53 = atomic_cas_tko relaxed device %p_i64, %i32, %i32 : tile<4xptr<i64>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected pointers to `i32`, found `tile<4xptr<i64>>`
    %r54, %r55 = atomic_cas_tko relaxed device %i32, %i32, %i32 : tile<4xi32>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `pointers` to be a tile of pointers, found `tile<4xi32>`
    %r56, %r57 = atomic_cas_tko relaxed device %p_i32_8, %i32, %i32 : tile<8xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `cmp` of shape `(8)`, found `(4)`
// error[T0301]: expected `val` of shape `(8)`, found `(4)`
// error[T0303]: expected `result` of shape `(8)`, found `(4)`
    %r58, %r59 = atomic_cas_tko relaxed device %p_i32, %i64, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `val` of type `tile<4xi64>`, found `tile<4xi32>`
// error[T0303]: expected `result` of type `tile<4xi64>`, found `tile<4xi32>`
    %r60, %r61 = atomic_cas_tko relaxed device %p_i32, %i32, %i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi64>, token // error[T0303]: expected `result` of type `tile<4xi32>`, found `tile<4xi64>`
    %r62, %r63 = atomic_cas_tko relaxed device %p_i32, %i32, %i32, %i1_8 : tile<4xptr<i32>>, tile<4xi32>, tile<8xi1> -> tile<4xi32>, token // error[T0301]: expected `mask` of shape `(4)`, found `(8)`
    %r64, %r65 = atomic_cas_tko relaxed device %p_i32, %i32, %i32, %i8 : tile<4xptr<i32>>, tile<4xi32>, tile<4xi8> -> tile<4xi32>, token // error[T0301]: expected `mask` to be a tile of i1, found `tile<4xi8>`
    %r66, %r67 = atomic_cas_tko relaxed device %p_i32, %i32, %i32 token=%i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token // error[T0301]: expected `token` to be a token, found `tile<4xi32>`
    %r68, %r69 = atomic_cas_tko relaxed device %p_i32, %p_i32, %p_i32 : tile<4xptr<i32>>, tile<4xptr<i32>> -> tile<4xptr<i32>>, token // error[T0301]: expected pointers to `ptr<i32>`, found `tile<4xptr<i32>>`
// error[T0301]: expected a tile of i32, i64, f32 or f64, found `tile<4xptr<i32>>`
    return
  }
}
