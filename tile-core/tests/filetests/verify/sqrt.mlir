// test: verify
// Element types; rounding; `approx` and `flush_to_zero` on f32 only.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %f64_s = constant <f64: 1.0> : tile<f64>
    %f64_2x4 = constant <f64: 1.0> : tile<2x4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r0 = sqrt %f16 : tile<4xf16>
    %r1 = sqrt %bf16 : tile<4xbf16>
    %r2 = sqrt %f32 : tile<4xf32>
    %r3 = sqrt %f64 : tile<4xf64>
    %r4 = sqrt %f64_s : tile<f64>
    %r5 = sqrt %f64_2x4 : tile<2x4xf64>
    %r6 = sqrt %tf32 : tile<4xtf32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r7 = sqrt %f8E5M2 : tile<4xf8E5M2> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r8 = sqrt %f8E8M0FNU : tile<4xf8E8M0FNU> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r9 = sqrt %f4E2M1FN : tile<4xf4E2M1FN> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r10 = sqrt %i32 : tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r11 = sqrt %p_f32 : tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r12 = sqrt %f64 : tile<8xf64> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<8xf64>`
    %r13 = sqrt %f64 : tile<4xf16> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<4xf16>`
    %r14 = sqrt %f32 rounding<nearest_even> : tile<4xf32>
    %r15 = sqrt %f64 rounding<nearest_even> : tile<4xf64>
    %r16 = sqrt %f32 rounding<zero> : tile<4xf32>
    %r17 = sqrt %f64 rounding<zero> : tile<4xf64>
    %r18 = sqrt %f32 rounding<negative_inf> : tile<4xf32>
    %r19 = sqrt %f64 rounding<negative_inf> : tile<4xf64>
    %r20 = sqrt %f32 rounding<positive_inf> : tile<4xf32>
    %r21 = sqrt %f64 rounding<positive_inf> : tile<4xf64>
    %r22 = sqrt %f32 rounding<approx> : tile<4xf32>
    %r23 = sqrt %f64 rounding<approx> : tile<4xf64> // error[T0302]: `rounding<approx>` on `tile<4xf64>`
    %r24 = sqrt %f32 rounding<full> : tile<4xf32> // error[T0302]: `rounding<full>` is not allowed here
    %r25 = sqrt %f64 rounding<full> : tile<4xf64> // error[T0302]: `rounding<full>` is not allowed here
    %r26 = sqrt %f32 rounding<nearest_int_to_zero> : tile<4xf32> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    %r27 = sqrt %f64 rounding<nearest_int_to_zero> : tile<4xf64> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    %r28 = sqrt %f16 flush_to_zero : tile<4xf16> // error[T0302]: `flush_to_zero` on `tile<4xf16>`
    %r29 = sqrt %bf16 flush_to_zero : tile<4xbf16> // error[T0302]: `flush_to_zero` on `tile<4xbf16>`
    %r30 = sqrt %f32 flush_to_zero : tile<4xf32>
    %r31 = sqrt %f64 flush_to_zero : tile<4xf64> // error[T0302]: `flush_to_zero` on `tile<4xf64>`
    %r32 = sqrt %f16 rounding<approx> flush_to_zero : tile<4xf16> // error[T0302]: `flush_to_zero` on `tile<4xf16>`
// error[T0302]: `rounding<approx>` on `tile<4xf16>`
    return
  }
}
