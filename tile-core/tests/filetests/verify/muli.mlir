// test: verify
// Element types; one type for operands and result.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i64_s = constant <i64: 1> : tile<i64>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i64_8 = constant <i64: 1> : tile<8xi64>
    %r0 = muli %i1, %i1 : tile<4xi1>
    %r1 = muli %i8, %i8 : tile<4xi8>
    %r2 = muli %i16, %i16 : tile<4xi16>
    %r3 = muli %i32, %i32 : tile<4xi32>
    %r4 = muli %i64, %i64 : tile<4xi64>
    %r5 = muli %i64_s, %i64_s : tile<i64>
    %r6 = muli %i64_2x4, %i64_2x4 : tile<2x4xi64>
    %r7 = muli %i4, %i4 : tile<4xi4> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r8 = muli %f32, %f32 : tile<4xf32> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r9 = muli %p_f32, %p_f32 : tile<4xptr<f32>> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
    %r10 = muli %i64, %i64_8 : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<4xi64>`, found `tile<8xi64>`
    %r11 = muli %i64_8, %i64 : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<8xi64>`, found `tile<4xi64>`
// error[T0303]: expected `result` of type `tile<8xi64>`, found `tile<4xi64>`
    %r12 = muli %i64, %i1 : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<4xi64>`, found `tile<4xi1>`
    %r13 = muli %i64, %i64 : tile<8xi64> // error[T0303]: expected `result` of type `tile<4xi64>`, found `tile<8xi64>`
    %r14 = muli %i32, %i32 overflow<no_signed_wrap> : tile<4xi32>
    %r15 = muli %i32, %i32 overflow<no_unsigned_wrap> : tile<4xi32>
    %r16 = muli %i32, %i32 overflow<no_wrap> : tile<4xi32>
    return
  }
}
