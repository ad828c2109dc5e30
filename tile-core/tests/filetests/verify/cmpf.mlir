// test: verify
// Element types; operands of one type, a result of i1 and their shape.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f32_8 = constant <f32: 1.0> : tile<8xf32>
    %r0 = cmpf equal ordered %f16, %f16 : tile<4xf16> -> tile<4xi1>
    %r1 = cmpf equal ordered %bf16, %bf16 : tile<4xbf16> -> tile<4xi1>
    %r2 = cmpf equal ordered %f32, %f32 : tile<4xf32> -> tile<4xi1>
    %r3 = cmpf equal ordered %f64, %f64 : tile<4xf64> -> tile<4xi1>
    %r4 = cmpf equal ordered %tf32, %tf32 : tile<4xtf32> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r5 = cmpf equal ordered %f8E5M2, %f8E5M2 : tile<4xf8E5M2> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r6 = cmpf equal ordered %f8E8M0FNU, %f8E8M0FNU : tile<4xf8E8M0FNU> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r7 = cmpf equal ordered %f4E2M1FN, %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r8 = cmpf equal ordered %i32, %i32 : tile<4xi32> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r9 = cmpf equal ordered %p_f32, %p_f32 : tile<4xptr<f32>> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r10 = cmpf less_than unordered %f32_s, %f32_s : tile<f32> -> tile<i1>
    %r11 = cmpf equal ordered %f32, %f64 : tile<4xf32> -> tile<4xi1> // error[T0301]: expected `rhs` of type `tile<4xf32>`, found `tile<4xf64>`
    %r12 = cmpf equal ordered %f32, %f32_8 : tile<4xf32> -> tile<4xi1> // error[T0301]: expected `rhs` of type `tile<4xf32>`, found `tile<8xf32>`
    %r13 = cmpf equal ordered %f32, %f32 : tile<4xf32> -> tile<8xi1> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r14 = cmpf equal ordered %f32, %f32 : tile<4xf32> -> tile<i1> // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r15 = cmpf equal ordered %f32, %f32 : tile<4xf32> -> tile<4xi8> // error[T0303]: expected `result` to be a tile of i1, found `tile<4xi8>`
    %r16 = cmpf equal ordered %f32, %f32 : tile<4xf32> -> tile<4xf32> // error[T0303]: expected `result` to be a tile of i1, found `tile<4xf32>`
    return
  }
}
