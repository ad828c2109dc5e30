// test: verify
// Element types; one type for operands and result.

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
    %r0 = pow %f16, %f16 : tile<4xf16>
    %r1 = pow %bf16, %bf16 : tile<4xbf16>
    %r2 = pow %f32, %f32 : tile<4xf32>
    %r3 = pow %f64, %f64 : tile<4xf64>
    %r4 = pow %f64_s, %f64_s : tile<f64>
    %r5 = pow %f64_2x4, %f64_2x4 : tile<2x4xf64>
    %r6 = pow %tf32, %tf32 : tile<4xtf32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r7 = pow %f8E5M2, %f8E5M2 : tile<4xf8E5M2> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r8 = pow %f8E8M0FNU, %f8E8M0FNU : tile<4xf8E8M0FNU> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r9 = pow %f4E2M1FN, %f4E2M1FN : tile<4xf4E2M1FN> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r10 = pow %i32, %i32 : tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r11 = pow %p_f32, %p_f32 : tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0301]: expected `exponent` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r12 = pow %f64, %f64_8 : tile<4xf64> // error[T0301]: expected `exponent` of type `tile<4xf64>`, found `tile<8xf64>`
    %r13 = pow %f64_8, %f64 : tile<4xf64> // error[T0301]: expected `exponent` of type `tile<8xf64>`, found `tile<4xf64>`
// error[T0303]: expected `result` of type `tile<8xf64>`, found `tile<4xf64>`
    %r14 = pow %f64, %f16 : tile<4xf64> // error[T0301]: expected `exponent` of type `tile<4xf64>`, found `tile<4xf16>`
    %r15 = pow %f64, %f64 : tile<8xf64> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<8xf64>`
    return
  }
}
