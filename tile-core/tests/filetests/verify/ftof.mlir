// test: verify
// Floats of one shape and two types; how the result may be rounded depends on both.

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
    %r21 = ftof %f32 rounding<positive_inf> : tile<4xf32> -> tile<4xf16> // error[T0302]: expected `rounding<nearest_even>` or `rounding<zero>` in a conversion from `f32` to `f16`, found `rounding<positive_inf>`
    %r22 = ftof %f8E8M0FNU rounding<positive_inf> : tile<4xf8E8M0FNU> -> tile<4xf32> // error[T0302]: expected `rounding<nearest_even>` or `rounding<zero>` in a conversion from `f8E8M0FNU` to `f32`, found `rounding<positive_inf>`
    %r23 = ftof %f32 rounding<negative_inf> : tile<4xf32> -> tile<4xf8E8M0FNU> // error[T0302]: expected `rounding<zero>` or `rounding<positive_inf>` in a conversion from `f32` to `f8E8M0FNU`, found `rounding<negative_inf>`
    %r24 = ftof %f32 rounding<negative_inf> : tile<4xf32> -> tile<4xf16> // error[T0302]: expected `rounding<nearest_even>` or `rounding<zero>` in a conversion from `f32` to `f16`, found `rounding<negative_inf>`
    %r25 = ftof %f8E8M0FNU rounding<negative_inf> : tile<4xf8E8M0FNU> -> tile<4xf32> // error[T0302]: expected `rounding<nearest_even>` or `rounding<zero>` in a conversion from `f8E8M0FNU` to `f32`, found `rounding<negative_inf>`
    %r26 = ftof %f32 rounding<nearest_even> : tile<4xf32> -> tile<4xf8E8M0FNU> // error[T0302]: expected `rounding<zero>` or `rounding<positive_inf>` in a conversion from `f32` to `f8E8M0FNU`, found `rounding<nearest_even>`
    %r27 = ftof %f32 rounding<nearest_even> : tile<4xf32> -> tile<4xf16>
    %r28 = ftof %f8E8M0FNU rounding<nearest_even> : tile<4xf8E8M0FNU> -> tile<4xf32>
    %r29 = ftof %f16 : tile<4xf16> -> tile<4xf16> // error[T0301]: expected different types, found `f16` twice
    %r30 = ftof %bf16 : tile<4xbf16> -> tile<4xbf16> // error[T0301]: expected different types, found `bf16` twice
    %r31 = ftof %f32 : tile<4xf32> -> tile<4xf32> // error[T0301]: expected different types, found `f32` twice
    %r32 = ftof %f64 : tile<4xf64> -> tile<4xf64> // error[T0301]: expected different types, found `f64` twice
    %r33 = ftof %tf32 : tile<4xtf32> -> tile<4xtf32> // error[T0301]: expected different types, found `tf32` twice
    %r34 = ftof %f8E4M3FN : tile<4xf8E4M3FN> -> tile<4xf8E4M3FN> // error[T0301]: expected different types, found `f8E4M3FN` twice
    %r35 = ftof %f8E5M2 : tile<4xf8E5M2> -> tile<4xf8E5M2> // error[T0301]: expected different types, found `f8E5M2` twice
    %r36 = ftof %f8E8M0FNU : tile<4xf8E8M0FNU> -> tile<4xf8E8M0FNU> // error[T0301]: expected different types, found `f8E8M0FNU` twice
    %r37 = ftof %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xf4E2M1FN> // error[T0301]: expected different types, found `f4E2M1FN` twice
    %r38 = ftof %f32 : tile<4xf32> -> tile<4xf8E8M0FNU> // error[T0302]: expected `rounding<zero>` or `rounding<positive_inf>` in a conversion from `f32` to `f8E8M0FNU`, found `rounding<nearest_even>`
    %r39 = ftof %f32 : tile<4xf32> -> tile<8xf16> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    %r40 = ftof %i32 : tile<4xi32> -> tile<4xf32> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xi32>`
    %r41 = ftof %f32 : tile<4xf32> -> tile<4xi32> // error[T0303]: expected `to` to be a tile of floats, found `tile<4xi32>`
    %r42 = ftof %i4 : tile<4xi4> -> tile<4xf32> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xi4>`
    %r43 = ftof %p_f32 : tile<4xptr<f32>> -> tile<4xf64> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xptr<f32>>`
    return
  }
}
