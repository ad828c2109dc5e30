// test: verify
// Element types, rounding, `flush_to_zero` on f32 only.

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
    %f64_8 = constant <f64: 1.0> : tile<8xf64>
    %r0 = mulf %f16, %f16 : tile<4xf16>
    %r1 = mulf %bf16, %bf16 : tile<4xbf16>
    %r2 = mulf %f32, %f32 : tile<4xf32>
    %r3 = mulf %f64, %f64 : tile<4xf64>
    %r4 = mulf %f64_s, %f64_s : tile<f64>
    %r5 = mulf %f64_2x4, %f64_2x4 : tile<2x4xf64>
    %r6 = mulf %tf32, %tf32 : tile<4xtf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r7 = mulf %f8E5M2, %f8E5M2 : tile<4xf8E5M2> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r8 = mulf %f8E8M0FNU, %f8E8M0FNU : tile<4xf8E8M0FNU> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r9 = mulf %f4E2M1FN, %f4E2M1FN : tile<4xf4E2M1FN> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r10 = mulf %i32, %i32 : tile<4xi32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r11 = mulf %p_f32, %p_f32 : tile<4xptr<f32>> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r12 = mulf %f64, %f64_8 : tile<4xf64> // error[T0301]: expected `rhs` of type `tile<4xf64>`, found `tile<8xf64>`
    %r13 = mulf %f64_8, %f64 : tile<4xf64> // error[T0301]: expected `rhs` of type `tile<8xf64>`, found `tile<4xf64>`
// error[T0303]: expected `result` of type `tile<8xf64>`, found `tile<4xf64>`
    %r14 = mulf %f64, %f16 : tile<4xf64> // error[T0301]: expected `rhs` of type `tile<4xf64>`, found `tile<4xf16>`
    %r15 = mulf %f64, %f64 : tile<8xf64> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<8xf64>`
    %r16 = mulf %f32, %f32 rounding<nearest_even> : tile<4xf32>
    %r17 = mulf %f64, %f64 rounding<nearest_even> : tile<4xf64>
    %r18 = mulf %f32, %f32 rounding<zero> : tile<4xf32>
    %r19 = mulf %f64, %f64 rounding<zero> : tile<4xf64>
    %r20 = mulf %f32, %f32 rounding<negative_inf> : tile<4xf32>
    %r21 = mulf %f64, %f64 rounding<negative_inf> : tile<4xf64>
    %r22 = mulf %f32, %f32 rounding<positive_inf> : tile<4xf32>
    %r23 = mulf %f64, %f64 rounding<positive_inf> : tile<4xf64>
    %r24 = mulf %f16, %f16 flush_to_zero : tile<4xf16> // error[T0302]: `flush_to_zero` on `tile<4xf16>`
    %r25 = mulf %bf16, %bf16 flush_to_zero : tile<4xbf16> // error[T0302]: `flush_to_zero` on `tile<4xbf16>`
    %r26 = mulf %f32, %f32 flush_to_zero : tile<4xf32>
    %r27 = mulf %f64, %f64 flush_to_zero : tile<4xf64> // error[T0302]: `flush_to_zero` on `tile<4xf64>`
    return
  }
}
