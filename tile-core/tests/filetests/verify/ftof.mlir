// test: verify
// Floats of one shape and two types; a scale is rounded toward zero or up, anything else to nearest even.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E4M3FN = constant <f8E4M3FN: 1.0> : tile<4xf8E4M3FN>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %f64_s = constant <f64: 1.0> : tile<f64>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r0 = ftof %f16 : tile<4xf16> -> tile<4xf32>
    %r1 = ftof %bf16 : tile<4xbf16> -> tile<4xf32>
    %r2 = ftof %f32 : tile<4xf32> -> tile<4xf16>
    %r3 = ftof %f64 : tile<4xf64> -> tile<4xf32>
    %r4 = ftof %tf32 : tile<4xtf32> -> tile<4xf32>
    %r5 = ftof %f8E4M3FN : tile<4xf8E4M3FN> -> tile<4xf32>
    %r6 = ftof %f8E5M2 : tile<4xf8E5M2> -> tile<4xf32>
    %r7 = ftof %f8E8M0FNU : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r8 = ftof %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xf32>
    %r9 = ftof %f64 : tile<4xf64> -> tile<4xf16>
    %r10 = ftof %f64 : tile<4xf64> -> tile<4xbf16>
    %r11 = ftof %f64 : tile<4xf64> -> tile<4xf32>
    %r12 = ftof %f64 : tile<4xf64> -> tile<4xtf32>
    %r13 = ftof %f64 : tile<4xf64> -> tile<4xf8E4M3FN>
    %r14 = ftof %f64 : tile<4xf64> -> tile<4xf8E5M2>
    %r15 = ftof %f64 : tile<4xf64> -> tile<4xf4E2M1FN>
    %r16 = ftof %f64_s rounding<nearest_even> : tile<f64> -> tile<f32>
    %r17 = ftof %f32 rounding<zero> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %r18 = ftof %f32 rounding<zero> : tile<4xf32> -> tile<4xf16>
    %r19 = ftof %f8E8M0FNU rounding<zero> : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r20 = ftof %f32 rounding<positive_inf> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %r21 = ftof %f32 rounding<positive_inf> : tile<4xf32> -> tile<4xf16>
    %r22 = ftof %f8E8M0FNU rounding<positive_inf> : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r23 = ftof %f32 rounding<negative_inf> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %r24 = ftof %f32 rounding<negative_inf> : tile<4xf32> -> tile<4xf16>
    %r25 = ftof %f8E8M0FNU rounding<negative_inf> : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r26 = ftof %f32 rounding<nearest_even> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %r27 = ftof %f32 rounding<nearest_even> : tile<4xf32> -> tile<4xf16>
    %r28 = ftof %f8E8M0FNU rounding<nearest_even> : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r29 = ftof %f16 : tile<4xf16> -> tile<4xf16>
    %r30 = ftof %bf16 : tile<4xbf16> -> tile<4xbf16>
    %r31 = ftof %f32 : tile<4xf32> -> tile<4xf32>
    %r32 = ftof %f64 : tile<4xf64> -> tile<4xf64>
    %r33 = ftof %tf32 : tile<4xtf32> -> tile<4xtf32>
    %r34 = ftof %f8E4M3FN : tile<4xf8E4M3FN> -> tile<4xf8E4M3FN>
    %r35 = ftof %f8E5M2 : tile<4xf8E5M2> -> tile<4xf8E5M2>
    %r36 = ftof %f8E8M0FNU : tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU>
    %r37 = ftof %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>
    %r38 = ftof %f32 : tile<4xf32> -> tile<4xf8E8M0FNU>
    %r39 = ftof %f32 : tile<4xf32> -> tile<8xf16>
    %r40 = ftof %i32 : tile<4xi32> -> tile<4xf32>
    %r41 = ftof %f32 : tile<4xf32> -> tile<4xi32>
    %r42 = ftof %i4 : tile<4xi4> -> tile<4xf32>
    %r43 = ftof %p_f32 : tile<4xptr<f32>> -> tile<4xf64>
    return
  }
}
